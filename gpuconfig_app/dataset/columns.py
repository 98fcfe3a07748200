"""Judges a table's columns while its rows go by: number, category, text, constant or identifier."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gpuconfig_app.core.dataset import ColumnFacts, ColumnKind
from gpuconfig_app.dataset.table_text import is_missing, to_number

MOST_DISTINCT = 10_000
MOST_CATEGORIES = 1_000
EXAMPLES = 3
_EXAMPLE_LENGTH = 40
_CATEGORY_SHARE = 0.5
_FEW = 20
_WORDS_OF_TEXT = 3.0
_ID_NAME = re.compile(
    r"(^|[_\s])(id|uuid|guid|key|index|idx|no|nr)$|^(id|uuid|guid)([_\s]|$)|Id$|ID$|^unnamed|编号$|序号$|^$"
)
_DECIMAL_COMMA = re.compile(r"^-?\d{1,3}(?:\.\d{3})*,\d+$|^-?\d+,\d+$")


@dataclass
class Column:
    """What is known of a column so far."""

    name: str
    seen: int = 0
    missing: int = 0
    numbers: int = 0
    integers: int = 0
    decimal_commas: int = 0
    words: int = 0
    minimum: float | None = None
    maximum: float | None = None
    is_rising: bool = True
    distinct: set[str] | None = field(default_factory=set)
    examples: list[str] = field(default_factory=list)

    def add(self, cell: str) -> None:
        """Take one cell into account."""
        self.seen += 1
        if is_missing(cell):
            self.missing += 1
            return
        text = cell.strip()
        self._count_distinct(text)
        number = to_number(text)
        if number is None:
            self.words += len(text.split())
            self.decimal_commas += bool(_DECIMAL_COMMA.match(text))
            self.is_rising = False
            return
        self._add_number(number)

    def _count_distinct(self, text: str) -> None:
        if self.distinct is None:
            return
        if text not in self.distinct and len(self.examples) < EXAMPLES:
            self.examples.append(text[:_EXAMPLE_LENGTH])
        self.distinct.add(text)
        if len(self.distinct) > MOST_DISTINCT:
            self.distinct = None

    def _add_number(self, number: float) -> None:
        self.numbers += 1
        if number - number != 0:
            return  # infinite: counted as a number, but has no place in a range
        self.integers += number.is_integer()
        if self.maximum is not None and number != self.maximum + 1:
            self.is_rising = False
        self.minimum = number if self.minimum is None else min(self.minimum, number)
        self.maximum = number if self.maximum is None else max(self.maximum, number)

    def facts(self) -> ColumnFacts:
        """Judge the column."""
        present = self.seen - self.missing
        is_number = present > 0 and self.numbers == present
        return ColumnFacts(
            name=self.name,
            kind=self._kind(present),
            missing_count=self.missing,
            distinct_count=None if self.distinct is None else len(self.distinct),
            minimum=self.minimum if is_number else None,
            maximum=self.maximum if is_number else None,
            is_integer=is_number and self.integers == present,
            examples=tuple(self.examples),
        )

    def _kind(self, present: int) -> ColumnKind:
        if self.has_decimal_commas and (self.distinct is None or len(self.distinct) > 1):
            return ColumnKind.TEXT
        return judge_values(
            name=self.name,
            present=present,
            different=None if self.distinct is None else len(self.distinct),
            is_number=self.numbers == present,
            is_integer=self.integers == present,
            words=self.words / max(1, present - self.numbers),
            is_counting=self.is_rising and self.minimum in (0, 1),
        )

    @property
    def has_decimal_commas(self) -> bool:
        """Whether its numbers are written with a comma."""
        return self.decimal_commas > 0 and self.decimal_commas + self.numbers == self.seen - self.missing


def judge_values(
    *,
    name: str,
    present: int,
    different: int | None,
    is_number: bool,
    is_integer: bool,
    words: float,
    is_counting: bool = False,
) -> ColumnKind:
    """Judge a column by what was counted.

    Args:
        name: Its name; an identifier often has one that says so.
        present: Cells that are not empty.
        different: Different values, None above the counting limit.
        is_number: All present cells are numbers.
        is_integer: All of them are whole.
        words: Mean number of words in the cells that are no numbers.
        is_counting: The cells count from 0 or 1 up, row by row.
    """
    is_unique = different is None or different == present
    if different is not None and different <= 1:
        return ColumnKind.CONSTANT
    if is_number:
        is_named = _ID_NAME.search(name) is not None
        if is_integer and is_unique and present > _FEW and (is_named or is_counting):
            return ColumnKind.IDENTIFIER
        return ColumnKind.NUMBER
    if different is not None and different <= _FEW and different < present:
        return ColumnKind.CATEGORY
    if words > _WORDS_OF_TEXT:
        return ColumnKind.TEXT
    if is_unique:
        return ColumnKind.IDENTIFIER
    is_category = different is not None and different <= min(MOST_CATEGORIES, present * _CATEGORY_SHARE)
    return ColumnKind.CATEGORY if is_category else ColumnKind.TEXT
