"""What Monitor shows of each device: its state in one word, the range of each graph, and why a reading is missing.

Pure functions over the report and the newest samples; sentences come rendered from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gpuconfig_app.core.gpu import Gpu, GpuState
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.telemetry.alarms import AlarmKind
from gpuconfig_app.ui.widgets.curve_cell import Scale
from gpuconfig_app.ui.widgets.graph_rows import GraphRow

BUSY_FROM_PCT = 5.0
_TEMPERATURE_RANGE = (20.0, 100.0)
_ALARM_METRICS = {
    AlarmKind.HOT: Metric.TEMPERATURE_C,
    AlarmKind.SLOWED_BY_HEAT: Metric.TEMPERATURE_C,
    AlarmKind.SLOWED_BY_POWER: Metric.POWER_W,
    AlarmKind.MEMORY_NEARLY_FULL: Metric.MEMORY_USED_BYTES,
}


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


def scales_of(gpu: Gpu) -> dict[Metric, Scale]:
    """Give the range of each graph; a range the card does not tell is a usual one, without a limit line."""
    low_c, high_c = _TEMPERATURE_RANGE
    slowdown = float(gpu.temperature_slowdown_c) if gpu.temperature_slowdown_c is not None else None
    power = gpu.power_limit_w or gpu.power_limit_default_w
    return {
        Metric.UTILIZATION_PCT: Scale(0.0, 100.0),
        Metric.MEMORY_USED_BYTES: Scale(0.0, float(gpu.memory_total_bytes or 1024**3)),
        Metric.TEMPERATURE_C: Scale(low_c, max(high_c, (slowdown or 0.0) + 5.0), slowdown),
        Metric.POWER_W: Scale(0.0, float(power) * 1.08 if power else 500.0, float(power) if power else None),
    }


def graph_rows(
    report: SystemReport,
    latest: Mapping[DeviceKey, Sample],
    raised: Callable[[DeviceKey], frozenset[AlarmKind]],
    text: Callable[[Message], str],
) -> tuple[GraphRow, ...]:
    """Give a row for each card of the machine.

    Args:
        raised: Alarms that are on, by device.
        text: Renders a message in the shown language.
    """
    rows = []
    for gpu in report.gpus:
        key = DeviceKey(report.machine_id, str(gpu.index))
        sample, alarms = latest.get(key), raised(key)
        word = device_word(gpu, sample, alarms)
        rows.append(
            GraphRow(
                key=key,
                label=str(gpu.index),
                name=gpu.name or text(Message("ui.unknown-model")),
                word=text(Message(word.id)),
                severity=word.severity,
                scales=scales_of(gpu),
                alarms=frozenset(_ALARM_METRICS[kind] for kind in alarms if kind in _ALARM_METRICS),
                remark=_remark(sample, alarms, text),
                missing=_missing(gpu, sample, text),
            )
        )
    return tuple(rows)


def _remark(sample: Sample | None, alarms: frozenset[AlarmKind], text: Callable[[Message], str]) -> str:
    if sample is None:
        return ""
    if sample.error is not None:
        return text(sample.error)
    temperature = sample.values.get(Metric.TEMPERATURE_C)
    if temperature is not None and alarms & {AlarmKind.HOT, AlarmKind.SLOWED_BY_HEAT}:
        return f"{temperature:.0f} °C"
    return ""


def _missing(gpu: Gpu, sample: Sample | None, text: Callable[[Message], str]) -> dict[Metric, str]:
    if gpu.state is GpuState.DRIVER_MISSING and gpu.state_reason is not None:
        return dict.fromkeys(scales_of(gpu), text(Message("ui.no-driver-no-readings")))
    if sample is None:
        return {}
    return {metric: text(reason) for metric, reason in sample.absent.items()}
