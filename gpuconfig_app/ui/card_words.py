"""Short words for cards and moments, as the rail and the cards of the window write them."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale

from gpuconfig_app.core.gpu import Gpu, GpuState
from gpuconfig_app.core.messages import Language
from gpuconfig_app.core.units import GIB

_MAKERS = re.compile(r"^(NVIDIA|AMD|Intel\(R\)|Intel|Advanced Micro Devices, Inc\.)\s+", re.IGNORECASE)
_CHIP = re.compile(r"^.+\[(.+)\]$")  # lspci puts the chip's name first and the card's into brackets
_FAMILIES = re.compile(r"^(GeForce|Tesla|Quadro RTX|Radeon|Instinct)\s+(?=\S)", re.IGNORECASE)
# Memory sizes of cards that are sold, in GB of the name plate; what a driver reports lies some percent below.
_PLATES = (
    1,
    2,
    3,
    4,
    5,
    6,
    8,
    10,
    11,
    12,
    16,
    18,
    20,
    22,
    24,
    32,
    40,
    45,
    48,
    64,
    72,
    80,
    94,
    96,
    128,
    141,
    180,
    192,
    288,
)
_UNUSABLE = (GpuState.LOST, GpuState.DRIVER_MISSING, GpuState.FAILED, GpuState.NO_PERMISSION)


def plain_name(name: str) -> str:
    """Leave the maker out of a card's name: ``GeForce RTX 4090``."""
    return _MAKERS.sub("", name).strip()


def short_name(name: str) -> str:
    """Give a card's name as people say it: ``RTX 4090``, ``A100 80 GB``."""
    short = _FAMILIES.sub("", plain_name(_CHIP.sub(r"\1", name)))
    found = re.match(r"^(A100|H100|H200|A30|V100)-?(?:SXM\d|PCIE|PCIe)?-?(\d+)GB$", short.replace(" ", "-"))
    return f"{found.group(1)} {found.group(2)} GB" if found else short


def plate_memory(gpu: Gpu) -> str | None:
    """Give the memory as the name plate says it, ``24 GB``; None when it is not known."""
    if gpu.memory_total_bytes is None:
        return None
    total_gib = gpu.memory_total_bytes / GIB
    fitting = [size for size in _PLATES if total_gib <= size * 1.01 and size <= total_gib * 1.18 + 0.2]
    return f"{fitting[0] if fitting else round(total_gib)} GB"


def usable_count(gpus: tuple[Gpu, ...]) -> int:
    """How many cards answer."""
    return sum(gpu.state not in _UNUSABLE for gpu in gpus)


def cards_in_words(gpus: tuple[Gpu, ...]) -> str:
    """Give ``2× RTX 4090`` or ``RTX 4090, RTX 3060``; empty without cards."""
    names = Counter(short_name(gpu.name) for gpu in gpus if gpu.name)
    if not names:
        return ""
    if len(names) == 1:
        name, count = next(iter(names.items()))
        return f"{count}× {name}"
    return ", ".join(name if count == 1 else f"{count}× {name}" for name, count in names.items())


def clock_text(moment: float) -> str:
    """Write a time of day, ``09:53:07``."""
    return datetime.fromtimestamp(moment).astimezone().strftime("%H:%M:%S")


def date_text(moment: float, language: Language) -> str:
    """Write a day, ``12 Nov 2026`` or ``2026年11月12日``."""
    day = QDateTime.fromSecsSinceEpoch(int(moment)).date()
    if language is Language.CHINESE:
        return f"{day.year()}年{day.month()}月{day.day()}日"
    return QLocale(QLocale.Language.English).toString(day, "d MMM yyyy")


def day_text(moment: str | None, language: Language) -> str:
    """Write the day of a moment in ISO 8601 as ``date_text`` does, a dash where there is none."""
    if moment is None:
        return "–"
    try:
        return date_text(datetime.fromisoformat(moment).timestamp(), language)
    except ValueError:
        return moment[:10]


def age_text(seconds: float, language: Language) -> str:
    """Write how old something is in one unit, ``8 s``, ``3 min``, ``2 h``."""
    chinese = language is Language.CHINESE
    if seconds < 100:
        return f"{seconds:.0f} {'秒' if chinese else 's'}"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} {'分钟' if chinese else 'min'}"
    return f"{seconds / 3600:.0f} {'小时' if chinese else 'h'}"
