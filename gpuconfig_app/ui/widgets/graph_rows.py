"""What the graphs of Monitor are told: which devices in which state, which metrics in which range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig_app.core.sample import DeviceKey, Metric
from gpuconfig_app.ui.widgets.curve_cell import Scale


@dataclass(frozen=True)
class GraphRow:
    """One device.

    Attributes:
        label: Its number, ``0`` or ``0/1``.
        word: Its state in one word.
        severity: Severity of the state; ``good``, ``neutral`` and ``idle`` are drawn plain.
        scales: Range by metric.
        alarms: Metrics that are in alarm.
        remark: Why it is slow or since when it is gone, in a word or two.
        missing: Reason by metric for readings that do not exist.
        reason: Why the device as a whole gives no readings, empty when it does.
        gap_text: What is written into the hatched end of a curve.
    """

    key: DeviceKey
    label: str
    name: str
    word: str
    severity: str
    scales: Mapping[Metric, Scale]
    alarms: frozenset[Metric] = frozenset()
    remark: str = ""
    missing: Mapping[Metric, str] | None = None
    reason: str = ""
    gap_text: str = ""


@dataclass(frozen=True)
class GraphColumn:
    """One metric.

    Attributes:
        title: Its name.
        unit: Behind numbers.
        color_name: Token of its colour.
        divisor: Raw value to shown value.
        digits: Places after the point.
    """

    metric: Metric
    title: str
    unit: str
    color_name: str
    divisor: float = 1.0
    digits: int = 0

    def shown(self, value: float | None) -> str:
        """Write a raw value; a dash when it is not known."""
        return "–" if value is None else f"{value / self.divisor:.{self.digits}f}"

    def range_text(self, scale: Scale) -> str:
        """Write a range: ``0 – 80 GiB``; empty when it is assumed."""
        if scale.is_assumed:
            return ""
        return f"{scale.low / self.divisor:.0f} – {scale.high / self.divisor:.0f} {self.unit}"
