"""Reads one TOML table of facts into typed rows, and says in one sentence which row cannot be used.

Every row of every table names its source and the day it was checked. What the facts mean is not decided here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Protocol, TypeVar

from gpuconfig_app.core.codec import decode
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.finding import Source
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.resources import resource_path

SCHEMA = 1

_DATE = re.compile(r"20\d\d-[01]\d-[0-3]\d")


@dataclass(frozen=True, kw_only=True)
class FactSource:
    """Where a fact was read.

    Attributes:
        title: Document and section.
        address: Public address.
    """

    title: str
    address: str


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


def first_source(fact: Fact) -> Source:
    """Give the main source of a row in the words of a finding."""
    main = fact.source[0]
    return Source(title=main.title, address=main.address, checked_on=fact.checked_on)


def read_table(table: str) -> dict[str, JsonValue]:
    """Read the file of a table.

    Args:
        table: File name without ``.toml``.

    Raises:
        UnusableFileError: It is missing, not TOML or of another schema.
    """
    path = resource_path("knowledge", f"{table}.toml")
    try:
        return parse_table(table, path.read_text(encoding="utf-8"))
    except OSError as error:
        detail = error.strerror or type(error).__name__
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
    if not fact.source or not all(item.title and item.address.startswith("https://") for item in fact.source):
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
