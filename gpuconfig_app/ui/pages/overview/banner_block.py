"""The verdict banner of the overview with the buttons it may carry."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gpuconfig_app.ui.pages.overview.verdict_words import COPY, FIX, PROVE, SCAN, SCRIPT, BannerShown
from gpuconfig_app.ui.widgets.buttons import OUTLINED, PRIMARY, Button
from gpuconfig_app.ui.widgets.command_line import CopyButton
from gpuconfig_app.ui.widgets.verdict_banner import VerdictBanner


class BannerBlock(VerdictBanner):
    """Banner.

    Args:
        summary: Gives the text that "Copy for support" copies.

    Attributes:
        shown: What is shown.

    Signals:
        acted(str): A button was pressed, by its name in ``verdict_words``.
    """

    acted = Signal(str)

    def __init__(self, summary: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._summary = summary
        self.shown = BannerShown("neutral", "")

    def show_banner(self, shown: BannerShown) -> None:
        """Show words and buttons; buttons stay when they are the same, so that focus is kept."""
        if shown == self.shown:
            return
        has_other_buttons = shown.actions != self.shown.actions
        self.shown = shown
        self.show_verdict(shown.severity, shown.word, shown.sentence, shown.meta, shown.icon)
        if has_other_buttons:
            last = shown.actions[-1] if shown.actions else ""
            self.set_buttons([self._button(name, PRIMARY if name == last else OUTLINED) for name in shown.actions])

    def _button(self, name: str, kind: str) -> Button:
        if name == COPY:
            button = CopyButton(label=self.tr("Copy for support"), kind=kind, scale="large")
            button.pressed.connect(lambda: button.set_copied_text(self._summary()))
            return button
        words = {
            FIX: (self.tr("Fix…"), "wrench"),
            PROVE: (self.tr("Prove it"), "flask-conical"),
            SCRIPT: (self.tr("New training script"), "wand-sparkles"),
            SCAN: (self.tr("Scan again"), "refresh-cw"),
        }
        text, icon = words[name]
        return Button(text, kind, icon, scale="large", on_click=lambda: self.acted.emit(name))
