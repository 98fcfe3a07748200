"""One card of the machine in the hardware step: to choose it, what it is, and whether the training fits or why not."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from gpuconfig_app.core.gpu import Gpu, GpuState
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit, TrainingPlan
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.ui.card_words import plain_name, plate_memory
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.step_page import FIT_SEVERITY, fit_word

_NAME_WIDTH = 210
_MEMORY_WIDTH = 62
_CAPABILITY_WIDTH = 104
_LEFT_OUT = "left-out-cards"
# The planner takes other cards, but these can be insisted on.
_OFFERED = ("planner.card-other-kind", "planner.card-in-slices", "planner.card-asleep")


class GpuRow(QWidget):
    """The row.

    Attributes:
        box: Chooses the card.
        is_usable: Whether a script can train on it; an unusable one stays visible with its reason.
    """

    def __init__(self, gpu: Gpu, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gpu, self._state = gpu, state
        self.is_usable = gpu.state in (GpuState.READY, GpuState.ASLEEP)
        line = QHBoxLayout(self)
        line.setContentsMargins(18, 8, 18, 8)
        line.setSpacing(12)
        name = plain_name(gpu.name) if gpu.name else state.text(Message("ui.unknown-model"))
        self.box = QCheckBox(f"{gpu.index}   {name}")
        self.box.setObjectName(f"gpu_{gpu.index}")
        self.box.setMinimumWidth(_NAME_WIDTH)
        line.addWidget(self.box)
        capability = self.tr("capability {cc}").format(cc=gpu.compute_capability) if gpu.compute_capability else "–"
        for text, width in ((plate_memory(gpu) or "–", _MEMORY_WIDTH), (capability, _CAPABILITY_WIDTH)):
            label = TextLabel(text, "body", "secondary")
            label.setMinimumWidth(width)
            line.addWidget(label)
        self._note = TextLabel("", "small", "muted", wraps=True)
        line.addWidget(self._note, 1)
        self._badge = SeverityBadge(is_boxed=False)
        line.addWidget(self._badge)

    def show_plan(self, reason: Message | None, fit: Fit, *, is_chosen: bool, is_recorded: bool) -> None:
        """Show what the plan makes of the card.

        Args:
            reason: Why the planner left it out, None when it did not.
            fit: Of the plan, for a chosen card.
        """
        is_refused = reason is not None and reason.id not in _OFFERED
        self.is_usable = self._gpu.state in (GpuState.READY, GpuState.ASLEEP) and not is_refused
        self.box.setEnabled(self.is_usable)
        self.box.setChecked(is_chosen and self.is_usable)
        note = self._state.text(reason) if reason is not None and not is_chosen else self._own_note(is_recorded)
        self._note.setText(note)
        self.box.setAccessibleDescription(note)
        if not self.is_usable:
            self._badge.show_state("idle", self.tr("Not usable"))
        elif is_chosen:
            self._badge.show_state(FIT_SEVERITY[fit], fit_word(self._state, fit))
        else:
            self._badge.show_state("idle", self.tr("Not used"))

    def _own_note(self, is_recorded: bool) -> str:
        gpu = self._gpu
        if gpu.state_reason is not None:
            return self._state.text(gpu.state_reason)
        if gpu.mig_enabled:
            return self.tr("MIG is on: one slice can be used")
        if not gpu.memory_used_bytes:
            return ""
        text = self.tr("{memory} were in use") if is_recorded else self.tr("{memory} in use now")
        return text.format(memory=format_bytes(gpu.memory_used_bytes))


def left_out(plan: TrainingPlan | None) -> dict[int, Message]:
    """Give the reason for each card that the plan leaves out, by its index."""
    found: dict[int, Message] = {}
    for choice in plan.choices if plan is not None else ():
        if not choice.id.startswith(_LEFT_OUT):
            continue
        for number in str(choice.shown.params.get("index", "")).split(", "):  # cards left out alike share a choice
            if number.isdigit():
                reason = Message(choice.reason.id, {**choice.reason.params, "index": int(number)})
                found.setdefault(int(number), reason)
    return found
