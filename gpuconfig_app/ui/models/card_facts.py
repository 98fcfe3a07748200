"""From a card, its readings and the verdict to what a GPU card on a page shows, worst state first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject

from gpuconfig_app.core.finding import CompatReport, Verdict
from gpuconfig_app.core.gpu import Gpu, GpuProcess, GpuState, Vendor
from gpuconfig_app.core.messages import Language, LocalText, Message
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.core.system import MemoryInfo
from gpuconfig_app.core.units import GIB, format_bytes
from gpuconfig_app.ui.card_tracker import DeviceReadings
from gpuconfig_app.ui.card_words import age_text, clock_text, plain_name, plate_memory
from gpuconfig_app.ui.widgets.gpu_card_facts import CardReading, CardState, GpuCardFacts

BUSY_FROM_PCT = 5.0
_HEAT = ("thermal", "hw_thermal", "sw_thermal", "hw_thermal_slowdown", "sw_thermal_slowdown")
_HARDWARE = ("hw_slowdown", "hw_power_brake", "hw_power_brake_slowdown")


@dataclass(frozen=True)
class CardContext:
    """What all cards of a page share.

    Attributes:
        drivers: Version of the driver by vendor; a vendor without a known driver is not in it.
        compat: Verdict, None while it is being made.
        now: Wall time.
        is_recorded: The machine is a recording.
        host_memory: The system's, for GPUs that share it.
    """

    language: Language
    drivers: Mapping[Vendor, str] = field(default_factory=dict)
    compat: CompatReport | None = None
    now: float = 0.0
    is_recorded: bool = False
    host_memory: MemoryInfo = field(default_factory=MemoryInfo)


class CardFactsMaker(QObject):
    """Makes card facts in the shown language.

    Args:
        text: Renders a text in the shown language.
    """

    def __init__(self, text: Callable[[Message | LocalText | None], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = text

    def make(self, gpu: Gpu, readings: DeviceReadings, context: CardContext) -> GpuCardFacts:
        """Give what the card of a GPU shows."""
        name = gpu.name or self.tr("Unknown card")
        facts = GpuCardFacts(
            index=str(gpu.index),
            name=name,
            short_name=plain_name(name),
            details=self._details(gpu, context, is_short=False),
            short_details=self._details(gpu, context, is_short=True),
        )
        return (
            self._unusable(facts, gpu, readings)
            or self._silent(facts, gpu, readings, context)
            or self._loading(facts, gpu, readings, context)
            or self._live(facts, gpu, readings, context)
        )

    def _unusable(self, facts: GpuCardFacts, gpu: Gpu, readings: DeviceReadings) -> GpuCardFacts | None:
        """Cards that give no readings at all."""
        if readings.said is Liveness.LOST or gpu.state is GpuState.LOST:
            seen = self.tr("Last readings {time}").format(time=clock_text(readings.read_at)) if readings.read_at else ""
            nothing = self.tr("Memory, power, heat: no reading")
            sentence = self._text(readings.error or gpu.state_reason) or self.tr(
                "No longer answers the driver. A restart of the machine usually brings it back."
            )
            return _sentence(facts, "blocked", self.tr("Lost"), sentence, seen or nothing, frame="blocked")
        if gpu.state is GpuState.DRIVER_MISSING:
            sentence = self._text(gpu.state_reason) or self.tr("The card is there, but no driver answers for it.")
            return _sentence(facts, "blocked", self.tr("No driver"), sentence, frame="blocked")
        if gpu.state is GpuState.ASLEEP or readings.said is Liveness.ASLEEP:
            sentence = self._text(gpu.state_reason) or self.tr(
                "Switched off to save power. It wakes when a program uses it; looking at it does not wake it."
            )
            return _sentence(facts, "idle", self.tr("Asleep"), sentence)
        if gpu.state in (GpuState.NO_PERMISSION, GpuState.FAILED):
            sentence = self._text(gpu.state_reason) or self.tr("The driver gives no readings for this card.")
            return _sentence(facts, "warning", self.tr("Cannot be read"), sentence, frame="warning")
        return None

    def _silent(
        self, facts: GpuCardFacts, gpu: Gpu, readings: DeviceReadings, context: CardContext
    ) -> GpuCardFacts | None:
        """Cards whose readings are old."""
        is_silent = readings.said is Liveness.SILENT or (gpu.state is GpuState.NO_ANSWER and not readings.values)
        if is_silent and readings.read_at is None:
            sentence = self._text(readings.error or gpu.state_reason) or self.tr("The driver has not answered yet.")
            return _sentence(facts, "silent", self.tr("No answer"), sentence)
        if not is_silent and readings.said is not Liveness.STALE:
            return None
        age_s = max(context.now - readings.read_at, 0.0) if readings.read_at is not None else 0.0
        badge = self.tr("Stale: {age} old").format(age=age_text(age_s, context.language))
        with_readings = self._with_readings(facts, gpu, readings)
        return replace(with_readings, state=CardState.STALE, badge_severity="stale", badge=badge, stale_s=age_s)

    def _loading(
        self, facts: GpuCardFacts, gpu: Gpu, readings: DeviceReadings, context: CardContext
    ) -> GpuCardFacts | None:
        if readings.values or context.is_recorded or gpu.memory_used_bytes is not None:
            return None
        if readings.said is Liveness.LIVE or readings.absent:
            return None
        return replace(facts, state=CardState.LOADING, badge_severity="loading", badge=self.tr("Loading"))

    def _live(self, facts: GpuCardFacts, gpu: Gpu, readings: DeviceReadings, context: CardContext) -> GpuCardFacts:
        severity, word, frame = self._badge(gpu, readings, context)
        shown = self._with_readings(facts, gpu, readings)
        if gpu.memory_is_shared:
            shown = self._with_shared_memory(shown, context)
        return replace(shown, badge_severity=severity, badge=word, frame=frame)

    def _badge(self, gpu: Gpu, readings: DeviceReadings, context: CardContext) -> tuple[str, str, str]:
        """Severity, word and frame of a card that answers."""
        reasons = readings.throttle_reasons or ()
        if any(reason in _HEAT for reason in reasons):
            return "warning", self.tr("Slowed: heat"), "warning"
        if any(reason in _HARDWARE for reason in reasons):
            return "warning", self.tr("Slowed: power"), "warning"
        compat = context.compat
        if compat is not None and compat.verdict is Verdict.BLOCKED and gpu.index not in compat.gpu_indexes:
            return "blocked", self.tr("TensorFlow cannot use it"), ""
        if gpu.mig_enabled:
            return "warning", self.tr("MIG on"), ""
        busy_pct = readings.values.get(Metric.UTILIZATION_PCT)
        if busy_pct is None:
            return "neutral", self.tr("Load not known"), ""
        if busy_pct < BUSY_FROM_PCT:
            return "idle", self.tr("Idle"), ""
        computing = [item for item in _processes(gpu, readings) if item.kind in ("compute", "both")]
        return "good", self.tr("Training") if computing else self.tr("Busy"), ""

    def _details(self, gpu: Gpu, context: CardContext, *, is_short: bool) -> str:
        parts = [plate_memory(gpu) or ""]
        if gpu.compute_capability:
            template = self.tr("capability {number}") if is_short else self.tr("compute capability {number}")
            parts.append(template.format(number=gpu.compute_capability))
        elif gpu.target:
            parts.append(gpu.target)
        driver = context.drivers.get(gpu.vendor)
        if driver:
            parts.append(self.tr("driver {version}").format(version=driver))
        if not is_short and gpu.pcie is not None and gpu.pcie.max_generation:
            width = f" ×{gpu.pcie.max_width}" if gpu.pcie.max_width else ""
            parts.append(f"PCIe {gpu.pcie.max_generation}.0{width}")
        return " · ".join(part for part in parts if part)

    def _with_readings(self, facts: GpuCardFacts, gpu: Gpu, readings: DeviceReadings) -> GpuCardFacts:
        used = readings.values.get(Metric.MEMORY_USED_BYTES)
        if used is None and Metric.MEMORY_USED_BYTES not in readings.absent:
            used = gpu.memory_used_bytes
        total = gpu.memory_total_bytes
        process, memory, icon = self._process_line(_processes(gpu, readings))
        return replace(
            facts,
            memory_used=f"{used / GIB:.1f}" if used is not None else "",
            memory_total=f"{total / GIB:.1f} GiB" if total else "",
            memory_share=used / total if used is not None and total else None,
            memory_absent=self._reason(gpu, readings, Metric.MEMORY_USED_BYTES),
            utilization=self._reading(gpu, readings, Metric.UTILIZATION_PCT, "%"),
            temperature=self._temperature(gpu, readings),
            power=self._power(gpu, readings),
            process=process,
            process_memory=memory,
            process_icon=icon,
            curve_absent=self.tr("%n slice(s) instead of one card", "", len(gpu.mig_instances))
            if gpu.mig_instances and Metric.UTILIZATION_PCT not in readings.values
            else "",
        )

    def _with_shared_memory(self, facts: GpuCardFacts, context: CardContext) -> GpuCardFacts:
        """Give the system's memory to a GPU that has none of its own, named as shared.

        What is used of it was told by the survey; of a live machine that is too old to be shown.
        """
        total, free = context.host_memory.total_bytes, context.host_memory.available_bytes
        if not total or facts.memory_total:
            return facts
        used = total - free if context.is_recorded and free is not None else None
        return replace(
            facts,
            memory_used=f"{used / GIB:.1f}" if used is not None else "",
            memory_total=self.tr("{total} GiB shared").format(total=f"{total / GIB:.1f}"),
            memory_share=used / total if used is not None else None,
        )

    def _reading(self, gpu: Gpu, readings: DeviceReadings, metric: Metric, unit: str) -> CardReading:
        value = readings.values.get(metric)
        if value is None:
            return CardReading(unit=unit, absent=self._reason(gpu, readings, metric) or self.tr("no reading"))
        return CardReading(number=f"{value:.0f}", unit=unit)

    def _temperature(self, gpu: Gpu, readings: DeviceReadings) -> CardReading:
        reading = self._reading(gpu, readings, Metric.TEMPERATURE_C, "°C")
        limit = gpu.temperature_slowdown_c
        if limit is None or not reading.number:
            return reading
        value = readings.values[Metric.TEMPERATURE_C]
        text = self.tr("limit {number} °C").format(number=limit)
        return replace(reading, limit=text, severity="warning" if value >= limit - 1 else "")

    def _power(self, gpu: Gpu, readings: DeviceReadings) -> CardReading:
        reading = self._reading(gpu, readings, Metric.POWER_W, "W")
        if gpu.power_limit_w is None or not reading.number:
            return reading
        return replace(reading, limit=self.tr("limit {number} W").format(number=f"{gpu.power_limit_w:.0f}"))

    def _reason(self, gpu: Gpu, readings: DeviceReadings, metric: Metric) -> str:
        return self._text(readings.absent.get(metric) or gpu.absent.get(metric.value))

    def _process_line(self, processes: tuple[GpuProcess, ...]) -> tuple[str, str, str]:
        """Line, memory and icon of the process that holds most."""
        if not processes:
            return "", "", "terminal"
        largest = max(processes, key=lambda item: item.memory_used_bytes or 0)
        parts = [part for part in (largest.name, largest.user) if part]
        parts.append(self.tr("PID {number}").format(number=largest.pid))
        if len(processes) > 1:
            parts.append(self.tr("%n more", "", len(processes) - 1))
        memory = format_bytes(largest.memory_used_bytes) if largest.memory_used_bytes is not None else ""
        return " · ".join(parts), memory, "monitor" if largest.kind == "graphics" else "terminal"


def _processes(gpu: Gpu, readings: DeviceReadings) -> tuple[GpuProcess, ...]:
    return readings.processes if readings.processes is not None else gpu.processes or ()


def _sentence(
    facts: GpuCardFacts, severity: str, badge: str, sentence: str, footnote: str = "", frame: str = ""
) -> GpuCardFacts:
    return replace(
        facts,
        state=CardState.SENTENCE,
        badge_severity=severity,
        badge=badge,
        sentence=sentence,
        footnote=footnote,
        frame=frame,
    )
