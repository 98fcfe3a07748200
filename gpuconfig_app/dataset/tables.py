"""A table in a text file: how it is written, its columns, its rows; Parquet is recognised and left to a probe."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gpuconfig_app.core.dataset import ColumnKind, DataKind, DatasetFacts
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.units import MIB
from gpuconfig_app.dataset.columns import Column
from gpuconfig_app.dataset.table_text import Dialect, find_dialect, find_encoding

TEXT_SUFFIXES = frozenset({".csv", ".tsv", ".tab", ".txt", ".data"})
PARQUET_SUFFIXES = frozenset({".parquet", ".pq"})
OTHER_TABLE_SUFFIXES = frozenset({".xlsx", ".xls", ".ods", ".feather", ".arrow", ".orc", ".h5", ".gz", ".zip"})

HEAD_BYTES = 1 * MIB
WHOLE_BYTES = 64 * MIB
"""Up to this size every row is read; of larger files only so much, and the number of rows is estimated."""

MOST_ROWS_JUDGED = 200_000
_REPORT_EVERY = 5_000
_PARQUET_MAGIC = b"PAR1"
_FEW_ROWS = 200


@dataclass
class _Rows:
    """What reading the rows gives."""

    columns: list[Column]
    count: int = 0
    read_bytes: int = 0
    wrong_lengths: int = 0
    is_complete: bool = True
    problem: str | None = None
    lengths: Counter[int] = field(default_factory=Counter)


def scan_table(path: Path, control: JobControl) -> DatasetFacts:
    """Look into a table.

    Raises:
        UnusableFileError: It is no table that can be read.
        JobCancelledError: The user ended the scan.
    """
    try:
        facts = path.stat()
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as error:
        detail = error.strerror or type(error).__name__
        raise UnusableFileError(Message("dataset.unreadable", {"path": str(path), "detail": detail})) from error
    mark = hashlib.sha256(f"{path.name}\0{facts.st_size}\0{facts.st_mtime_ns}".encode("utf-8", "surrogateescape"))
    if head.startswith(_PARQUET_MAGIC):
        return _parquet(path, facts.st_size, mark.hexdigest()[:16])
    encoding = find_encoding(head)
    if not head.strip() or encoding is None:
        name = "dataset.table-empty" if not head.strip() else "dataset.not-a-table"
        raise UnusableFileError(Message(name, {"path": str(path)}), Message("dataset.table-hint"))
    text = _decoded_head(head, encoding)
    dialect = find_dialect(text, encoding, path.suffix.lower())
    rows = _read_rows(path, dialect, facts.st_size, control)
    columns = tuple(column.facts() for column in rows.columns)
    return DatasetFacts(
        path=str(path),
        kind=DataKind.TABLE,
        sample_count=_row_count(rows, facts.st_size),
        is_exact=rows.is_complete,
        total_bytes=facts.st_size,
        columns=columns,
        table_format="csv",
        delimiter=dialect.delimiter,
        has_header=dialect.has_header,
        encoding=dialect.encoding,
        fingerprint=mark.hexdigest()[:16],
        notes=tuple(_notes(rows, dialect)),
    )


def _parquet(path: Path, size: int, mark: str) -> DatasetFacts:
    """Recognise a Parquet file; its columns need a reader that the application does not carry."""
    with path.open("rb") as file:
        file.seek(max(0, size - len(_PARQUET_MAGIC)))
        is_whole = file.read() == _PARQUET_MAGIC
    if not is_whole or size < 3 * len(_PARQUET_MAGIC):
        raise UnusableFileError(Message("dataset.parquet-damaged", {"path": str(path)}))
    return DatasetFacts(
        path=str(path),
        kind=DataKind.TABLE,
        sample_count=None,
        is_exact=False,
        total_bytes=size,
        table_format="parquet",
        fingerprint=mark,
        notes=(Message("dataset.parquet-by-probe"),),
    )


def _decoded_head(head: bytes, encoding: str) -> str:
    text = head.decode(encoding, errors="ignore")
    if len(head) == HEAD_BYTES and "\n" in text:
        text = text[: text.rindex("\n") + 1]
    return text


def _read_rows(path: Path, dialect: Dialect, size: int, control: JobControl) -> _Rows:
    """Read the rows, all of them when the file is small enough; a quoted cell may hold line breaks."""
    rows = _Rows(columns=[])
    limit = csv.field_size_limit(16 * MIB)
    try:
        with path.open(encoding=dialect.encoding, errors="replace", newline="") as file:
            records = csv.reader(_counted_lines(file, rows, dialect), delimiter=dialect.delimiter)
            for row in records:
                if not row:
                    continue
                if not rows.columns:
                    _take_names(row, dialect, rows)
                    if dialect.has_header:
                        continue
                _take_row(row, rows)
                if rows.count % _REPORT_EVERY == 0:
                    share = min(1.0, rows.read_bytes / max(1, min(size, WHOLE_BYTES)))
                    control.report(share, Message("dataset.reading-rows", {"count": rows.count}))
                if rows.read_bytes > WHOLE_BYTES:
                    rows.is_complete = False
                    break
    except (OSError, csv.Error) as error:
        rows.problem, rows.is_complete = str(error), False
    finally:
        csv.field_size_limit(limit)
    return rows


def _counted_lines(lines: Iterator[str], rows: _Rows, dialect: Dialect) -> Iterator[str]:
    """Pass lines on and count about how many bytes they took; NUL characters, which csv refuses, are left out."""
    is_narrow = dialect.encoding in ("utf-8", "utf-8-sig", "cp1252")
    for line in lines:
        rows.read_bytes += len(line) if is_narrow and line.isascii() else len(line.encode(dialect.encoding, "replace"))
        yield line.replace("\0", "")


def _take_names(row: Sequence[str], dialect: Dialect, rows: _Rows) -> None:
    names = [cell.removeprefix("\ufeff") for cell in row] if dialect.has_header else []
    if not dialect.has_header:
        names = [f"column_{number}" for number in range(1, (dialect.width or len(row)) + 1)]
    rows.columns = [Column(name) for name in names]


def _take_row(row: Sequence[str], rows: _Rows) -> None:
    rows.count += 1
    if len(row) != len(rows.columns):
        rows.wrong_lengths += 1
        return
    if rows.count <= MOST_ROWS_JUDGED:
        for column, cell in zip(rows.columns, row, strict=True):
            column.add(cell)


def _row_count(rows: _Rows, size: int) -> int:
    if rows.is_complete or not rows.read_bytes:
        return rows.count
    return round(rows.count * size / rows.read_bytes)


def _notes(rows: _Rows, dialect: Dialect) -> list[Message]:
    notes = []
    if dialect.encoding not in ("utf-8", "utf-8-sig"):
        notes.append(Message("dataset.encoding", {"encoding": dialect.encoding}))
    if rows.problem is not None:
        notes.append(Message("dataset.rows-unreadable", {"count": rows.count, "detail": rows.problem}))
    if rows.wrong_lengths:
        notes.append(Message("dataset.wrong-lengths", {"count": rows.wrong_lengths, "expected": len(rows.columns)}))
    if len(rows.columns) == 1:
        notes.append(Message("dataset.one-column"))
    if not dialect.has_header:
        notes.append(Message("dataset.no-header"))
    double = [name for name, count in Counter(column.name for column in rows.columns).items() if count > 1]
    if double:
        notes.append(Message("dataset.double-names", {"names": ", ".join(double)}))
    commas = [column.name for column in rows.columns if column.has_decimal_commas]
    if commas:
        notes.append(Message("dataset.decimal-commas", {"names": ", ".join(commas)}))
    if rows.is_complete and rows.count < _FEW_ROWS:
        notes.append(Message("dataset.few-rows", {"count": rows.count, "limit": _FEW_ROWS}))
    return notes + _column_notes(rows)


def _column_notes(rows: _Rows) -> list[Message]:
    notes = []
    facts = [column.facts() for column in rows.columns]
    for kind, name in (
        (ColumnKind.CONSTANT, "dataset.constant-columns"),
        (ColumnKind.IDENTIFIER, "dataset.identifier-columns"),
        (ColumnKind.TEXT, "dataset.text-columns"),
    ):
        names = [column.name for column in facts if column.kind is kind]
        if names:
            notes.append(Message(name, {"names": ", ".join(names[:10])}))
    judged = min(rows.count, MOST_ROWS_JUDGED)
    gaps = [column.name for column in facts if judged and column.missing_count > judged / 2]
    if gaps:
        notes.append(Message("dataset.mostly-missing", {"names": ", ".join(gaps[:10])}))
    return notes
