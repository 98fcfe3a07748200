"""Which lines of a log are shown: findings with what stands around them, the rest folded; bounded for any size."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from gpuconfig_app.core.log_report import LogReport, LogRole
from gpuconfig_app.workbench.log_lines import LogLines

MOST_PLAIN = 30  # a stretch of ordinary lines up to here is shown whole
AROUND = 8  # of a longer one, this many beside a finding and at the ends of the log
UNFOLD_STEP = 500
MOST_UNFOLDED = 5_000


class LineRole(StrEnum):
    """What a line is to the findings."""

    MAIN = "main"
    FURTHER = "further"
    CONSEQUENCE = "consequence"
    UNEXPLAINED = "unexplained"
    HARMLESS = "harmless"
    PLAIN = "plain"


@dataclass(frozen=True)
class LogRow:
    """One row: a line, or several folded ones.

    Attributes:
        number: Of the line, or of the first folded one.
        code: Of the finding it shows, empty for none.
        severity: Of that finding, empty for none.
        folded: How many lines it stands for; 0 for a line, and of an open fold those that follow it.
        is_fold: It can be pressed.
        is_open: Its lines are shown below it.
        is_full: No more lines can be unfolded.
    """

    number: int
    role: LineRole
    text: str = ""
    code: str = ""
    severity: str = ""
    folded: int = 0
    is_fold: bool = False
    is_open: bool = False
    is_full: bool = False


@dataclass
class _Stretch:
    """Lines that are alike in how they are shown; ``shown`` counts the unfolded ones."""

    first: int
    last: int
    role: LineRole
    is_folded: bool = False
    shown: int = 0

    @property
    def length(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True)
class _Mark:
    role: LineRole
    code: str = ""
    severity: str = ""
    text: str = ""


_ROLES = {
    LogRole.MAIN: LineRole.MAIN,
    LogRole.FURTHER: LineRole.FURTHER,
    LogRole.CONSEQUENCE: LineRole.CONSEQUENCE,
}


class LogRows:
    """Rows of one explained log.

    Args:
        report: What was found.
        lines: The log.

    Attributes:
        rows: What is shown, in order.
    """

    def __init__(self, report: LogReport, lines: LogLines) -> None:
        self._lines = lines
        self._marks = _marks(report)
        self._harmless = {line.number for item in report.harmless for line in item.lines} - self._marks.keys()
        self._stretches = list(_stretches(self._marks.keys(), self._harmless, report.line_count))
        self.rows: list[LogRow] = []
        self._make_rows()

    def toggle(self, row: int) -> bool:
        """Unfold a row, or fold it again; False for a row that is none, or when enough is shown already."""
        if not 0 <= row < len(self.rows) or not self.rows[row].is_fold or self.rows[row].is_full:
            return False
        stretch = self._stretch_of(self.rows[row].number)
        if self.rows[row].is_open:
            stretch.shown = 0
        else:
            room = MOST_UNFOLDED - sum(item.shown for item in self._stretches)
            stretch.shown = min(stretch.shown + min(UNFOLD_STEP, room), stretch.length)
        self._make_rows()
        return True

    def row_of(self, number: int) -> int:
        """Give the row that shows a line, unfolding what hides it; -1 when there is none."""
        if not self._stretches or not 1 <= number <= self._stretches[-1].last:
            return -1
        stretch = self._stretch_of(number)
        if stretch.is_folded and stretch.shown < number - stretch.first + 1:
            if stretch.role is not LineRole.HARMLESS:
                return next(at for at, row in enumerate(self.rows) if row.is_fold and row.number == stretch.first)
            stretch.shown = stretch.length
            self._make_rows()
        return next((at for at, row in enumerate(self.rows) if row.number == number and not row.is_fold), -1)

    def _stretch_of(self, number: int) -> _Stretch:
        return self._stretches[bisect_left(self._stretches, number, key=lambda item: item.last)]

    def _make_rows(self) -> None:
        is_full = sum(item.shown for item in self._stretches) >= MOST_UNFOLDED
        self.rows = [row for stretch in self._stretches for row in self._rows_of(stretch, is_full=is_full)]

    def _rows_of(self, stretch: _Stretch, *, is_full: bool) -> Iterator[LogRow]:
        shown = stretch.shown if stretch.is_folded else stretch.length
        if stretch.is_folded:
            yield LogRow(
                number=stretch.first, role=stretch.role, folded=stretch.length, is_fold=True, is_open=shown > 0,
                is_full=is_full and shown == 0,
            )  # fmt: skip
        for number, text in enumerate(
            self._lines.lines(stretch.first, stretch.first + shown - 1) if shown else (), stretch.first
        ):
            yield self._line(number, text, stretch.role)
        if 0 < shown < stretch.length:
            yield LogRow(
                number=stretch.first + shown, role=stretch.role, folded=stretch.length - shown, is_fold=True,
                is_full=is_full,
            )  # fmt: skip

    def _line(self, number: int, text: str, role: LineRole) -> LogRow:
        mark = self._marks.get(number)
        if mark is None:
            return LogRow(number=number, role=role, text=text)
        if mark.text and mark.text[:40] not in text:
            text = mark.text  # a part that was written over on the screen, or far inside a long line
        return LogRow(number=number, role=mark.role, text=text, code=mark.code, severity=mark.severity)


def _marks(report: LogReport) -> dict[int, _Mark]:
    """Give what each line shows; of several findings in one line the weightiest."""
    marks: dict[int, _Mark] = {}
    for role in LogRole:
        for item in (item for item in report.findings if item.role is role):
            for line in item.lines:
                severity, code = item.finding.severity.value, item.finding.code
                marks.setdefault(line.number, _Mark(_ROLES[role], code, severity, line.text or ""))
    for line in report.unexplained:
        marks.setdefault(line.number, _Mark(LineRole.UNEXPLAINED, text=line.text or ""))
    return marks


def _stretches(marks: Iterable[int], harmless: set[int], count: int) -> Iterator[_Stretch]:
    """Part the log into marked lines, runs of harmless ones, and what lies between."""
    special = sorted({number for number in (*marks, *harmless) if 1 <= number <= count})
    at, place = 1, 0
    while place < len(special):
        number = special[place]
        is_harmless = number in harmless
        end = number
        while place + 1 < len(special) and special[place + 1] == end + 1 and (end + 1 in harmless) == is_harmless:
            end, place = end + 1, place + 1
        before = special[special.index(number) - 1] if number != special[0] else 0
        yield from _between(at, number - 1, keeps_start=before not in harmless, keeps_end=not is_harmless)
        role = LineRole.HARMLESS if is_harmless else LineRole.PLAIN
        yield _Stretch(number, end, role, is_folded=is_harmless)
        at, place = end + 1, place + 1
    last_is_harmless = bool(special) and special[-1] in harmless
    yield from _between(at, count, keeps_start=not last_is_harmless, keeps_end=True)


def _between(first: int, last: int, *, keeps_start: bool, keeps_end: bool) -> Iterator[_Stretch]:
    """Show a short stretch; of a long one fold all but its ends beside a finding."""
    length = last - first + 1
    if length <= 0:
        return
    if length <= MOST_PLAIN:
        yield _Stretch(first, last, LineRole.PLAIN)
        return
    head = AROUND if keeps_start else 0
    tail = AROUND if keeps_end else 0
    if head:
        yield _Stretch(first, first + head - 1, LineRole.PLAIN)
    yield _Stretch(first + head, last - tail, LineRole.PLAIN, is_folded=True)
    if tail:
        yield _Stretch(last - tail + 1, last, LineRole.PLAIN)
