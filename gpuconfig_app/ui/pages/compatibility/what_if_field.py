"""One thing that can be assumed: its name, a choice that may be typed where the tables don't end, and its complaint."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from gpuconfig_app.ui.theme import set_style_property
from gpuconfig_app.ui.widgets.labels import TextLabel

_MOST_SHOWN = 12


class WhatIfField(QWidget):
    """A field.

    Args:
        key: Name of the assumption.
        name: What it is called.
        as_it_is: Text for assuming nothing.
        is_typed: Anything may be typed.

    Attributes:
        combo: The choice.

    Signals:
        edited(): The user chose or typed something.
    """

    edited = Signal()

    def __init__(self, key: str, name: str, as_it_is: str, *, is_typed: bool, tip: str = "") -> None:
        super().__init__()
        self.key = key
        self._as_it_is = as_it_is
        self._is_typed = is_typed
        self.combo = QComboBox()
        self.combo.setObjectName(f"assume_{key}")
        self.combo.setAccessibleName(name)
        self.combo.setToolTip(tip)
        self.combo.setMinimumWidth(110)
        self.combo.setMinimumContentsLength(8)
        self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.combo.setMaxVisibleItems(_MOST_SHOWN)
        self._wrong = TextLabel("", "small", "blocked", wraps=True)
        self._wrong.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        label = TextLabel(name, "small", "muted")
        label.setBuddy(self.combo)
        column.addWidget(label)
        column.addWidget(self.combo)
        column.addWidget(self._wrong)
        column.addStretch(1)
        if is_typed:
            self._make_typed(name)
        self.combo.activated.connect(self.edited)
        self.combo.currentIndexChanged.connect(self._show_tone)
        self.show_choices(())

    @property
    def value(self) -> str:
        """What is assumed, empty for nothing."""
        text = self.combo.currentText().strip()
        if self._is_typed:
            place = self.combo.findText(text, Qt.MatchFlag.MatchFixedString)
            return str(self.combo.itemData(place)) if place >= 0 else text
        return str(self.combo.currentData() or "")

    def show_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """Offer choices, as (text, value); what is chosen or typed stays."""
        text = self.combo.currentText()
        with QSignalBlocker(self.combo):
            self.combo.clear()
            if not self._is_typed:
                self.combo.addItem(self._as_it_is, "")
            for shown, value in choices:
                self.combo.addItem(shown, value)
            if self._is_typed:
                self.combo.setCurrentIndex(-1)
                self.combo.setEditText(text)
            else:
                self.combo.setCurrentIndex(max(self.combo.findText(text), 0))
        self._show_tone()

    def choose(self, value: str) -> None:
        """Assume a value, without a signal; empty for nothing."""
        with QSignalBlocker(self.combo):
            place = self.combo.findData(value)
            if self._is_typed:
                self.combo.setEditText(self.combo.itemText(place) if place >= 0 and value else value)
            else:
                self.combo.setCurrentIndex(max(place, 0))
        self._show_tone()

    def show_problem(self, text: str) -> None:
        """Say what is wrong with it, empty for nothing."""
        self._wrong.setText(text)
        self._wrong.setVisible(bool(text))
        self.combo.setAccessibleDescription(text)
        set_style_property(self.combo, "wrong", bool(text))

    def _show_tone(self) -> None:
        """Mute "as it is" in a list as a field to type into mutes it."""
        set_style_property(self.combo, "tone", "muted" if not self._is_typed and not self.value else "text")

    def _make_typed(self, name: str) -> None:
        self.combo.setEditable(True)
        self.combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        line = self.combo.lineEdit()
        if isinstance(line, QLineEdit):
            line.setPlaceholderText(self._as_it_is)
            line.setAccessibleName(name)
            line.textEdited.connect(self.edited)
        completer = self.combo.completer()
        if isinstance(completer, QCompleter):
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            completer.activated.connect(self.edited)
