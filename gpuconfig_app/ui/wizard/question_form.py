"""All questions of one step in one column or two, kept in step with the draft."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.manifest import Question, QuestionKind, WizardStep, holds
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.question_field import QuestionField

_LONGEST_NARROW = 22
_COLUMN_KINDS = (QuestionKind.COLUMN, QuestionKind.COLUMNS)
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
        only: Show these questions only.
        without: Leave these questions to another form.
        more: Word on the button that shows the advanced ones; default "More settings".

    Signals:
        answered(): An answer changed.
    """

    answered = Signal()

    def __init__(
        self,
        state: AppState,
        draft: WizardDraft,
        step: WizardStep,
        parent: QWidget | None = None,
        *,
        only: frozenset[str] | None = None,
        without: frozenset[str] = frozenset(),
        more: str = "",
    ) -> None:
        super().__init__(parent)
        self._only, self._without = only, without
        self._state = state
        self._draft = draft
        self._step = step
        self._fields: dict[str, QuestionField] = {}
        self._template_id = ""
        self._asked: tuple[str, ...] = ()
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
        self._toggle = Button(more or self.tr("More settings"), LINK, "chevron-right", on_click=self._toggle_more)
        self._toggle.setObjectName(f"more_{step.value}")
        self._more.hide()
        self._column.addLayout(self._plain)
        self._column.addWidget(self._toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self._more)
        draft.changed.connect(self.refresh)
        draft.plan_changed.connect(self.refresh)
        self.refresh()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to ask."""
        return not self._asked

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
        asked = tuple(name for name, field in self._fields.items() if holds(field.question.when, values))
        if asked != self._asked:
            self._asked = asked
            self._arrange()
        for name, field in self._fields.items():
            question = field.question
            if question.kind in _COLUMN_KINDS:
                self._offer_columns(field, values.get(name))
            shown = self._draft.answers.get(name, values.get(name)) if name not in problems else values.get(name)
            field.show_answer(shown, problems.get(name, ""), self._automatic(question))

    def _offer_columns(self, field: QuestionField, value: JsonValue) -> None:
        """Offer the columns of the data; made-up data have the columns that are answered, and no others."""
        dataset = self._draft.dataset
        if dataset is not None:
            field.show_columns(dataset.columns)
            return
        names = value if isinstance(value, list) else [value] if value is not None else []
        field.offer_names(tuple(str(name) for name in names))
        field.control.setEnabled(False)

    def _build(self) -> None:
        for field in self._fields.values():
            field.deleteLater()
        self._fields, self._asked = {}, ()
        template = self._draft.template
        for question in template.questions if template is not None else ():
            if self._shows(question):
                field = QuestionField(question, self._state.language, self)
                field.answered.connect(self._take_answer)
                self._fields[question.id] = field

    def _shows(self, question: Question) -> bool:
        is_ours = question.step is self._step and question.kind is not QuestionKind.PATH
        return is_ours and question.id not in self._without and (self._only is None or question.id in self._only)

    def _arrange(self) -> None:
        """Put the questions that are asked into the two grids, without holes."""
        for name, field in self._fields.items():
            field.setVisible(name in self._asked)
        asked = [self._fields[name] for name in self._asked]
        for grid, is_advanced in ((self._plain, False), (self._advanced, True)):
            while grid.takeAt(0) is not None:
                pass
            self._fill(grid, [field for field in asked if field.question.is_advanced is is_advanced])
        self._toggle.setVisible(any(field.question.is_advanced for field in asked))

    @staticmethod
    def _fill(grid: QGridLayout, fields: list[QuestionField]) -> None:
        row, column = 0, 0
        for number, field in enumerate(fields):
            is_wide = _is_wide(field.question)
            following = fields[number + 1] if number + 1 < len(fields) else None
            is_alone = not column and (following is None or _is_wide(following.question))
            span = 2 if is_wide or is_alone else 1
            grid.addWidget(field, row, column, 1, span, Qt.AlignmentFlag.AlignTop)
            column += span
            if column >= 2:
                row, column = row + 1, 0

    def _take_answer(self, question_id: str, value: object) -> None:
        answer: JsonValue = value  # type: ignore[assignment]  # a signal carries plain objects
        self._draft.answer_all({**self._freed(question_id, answer), question_id: answer})
        self.answered.emit()

    def _freed(self, question_id: str, value: JsonValue) -> dict[str, JsonValue]:
        """Take a column that got another role out of the lists it was in."""
        freed: dict[str, JsonValue] = {}
        if self._fields[question_id].question.kind not in _COLUMN_KINDS:
            return freed
        taken = value if isinstance(value, list) else [value]
        for name, field in self._fields.items():
            held = self._draft.answers.get(name, self._draft.checked.values.get(name))
            if name != question_id and field.question.kind is QuestionKind.COLUMNS and isinstance(held, list):
                rest = [item for item in held if item not in taken]
                if len(rest) < len(held):
                    freed[name] = rest
        return freed

    def _automatic(self, question: Question) -> str:
        plan: TrainingPlan | None = self._draft.plan
        wanted = _CHOICES.get(question.id)
        is_open = question.is_optional or self._draft.checked.values.get(question.id) == "auto"
        if not is_open or plan is None or wanted is None:
            return ""
        choice = next((item for item in plan.choices if item.id == wanted), None)
        if choice is None:
            return ""
        is_plain = isinstance(choice.value, int | float) and not isinstance(choice.value, bool)
        return f"{choice.value:g}" if is_plain else self._state.text(choice.shown)

    def _toggle_more(self) -> None:
        is_shown = not self._more.isVisibleTo(self)
        self._more.setVisible(is_shown)
        self._toggle.set_icon_name("chevron-down" if is_shown else "chevron-right")


def _is_wide(question: Question) -> bool:
    longest = max((len(option.label.en) for option in question.options), default=0)
    return question.kind in _WIDE or longest > _LONGEST_NARROW
