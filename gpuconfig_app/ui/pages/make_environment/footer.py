"""The bar at the bottom edge: what can be done now, the next sensible step at its right end."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import FLAT, OUTLINED, PRIMARY, Button
from gpuconfig_app.ui.widgets.command_line import CopyButton
from gpuconfig_app.ui.widgets.labels import ElidedLabel


class Footer(QFrame):
    """Buttons of all four stages; each stage shows its own.

    Attributes:
        copy_script: Puts all commands on the clipboard.

    Signals:
        left(): The page shall be left.
        make_asked(): The plan shall be carried out.
        end_asked(): What is being made shall be ended and removed.
        removal_asked(): What was made shall be removed; it was asked whether that is meant.
        log_asked(): The whole log shall be shown.
        script_asked(): A training script shall be written.
        plan_asked(): Back to the plan.
        asked(): The question before a removal came or went; show the buttons again.
    """

    left = Signal()
    make_asked = Signal()
    end_asked = Signal()
    removal_asked = Signal()
    log_asked = Signal()
    script_asked = Signal()
    plan_asked = Signal()
    asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "footer")
        self.setFixedHeight(current_theme().size("height.wizard_footer"))
        self._is_asking = False
        self._build()

    def show_plan(self, *, can_make: bool, why: str, has_plan: bool) -> None:
        """Show the buttons of the plan.

        Args:
            why: Why it can't be made; stands beside the button.
        """
        self._show(self._leave, self._said, self.copy_script, self._make)
        self._said.setText(why)
        self.copy_script.setEnabled(has_plan)
        self._make.setEnabled(can_make)
        self._make.setToolTip(why)

    def show_making(self, *, is_ending: bool) -> None:
        """Show the one button of the making."""
        self._show(self._said, self._end)
        going = self.tr("You may leave this page; it goes on and tells you when it is ready.")
        self._said.setText(self.tr("Cleaning up…") if is_ending else going)
        self._end.setEnabled(not is_ending)

    def show_made(self, folder: str, *, has_log: bool, is_primary: bool, is_removing: bool) -> None:
        """Show the buttons of what was made.

        Args:
            is_primary: The way to a training script is the next sensible step.
        """
        self._again.setText(self.tr("Another one"))
        if self._is_asking and not is_removing:
            self._show(self._said, self._keep, self._yes)
            self._said.setText(self.tr("Remove {folder} with all that is installed in it?").format(folder=folder))
            return
        self._is_asking = False
        shown = (self._remove, self._said, self._log, self._again, self._script)
        self._show(*(part for part in shown if part is not self._log or has_log))
        self._said.setText(self.tr("Removing…") if is_removing else "")
        self._remove.setEnabled(not is_removing)
        self._script.set_kind(PRIMARY if is_primary else OUTLINED)
        self._again.set_kind(OUTLINED)

    def show_failed(self, *, has_log: bool, is_primary: bool) -> None:
        """Show the buttons after a failure."""
        self._again.setText(self.tr("Back to the plan"))
        self._show(*((self._said, self._log, self._again) if has_log else (self._said, self._again)))
        self._said.setText("")
        self._again.set_kind(PRIMARY if is_primary else OUTLINED)

    def _build(self) -> None:
        self._leave = self._button(self.tr("Cancel"), "cancel", FLAT, None, self.left)
        self._remove = Button(self.tr("Remove it again…"), FLAT, "trash-2", on_click=self._ask)
        self._remove.setObjectName("remove_environment")
        self._said = ElidedLabel("", "small", "muted", mode=Qt.TextElideMode.ElideRight)
        self._said.setObjectName("footer_said")
        self.copy_script = CopyButton("", self.tr("Copy as script"), OUTLINED, scale="normal")
        self.copy_script.setObjectName("copy_script")
        self._make = self._button(self.tr("Make it"), "make", PRIMARY, "play", self.make_asked)
        self._end = self._button(self.tr("Cancel and clean up"), "end_making", OUTLINED, "x", self.end_asked)
        self._log = self._button(self.tr("Full log"), "full_log", OUTLINED, "external-link", self.log_asked)
        self._again = self._button(self.tr("Back to the plan"), "back_to_plan", OUTLINED, None, self.plan_asked)
        self._script = self._button(
            self.tr("New training script"), "new_script", OUTLINED, "wand-sparkles", self.script_asked
        )
        self._keep = Button(self.tr("Keep it"), OUTLINED, on_click=self._answer_no)
        self._keep.setObjectName("keep_environment")
        self._yes = Button(self.tr("Remove it"), OUTLINED, "trash-2", on_click=self._answer_yes)
        self._yes.setObjectName("remove_yes")
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 24, 0)
        row.setSpacing(8)
        row.addWidget(self._leave)
        row.addWidget(self._remove)
        row.addWidget(self._said, 1)
        self._buttons = (
            self.copy_script, self._make, self._end, self._log, self._again, self._script, self._keep, self._yes,
        )  # fmt: skip
        for button in self._buttons:
            row.addWidget(button)

    @staticmethod
    def _button(text: str, name: str, kind: str, icon: str | None, signal: object) -> Button:
        button = Button(text, kind, icon, on_click=signal.emit)  # type: ignore[attr-defined]  # a bound signal has no public type
        button.setObjectName(name)
        return button

    def _show(self, *parts: QWidget) -> None:
        for part in (self._leave, self._remove, self._said, *self._buttons):
            part.setVisible(part in parts)
        is_left = self._leave not in parts and self._remove not in parts
        side = Qt.AlignmentFlag.AlignLeft if is_left else Qt.AlignmentFlag.AlignRight
        self._said.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)

    def _ask(self) -> None:
        self._is_asking = True
        self.asked.emit()

    def _answer_no(self) -> None:
        self._is_asking = False
        self.asked.emit()

    def _answer_yes(self) -> None:
        self._is_asking = False
        self.removal_asked.emit()
