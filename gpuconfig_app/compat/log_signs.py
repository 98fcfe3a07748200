"""Signs: what programs print, as data. Finds them in a log of any size in bounded time.

A sign is asked for by literal words first, which is quick; a shape (a regular expression) is only tried on the few
thousand characters around such a word. What a sign means is decided by rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from gpuconfig_app.compat.conditions import FactValue, Word
from gpuconfig_app.compat.log_reading import NARROWEST_TERMINAL, LogPiece, unwrapped
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table, row_unusable

TABLE = "log_signs"
MOST_LINES = 20
# In one piece of the log, for one word; bounds the work when a log is full of it.
MOST_TRIES = 1_000
MOST_LAST_TRIES = 300
MOST_MATCHES = 1_000
# A line is only tried together with the next ones this often for one word of a piece.
MOST_JOINED = 200
_AROUND = 2_000
_SHOWN_CHARACTERS = 400
# Unbounded repeats and look-behinds are what makes a pattern slow; each repeat has to name its end.
_UNBOUNDED = re.compile(r"(?<!\\)(?:\\\\)*(?:[*+]|\{\d*,\})|\(\?<[=!]|\(\?\(|\\[1-9]")
_CLASS = re.compile(r"(?<!\\)\[(?:\\.|[^\]\\])*\]")
_REPEAT = re.compile(r"\{\d*,(\d+)\}")
# What tools put before a line: quotes of a mail, docker compose, kubectl, srun, the journal, the kernel, a logger.
_PREFIX = re.compile(
    r"(?:> ?){0,3}(?:[\w.-]{1,40} {0,10}\| )?(?:\[[\w/.-]{1,60}\] )?(?:\d{1,4}: )?"
    r"(?:\w{3} {1,2}\d{1,2} \d\d:\d\d:\d\d \S{1,40} \S{1,40}: )?(?:\[ {0,8}\d{1,9}\.\d{1,6}\] )?"
    r"(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,]?\d{0,9}Z?:? )?(?:- \S{1,30} - [A-Z]{4,8} - )?"
)
LONG_REPEAT = 30
MOST_LONG_REPEATS = 3


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A regular expression with the word that must stand near it.

    Attributes:
        word: In lower case.
        shape: Searched without regard to case; named groups become facts ``log.<name>``.
    """

    word: str
    shape: str


@dataclass(frozen=True, kw_only=True)
class Sign:
    """Something that is printed.

    Attributes:
        id: Kebab case.
        words: Sentences of which one is enough, lower case.
        shapes: The same with a form.
        facts: What the sign tells about the machine, used where nothing better is known.
        harmless: What it means, for a line that needs no action.
        examples: Lines that show it, for the test; needed for shapes.
        others: Lines that look alike and do not.
    """

    id: str
    source: tuple[FactSource, ...]
    checked_on: str
    words: tuple[str, ...] = ()
    shapes: tuple[Shape, ...] = ()
    facts: Mapping[str, Word] = field(default_factory=dict)
    harmless: LocalText | None = None
    examples: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeenLine:
    """A line with a sign in it.

    Attributes:
        last: Number of its last row when a terminal broke it, else 0.
    """

    number: int
    text: str
    last: int = 0


@dataclass
class Seen:
    """What was found of one sign.

    Attributes:
        lines: The first ones, by number.
        count: All matches.
        is_counted_fully: False when counting was ended early.
        values: Named groups of the first matches.
        places: Where the counted lines begin, by piece.
    """

    lines: dict[int, SeenLine] = field(default_factory=dict)
    count: int = 0
    is_counted_fully: bool = True
    values: list[Mapping[str, str]] = field(default_factory=list)
    places: set[tuple[int, int]] = field(default_factory=set)

    def add(self, line: SeenLine, values: Mapping[str, str], place: tuple[int, int]) -> None:
        """Take a match; a line that several words match counts once."""
        self.count += place not in self.places
        self.places.add(place)
        if values and len(self.values) < MOST_MATCHES:
            self.values.append(values)
        if len(self.lines) < MOST_LINES:
            self.lines.setdefault(line.number, line)


@dataclass(frozen=True)
class _Pattern:
    sign: str
    word: str
    shape: re.Pattern[str] | None

    @property
    def asks_for_absence(self) -> bool:
        """Whether it needs a line to lack something, which half a line may."""
        return self.shape is not None and self.shape.pattern.startswith("^(?!")


class SignSearch:
    """Looks for every sign in the pieces of a log.

    Args:
        signs: What to look for.
    """

    def __init__(self, signs: Sequence[Sign]) -> None:
        self._patterns = tuple(_patterns(signs))
        self._all = {sign.id: Seen() for sign in signs}

    @property
    def seen(self) -> dict[str, Seen]:
        """What was found so far, by sign."""
        return {name: seen for name, seen in self._all.items() if seen.count}

    def search(self, piece: LogPiece) -> None:
        """Search one piece; what is not found in it, once more with the lines whole that a terminal broke."""
        whole = unwrapped(piece)
        if whole is piece:
            self._search(piece, self._patterns)
            return
        self._search(piece, [item for item in self._patterns if not item.asks_for_absence])
        self._search(whole, [item for item in self._patterns if not self._all[item.sign].count])

    def _search(self, piece: LogPiece, patterns: Sequence[_Pattern]) -> None:
        flat = _flattened(piece.text)
        for pattern in patterns:
            at = flat.find(pattern.word)
            if at >= 0:
                self._follow(pattern, piece, flat, at)

    def _follow(self, pattern: _Pattern, piece: LogPiece, flat: str, at: int) -> None:
        seen, failures = self._all[pattern.sign], 0
        for start, end in _lines_with(pattern.word, piece.text, flat, at):
            if seen.count >= MOST_MATCHES:
                seen.is_counted_fully = False
                return
            values = _matched(pattern, piece.text, start, end, is_joined=failures < MOST_JOINED)
            failures += values is None
            if values is not None:
                line = _line(piece, start, end, is_shown=len(seen.lines) < MOST_LINES)
                seen.add(line, values, (piece.first_line, start))


def _flattened(text: str) -> str:
    """Give a text in lower case and without line ends, every place where it was."""
    flat = text.lower()
    if len(flat) != len(text):  # a few letters grow when lowered
        flat = "".join(item.lower() if item < "\x80" else item for item in text)
    return flat.replace("\n", " ").replace("\r", " ")


def _lines_with(word: str, text: str, flat: str, at: int) -> Iterator[tuple[int, int]]:
    """Give the lines with a word, from its first place on; in a piece that is full of it the first and last ones."""
    tries, start, end = 0, 0, 0
    while at >= 0 and tries < MOST_TRIES:
        start, end = line_around(text, at)
        yield start, end
        tries += 1
        at = flat.find(word, max(end, at + 1))
    last = len(flat)
    for _ in range(MOST_LAST_TRIES if at >= 0 else 0):
        at = flat.rfind(word, end, last)
        if at < 0:
            return
        start, stop = line_around(text, at)
        yield start, stop
        last = min(start, at)


def line_around(text: str, at: int) -> tuple[int, int]:
    """Give start and end of the line that holds a place, at most a few thousand characters around it."""
    low, high = max(0, at - _AROUND), min(len(text), at + _AROUND)
    start = max(text.rfind("\n", low, at), text.rfind("\r", low, at)) + 1 or low
    ends = [end for end in (text.find("\n", at, high), text.find("\r", at, high)) if end >= 0]
    return start, min(ends, default=high)


def shown_line(text: str) -> str:
    """Give a line as it is shown: without blanks around it, long ones shortened."""
    text = text.strip()
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"


def parse_signs(data: Mapping[str, JsonValue]) -> tuple[Sign, ...]:
    """Turn the table into rows.

    Raises:
        UnusableFileError: A row cannot be used: no words, upper case in a word, a shape that could become slow.
    """
    signs = read_rows(TABLE, data, "sign", Sign)
    check_unique(TABLE, [sign.id for sign in signs])
    for sign in signs:
        problem = _problem(sign)
        if problem is not None:
            raise row_unusable(TABLE, sign.id, problem)
    return signs


@cache
def load_signs() -> tuple[Sign, ...]:
    """Give every sign.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return parse_signs(read_table(TABLE))


def facts_of_signs(signs: Sequence[Sign], seen: Mapping[str, Seen]) -> dict[str, FactValue]:
    """Give the facts that signs tell about the machine; of two that disagree the one first in the table."""
    facts: dict[str, FactValue] = {}
    for sign in signs:
        if sign.id in seen:
            for name, value in sign.facts.items():
                facts.setdefault(name, value)
    return facts


def _line(piece: LogPiece, start: int, end: int, *, is_shown: bool) -> SeenLine:
    if not is_shown:
        return SeenLine(0, "")
    return SeenLine(piece.number_at(start), shown_line(piece.text[start:end]))


def _matched(pattern: _Pattern, text: str, start: int, end: int, *, is_joined: bool) -> Mapping[str, str] | None:
    """Give the named groups of a match, None for no match; a line that was broken may be tried as one."""
    if pattern.shape is None:
        return {}
    line = text[start:end]
    found = pattern.shape.search(line)
    if found is None and pattern.shape.pattern.startswith("^"):
        found = pattern.shape.search(_without_prefix(line))
    if found is None and is_joined:
        found = _match_over_lines(pattern.shape, text, start, end)
    return None if found is None else {key: value for key, value in found.groupdict().items() if value}


def _match_over_lines(shape: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    """Try a line together with the two after it: parted at a blank, or by a terminal in the middle of a word."""
    last = end
    for _ in range(2):
        last = text.find("\n", last + 1, end + _AROUND)
        if last < 0:
            last = min(len(text), end + _AROUND)
            break
    parts = [_without_prefix(part) for part in text[start:last].split("\n")]
    found = shape.search(" ".join(" ".join(parts).split()))
    if found is None and end - start >= NARROWEST_TERMINAL:
        found = shape.search("".join(parts))
    return found


def _without_prefix(line: str) -> str:
    found = _PREFIX.match(line)
    return line[found.end() :] if found else line


def _patterns(signs: Sequence[Sign]) -> Iterator[_Pattern]:
    for sign in signs:
        for word in sign.words:
            yield _Pattern(sign.id, word, None)
        for item in sign.shapes:
            yield _Pattern(sign.id, item.word, re.compile(item.shape, re.IGNORECASE))


def _problem(sign: Sign) -> str | None:
    words = [*sign.words, *(item.word for item in sign.shapes)]
    if not words:
        return "no words"
    if any(word != word.lower() or len(word) < 2 for word in words):
        return "words are in lower case and have two letters or more"
    for item in sign.shapes:
        bare = _CLASS.sub("x", item.shape)
        if _UNBOUNDED.search(bare):
            return "a repeat needs a bound"
        if any(_long_repeats(branch) > MOST_LONG_REPEATS for branch in bare.split("|")):
            return "too many long repeats"
        try:
            re.compile(item.shape)
        except re.error as error:
            return f"shape: {error}"
    return None if sign.examples or not sign.shapes else "no example"


def _long_repeats(branch: str) -> int:
    return sum(1 for end in _REPEAT.findall(branch) if int(end) >= LONG_REPEAT)
