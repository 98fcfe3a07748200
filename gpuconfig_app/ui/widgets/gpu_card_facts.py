"""What a GPU card shows, as plain words and numbers; the card paints and decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CardState(StrEnum):
    """How the card looks."""

    LOADING = "loading"
    LIVE = "live"
    STALE = "stale"
    SENTENCE = "sentence"


@dataclass(frozen=True)
class CardReading:
    """One number of a card.

    Attributes:
        number: As shown; empty when there is no reading.
        unit: ``°C``, ``W``, ``%``.
        limit: Line below it, ``limit 90 °C``; empty for none.
        absent: Why there is no reading, empty when there is one.
        severity: ``warning`` or ``blocked`` when it is beyond its limit.
    """

    number: str = ""
    unit: str = ""
    limit: str = ""
    absent: str = ""
    severity: str = ""


@dataclass(frozen=True)
class GpuCardFacts:
    """One card at one moment.

    Attributes:
        index: In the pill: ``0``, ``0/1`` for a slice.
        name: Full name; ``short_name`` without the maker for narrow cards.
        details: Second line: memory, capability, driver, link.
        short_details: The same for narrow cards.
        state: How it looks; SENTENCE shows ``sentence`` and ``footnote`` in place of readings.
        badge_severity: Severity or state of the badge.
        badge: Word of the badge.
        frame: ``warning`` or ``blocked`` colours the border, empty for the plain one.
        memory_used: Number in GiB, empty when unknown.
        memory_total: ``24.0 GiB``.
        memory_share: 0 to 1, None when unknown.
        memory_absent: Why memory is not known.
        process: Line about the largest process, empty for none.
        process_memory: Its memory.
        process_icon: ``terminal`` or ``monitor``.
        curve_absent: Shown in place of the curve.
        stale_s: Age of the readings when stale.
    """

    index: str
    name: str
    short_name: str = ""
    details: str = ""
    short_details: str = ""
    state: CardState = CardState.LIVE
    badge_severity: str = "idle"
    badge: str = ""
    frame: str = ""
    memory_used: str = ""
    memory_total: str = ""
    memory_share: float | None = None
    memory_absent: str = ""
    utilization: CardReading = CardReading()
    temperature: CardReading = CardReading()
    power: CardReading = CardReading()
    process: str = ""
    process_memory: str = ""
    process_icon: str = "terminal"
    sentence: str = ""
    footnote: str = ""
    curve_absent: str = ""
    stale_s: float = 0.0


@dataclass(frozen=True)
class CardLabels:
    """The words that stand on every card, in the shown language."""

    memory: str = "Memory"
    utilization: str = "Utilisation"
    minute: str = "Utilisation · 60 s"
    temperature: str = "Temperature"
    temperature_short: str = "Temp."
    power: str = "Power"
    no_data: str = "no data"
    no_process: str = "No process"
