"""Reads ``metrics.jsonl``, which a generated script writes while it runs; the format is described in each script.

Unfinished and unknown lines are passed over: the script may be writing, and it may be newer than this program.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from gpuconfig_app.core.record import JsonValue

logger = logging.getLogger(__name__)
MOST_BYTES_AT_ONCE = 4 * 1024**2
LONGEST_WORD = 64
# Fields of an epoch that are no value of the training itself.
_NOT_A_METRIC = frozenset(
    {"event", "time", "epoch", "step", "epoch_s", "step_s", "first_step_s", "peak_memory_bytes", "learning_rate"}
)


@dataclass(frozen=True)
class Measured:
    """What a script measured after its warm-up; each None where it could not.

    Attributes:
        steps: Updates after the warm-up.
        step_s: Median time of an update.
        fast_step_s: One update in ten was faster; ``slow_step_s`` likewise.
        peak_memory_bytes: Most memory one device used in these updates.
        warm_up_peak_memory_bytes: The same before, while kernels were chosen.
    """

    steps: int = 0
    step_s: float | None = None
    fast_step_s: float | None = None
    slow_step_s: float | None = None
    peak_memory_bytes: float | None = None
    warm_up_peak_memory_bytes: float | None = None


@dataclass(frozen=True)
class Setting:
    """How a script really ran; each None when it did not tell.

    Attributes:
        batch: Samples of one update.
        parts: Devices times accumulated steps, which share them.
        regime: How TensorFlow took the memory of a card.
    """

    tensorflow: str | None = None
    precision: str | None = None
    xla: bool | None = None
    batch: int | None = None
    parts: int | None = None
    regime: str | None = None


@dataclass(frozen=True)
class ScriptEvents:
    """What a script told about itself so far.

    Attributes:
        epochs: The ``epoch`` events as written, in order.
        steps: The ``step`` events as written, in order.
        devices: Names of what it trains on.
        is_cpu: It trains on the processor; None before it said so.
        metrics: Last value by name.
        exit_code: It told its own end with this code.
        exit_meaning: In the script's words.
        measured: The latest, None before it measured.
        setting: How it ran.
    """

    epochs: tuple[Mapping[str, JsonValue], ...] = ()
    steps: tuple[Mapping[str, JsonValue], ...] = ()
    devices: tuple[str, ...] = ()
    is_cpu: bool | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)
    exit_code: int | None = None
    exit_meaning: str | None = None
    measured: Measured | None = None
    setting: Setting = Setting()

    @property
    def step_s(self) -> float | None:
        """Median time of one optimizer step in seconds, without the first, which builds the graph."""
        if self.measured is not None and self.measured.step_s is not None:
            return self.measured.step_s
        return _median(self.epochs, "step_s") or _median(self.steps, "step_s")

    @property
    def epoch_s(self) -> float | None:
        """Median time of one epoch in seconds; of several without the first, which builds the graph."""
        return _median(self.epochs[1:] or self.epochs, "epoch_s")

    @property
    def peak_memory_bytes(self) -> float | None:
        """Largest use of one device's memory by TensorFlow, after the warm-up where the script tells that apart."""
        if self.measured is not None and self.measured.peak_memory_bytes is not None:
            return self.measured.peak_memory_bytes
        return max(_numbers(self.epochs, "peak_memory_bytes"), default=None)


class EventTail:
    """Follows a metrics file: whole new lines only; one reader, one thread.

    Args:
        path: Need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._position = 0

    def poll(self) -> tuple[Mapping[str, JsonValue], ...]:
        """Give the events that came since the last look; of very many at once the rest comes at the next look."""
        try:
            if self._path.stat().st_size < self._position:
                self._position = 0  # another run writes into the same file
            with self._path.open("rb") as file:
                file.seek(self._position)
                raw = file.read(MOST_BYTES_AT_ONCE)
        except OSError:
            return ()
        whole = raw[: raw.rfind(b"\n") + 1]
        self._position += len(whole) if whole or len(raw) < MOST_BYTES_AT_ONCE else len(raw)
        return tuple(line for line in map(_parse, whole.splitlines()) if line is not None)


def read_events(path: Path) -> ScriptEvents:
    """Read everything the script told so far; nothing when there is no such file."""
    tail = EventTail(path)
    lines: list[Mapping[str, JsonValue]] = []
    while new := tail.poll():
        lines.extend(new)
    return sum_up(lines)


def sum_up(lines: Sequence[Mapping[str, JsonValue]]) -> ScriptEvents:
    """Give what a script told, from its events in order."""
    by_event: dict[str, list[Mapping[str, JsonValue]]] = {}
    for line in lines:
        by_event.setdefault(str(line.get("event")), []).append(line)
    devices = by_event.get("devices", [{}])[-1]
    end = by_event.get("exit", [{}])[-1]
    code, meaning = end.get("code"), end.get("meaning")
    return ScriptEvents(
        epochs=tuple(by_event.get("epoch", ())),
        steps=tuple(by_event.get("step", ())),
        devices=_device_names(devices),
        is_cpu=devices.get("strategy") == "cpu" if "strategy" in devices else None,
        metrics=_last_metrics([*by_event.get("epoch", ()), *by_event.get("result", ())]),
        exit_code=code if isinstance(code, int) else None,
        exit_meaning=meaning if isinstance(meaning, str) else None,
        measured=_measured(by_event["measured"][-1]) if "measured" in by_event else None,
        setting=_setting(by_event.get("start", [{}])[-1], by_event.get("data", [{}])[-1], devices),
    )


def _measured(event: Mapping[str, JsonValue]) -> Measured:
    return Measured(
        steps=_whole(event.get("steps")) or 0,
        step_s=_number(event.get("step_s")),
        fast_step_s=_number(event.get("fast_step_s")),
        slow_step_s=_number(event.get("slow_step_s")),
        peak_memory_bytes=_number(event.get("peak_memory_bytes")),
        warm_up_peak_memory_bytes=_number(event.get("warm_up_peak_memory_bytes")),
    )


def _setting(
    start: Mapping[str, JsonValue], data: Mapping[str, JsonValue], devices: Mapping[str, JsonValue]
) -> Setting:
    xla = start.get("xla")
    return Setting(
        tensorflow=_text(start.get("tensorflow")),
        precision=_text(start.get("precision")),
        xla=xla if isinstance(xla, bool) else None,
        batch=_whole(data.get("batch")),
        parts=_whole(data.get("parts")),
        regime=_text(devices.get("regime")),
    )


def _parse(raw: bytes) -> Mapping[str, JsonValue] | None:
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        logger.debug("no JSON: %r", raw[:200])
        return None
    return line if isinstance(line, dict) else None


def _device_names(event: Mapping[str, JsonValue]) -> tuple[str, ...]:
    devices = event.get("devices")
    if not isinstance(devices, list):
        return ()
    names = (device.get("name") for device in devices if isinstance(device, dict))
    return tuple(name for name in names if isinstance(name, str))


def _last_metrics(events: list[Mapping[str, JsonValue]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for event in events:
        for name, value in event.items():
            if name not in _NOT_A_METRIC and _is_number(value):
                found[name] = float(value)  # type: ignore[arg-type]  # a number, seen by _is_number
    return found


def _numbers(events: tuple[Mapping[str, JsonValue], ...], name: str) -> list[float]:
    return [float(event[name]) for event in events if _is_number(event.get(name))]  # type: ignore[arg-type]  # as above


def _median(events: tuple[Mapping[str, JsonValue], ...], name: str) -> float | None:
    numbers = _numbers(events, name)
    return median(numbers) if numbers else None


def _number(value: JsonValue) -> float | None:
    return float(value) if _is_number(value) else None  # type: ignore[arg-type]  # a number, seen by _is_number


def _whole(value: JsonValue) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and len(value) <= LONGEST_WORD else None


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
