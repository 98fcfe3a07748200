"""A labelled control of the form with a remark below it, and a combo box that keeps impossible lines in sight."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from gpuconfig_app.ui.pages.make_environment.shown import ChoiceShown
from gpuconfig_app.ui.theme import current_theme, set_style_property
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.choice_box import ChoiceBox
from gpuconfig_app.ui.widgets.labels import TextLabel


class ChoiceField(QWidget):
    """A choice.

    Args:
        name: Its label, also for screen readers.
        object_name: Of the combo box.

    Signals:
        chosen(str): The user chose this value.
    """

    chosen = Signal(str)

    def __init__(self, name: str, object_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ChoiceShown()
        self.box = ChoiceBox()
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.box.setObjectName(object_name)
        self.box.setAccessibleName(name)
        self.box.activated.connect(self._choose)
        label = TextLabel(name, "small", "secondary")
        label.setBuddy(self.box)
        self._remark = TextLabel("", "small", "muted", wraps=True)
        _stack(self, label, self.box, self._remark)

    def show_choice(self, shown: ChoiceShown) -> None:
        """Show the options, the chosen one and what speaks for it."""
        if shown.options != self._shown.options:
            self._fill(shown)
        self._shown = shown
        self.box.setCurrentIndex(self.box.findData(shown.value))
        self.box.setAccessibleDescription(shown.remark)
        self._remark.setText(shown.remark)
        self._remark.setVisible(bool(shown.remark))

    def _fill(self, shown: ChoiceShown) -> None:
        self.box.clear()
        model = self.box.model()
        for row, option in enumerate(shown.options):
            text = f"{option.text} · {option.reason}" if option.reason else option.text
            self.box.addItem(text, option.value)
            self.box.setItemData(row, text, Qt.ItemDataRole.ToolTipRole)
            if option.reason and isinstance(model, QStandardItemModel):
                model.item(row).setEnabled(False)
        width = max((self.box.fontMetrics().horizontalAdvance(option.text) for option in shown.options), default=0)
        self.box.view().setMinimumWidth(min(width + 40, 480))

    def _choose(self, row: int) -> None:
        value = self.box.itemData(row)
        if isinstance(value, str) and value != self._shown.value:
            self.chosen.emit(value)


class PathField(QWidget):
    """A path or an address to type, with a button that looks for one.

    Args:
        name: Its label, also for screen readers.
        object_name: Of the line.
        ask: What the button says it does; empty for no button.

    Signals:
        typed(str): The text changed by the user's hand.
        asked(): The button was pressed.
    """

    typed = Signal(str)
    asked = Signal()

    def __init__(self, name: str, object_name: str, ask: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = QLineEdit()
        self.line.setObjectName(object_name)
        self.line.textEdited.connect(self.typed)
        self._label = TextLabel("", "small", "secondary")
        self._label.setBuddy(self.line)
        self.button = Button("", OUTLINED, "folder", scale="icon", on_click=self.asked.emit)
        self.button.setObjectName(f"ask_{object_name}")
        self.button.setFixedWidth(current_theme().size("height.input"))
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.line, 1)
        row.addWidget(self.button)
        self._remark = TextLabel("", "small", "muted", wraps=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addWidget(self._label)
        column.addLayout(row)
        column.addWidget(self._remark)
        self.set_names(name, ask)

    def set_names(self, name: str, ask: str, hint: str = "") -> None:
        """Change what is asked for.

        Args:
            hint: Stands in the empty line.
        """
        self._label.setText(name)
        self.line.setAccessibleName(name)
        self.line.setPlaceholderText(hint)
        self.button.setToolTip(ask)
        self.button.setAccessibleName(ask)
        self.button.setVisible(bool(ask))

    def show_path(self, text: str, problem: str, remark: str = "") -> None:
        """Show a path; what the user is typing is left alone."""
        if self.line.text() != text and not self.line.hasFocus():
            self.line.setText(text)
        said = problem or remark
        self._remark.setText(said)
        self._remark.setVisible(bool(said))
        self._remark.set_tone("blocked" if problem else "muted")
        self.line.setAccessibleDescription(said)
        set_style_property(self.line, "wrong", "true" if problem else "false")


def _stack(field: QWidget, *parts: QWidget) -> None:
    column = QVBoxLayout(field)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(5)
    for part in parts:
        column.addWidget(part)
