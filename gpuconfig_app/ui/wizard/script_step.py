"""Last step: the files, to read, copy and save; and the test run with its live log, measured beside predicted."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QWidget

from gpuconfig_app.core.bundle import BundleFile
from gpuconfig_app.scriptgen.manifest import WizardStep
from gpuconfig_app.ui.icons import make_icon
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import FLAT, LINK, Button
from gpuconfig_app.ui.widgets.cards import Card, HeadedCard, IconLabel
from gpuconfig_app.ui.widgets.code_view import CodeView
from gpuconfig_app.ui.widgets.command_line import CopyButton
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.wizard.bundle_files import save_bundle
from gpuconfig_app.ui.wizard.draft import BUNDLE, WizardDraft
from gpuconfig_app.ui.wizard.step_page import StepPage
from gpuconfig_app.ui.wizard.steps import Step
from gpuconfig_app.ui.wizard.test_run_panel import TestRunPanel

_FILES_WIDTH = 204
_CODE_HEIGHT = 320


class ScriptStep(StepPage):
    """Read, save, try."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(state, draft, parent)
        self._file: BundleFile | None = None
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self._build_files())
        row.addWidget(self._build_code(), 1)
        self.column.addLayout(row)
        self._saved = Card(severity="good")
        self._saved_text = ElidedLabel("", "body")
        line = QHBoxLayout()
        line.addWidget(IconLabel("circle-check", 18, "good.fg"))
        line.addWidget(self._saved_text, 1)
        self._saved.body.addLayout(line)
        self.column.addWidget(self._saved)
        self.test_run = TestRunPanel(state, draft)
        self.column.addWidget(self.test_run)
        self.column.addStretch(1)
        draft.bundle_changed.connect(self._refresh)
        draft.plan_changed.connect(self._refresh)
        self._refresh()

    def on_enter(self) -> None:
        """Follow a test run that goes on."""
        self.test_run.on_enter()

    def on_leave(self) -> None:
        """Follow no more; the run goes on."""
        self.test_run.on_leave()

    def save(self) -> None:
        """Ask for a folder and write the bundle; a folder that holds files already is asked for by name."""
        start = self.state.settings.last_bundle_folder or str(Path.home())
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Choose an empty folder for the script"), start)
        if chosen:
            save_bundle(self.state, self.draft, Path(chosen))

    def _build_files(self) -> Card:
        card = Card(padding=8)
        card.setFixedWidth(_FILES_WIDTH)
        self._files = QListWidget()
        self._files.setObjectName("bundle_files")
        self._files.setAccessibleName(self.tr("Files of the script"))
        self._files.currentRowChanged.connect(self._show_file)
        card.body.addWidget(self._files, 1)
        self._checked = TextLabel("", "small", "good")
        card.body.addWidget(self._checked)
        card.body.addWidget(TextLabel(self.tr("The same answers give the same bytes."), "small", "muted", wraps=True))
        return card

    def _build_code(self) -> HeadedCard:
        card = HeadedCard("train.py")
        self._name = card.title
        self._line = TextLabel("", "small", "muted")
        card.head.addWidget(self._line)
        self._go = Button("", LINK, scale="small", on_click=self._go_to_answer)
        self._go.hide()
        self._find = QLineEdit()
        self._find.setPlaceholderText(self.tr("Find"))
        self._find.setAccessibleName(self.tr("Find in the script"))
        self._find.setMaximumWidth(140)
        self._copy = CopyButton("", kind=FLAT)
        for widget in (self._go, self._find, self._copy):
            card.head.addWidget(widget)
        self._code = CodeView()
        self._code.setObjectName("code")
        self._code.setMinimumHeight(_CODE_HEIGHT)
        self._code.line_selected.connect(self._show_line)
        self._code.find_asked.connect(lambda: self._find.setFocus(Qt.FocusReason.ShortcutFocusReason))
        self._find.returnPressed.connect(lambda: self._code.find_next(self._find.text()))
        card.body.addWidget(self._code)
        return card

    def _refresh(self) -> None:
        bundle, folder = self.draft.bundle, self.draft.folder
        self._saved.setVisible(folder is not None and bundle is not None)
        if folder is not None:
            self._saved_text.setText(self.tr("Saved in {path}").format(path=folder))
        if bundle is None:
            is_busy = self.state.background.is_busy(BUNDLE)
            self._checked.setText(self.tr("Writing…") if is_busy else "")
            return
        self._checked.setText(self.tr("Compiles, checked"))
        names = [file.name for file in bundle.files]
        shown = [self._files.item(row).data(Qt.ItemDataRole.UserRole) for row in range(self._files.count())]
        current = max(self._files.currentRow(), 0)
        if names != shown:
            self._fill(bundle.files)
        self._files.setCurrentRow(min(current, len(names) - 1))
        self._show_file(self._files.currentRow())

    def _fill(self, files: tuple[BundleFile, ...]) -> None:
        self._files.blockSignals(True)
        self._files.clear()
        theme = current_theme()
        for file in files:
            icon = "terminal" if file.is_executable else "file-code" if file.name.endswith(".py") else "file-text"
            item = QListWidgetItem(make_icon(icon, 16, theme.color("text_secondary")), file.name)
            item.setData(Qt.ItemDataRole.UserRole, file.name)
            item.setToolTip(self.tr("%n lines", "", file.content.count("\n")))
            self._files.addItem(item)
        self._files.blockSignals(False)

    def _show_file(self, row: int) -> None:
        bundle = self.draft.bundle
        if bundle is None or not 0 <= row < len(bundle.files):
            return
        file = bundle.files[row]
        if file == self._file:
            return
        self._file = file
        self._name.setText(file.name)
        self._copy.set_copied_text(file.content)
        self._code.show_code(file.content, is_python=file.name.endswith(".py"))
        self._show_line(1)

    def _show_line(self, line: int) -> None:
        step = self._step_of(line)
        self._go.setVisible(step is not None)
        self._line.setText(self.tr("line {n}").format(n=line) if self._file is not None else "")
        if step is not None:
            self._go.setText(self.tr("Change in step {n}").format(n=list(Step).index(step) + 1))

    def _go_to_answer(self) -> None:
        step = self._step_of(self._code.textCursor().blockNumber() + 1)
        if step is not None:
            self.draft.go_to(step)

    def _step_of(self, line: int) -> Step | None:
        bundle, template = self.draft.bundle, self.draft.template
        if bundle is None or template is None or self._file is None or self._file.name != "train.py":
            return None
        question_id = bundle.line_answers.get(line)
        question = next((item for item in template.questions if item.id == question_id), None)
        return Step(WizardStep(question.step).value) if question is not None else None
