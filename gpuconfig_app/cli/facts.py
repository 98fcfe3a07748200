"""``gpuconfig facts``: the fact tables with their dates, and their refresh from the package index."""

from __future__ import annotations

import argparse
import time

from gpuconfig_app.cli.output import ExitCode, Output
from gpuconfig_app.core.codec import encode
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.knowledge.tensorflow_packages import TensorflowPackage, load_packages
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.facts import FactTable, Refreshed, fact_tables, refresh_facts

SCHEMA = 1
_TELL_EVERY_S = 2.0
_CANCELLED = 130


def facts_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """Print every table; with ``--refresh`` after reading those of TensorFlow anew."""
    refreshed: Refreshed | None = None
    if arguments.refresh:
        progress = _Progress(output)
        try:
            refreshed = refresh_facts(
                bench.places, JobControl(progress.show), python=arguments.python, clock=bench.clock
            )
        except (KeyboardInterrupt, JobCancelledError):
            progress.end()
            output.remark(Message("facts.cancelled"))
            return _CANCELLED
        finally:
            progress.end()
    tables, packages = fact_tables(), load_packages()
    if output.is_json:
        output.raw_json(_as_json(tables, packages, refreshed, output))
    else:
        if refreshed is not None:
            output.say(refreshed.sentence)
            for warning in refreshed.warnings:
                output.say(warning, indent=2)
            output.line()
        _print_tables(tables, output)
        _print_packages(packages, output)
    return ExitCode.RESERVATIONS if refreshed is not None and refreshed.warnings else ExitCode.GOOD


class _Progress:
    """Tells on stderr how far the refresh is: on a terminal in one line, else a line now and then."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._last = ""
        self._share = 0.0
        self._told_at = float("-inf")
        self._is_open = False

    def show(self, share: float | None, message: Message) -> None:
        """Show a step."""
        self._share = share if share is not None else self._share
        text = f"{round(self._share * 100):3d} %  {self._output.sentence(message)}"
        now = time.monotonic()
        if self._output.has_live_terminal:
            self._output.remark_in_place(text)
            self._is_open = True
        elif message.id != self._last or now - self._told_at >= _TELL_EVERY_S:
            self._output.remark(text)
            self._told_at = now
        self._last = message.id

    def end(self) -> None:
        """Leave the line."""
        if self._is_open:
            self._output.remark_in_place("")
            self._is_open = False


def _print_tables(tables: tuple[FactTable, ...], output: Output) -> None:
    for table in tables:
        output.line(f"{table.id}: {output.sentence(table.title)}")
        days = " – ".join(dict.fromkeys((table.checked_from, table.checked_to))) or "?"
        output.say(Message("facts.counts", {"rows": table.rows, "sources": table.sources, "days": days}), indent=2)
        moment = (table.harvested_at or "").replace("T", " ").removesuffix("Z")[:16]
        if table.is_refreshed:
            output.say(Message("facts.from-index", {"moment": moment}), indent=2)
        elif moment:
            output.say(Message("facts.shipped-harvested", {"moment": moment}), indent=2)
        else:
            output.say(Message("facts.shipped"), indent=2)


def _print_packages(packages: tuple[TensorflowPackage, ...], output: Output) -> None:
    output.line()
    output.say(Message("facts.packages"))
    for package in packages:
        python = "–".join(dict.fromkeys((*package.python[:1], *package.python[-1:]))) or "–"
        platforms = ", ".join(package.platforms) or "–"
        values = {"version": package.version, "day": package.released_on or "?", "python": python}
        output.line(f"{package.id}: {output.sentence(Message('facts.package', values | {'platforms': platforms}))}")
        if package.requires:
            output.say(Message("facts.requires", {"packages": ", ".join(package.requires)}), indent=2)
        output.say(package.state, indent=2)


def _as_json(
    tables: tuple[FactTable, ...],
    packages: tuple[TensorflowPackage, ...],
    refreshed: Refreshed | None,
    output: Output,
) -> dict[str, JsonValue]:
    parts = {"tables": tables, "packages": packages, "refreshed": refreshed}
    body = {name: encode(value, keep_none=True, message=output.texts.as_json) for name, value in parts.items()}
    return {"schema": SCHEMA, **body}
