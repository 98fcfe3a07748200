"""The fact tables: what there is, how old it is and where it comes from, and the refresh from the package index."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.hardware.login_shell import read_user_variables
from gpuconfig_app.knowledge.cuda_drivers import load_cuda_table
from gpuconfig_app.knowledge.cudnn_wheels import load_cudnn_wheels
from gpuconfig_app.knowledge.table import harvested_at, is_refreshed_newer, refreshed_path, shipped_path
from gpuconfig_app.knowledge.tensorflow_packages import load_packages
from gpuconfig_app.knowledge.tensorflow_releases import load_releases
from gpuconfig_app.resources import resource_path
from gpuconfig_app.storage.places import Places
from gpuconfig_app.workbench.text import load_texts

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class FactTable:
    """One table.

    Attributes:
        id: File name without its ending.
        title: What it is about.
        rows: How many facts it holds.
        sources: How many different sources they name.
        checked_from: Oldest and newest day a row was checked, ISO; empty when no row says.
        is_refreshed: Read from the package index by this user; else it came with the program.
        harvested_at: Moment it was read from the wheels, None for tables written by people.
    """

    id: str
    title: Message
    rows: int
    sources: int
    checked_from: str
    checked_to: str
    is_refreshed: bool
    harvested_at: str | None = None


@dataclass(frozen=True, kw_only=True)
class Refreshed:
    """What a refresh brought.

    Attributes:
        changed: Releases that are new or differ, as ``series platform``.
        warnings: Files that could not be read.
    """

    changed: tuple[str, ...]
    warnings: tuple[Message, ...]
    received_bytes: int
    requests: int
    duration_s: float

    @property
    def sentence(self) -> Message:
        """The result in one sentence."""
        values = {"count": len(self.changed), "received_bytes": self.received_bytes, "duration_s": self.duration_s}
        return Message("facts.refreshed" if self.changed else "facts.nothing-new", values)


def fact_tables() -> tuple[FactTable, ...]:
    """Give every table in force, sorted by name; a table that cannot be read is left out and logged.

    Takes some hundred milliseconds: all of them are read whole.
    """
    names = sorted(path.stem for path in resource_path("knowledge").glob("*.toml"))
    return tuple(table for name in names if (table := _described(name)) is not None)


def refresh_facts(
    places: Places,
    control: JobControl,
    *,
    python: str | None = None,
    others: Sequence[str] = (),
    clock: Clock | None = None,
) -> Refreshed:
    """Read the tables anew from the package index that pip uses, and keep them in the user's data folder.

    Args:
        python: Interpreter whose pip is asked which index; None takes the first that has pip.
        others: Interpreters to try when none on the user's path has pip.

    Raises:
        RefreshError: The index does not answer or offers nothing usable; the tables stay as they are.
        StorageError: The disk refuses.
        JobCancelledError: The user ended it; the tables stay as they are.
    """
    # Loaded here: networking is needed for nothing else, and start-up must not pay for it.
    from gpuconfig_app.knowledge.harvest.harvest import KnownTables, harvest, write_tables  # noqa: PLC0415  # see above
    from gpuconfig_app.knowledge.harvest.pip_settings import read_pip_settings  # noqa: PLC0415  # see above

    control.report(0.0, Message("harvest.asking"))
    settings = read_pip_settings(python, others=others, variables=read_user_variables().values)
    known = KnownTables(releases=load_releases(), cudnn=load_cudnn_wheels(), packages=load_packages())
    made = harvest(settings, control, places.cache / "downloads", known, clock=clock)
    control.check()
    write_tables(made.texts, places.data / "knowledge")
    forget_tables()
    logger.info("facts: %s changed, %s bytes, %.0f s", len(made.changed), made.received_bytes, made.duration_s)
    return Refreshed(
        changed=made.changed,
        warnings=made.warnings,
        received_bytes=made.received_bytes,
        requests=made.requests,
        duration_s=made.duration_s,
    )


def forget_tables() -> None:
    """Have the harvested tables read again at their next use."""
    for load in (load_releases, load_packages, load_cudnn_wheels, load_cuda_table):
        load.cache_clear()


def _described(name: str) -> FactTable | None:
    is_refreshed = is_refreshed_newer(name)
    path = refreshed_path(name) if is_refreshed else shipped_path(name)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        logger.warning("table %s: %r", name, error)
        return None
    rows = tuple(_rows(data))
    days = sorted(day for row in rows if isinstance(day := row.get("checked_on"), str))
    return FactTable(
        id=name,
        title=_title(name),
        rows=len(rows),
        sources=len({source for row in rows for source in _sources(row)}),
        checked_from=days[0] if days else "",
        checked_to=days[-1] if days else "",
        is_refreshed=is_refreshed,
        harvested_at=harvested_at(path),
    )


def _title(name: str) -> Message:
    """Give the words for a table; one that has none yet is told by its name."""
    message_id = f"facts.table-{name.replace('_', '-')}"
    return Message(message_id) if message_id in load_texts().ids else Message("facts.other-table", {"table": name})


def _rows(data: Mapping[str, JsonValue]) -> Iterator[Mapping[str, JsonValue]]:
    for value in data.values():
        if isinstance(value, list):
            yield from (row for row in value if isinstance(row, dict))


def _sources(row: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
    found = row.get("source")
    for source in found if isinstance(found, list) else [found]:
        if isinstance(source, dict):
            yield str(source.get("title")), str(source.get("address", ""))
