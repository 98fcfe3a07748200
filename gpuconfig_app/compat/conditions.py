"""The conditions a rule may be made of: a closed list of kinds, joined by "all of" and "any of", nothing nested.

A condition answers True, False or None; None means that its fact is not known, and a rule that needs it does not hit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache

from gpuconfig_app.core.versions import is_at_least, is_below

FactValue = str | int | float | bool | tuple[str, ...] | None
Facts = Mapping[str, FactValue]
Word = bool | int | float | str


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One question about one fact; exactly one kind is set.

    Attributes:
        fact: Name in the facts view.
        equals: The value is this one.
        differs: The value is known and another one.
        one_of: The value is one of these.
        at_least: A version that is this one or later.
        below: A version earlier than this one.
        contains: A list with this word in it.
        more_than: A number above this one.
        fewer_than: A number below this one.
        known: Whether the fact is known at all; the only kind that answers for an unknown one.
    """

    fact: str
    equals: Word | None = None
    differs: Word | None = None
    one_of: tuple[str, ...] | None = None
    at_least: str | None = None
    below: str | None = None
    contains: str | None = None
    more_than: float | None = None
    fewer_than: float | None = None
    known: bool | None = None

    @property
    def kind(self) -> str | None:
        """Name of the one kind that is set; None when there is none or more than one."""
        kinds = [name for name in _kinds() if getattr(self, name) is not None]
        return kinds[0] if len(kinds) == 1 else None

    def holds(self, facts: Facts) -> bool | None:
        """Answer for these facts; None when the fact is not known."""
        value = facts.get(self.fact)
        if self.known is not None:
            return (value is not None) == self.known
        if value is None:
            return None
        return self._holds_for(value)

    def _holds_for(self, value: Word | tuple[str, ...]) -> bool | None:
        if self.equals is not None:
            return _same(value, self.equals)
        if self.differs is not None:
            return not _same(value, self.differs)
        if self.one_of is not None:
            return value in self.one_of
        if self.contains is not None:
            return isinstance(value, tuple) and self.contains in value
        if self.at_least is not None:
            return is_at_least(str(value), self.at_least)
        if self.below is not None:
            return is_below(str(value), self.below)
        return self._holds_for_number(value)

    def _holds_for_number(self, value: Word | tuple[str, ...]) -> bool | None:
        if isinstance(value, bool | str | tuple):
            return None
        if self.more_than is not None:
            return value > self.more_than
        return None if self.fewer_than is None else value < self.fewer_than


@cache
def _kinds() -> tuple[str, ...]:
    return tuple(item.name for item in fields(Condition) if item.name != "fact")


def all_hold(conditions: Sequence[Condition], facts: Facts) -> bool:
    """Whether every condition is known to hold; true for none."""
    return all(condition.holds(facts) is True for condition in conditions)


def any_holds(conditions: Sequence[Condition], facts: Facts) -> bool:
    """Whether at least one condition is known to hold; true for an empty list, which asks nothing."""
    return not conditions or any(condition.holds(facts) is True for condition in conditions)


def _same(value: Word | tuple[str, ...], wanted: Word) -> bool:
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
