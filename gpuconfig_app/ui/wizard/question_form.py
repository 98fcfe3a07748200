"""All questions of one step in one column or two, kept in step with the draft."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.scriptgen.manifest import Question, QuestionKind, WizardStep, holds
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.question_field import QuestionField

_WIDE = (QuestionKind.COLUMNS, QuestionKind.TEXT, QuestionKind.BOOL)
_CHOICES = {
    "precision": "precision",
    "batch": "batch",
    "batch_size": "batch",
    "learning_rate": "learning-rate",
    "accumulation": "accumulation",
    "accumulation_steps": "accumulation",
    "cache": "cache",
}


class QuestionForm(QWidget):
    """The form of a step.

    Args:
        step: Whose questions are shown; the path is left to the data step itself.

    Signals:
        answered(): An answer changed.
    """

    answered = Signal()

    def __init__(self, state: AppState, draft: WizardDraft, step: WizardStep, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._draft = draft
        self._step = step
        self._fields: dict[str, QuestionField] = {}
        self._template_id = ""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self._plain = QGridLayout()
        self._more = QWidget()
        self._advanced = QGridLayout(self._more)
        self._advanced.setContentsMargins(0, 0, 0, 0)
        for grid in (self._plain, self._advanced):
            grid.setHorizontalSpacing(12)
            grid.setVerticalSpacing(12)
            grid.setColumnStretch(0, 1)
            grid.setColumnStretch(1, 1)
        self._toggle = Button(self.tr("More settings"), LINK, "chevron-right", on_click=self._toggle_more)
        self._toggle.setObjectName(f"more_{step.value}")
        self._more.hide()
        self._column.addLayout(self._plain)
        self._column.addWidget(self._toggle)
        self._column.addWidget(self._more)
        draft.changed.connect(self.refresh)
        draft.plan_changed.connect(self.refresh)
        self.refresh()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to ask."""
        return not any(field.isVisibleTo(self) for field in self._fields.values())

    def field(self, question_id: str) -> QuestionField:
        """Give the field of a question.

        Raises:
            KeyError: This step does not ask it.
        """
        return self._fields[question_id]

    def refresh(self) -> None:
        """Show the draft's answers and problems, and only the questions that are asked."""
        template = self._draft.template
        if template is None:
            return
        if template.id != self._template_id:
            self._template_id = template.id
            self._build()
        problems = {item.question_id: self._state.text(item.message) for item in self._draft.checked.problems}
        values = self._draft.checked.values
        for name, field in self._fields.items():
            question = field.question
            field.setVisible(holds(question.when, values))
            if question.kind in (QuestionKind.COLUMN, QuestionKind.COLUMNS) and self._draft.dataset is not None:
                field.show_columns(self._draft.dataset.columns)
            shown = self._draft.answers.get(name, values.get(name)) if name not in problems else values.get(name)
            field.show_answer(shown, problems.get(name, ""), self._automatic(question))

    def _build(self) -> None:
        for field in self._fields.values():
            field.deleteLater()
        self._fields = {}
        template = self._draft.template
        if template is None:
            return
        asked = [q for q in template.questions if q.step is self._step and q.kind is not QuestionKind.PATH]
        for grid, is_advanced in ((self._plain, False), (self._advanced, True)):
            self._fill(grid, [question for question in asked if question.is_advanced is is_advanced])
        self._toggle.setVisible(any(question.is_advanced for question in asked))

    def _fill(self, grid: QGridLayout, questions: list[Question]) -> None:
        row, column = 0, 0
        for question in questions:
            field = QuestionField(question, self._state.language)
            field.answered.connect(self._take_answer)
            self._fields[question.id] = field
            is_wide = question.kind in _WIDE
            if is_wide and column:
                row, column = row + 1, 0
            grid.addWidget(field, row, column, 1, 2 if is_wide else 1)
            column += 2 if is_wide else 1
            if column >= 2:
                row, column = row + 1, 0

    def _take_answer(self, question_id: str, value: object) -> None:
        self._draft.answer(question_id, value)  # type: ignore[arg-type]  # a signal carries plain objects
        self.answered.emit()

    def _automatic(self, question: Question) -> str:
        plan: TrainingPlan | None = self._draft.plan
        wanted = _CHOICES.get(question.id)
        if not question.is_optional or plan is None or wanted is None:
            return ""
        choice = next((item for item in plan.choices if item.id == wanted), None)
        return self._state.text(choice.shown) if choice is not None else ""

    def _toggle_more(self) -> None:
        is_shown = not self._more.isVisibleTo(self)
        self._more.setVisible(is_shown)
        self._toggle.set_icon_name("chevron-down" if is_shown else "chevron-right")
