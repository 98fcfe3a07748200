"""What the answers lead to, beside the form: memory by part with its interval, time, other batch sizes, advice."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Interval, MemoryPrediction, TrainingPlan
from gpuconfig_app.core.units import GIB, format_bytes, format_duration
from gpuconfig_app.ui.card_words import short_name
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.cards import Card, IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.memory_bar import MemoryBar, Swatch, part_name
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.step_page import FIT_SEVERITY, fit_of

_MOST_ADVICE = 4


class EffectPanel(QWidget):
    """Effect of the answers, kept in step with the newest plan.

    Args:
        shows_parts: Explain each part of the memory in a table.
    """

    def __init__(
        self, state: AppState, draft: WizardDraft, parent: QWidget | None = None, *, shows_parts: bool = True
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._draft = draft
        self._shows_parts = shows_parts
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self._build_memory())
        column.addWidget(self._build_time())
        column.addWidget(self._build_advice())
        column.addStretch(1)
        draft.plan_changed.connect(self.refresh)
        self.refresh()

    def _build_memory(self) -> Card:
        card = Card(padding=18)
        head = QHBoxLayout()
        self._memory_title = TextLabel("", "heading", wraps=True)
        head.addWidget(self._memory_title, 1)
        self._badge = SeverityBadge()
        head.addWidget(self._badge)
        card.body.addLayout(head)
        number = QHBoxLayout()
        number.setSpacing(8)
        self._total = TextLabel("–", "number_large")
        self._of = TextLabel("", "body", "secondary", wraps=True)
        number.addWidget(self._total)
        number.addWidget(self._of, 1, Qt.AlignmentFlag.AlignBottom)
        card.body.addLayout(number)
        self._bar = MemoryBar(is_summary=not self._shows_parts)
        card.body.addWidget(self._bar)
        self._parts = QWidget()
        self._grid = QGridLayout(self._parts)
        self._grid.setContentsMargins(0, 8, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(2, 1)
        card.body.addWidget(self._parts)
        self._note = TextLabel("", "small", "muted", wraps=True)
        card.body.addWidget(self._note)
        return card

    def _build_time(self) -> Card:
        self._time_card = Card(padding=18)
        self._time_card.body.addWidget(TextLabel(self.tr("Time"), "heading"))
        self._times = QGridLayout()
        self._times.setHorizontalSpacing(16)
        self._times.setColumnStretch(2, 1)
        self._time_card.body.addLayout(self._times)
        return self._time_card

    def _build_advice(self) -> Card:
        self._advice_card = Card(padding=18)
        self._advice_card.body.addWidget(TextLabel(self.tr("Would change the plan"), "heading"))
        self._advice = QVBoxLayout()
        self._advice.setSpacing(6)
        self._advice_card.body.addLayout(self._advice)
        return self._advice_card

    def refresh(self) -> None:
        """Show the newest plan, or why there is none."""
        plan = self._draft.plan
        fit = fit_of(plan)
        self._badge.show_state(
            FIT_SEVERITY[fit], self._state.text(Message(f"wizard.fit-{fit.value.replace('_', '-')}"))
        )
        self._show_memory(plan)
        self._show_times(plan)
        self._show_advice(plan)

    def _show_memory(self, plan: TrainingPlan | None) -> None:
        memory = plan.memory if plan is not None else None
        self._memory_title.setText(self._memory_name(plan))
        self._bar.setVisible(memory is not None)
        self._parts.setVisible(memory is not None and self._shows_parts)
        _clear(self._grid)
        if memory is None:
            self._total.setText("–")
            self._of.setText("")
            problem = self._draft.plan_error
            message = getattr(problem, "message", None) or Message("wizard.memory-unknown")
            self._note.setText(self._state.text(message))
            return
        self._total.setText(f"{memory.total.expected / GIB:.1f}")
        self._of.setText(self._of_text(memory))
        self._bar.show_prediction(memory)
        low, high = format_bytes(int(memory.total.low)), format_bytes(int(memory.total.high))
        self._note.setText(
            self.tr("{low} – {high}, nine times in ten. A test run measures it.").format(low=low, high=high)
        )
        if self._shows_parts:
            self._show_parts(memory)

    def _memory_name(self, plan: TrainingPlan | None) -> str:
        names = {device.name for device in plan.devices if device.name} if plan is not None else set()
        if len(names) == 1:
            return self.tr("Memory on each {name}").format(name=short_name(next(iter(names))))
        if plan is not None and not plan.devices:
            return self.tr("Memory of the machine")
        return self.tr("Memory on each GPU")

    def _of_text(self, memory: MemoryPrediction) -> str:
        if memory.usable_bytes is None:
            return self.tr("GiB; how much is usable is not known")
        return self.tr("of {usable} usable, predicted for one training step").format(
            usable=format_bytes(memory.usable_bytes)
        )

    def _show_parts(self, memory: MemoryPrediction) -> None:
        for row, part in enumerate(memory.parts):
            swatch = Swatch(part.part.value)
            name = TextLabel(part_name(part.part.value), "body")
            size = TextLabel(f"{part.size_bytes / GIB:.2f}", "body")
            size.setAlignment(Qt.AlignmentFlag.AlignRight)
            why = TextLabel(self._state.text(part.reason), "small", "muted", wraps=True)
            line = QHBoxLayout()
            line.setSpacing(8)
            line.addWidget(swatch)
            line.addWidget(name, 1)
            self._grid.addLayout(line, row, 0)
            self._grid.addWidget(size, row, 1)
            self._grid.addWidget(why, row, 2)

    def _show_times(self, plan: TrainingPlan | None) -> None:
        _clear(self._times)
        time = plan.time if plan is not None else None
        rows: list[tuple[str, Interval | None]] = []
        if time is not None:
            rows = [
                (self.tr("One training"), time.training),
                (self.tr("One epoch"), time.epoch),
                (self.tr("One step"), time.step),
            ]
        for row, (name, interval) in enumerate(rows):
            self._times.addWidget(TextLabel(name, "body", "secondary"), row, 0)
            if interval is None:
                unknown = self.tr("not known for this card; a test run measures it")
                self._times.addWidget(TextLabel(unknown, "small", "muted"), row, 1, 1, 2)
                continue
            self._times.addWidget(TextLabel(format_duration(interval.expected), "heading"), row, 1)
            spread = f"{format_duration(interval.low)} – {format_duration(interval.high)}"
            self._times.addWidget(TextLabel(spread, "small", "muted"), row, 2)
        self._time_card.setVisible(bool(rows))

    def _show_advice(self, plan: TrainingPlan | None) -> None:
        _clear(self._advice)
        messages = [*plan.warnings, *plan.advice][:_MOST_ADVICE] if plan is not None else []
        warnings = len(plan.warnings) if plan is not None else 0
        for number, message in enumerate(messages):
            line = QHBoxLayout()
            line.setSpacing(8)
            is_warning = number < warnings
            icon = (
                IconLabel("triangle-alert", 16, "warning.fg")
                if is_warning
                else IconLabel("lightbulb", 16, "text_muted")
            )
            line.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(TextLabel(self._state.text(message), "small", "secondary", wraps=True), 1)
            self._advice.addLayout(line)
        self._advice_card.setVisible(bool(messages))


def _clear(layout: QGridLayout | QVBoxLayout | QHBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        inner = item.layout()
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif isinstance(inner, QGridLayout | QVBoxLayout | QHBoxLayout):
            _clear(inner)
            inner.deleteLater()
