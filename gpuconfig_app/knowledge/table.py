"""Reads one TOML table of facts into typed rows, and says in one sentence which row cannot be used.

Every row of every table names its source and the day it was checked. What the facts mean is not decided here.

Tables that are harvested from a package index can be refreshed by the user; the refreshed copy lies in the user's data
folder. Of the two the newer one counts, unless it cannot be used.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Protocol, TypeVar

from gpuconfig_app.core.codec import decode
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.finding import Source
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.resources import resource_path
from gpuconfig_app.storage.places import user_places

logger = logging.getLogger(__name__)
SCHEMA = 1
OWN_SOURCE = "GPUConfig:"
REFRESHED_TABLES = ("tensorflow_releases", "tensorflow_packages", "cudnn_wheels")

_DATE = re.compile(r"20\d\d-[01]\d-[0-3]\d")
_HARVESTED = re.compile(r'^harvested_at = "(20[0-9T:Z-]+)"$', re.MULTILINE)
_HEAD_BYTES = 4096


@dataclass(frozen=True, kw_only=True)
class FactSource:
    """Where a fact was read.

    Attributes:
        title: Document and section; what the program knows of itself or has measured begins with ``GPUConfig:``.
        address: Public address; None for what the program knows of itself or has measured.
    """

    title: str
    address: str | None = None

    @property
    def is_named(self) -> bool:
        """Whether it can be looked up: a title with an address, or the program itself."""
        if self.address is None:
            return self.title.startswith(OWN_SOURCE)
        return bool(self.title) and self.address.startswith("https://")


class Fact(Protocol):
    """What every row has."""

    @property
    def source(self) -> tuple[FactSource, ...]:
        """Where it was read; at least one."""
        ...

    @property
    def checked_on(self) -> str:
        """ISO date."""
        ...


F = TypeVar("F", bound=Fact)
P = TypeVar("P")


def first_source(fact: Fact) -> Source:
    """Give the main source of a row in the words of a finding."""
    main = fact.source[0]
    return Source(title=main.title, address=main.address, checked_on=fact.checked_on)


def read_table(table: str) -> dict[str, JsonValue]:
    """Read the shipped file of a table.

    Args:
        table: File name without ``.toml``.

    Raises:
        UnusableFileError: It is missing, not TOML or of another schema.
    """
    return _read_file(table, shipped_path(table))


def shipped_path(table: str) -> Path:
    """Give where a table lies that came with the program."""
    return resource_path("knowledge", f"{table}.toml")


def refreshed_path(table: str) -> Path:
    """Give where a table lies that this user refreshed; it need not exist."""
    return user_places().data / "knowledge" / f"{table}.toml"


def is_refreshed_newer(table: str) -> bool:
    """Tell whether this user refreshed a table after the shipped one was made."""
    refreshed = refreshed_path(table)
    if table not in REFRESHED_TABLES or not refreshed.is_file():
        return False
    when, shipped = harvested_at(refreshed), harvested_at(shipped_path(table))
    return when is not None and (shipped is None or when > shipped)


def harvested_at(path: Path) -> str | None:
    """Give the moment (ISO, UTC) a table was harvested; None when it does not say or cannot be read."""
    try:
        with path.open("rb") as file:
            found = _HARVESTED.search(file.read(_HEAD_BYTES).decode("utf-8", errors="replace"))
    except OSError:
        return None
    return found[1] if found else None


def read_newest(table: str, parse: Callable[[Mapping[str, JsonValue]], P]) -> P:
    """Read a harvested table: the user's refreshed one when it is newer and can be used, else the shipped one.

    Args:
        parse: Turns the table into rows, and refuses one that cannot be used.

    Raises:
        UnusableFileError: The shipped table cannot be used.
    """
    if is_refreshed_newer(table):
        try:
            return parse(_read_file(table, refreshed_path(table)))
        except UnusableFileError as error:
            logger.warning("refreshed %s: %s", table, error)
    return parse(read_table(table))


def _read_file(table: str, path: Path) -> dict[str, JsonValue]:
    try:
        return parse_table(table, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        detail = getattr(error, "strerror", None) or type(error).__name__
        raise UnusableFileError(Message("knowledge.table-missing", {"table": table, "detail": detail})) from error


def parse_table(table: str, text: str) -> dict[str, JsonValue]:
    """Read the text of a table.

    Raises:
        UnusableFileError: It is not TOML or of another schema.
    """
    try:
        data: dict[str, JsonValue] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnusableFileError(Message("knowledge.not-toml", {"table": table, "detail": str(error)})) from error
    if data.get("schema") != SCHEMA:
        raise UnusableFileError(Message("knowledge.wrong-schema", {"table": table, "known": SCHEMA}))
    return data


def read_rows(table: str, data: Mapping[str, JsonValue], key: str, kind: type[F]) -> tuple[F, ...]:
    """Turn the rows below one key into typed facts, in file order.

    Args:
        table: Name for error messages.
        data: The whole table.
        key: Name of the array of tables.
        kind: Dataclass of a row.

    Raises:
        UnusableFileError: A row lacks a field, has an unknown one, a wrong type, no source or no date.
    """
    rows = data.get(key)
    if not isinstance(rows, list) or not rows:
        raise row_unusable(table, key, "no rows")
    return tuple(_read_row(table, f"{key}[{number}]", row, kind) for number, row in enumerate(rows))


def _read_row(table: str, place: str, row: JsonValue, kind: type[F]) -> F:
    if not isinstance(row, dict):
        raise row_unusable(table, place, "not a table")
    name = row.get("id") or row.get("series") or row.get("toolkit") or row.get("branch")
    place = f"{place} ({name})" if name else place
    unknown = sorted(set(row) - _field_names(kind))
    if unknown:
        raise row_unusable(table, place, f"unknown field {unknown[0]}")
    try:
        fact = decode(kind, _with_tuples(row), place)
    except UnusableFileError as error:
        expected = error.message.params.get("expected", "")
        where = error.message.params.get("where", place)
        raise row_unusable(table, str(where), f"should be {expected}") from error
    if not fact.source or not all(item.is_named for item in fact.source):
        raise row_unusable(table, place, "no source with title and address")
    if not _DATE.fullmatch(fact.checked_on):
        raise row_unusable(table, place, "no date in checked_on")
    return fact


@cache
def _field_names(kind: type) -> frozenset[str]:
    return frozenset(item.name for item in fields(kind))


def _with_tuples(row: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Let a single source stand without brackets."""
    source = row.get("source")
    return row | {"source": [source]} if isinstance(source, dict) else row


def row_unusable(table: str, row: str, problem: str) -> UnusableFileError:
    """Give the error of a row that cannot be used."""
    return UnusableFileError(Message("knowledge.row-unusable", {"table": table, "row": row, "problem": problem}))


def check_unique(table: str, keys: Sequence[str]) -> None:
    """Refuse a table in which a key occurs twice.

    Raises:
        UnusableFileError: A key occurs twice.
    """
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise row_unusable(table, key, "occurs twice")
        seen.add(key)
