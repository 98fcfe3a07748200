"""The overview as plain text for the clipboard: no serial numbers, users or host names."""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig_app.ui.models.machine_rows import MachineRow
from gpuconfig_app.ui.widgets.gpu_card_facts import GpuCardFacts


def summary_text(
    verdict: str, sentence: str, cards: Sequence[GpuCardFacts], rows: Sequence[MachineRow], meta: str
) -> str:
    """Give the text, one fact a line."""
    lines = [f"GPUConfig: {verdict}"]
    lines += [line for line in (sentence, meta) if line]
    lines.append("")
    for card in cards:
        state = f" — {card.badge}" if card.badge else ""
        lines.append(f"GPU {card.index}: {card.name}, {card.details}{state}")
    if cards:
        lines.append("")
    lines += [f"{row.label}: {row.value} {row.remark}".strip() for row in rows]
    return "\n".join(lines).rstrip() + "\n"
