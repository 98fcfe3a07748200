"""Finds out how a text table is written: encoding, separator, and whether its first line holds names."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

DELIMITERS = (",", ";", "\t", "|")
MISSING = frozenset({"", "?", "n/a", "na", "nan", "none", "null"})
"""Cells that count as empty, in small letters; the tabular script has the same list."""

_SAMPLE_ROWS = 200
_NUL_SHARE = 0.01
_FIRST_GB2312 = 0xA1
_HIGH_RUNS = re.compile(rb"[\xa1-\xfe]+")
_PAIRED_SHARE = 0.9
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class Dialect:
    """How a table is written.

    Attributes:
        encoding: Name of a Python codec.
        width: Cells that most rows have.
    """

    encoding: str
    delimiter: str
    has_header: bool
    width: int


def find_encoding(head: bytes) -> str | None:
    """Tell the encoding by byte-order mark, else the first of UTF-8, GB 18030 and Windows-1252 that fits.

    Args:
        head: The file's beginning; a character cut off at its end does no harm.

    Returns:
        None when it is no text at all.
    """
    found = next((name for mark, name in _BOMS if head.startswith(mark)), None)
    if found is not None:
        return found
    if head.count(0) > len(head) * _NUL_SHARE:
        return None
    if _decodes(head, "utf-8"):
        return "utf-8"
    return "gb18030" if _looks_chinese(head) and _decodes(head, "gb18030") else "cp1252"


def _decodes(head: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _looks_chinese(head: bytes) -> bool:
    """Tell GB 18030 from Western text, which it decodes too: its characters have two high bytes, umlauts one."""
    high = sum(byte >= _FIRST_GB2312 for byte in head)
    paired = sum(len(run) - len(run) % 2 for run in _HIGH_RUNS.findall(head))
    return high > 0 and paired >= high * _PAIRED_SHARE


def find_dialect(text: str, encoding: str, suffix: str) -> Dialect:
    """Tell the separator and whether there is a header, from the beginning of the text.

    Args:
        suffix: Ending of the file; ``.tsv`` and ``.tab`` prefer tabs.
    """
    order = ("\t", *DELIMITERS) if suffix in (".tsv", ".tab") else DELIMITERS
    best, best_score = order[0], -1.0
    for delimiter in dict.fromkeys(order):
        rows = first_rows(text, delimiter)
        score = _consistency(rows)
        if score > best_score:
            best, best_score = delimiter, score
    rows = first_rows(text, best)
    width = _usual_width(rows)
    is_like_others = bool(rows) and len(rows[0]) == width
    return Dialect(encoding, best, is_like_others and _has_header(rows), width)


def first_rows(text: str, delimiter: str) -> list[list[str]]:
    """Give the first rows that are complete; text that is no table gives none."""
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if row:
                rows.append(row)
            if len(rows) > _SAMPLE_ROWS:
                break
    except csv.Error:
        return []
    # the last row may be cut off by the sample's end
    return rows[:-1] if len(rows) > 1 and not text.endswith("\n") and len(rows) <= _SAMPLE_ROWS else rows


def is_missing(cell: str) -> bool:
    """Whether a cell counts as empty."""
    return cell.strip().lower() in MISSING


def to_number(cell: str) -> float | None:
    """Give a cell as a number, None when it is none."""
    try:
        value = float(cell)
    except ValueError:
        return None
    # Python reads 1_000 as a number; a table's reader elsewhere does not
    return None if "_" in cell else value


def _consistency(rows: Sequence[Sequence[str]]) -> float:
    """Give the share of rows with the commonest number of cells, more cells first; 0 when there is but one cell."""
    if not rows:
        return 0.0
    count = _usual_width(rows)
    times = sum(len(row) == count for row in rows)
    return 0.0 if count < 2 else times / len(rows) + min(count, 1000) / 1e6


def _usual_width(rows: Sequence[Sequence[str]]) -> int:
    return Counter(len(row) for row in rows).most_common(1)[0][0] if rows else 0


def _has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Judge the first row: names stand above other kinds of values, are no numbers, and don't come back as values."""
    if len(rows) < 2:
        return bool(rows) and not any(to_number(cell) is not None for cell in rows[0])
    first, rest = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    if not rest or len(set(first)) < len(first):
        return False
    columns = list(zip(*rest, strict=True))
    if any(
        to_number(name) is None and not is_missing(name) and _is_number_column(column)
        for name, column in zip(first, columns, strict=True)
    ):
        return True
    if any(is_missing(cell) or to_number(cell) is not None for cell in first):
        return False
    return not any(name in column for name, column in zip(first, columns, strict=True))


def _is_number_column(cells: Sequence[str]) -> bool:
    present = [cell for cell in cells if not is_missing(cell)]
    return bool(present) and all(to_number(cell) is not None for cell in present)
