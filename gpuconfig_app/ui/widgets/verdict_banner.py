"""The verdict first: one word, one sentence of cause, one action."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gpuconfig_app.ui.theme import current_theme, set_style_property
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.cards import IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel


class VerdictBanner(QFrame):
    """Full width, in the colours of its severity.

    Buttons are given with the primary one last; on a narrow window only that one and no meta line is shown.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme = current_theme()
        self.setObjectName("verdictBanner")
        self.setProperty("role", "banner")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setMinimumHeight(104)
        self._is_narrow = False
        self._buttons: tuple[Button, ...] = ()
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 14, 20, 14)
        row.setSpacing(16)
        self._icon = IconLabel("circle-help", theme.size("icon.banner"), "neutral.fg")
        row.addWidget(self._icon)
        row.addLayout(self._build_texts(), 1)
        self._actions = QHBoxLayout()
        self._actions.setSpacing(16)
        row.addLayout(self._actions)
        row.setAlignment(self._actions, Qt.AlignmentFlag.AlignVCenter)
        self.show_verdict("neutral", "")

    @property
    def severity(self) -> str:
        """Severity whose colours are used."""
        return str(self.property("severity"))

    @property
    def word(self) -> str:
        """The verdict's word."""
        return self._word.text()

    @property
    def sentence(self) -> str:
        """The sentence below it."""
        return self._sentence.text()

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Buttons, the primary one last."""
        return self._buttons

    def show_verdict(
        self, severity: str, word: str, sentence: str = "", meta: str = "", icon_name: str | None = None
    ) -> None:
        """Show a verdict.

        Args:
            severity: ``good``, ``note``, ``warning``, ``blocked`` or ``neutral``.
            meta: Versions and the like, in small type.
            icon_name: Other icon than the severity's own.
        """
        set_style_property(self, "severity", severity)
        self._icon.show_icon(icon_name or current_theme().severity_icon(severity), f"{severity}.fg")
        self._word.setText(word)
        self._word.set_tone(severity if severity != "neutral" else "text")
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        self._meta.setText(meta)
        self._meta.setVisible(bool(meta) and not self._is_narrow)
        self.setAccessibleName(f"{word}. {sentence}" if sentence else word)

    def set_buttons(self, buttons: Sequence[Button]) -> None:
        """Replace the buttons, the primary one last."""
        for button in self._buttons:
            self._actions.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = tuple(buttons)
        for button in self._buttons:
            self._actions.addWidget(button)
        self.set_narrow(is_narrow=self._is_narrow)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Hide what is secondary when there is little width."""
        self._is_narrow = is_narrow
        self._meta.setVisible(bool(self._meta.text()) and not is_narrow)
        for button in self._buttons:
            button.setVisible(not is_narrow or button is self._buttons[-1])

    def _build_texts(self) -> QVBoxLayout:
        texts = QVBoxLayout()
        texts.setSpacing(1)
        self._word = TextLabel("", "verdict", wraps=True)
        self._sentence = TextLabel("", "body", wraps=True, is_selectable=True)
        self._meta = TextLabel("", "small", "secondary", wraps=True, is_selectable=True)
        texts.addStretch(1)
        for label in (self._word, self._sentence, self._meta):
            texts.addWidget(label)
        texts.setSpacing(2)
        texts.addStretch(1)
        return texts
