"""``gpuconfig monitor``: live readings as CSV or JSON lines."""

from __future__ import annotations

import argparse
import csv
import io
import json
import queue
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from gpuconfig_app.cli.output import ExitCode, Output
from gpuconfig_app.core.errors import StorageError, UsageError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Sample
from gpuconfig_app.telemetry.export import CSV_COLUMNS, sample_json, sample_row
from gpuconfig_app.telemetry.sampler import Sampler
from gpuconfig_app.telemetry.sources import Source
from gpuconfig_app.telemetry.sources.registry import SourceRequest, make_source
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.machine import OpenMachine


def monitor_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """Print readings until the duration is over, the user ends it, or once."""
    if not 0.1 <= arguments.interval <= 3600:
        raise UsageError(Message("cli.bad-interval", {"low": 0.1, "high": 3600}))
    if arguments.duration is not None and not arguments.duration > 0:
        raise UsageError(Message("cli.bad-duration"))
    machine = bench.open_machine(arguments.machine, include_environments=False)
    source = _source(machine, bench)
    keys = source.keys()
    if not keys:
        output.error(UsageError(Message("cli.nothing-to-monitor")))
        return ExitCode.BLOCKED
    arrived: queue.SimpleQueue[Sample] = queue.SimpleQueue()
    sampler = Sampler((source,), bench.clock, arrived.put, interval_s=arguments.interval)
    with ExitStack() as stack:
        target = _target(arguments.record, stack)
        writer = _Writer(target, is_json=output.is_json)
        sampler.start()
        stack.callback(sampler.stop)
        seen = _follow(arguments, bench, arrived, len(keys), writer)
    return ExitCode.GOOD if seen else ExitCode.BLOCKED


def _follow(
    arguments: argparse.Namespace,
    bench: Workbench,
    arrived: queue.SimpleQueue[Sample],
    device_count: int,
    writer: _Writer,
) -> bool:
    end = bench.clock.monotonic() + arguments.duration if arguments.duration is not None else None
    answered: set[object] = set()
    while end is None or bench.clock.monotonic() < end:
        try:
            sample = arrived.get(timeout=0.2)
        except queue.Empty:
            if arguments.once and end is None:
                end = bench.clock.monotonic() + 5.0
            continue
        if arguments.once and sample.key in answered:
            continue
        answered.add(sample.key)
        writer.write((sample,))
        if arguments.once and len(answered) == device_count:
            break
    return bool(answered)


class _Writer:
    def __init__(self, target: TextIO, *, is_json: bool) -> None:
        self._target = target
        self._is_json = is_json
        if not is_json:
            self._line(CSV_COLUMNS)

    def write(self, samples: Iterable[Sample]) -> None:
        for sample in samples:
            if self._is_json:
                self._target.write(json.dumps(sample_json(sample), ensure_ascii=False) + "\n")
            else:
                self._line(sample_row(sample))
        self._target.flush()

    def _line(self, values: Iterable[object]) -> None:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerow(values)
        self._target.write(buffer.getvalue())
        self._target.flush()


def _source(machine: OpenMachine, bench: Workbench) -> Source:
    settings, _ = bench.settings()
    request = SourceRequest(
        machine.report, bench.clock, machine.samples, wakes_sleeping_gpus=settings.wakes_sleeping_gpus
    )
    return make_source(request)


def _target(path: str | None, stack: ExitStack) -> TextIO:
    if path is None:
        return sys.stdout
    try:
        return stack.enter_context(Path(path).open("w", encoding="utf-8", newline=""))
    except OSError as error:
        raise StorageError(Message("core.cannot-write", {"path": path, "detail": str(error)})) from error
