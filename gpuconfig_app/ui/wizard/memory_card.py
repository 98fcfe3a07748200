"""Memory of one training step in full: the sum with its interval, every part and why, other batch sizes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit, MemoryPrediction, TrainingPlan
from gpuconfig_app.core.units import MIB, format_bytes, format_count
from gpuconfig_app.ui.card_words import day_text, short_name
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.cards import Card, Line
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.memory_bar import MemoryBar, Swatch, memory_unit, part_name
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.batch_cards import BatchCards
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.layouts import clear_layout
from gpuconfig_app.ui.wizard.measure_card import MeasureCard
from gpuconfig_app.ui.wizard.step_page import FIT_SEVERITY, fit_of, fit_word

_MANY = 1000
_MOST_REASONS = 2
_BATCH_QUESTIONS = ("batch_size", "batch")


class MemoryCard(Card):
    """The card."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent, padding=18)
        self._state = state
        self._draft = draft
        self._cells: dict[str, tuple[TextLabel, TextLabel]] = {}
        self._unit = TextLabel("", "small", "muted", self)
        self._unit.hide()
        head = QHBoxLayout()
        self._name = TextLabel("", "heading", wraps=True)
        head.addWidget(self._name, 1)
        self._badge = SeverityBadge()
        head.addWidget(self._badge)
        self.body.addLayout(head)
        number = QHBoxLayout()
        number.setSpacing(8)
        self._total = TextLabel("–", "number_large")
        self._of = TextLabel("", "body", "secondary", wraps=True)
        number.addWidget(self._total)
        self._difference = TextLabel("", "small_strong", "accent")
        number.addWidget(self._of, 1, Qt.AlignmentFlag.AlignBottom)
        number.addWidget(self._difference, 0, Qt.AlignmentFlag.AlignBottom)
        self.body.addLayout(number)
        self._why_no_card = TextLabel("", "small", "secondary", wraps=True)
        self.body.addWidget(self._why_no_card)
        self._bar = MemoryBar()
        self.body.addWidget(self._bar)
        self._measures = MeasureCard(state, draft, is_inside=True)
        self.body.addWidget(self._measures)
        self._parts = QWidget()
        self._grid = QGridLayout(self._parts)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(0)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(2, 1)
        self.body.addWidget(self._parts)
        self._note = TextLabel("", "small", "muted", wraps=True)
        self.body.addWidget(self._note)
        self.body.addWidget(self._build_batches())

    def _build_batches(self) -> QWidget:
        self._others = QWidget()
        column = QVBoxLayout(self._others)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(TextLabel(self.tr("Other batch sizes"), "body_strong"), 1)
        self._largest = TextLabel("", "small", "muted")
        head.addWidget(self._largest)
        column.addLayout(head)
        self._batches = BatchCards()
        self._batches.chosen.connect(self._take_batch)
        column.addWidget(self._batches)
        return self._others

    def refresh(self) -> None:
        """Show the newest plan, or why there is none."""
        plan = self._draft.plan
        memory = plan.memory if plan is not None else None
        fit = fit_of(plan)
        self._badge.show_state(FIT_SEVERITY[fit], fit_word(self._state, fit))
        self._name.setText(self._memory_name(plan))
        for widget in (self._bar, self._parts):
            widget.setVisible(memory is not None)
        self._note.setVisible(memory is None)
        self._show_batches(plan)
        self._measures.refresh()
        self._show_why_no_card(plan)
        if memory is None:
            self._show_nothing()
            return
        factor, unit = memory_unit(memory)
        self._total.setText(f"{memory.total.expected / factor:.1f}")
        self._of.setText(self._of_text(memory, unit))
        self._bar.show_prediction(memory)
        self._show_difference(memory)
        self._show_parts(memory)

    def _show_difference(self, memory: MemoryPrediction) -> None:
        """Tell what the last change did."""
        change = self._draft.desk.change
        before = change.plan.memory if change is not None else None
        difference = memory.total.expected - before.total.expected if before is not None else 0.0
        sign = "+" if difference > 0 else "−"
        shown = f"{sign}{format_bytes(int(abs(difference)))}" if abs(difference) >= MIB else ""
        self._difference.setText(shown)
        self._difference.setToolTip(self.tr("What your last change did"))

    def _show_why_no_card(self, plan: TrainingPlan | None) -> None:
        """Say why the processor trains, where a reader looks for a card."""
        is_processor = plan is not None and not plan.devices
        choices = plan.choices if plan is not None and is_processor else ()
        left_out = [choice.reason for choice in choices if choice.id.startswith("left-out-cards")]
        reasons = left_out or [choice.reason for choice in choices if choice.id == "devices"]
        self._why_no_card.setText("\n".join(self._state.text(reason) for reason in reasons[:_MOST_REASONS]))
        self._why_no_card.setVisible(bool(reasons))

    def _show_nothing(self) -> None:
        self._total.setText("–")
        self._of.setText("")
        message = getattr(self._draft.desk.error, "message", None) or Message("wizard.memory-unknown")
        self._note.setText(self._state.text(message))

    def _memory_name(self, plan: TrainingPlan | None) -> str:
        names = {device.name for device in plan.devices if device.name} if plan is not None else set()
        if plan is not None and len(names) == 1:
            name = short_name(next(iter(names)))
            is_one = len(plan.devices) == 1
            return (self.tr("Memory on the {name}") if is_one else self.tr("Memory on each {name}")).format(name=name)
        if plan is not None and not plan.devices:
            return self.tr("Memory of the machine")
        return self.tr("Memory on each GPU")

    def _of_text(self, memory: MemoryPrediction, unit: str) -> str:
        if memory.usable_bytes is None:
            return self.tr("{unit}; how much is usable is not known").format(unit=unit)
        usable = format_bytes(memory.usable_bytes)
        if memory.source == "measured":
            text = self.tr("{unit} of {usable} usable, measured here on {day}")
            return text.format(unit=unit, usable=usable, day=day_text(memory.measured_at, self._state.language))
        return self.tr("{unit} of {usable} usable, predicted for one training step").format(unit=unit, usable=usable)

    def _show_parts(self, memory: MemoryPrediction) -> None:
        factor, unit = memory_unit(memory)
        rows = [(part.part.value, part.size_bytes / factor, self._state.text(part.reason)) for part in memory.parts]
        if memory.kept_free_bytes and self._draft.plan is not None and self._draft.plan.devices:
            why = self.tr("Left to the system and to what else uses the card; TensorFlow never takes it")
            rows.append(("reserved", memory.kept_free_bytes / factor, why))
        if [part for part, _, _ in rows] != list(self._cells):
            self._build_parts([part for part, _, _ in rows])
        self._unit.setText(unit)
        for part, amount, reason in rows:
            size, why_label = self._cells[part]
            size.setText(f"{amount:.2f}" if amount < _MANY else format_count(round(amount)))
            why_label.setText(reason)

    def _build_parts(self, parts: list[str]) -> None:
        """Lay the table out for these parts; their numbers come with every plan."""
        clear_layout(self._grid)
        self._cells = {}
        self._unit = TextLabel("", "small", "muted")
        heads = (TextLabel(self.tr("Part"), "small", "muted"), self._unit, TextLabel(self.tr("Why"), "small", "muted"))
        for column, label in enumerate(heads):
            label.setContentsMargins(16 if column == 2 else 0, 0, 0, 6)
            align = Qt.AlignmentFlag.AlignRight if column == 1 else Qt.AlignmentFlag.AlignLeft
            self._grid.addWidget(label, 0, column, align)
        for number, part in enumerate(parts):
            self._add_part(1 + 2 * number, part)

    def _add_part(self, row: int, part: str) -> None:
        self._grid.addWidget(Line(), row, 0, 1, 3)
        name = QWidget()
        line = QHBoxLayout(name)
        line.setContentsMargins(0, 5, 12, 5)
        line.setSpacing(8)
        line.addWidget(Swatch(part))
        line.addWidget(TextLabel(part_name(part), "body"), 1)
        size, why = TextLabel("", "body"), TextLabel("", "small", "muted", wraps=True)
        size.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        why.setContentsMargins(16, 5, 0, 5)
        for column, widget in enumerate((name, size, why)):
            self._grid.addWidget(widget, row + 1, column)
        self._cells[part] = (size, why)

    def _show_batches(self, plan: TrainingPlan | None) -> None:
        batches = self._draft.desk.batches
        is_shown = plan is not None and len(batches) > 1 and self._batch_question() is not None
        self._others.setVisible(is_shown)
        if plan is None or not is_shown:
            return
        shown = [
            (batch, memory, FIT_SEVERITY[memory.fit], fit_word(self._state, memory.fit)) for batch, memory in batches
        ]
        self._batches.show_batches(shown, plan.per_replica_batch)
        fitting = [batch for batch, memory in batches if memory.fit is Fit.FITS]
        all_fit = len(fitting) == len(batches)
        largest = self.tr("all of these fit") if all_fit else self.tr("largest of these that fits: {n}")
        self._largest.setText(largest.format(n=max(fitting)) if fitting else "")

    def _batch_question(self) -> str | None:
        template = self._draft.template
        asked = {question.id for question in template.questions} if template is not None else set()
        return next((name for name in _BATCH_QUESTIONS if name in asked), None)

    def _take_batch(self, batch: int) -> None:
        question = self._batch_question()
        if question is not None:
            self._draft.answer(question, batch)
