"""What Monitor shows of each device: its state in one word, the range of each graph, and why a reading is missing.

Pure functions over the report and the newest samples; sentences come rendered from outside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from gpuconfig_app.core.gpu import Gpu, GpuState
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.units import GIB
from gpuconfig_app.telemetry.alarms import AlarmKind
from gpuconfig_app.telemetry.event_list import EventList
from gpuconfig_app.ui.widgets.curve_cell import Scale
from gpuconfig_app.ui.widgets.graph_rows import GraphRow

BUSY_FROM_PCT = 5.0
_TEMPERATURE_RANGE = (20.0, 100.0)
_USUAL_POWER_W = 500.0
_ALARM_METRICS = {
    AlarmKind.HOT: Metric.TEMPERATURE_C,
    AlarmKind.SLOWED_BY_HEAT: Metric.TEMPERATURE_C,
    AlarmKind.SLOWED_BY_POWER: Metric.POWER_W,
    AlarmKind.MEMORY_NEARLY_FULL: Metric.MEMORY_USED_BYTES,
}
# Words of ``Sample.throttle_reasons`` that slow a card down, with the remark that names them; worst first.
_THROTTLE_REMARKS = {
    "thermal": "ui.slowed-heat",
    "hw_thermal": "ui.slowed-heat",
    "sw_thermal": "ui.slowed-heat",
    "hw_power_brake": "ui.slowed-power-brake",
    "hw_slowdown": "ui.slowed-hardware",
    "power_cap": "ui.slowed-power",
}
Text = Callable[[Message], str]


@dataclass(frozen=True)
class DeviceWord:
    """State of a device in one word.

    Attributes:
        id: Message id of the word.
        severity: Severity or state for icon and colour.
    """

    id: str
    severity: str


def device_word(gpu: Gpu, sample: Sample | None, raised: frozenset[AlarmKind]) -> DeviceWord:
    """Tell how a card is, worst first."""
    state = _STATE_WORDS.get(gpu.state)
    if state is not None:
        return state
    liveness = sample.liveness if sample is not None else Liveness.WAITING
    if liveness in _LIVENESS_WORDS:
        return _LIVENESS_WORDS[liveness]
    for kind in (AlarmKind.SLOWED_BY_HEAT, AlarmKind.HOT):
        if kind in raised:
            return _ALARM_WORDS[kind]
    utilization = sample.values.get(Metric.UTILIZATION_PCT) if sample is not None else None
    if utilization is None:
        return DeviceWord("ui.word-live", "neutral")
    return DeviceWord("ui.word-busy", "good") if utilization >= BUSY_FROM_PCT else DeviceWord("ui.word-idle", "idle")


_STATE_WORDS = {
    GpuState.DRIVER_MISSING: DeviceWord("ui.word-no-driver", "blocked"),
    GpuState.ASLEEP: DeviceWord("ui.word-asleep", "idle"),
}
_LIVENESS_WORDS = {
    Liveness.LOST: DeviceWord("ui.word-lost", "blocked"),
    Liveness.ASLEEP: DeviceWord("ui.word-asleep", "idle"),
    Liveness.WAITING: DeviceWord("ui.word-waiting", "loading"),
    Liveness.SILENT: DeviceWord("ui.word-silent", "silent"),
    Liveness.STALE: DeviceWord("ui.word-stale", "stale"),
    Liveness.ENDED: DeviceWord("ui.word-ended", "neutral"),
}
_ALARM_WORDS = {
    AlarmKind.SLOWED_BY_HEAT: DeviceWord("ui.word-slowed-heat", "warning"),
    AlarmKind.HOT: DeviceWord("ui.word-hot", "warning"),
}


def scales_of(gpu: Gpu, sample: Sample | None = None) -> dict[Metric, Scale]:
    """Give the range of each graph; a range the card does not tell is a usual one that holds what is read now."""
    low_c, high_c = _TEMPERATURE_RANGE
    slowdown = float(gpu.temperature_slowdown_c) if gpu.temperature_slowdown_c is not None else None
    return {
        Metric.UTILIZATION_PCT: Scale(0.0, 100.0),
        Metric.MEMORY_USED_BYTES: _memory_scale(gpu, sample),
        Metric.TEMPERATURE_C: Scale(low_c, max(high_c, (slowdown or 0.0) + 5.0), slowdown),
        Metric.POWER_W: _power_scale(gpu, sample),
    }


def _memory_scale(gpu: Gpu, sample: Sample | None) -> Scale:
    if gpu.memory_total_bytes:
        return Scale(0.0, float(gpu.memory_total_bytes))
    used = sample.values.get(Metric.MEMORY_USED_BYTES, 0.0) if sample is not None else 0.0
    top = GIB
    while top < used:
        top *= 2
    return Scale(0.0, float(top), is_assumed=True)


def _power_scale(gpu: Gpu, sample: Sample | None) -> Scale:
    limit = gpu.power_limit_w or gpu.power_limit_default_w
    if limit:
        step = 50.0 if limit >= 150 else 10.0
        return Scale(0.0, math.ceil(limit * 1.03 / step) * step, float(limit))
    drawn = sample.values.get(Metric.POWER_W, 0.0) if sample is not None else 0.0
    return Scale(0.0, max(_USUAL_POWER_W, math.ceil(drawn / 500.0) * 500.0), is_assumed=True)


def graph_rows(
    report: SystemReport, latest: Mapping[DeviceKey, Sample], events: EventList, text: Text
) -> tuple[GraphRow, ...]:
    """Give a row for each card of the machine.

    Args:
        events: Alarms of the machine.
        text: Renders a message in the shown language.
    """
    return tuple(_row(gpu, DeviceKey(report.machine_id, str(gpu.index)), latest, events, text) for gpu in report.gpus)


def _row(gpu: Gpu, key: DeviceKey, latest: Mapping[DeviceKey, Sample], events: EventList, text: Text) -> GraphRow:
    sample, alarms = latest.get(key), events.raised(key)
    word = device_word(gpu, sample, alarms)
    gone = _gone_at(key, events, alarms)
    scales = scales_of(gpu, sample)
    missing = {metric: text(reason) for metric, reason in sample.absent.items()} if sample is not None else {}
    reason = _reason(gpu, sample, [missing.get(metric, "") for metric in scales], text)
    if reason and word.id == "ui.word-live":
        word = DeviceWord("ui.word-unread", "neutral")
    return GraphRow(
        key=key,
        label=str(gpu.index),
        name=gpu.name or text(Message("ui.unknown-model")),
        word=text(Message(word.id)),
        severity=word.severity,
        scales=scales,
        alarms=frozenset(_ALARM_METRICS[kind] for kind in alarms if kind in _ALARM_METRICS),
        remark=text(Message("ui.since", {"time": gone})) if gone else _remark(sample, alarms, text),
        missing=missing,
        reason=reason,
        gap_text=text(Message("ui.no-answer-since", {"time": gone})) if gone else "",
    )


def _gone_at(key: DeviceKey, events: EventList, alarms: frozenset[AlarmKind]) -> str:
    """Give the time of day since when a device does not answer, empty when it does."""
    gone = alarms & {AlarmKind.LOST, AlarmKind.NO_ANSWER}
    if not gone:
        return ""
    found = [event for event in events.events if event.key == key and event.kind in gone and event.is_raised]
    if not found:
        return ""
    return datetime.fromtimestamp(found[-1].taken_at).astimezone().strftime("%H:%M")


def _remark(sample: Sample | None, alarms: frozenset[AlarmKind], text: Text) -> str:
    if sample is None or sample.liveness is not Liveness.LIVE:
        return ""
    temperature = sample.values.get(Metric.TEMPERATURE_C)
    if temperature is not None and alarms & {AlarmKind.HOT, AlarmKind.SLOWED_BY_HEAT}:
        return f"{temperature:.0f} °C"
    reasons = sample.throttle_reasons or ()
    found = next((remark for word, remark in _THROTTLE_REMARKS.items() if word in reasons), None)
    return text(Message(found)) if found is not None else ""


def _reason(gpu: Gpu, sample: Sample | None, missing: list[str], text: Text) -> str:
    """Say why a device gives nothing at all; empty when it gives something or has only not answered yet."""
    if gpu.state is GpuState.DRIVER_MISSING:
        return text(Message("ui.no-driver-no-readings"))
    if sample is not None and sample.error is not None:
        return text(sample.error)
    if gpu.state is GpuState.ASLEEP or (sample is not None and sample.liveness is Liveness.ASLEEP):
        return text(Message("telemetry.asleep"))
    return missing[0] if all(missing) and len(set(missing)) == 1 else ""
