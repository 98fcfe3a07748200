"""Where the data are: the path, how the scan goes, and the way on without data."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QProgressBar, QWidget

from gpuconfig_app.core.dataset import DataKind
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import set_style_property
from gpuconfig_app.ui.widgets.buttons import FLAT, OUTLINED, Button, square_button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.draft import ScanProgress, WizardDraft
from gpuconfig_app.ui.wizard.kept_answers import path_question
from gpuconfig_app.ui.wizard.progress import data_problem


class DataPathCard(Card):
    """The line with the path; a scan starts when a path was typed or chosen."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state, self._draft = state, draft
        line = QHBoxLayout()
        line.setSpacing(10)
        self._name = TextLabel("", "body", "secondary")
        self.path = QLineEdit()
        self.path.setObjectName("data_path")
        self.path.setAccessibleName(self.tr("Path of the data"))
        self.path.returnPressed.connect(self._scan_typed)
        self.path.editingFinished.connect(self._scan_changed)
        self._name.setBuddy(self.path)
        choose = Button(self.tr("Choose…"), OUTLINED, "folder-open", on_click=self._ask)
        self._made_up = Button(self.tr("Made-up data"), FLAT, "sparkles", on_click=self._forget)
        self._made_up.setObjectName("made_up")
        self._made_up.setToolTip(self.tr("Go on without data: the script can still be tried with --smoke"))
        self._badge = SeverityBadge()
        self._cancel = Button(self.tr("Cancel"), OUTLINED, "x", scale="small", on_click=draft.cancel_scan)
        self._cancel.setObjectName("cancel_scan")
        self._again = square_button("refresh-cw", self.tr("Look again"), self._scan_typed)
        self._again.setObjectName("scan_again")
        line.addWidget(self._name)
        line.addWidget(self.path, 1)
        for widget in (choose, self._made_up, self._badge, self._cancel, self._again):
            line.addWidget(widget)
        self.body.addLayout(line)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._status = TextLabel("", "small", "muted", wraps=True)
        self.body.addWidget(self._bar)
        self.body.addWidget(self._status)
        draft.scan_progressed.connect(self._show_progress)

    def refresh(self) -> None:
        """Show how it stands."""
        dataset, is_busy = self._draft.dataset, self._draft.is_scanning
        self._name.setText(self.tr("Table") if self._is_table() else self.tr("Folder"))
        if not self.path.hasFocus() or self._draft.is_made_up:
            self.path.setText(self._answered())
        self._cancel.setVisible(is_busy)
        self._bar.setVisible(is_busy)
        self._again.setVisible(bool(self._answered()) and not is_busy)
        if not is_busy:
            self._bar.setRange(0, 100)
            self._bar.setValue(0)
        severity, word, text = self._status_of(has_data=dataset is not None, is_busy=is_busy)
        self._badge.show_state(severity, word)
        self._status.setText(text)
        self._status.setVisible(bool(text))
        self._status.set_tone("blocked" if severity == "blocked" else "muted")
        set_style_property(self.path, "wrong", "true" if severity == "blocked" else "false")

    def _status_of(self, *, has_data: bool, is_busy: bool) -> tuple[str, str, str]:
        """Give severity, word and sentence."""
        error, trouble = self._draft.scan_error, data_problem(self._draft)
        if is_busy:
            return "loading", self.tr("Looking"), self.tr("Counting files…")
        if isinstance(error, GpuConfigError):
            hint = f" {self._state.text(error.hint)}" if error.hint is not None else ""
            return "blocked", self.tr("Can't be used"), self._state.text(error.message) + hint
        if error is not None or (has_data and trouble is not None):
            return "blocked", self.tr("Can't be used"), self._state.text(trouble)
        if has_data:
            return "good", self.tr("Looked at"), ""
        if self._draft.is_made_up:
            text = self.tr("The script is written for made-up data and takes yours later with --data.")
            return "note", self.tr("Made-up data"), text
        if trouble is not None:
            return "neutral", self.tr("No data yet"), self._state.text(trouble)
        text = self.tr("Choose your data, or go on: the script then takes yours later with --data.")
        return "neutral", self.tr("No data yet"), text

    def _show_progress(self, progress: ScanProgress) -> None:
        self._bar.setRange(0, 0 if progress.share is None else 100)
        if progress.share is not None:
            self._bar.setValue(round(progress.share * 100))
        self._status.setText(self._state.text(progress.message))

    def _ask(self) -> None:
        start = self.path.text() or str(Path.home())
        if self._is_table():
            pattern = self.tr("Tables (*.csv *.tsv *.txt *.parquet);;All files (*)")
            path, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a table"), start, pattern)
        else:
            path = QFileDialog.getExistingDirectory(self, self.tr("Choose the folder of class folders"), start)
        if path:
            self.path.setText(path)
            self._draft.scan(path)

    def _scan_typed(self) -> None:
        path = self.path.text().strip()
        if path:
            self._draft.scan(path)

    def _scan_changed(self) -> None:
        path = self.path.text().strip()
        if path and path != self._answered():
            self._draft.scan(path)

    def _forget(self) -> None:
        self.path.clear()
        self._draft.forget_data()

    def _answered(self) -> str:
        answer = self._draft.answers.get(path_question(self._draft.template) or "")
        return answer if isinstance(answer, str) else ""

    def _is_table(self) -> bool:
        return self._draft.template is not None and self._draft.template.data_kind is DataKind.TABLE

    def take_focus(self) -> None:
        """Put the keyboard where the first answer goes."""
        if not self.path.text():
            self.path.setFocus(Qt.FocusReason.OtherFocusReason)
