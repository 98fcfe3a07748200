"""What is known of the user's data before anything is trained on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.disk_speed import DiskSpeed
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import Record, path_text, public_text


class DataKind(StrEnum):
    """Layouts the product can read."""

    IMAGE_FOLDERS = "image_folders"
    TABLE = "table"
    UNKNOWN = "unknown"


class ColumnKind(StrEnum):
    """How a table's column can be used."""

    NUMBER = "number"
    CATEGORY = "category"
    TEXT = "text"
    CONSTANT = "constant"
    IDENTIFIER = "identifier"


@dataclass(frozen=True, kw_only=True)
class ClassFacts(Record):
    """One class folder: its name (private) and how many files it holds."""

    name: str = ""
    count: int = 0


@dataclass(frozen=True, kw_only=True)
class ColumnFacts(Record):
    """One column of a table.

    Attributes:
        name: Private.
        missing_count: Empty cells among the rows looked at.
        distinct_count: Different values among the rows looked at, None above the counting limit.
        examples: A few values, private.
    """

    name: str = ""
    kind: ColumnKind = ColumnKind.NUMBER
    missing_count: int = 0
    distinct_count: int | None = None
    minimum: float | None = None
    maximum: float | None = None
    is_integer: bool = False
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DatasetFacts(Record):
    """What a scan found.

    Attributes:
        path: As the user gave it.
        sample_count: Files or rows; exact for folders and small tables, else an estimate (``is_exact``).
        total_bytes: On disk.
        classes: Folder classes in the order TensorFlow numbers them (sorted by name).
        image_size: Median (height, width, channels) of those looked at, None for tables.
        columns: Of a table, in file order.
        encoding: Of a text table, as Python names it (``utf-8``, ``utf-8-sig``, ``gb18030`` …).
        broken_files: Unreadable ones, relative paths, private.
        fingerprint: Of names, sizes and times; keys the cache folder.
        notes: What a user should know (imbalance, duplicates, empty classes).
        disk_speed: How fast they were read, None when that was not measured.
    """

    path: str = path_text("")
    kind: DataKind = DataKind.UNKNOWN
    sample_count: int | None = None
    is_exact: bool = True
    total_bytes: int | None = None
    classes: tuple[ClassFacts, ...] = ()
    image_size: tuple[int, int, int] | None = None
    image_formats: tuple[str, ...] = field(default=(), metadata={"privacy": "public"})
    columns: tuple[ColumnFacts, ...] = ()
    table_format: str | None = public_text()
    delimiter: str | None = public_text()
    has_header: bool | None = None
    encoding: str | None = public_text()
    broken_files: tuple[str, ...] = ()
    broken_count: int = 0
    fingerprint: str | None = public_text()
    notes: tuple[Message, ...] = ()
    disk_speed: DiskSpeed | None = None
