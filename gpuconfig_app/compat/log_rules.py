"""Rules of the log doctor as data: which signs, under which facts, mean what, and what helps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from gpuconfig_app.compat.conditions import Condition, Word
from gpuconfig_app.compat.log_signs import load_signs
from gpuconfig_app.compat.rules import FixRow, load_fixes, parse_fixes
from gpuconfig_app.core.finding import Confidence, Severity
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table, row_unusable

TABLE = "log_rules"
FIXES_TABLE = "log_fixes"


@dataclass(frozen=True, kw_only=True)
class LogRule:
    """One thing a log can mean.

    Attributes:
        id: Kebab case.
        code: UPPER_SNAKE; the codes of the verdict where it is the same trouble. Several rows may share one: of those
            that hit, the first in the table speaks.
        priority: The lowest number among causes is the main one.
        is_closing: Chosen by the doctor itself, not by signs.
        signs: One of these is seen.
        beside: All of these are seen, too.
        unless: None of these is seen.
        all: Conditions that must all hold.
        any: Conditions of which one must hold; empty asks nothing.
        given: What is taken as known for texts and fixes where nothing is: a program only prints this on Linux.
        fixes: Ids of ``log_fixes.toml`` or ``compat_fixes.toml``, best first.
        explains: Codes that are its consequences.
        hit_log: A log with which it hits, together with the facts ``hit``.
        miss_log: A log with which it does not, together with the facts ``miss``.
    """

    id: str
    code: str
    severity: Severity
    confidence: Confidence
    priority: int
    title: LocalText
    text: LocalText
    source: tuple[FactSource, ...]
    checked_on: str
    is_closing: bool = False
    signs: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()
    given: Mapping[str, Word] = field(default_factory=dict)
    fixes: tuple[str, ...] = ()
    explains: tuple[str, ...] = ()
    hit_log: str = ""
    miss_log: str = ""
    hit: Mapping[str, Word] = field(default_factory=dict)
    miss: Mapping[str, Word] = field(default_factory=dict)


def parse_log_rules(
    data: Mapping[str, JsonValue], sign_ids: frozenset[str], fix_ids: frozenset[str]
) -> tuple[LogRule, ...]:
    """Turn the table into rows.

    Args:
        sign_ids: Signs that exist.
        fix_ids: Fixes that exist.

    Raises:
        UnusableFileError: A row cannot be used: unknown sign, fix or code, no example, a condition without a kind.
    """
    rules = read_rows(TABLE, data, "rule", LogRule)
    check_unique(TABLE, [rule.id for rule in rules])
    codes = frozenset(rule.code for rule in rules)
    for rule in rules:
        problem = _problem(rule, sign_ids, fix_ids, codes)
        if problem is not None:
            raise row_unusable(TABLE, rule.id, problem)
    return rules


@cache
def load_log_fixes() -> tuple[FixRow, ...]:
    """Give the fixes a log rule may name: its own ones, and those of the verdict.

    Raises:
        UnusableFileError: A table cannot be used.
    """
    fixes = (*parse_fixes(read_table(FIXES_TABLE)), *load_fixes())
    check_unique(FIXES_TABLE, [fix.id for fix in fixes])
    return fixes


@cache
def load_log_rules() -> tuple[LogRule, ...]:
    """Give every rule, closing ones included.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    signs = frozenset(sign.id for sign in load_signs())
    return parse_log_rules(read_table(TABLE), signs, frozenset(fix.id for fix in load_log_fixes()))


def closing_log_rule(code: str) -> LogRule:
    """Give one of the rules that close a report.

    Raises:
        KeyError: There is none of that code.
    """
    for rule in load_log_rules():
        if rule.is_closing and rule.code == code:
            return rule
    raise KeyError(code)


def _problem(rule: LogRule, sign_ids: frozenset[str], fix_ids: frozenset[str], codes: frozenset[str]) -> str | None:
    unknown = [name for name in (*rule.signs, *rule.beside, *rule.unless) if name not in sign_ids]
    unknown += [name for name in rule.fixes if name not in fix_ids]
    unknown += [name for name in rule.explains if name not in codes]
    if unknown:
        return f"unknown {unknown[0]}"
    if any(condition.kind is None for condition in (*rule.all, *rule.any)):
        return "a condition needs exactly one kind"
    if rule.severity is Severity.BLOCKED and rule.confidence is Confidence.LOW:
        return "a guess does not block"
    if rule.is_closing:
        return None
    if not rule.signs:
        return "no signs"
    return None if rule.hit_log and rule.miss_log else "no example that hits and one that misses"
