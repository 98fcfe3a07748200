"""One question of a template as a form field: label, control, help, and what is wrong with the answer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from gpuconfig_app.core.dataset import ColumnFacts
from gpuconfig_app.core.messages import Language
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.manifest import Question, QuestionKind
from gpuconfig_app.ui.theme import set_style_property
from gpuconfig_app.ui.widgets.choice_box import ChoiceBox
from gpuconfig_app.ui.widgets.labels import TextLabel

_LARGEST_INT = 2_000_000_000
_ROW_HEIGHT = 24
_ROWS_SEEN = 6
_CHECK_INDENT = 24


class QuestionField(QWidget):
    """A question with its control.

    Args:
        language: Language of label, help and options.

    Signals:
        answered(str, object): Question id and the new answer; None leaves it to the default or the planner.
    """

    answered = Signal(str, object)

    def __init__(self, question: Question, language: Language, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self._language = language
        self._is_quiet = False
        self._columns: tuple[str, ...] = ()
        self.setObjectName(f"question_{question.id}")
        label = question.label.in_language(language)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        self._label = TextLabel(label, "small", "secondary")
        self.control = self._make_control(label)
        self.control.setObjectName(f"answer_{question.id}")
        self.control.setAccessibleName(label)
        if not isinstance(self.control, QCheckBox):
            self._label.setBuddy(self.control)
            box.addWidget(self._label)
            box.addWidget(self._framed())
        else:
            box.addWidget(self.control)
        help_text = question.help.in_language(language) if question.help is not None else ""
        self._help = TextLabel(help_text, "small", "muted", wraps=True)
        if isinstance(self.control, QCheckBox):
            self._help.setContentsMargins(_CHECK_INDENT, 0, 0, 0)
        self._plain_help = help_text
        self.control.setAccessibleDescription(help_text)
        box.addWidget(self._help)
        self._help.setVisible(bool(help_text))  # not before it has a parent, or it would open as a window

    def show_answer(self, value: JsonValue, problem: str = "", automatic: str = "") -> None:
        """Show an answer without asking back.

        Args:
            value: As checked; None is the planner's choice.
            problem: What is wrong with the answer, empty when nothing is.
            automatic: What the planner chose, for optional questions.
        """
        self._is_quiet = True
        try:
            self._show(value, automatic)
        finally:
            self._is_quiet = False
        text = problem or self._helpful(value, automatic)
        self._help.setText(text)
        self._help.setVisible(bool(text))
        self._help.set_tone("blocked" if problem else "muted")
        set_style_property(self.control, "wrong", "true" if problem else "false")

    def show_columns(self, columns: Sequence[ColumnFacts]) -> None:
        """Offer the columns of the data."""
        kinds = self.question.column_kinds
        self.offer_names(tuple(column.name for column in columns if not kinds or column.kind in kinds))
        self.control.setEnabled(True)

    def offer_names(self, names: tuple[str, ...]) -> None:
        """Offer these columns."""
        if names == self._columns:
            return
        self._columns = names
        self._is_quiet = True
        if isinstance(self.control, QComboBox):
            self.control.clear()
            for name in names:
                self.control.addItem(name, name)
        elif isinstance(self.control, QListWidget):
            self.control.clear()
            for name in names:
                item = QListWidgetItem(name)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Unchecked)
                self.control.addItem(item)
            self.control.setFixedHeight(_ROW_HEIGHT * min(max(len(names), 1), _ROWS_SEEN) + 8)
        self._is_quiet = False

    def _framed(self) -> QWidget:
        """Give the control, a list in a frame that looks like the other inputs."""
        if not isinstance(self.control, QListWidget):
            return self.control
        frame = QFrame()
        frame.setProperty("role", "card")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(8, 4, 4, 4)
        inside.addWidget(self.control)
        return frame

    def _helpful(self, value: JsonValue, automatic: str) -> str:
        """Give what helps with this answer: what is chosen for "automatic", else about the option, else in general."""
        if isinstance(self.control, QComboBox) and automatic:
            return self.tr("Now: {value}").format(value=automatic)
        option = next((item for item in self.question.options if item.value == value), None)
        if option is not None and option.help is not None:
            return option.help.in_language(self._language)
        return self._plain_help

    def _make_control(self, label: str) -> QWidget:
        kind = self.question.kind
        if kind is QuestionKind.CHOICE:
            return self._make_choice()
        if kind is QuestionKind.BOOL:
            box = QCheckBox(label)
            box.toggled.connect(self._answer)
            return box
        if kind is QuestionKind.INT:
            return self._make_number(label)
        if kind is QuestionKind.COLUMN:
            columns = ChoiceBox()
            columns.activated.connect(lambda _: self._answer(columns.currentData()))
            return columns
        if kind is QuestionKind.COLUMNS:
            listed = QListWidget()
            listed.setFixedHeight(_ROW_HEIGHT + 8)
            listed.setFrameShape(QFrame.Shape.NoFrame)
            listed.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
            listed.itemChanged.connect(lambda _: self._answer(_checked(listed)))
            return listed
        line = QLineEdit()
        line.editingFinished.connect(lambda: self._answer(line.text().strip() or None))
        return line

    def _make_choice(self) -> QComboBox:
        box = ChoiceBox()
        for option in self.question.options:
            box.addItem(option.label.in_language(self._language), option.value)
            if option.help is not None:
                row = box.count() - 1
                box.setItemData(row, option.help.in_language(self._language), Qt.ItemDataRole.ToolTipRole)
        box.activated.connect(lambda _: self._answer(box.currentData()))
        return box

    def _make_number(self, label: str) -> QSpinBox:
        box = _Number(is_optional=self.question.is_optional)
        lowest = int(self.question.minimum) if self.question.minimum is not None else 0
        highest = int(self.question.maximum) if self.question.maximum is not None else _LARGEST_INT
        box.setRange(lowest - 1 if self.question.is_optional else lowest, highest)
        if self.question.is_optional:
            box.setSpecialValueText(self.tr("Automatic"))
        if self.question.unit:
            units = {"epochs": self.tr("epochs")}
            box.setSuffix(f" {units.get(self.question.unit, self.question.unit)}")
        box.setLocale(QLocale.c())
        box.setKeyboardTracking(False)
        box.lineEdit().setAccessibleName(label)
        box.lineEdit().setTextMargins(8, 0, 0, 0)  # a style sheet's padding does not reach it
        box.valueChanged.connect(lambda value: self._answer(None if value < lowest else value))
        return box

    def _show(self, value: JsonValue, automatic: str) -> None:
        control = self.control
        if isinstance(control, QComboBox):
            control.setCurrentIndex(control.findData(value))
        elif isinstance(control, QCheckBox):
            control.setChecked(bool(value))
        elif isinstance(control, QSpinBox):
            if self.question.is_optional:
                chosen = self.tr("Automatic: {value}").format(value=automatic) if automatic else self.tr("Automatic")
                control.setSpecialValueText(chosen)
            control.setValue(int(value) if isinstance(value, int | float) else control.minimum())
        elif isinstance(control, QListWidget):
            chosen_columns = set(value) if isinstance(value, list) else set()
            for row in range(control.count()):
                item = control.item(row)
                state = Qt.CheckState.Checked if item.text() in chosen_columns else Qt.CheckState.Unchecked
                item.setCheckState(state)
        elif isinstance(control, QLineEdit) and not control.hasFocus():
            control.setText("" if value is None else _plain(value))
            control.setPlaceholderText(self.tr("Automatic: {value}").format(value=automatic) if automatic else "")

    def _answer(self, value: JsonValue) -> None:
        if not self._is_quiet:
            self.answered.emit(self.question.id, value)


class _Number(QSpinBox):
    """As ``ChoiceBox``; an optional number that is emptied goes back to automatic."""

    def __init__(self, *, is_optional: bool) -> None:
        super().__init__()
        self._is_optional = is_optional
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @override
    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        if self._is_optional and not self._without_suffix(text):
            return QValidator.State.Acceptable, text, position
        return super().validate(text, position)

    @override
    def valueFromText(self, text: str) -> int:
        if self._is_optional and not self._without_suffix(text):
            return self.minimum()
        return super().valueFromText(text)

    def _without_suffix(self, text: str) -> str:
        return text.removesuffix(self.suffix()).strip()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def _checked(box: QListWidget) -> list[JsonValue]:
    rows = (box.item(row) for row in range(box.count()))
    return [item.text() for item in rows if item.checkState() == Qt.CheckState.Checked]


def _plain(value: JsonValue) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
