"""Last step: the files, to read, copy and save; and the test run with its live log, measured beside predicted."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QWidget

from gpuconfig_app.core.bundle import BundleFile
from gpuconfig_app.scriptgen.manifest import Question
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import FLAT, LINK, Button
from gpuconfig_app.ui.widgets.cards import Card, HeadedCard
from gpuconfig_app.ui.widgets.code_view import CodeView
from gpuconfig_app.ui.widgets.command_line import CopyButton
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.bundle_files import save_bundle
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.file_delegate import COUNT, ICON, FileDelegate
from gpuconfig_app.ui.wizard.saved_bar import SavedBar
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
        self._saved = SavedBar(state, draft)
        self._saved.choose_asked.connect(self.save)
        self.column.addWidget(self._saved)
        self.column.addLayout(row)
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
        """Ask for a folder and write the bundle; when files are there already, the bar above asks what to do."""
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
        self._files.setItemDelegate(FileDelegate(self._files))
        self._files.setFrameShape(QFrame.Shape.NoFrame)
        self._files.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._files.currentRowChanged.connect(self._show_file)
        card.body.addWidget(self._files, 1)
        self._checked = SeverityBadge(is_boxed=False)
        card.body.addWidget(self._checked)
        card.body.addWidget(TextLabel(self.tr("The same answers give the same bytes."), "small", "muted", wraps=True))
        return card

    def _build_code(self) -> HeadedCard:
        card = HeadedCard("train.py")
        self._name = card.title
        self._line = TextLabel("", "small", "muted")
        card.head.insertWidget(1, self._line)
        self._go = Button("", LINK, scale="small", on_click=self._go_to_answer)
        self._go.setObjectName("go_to_answer")
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
        bundle = self.draft.bundle
        self._saved.refresh()
        if bundle is None:
            self._checked.show_state("loading", self.tr("Writing…"))
            return
        self._checked.show_state("good", self.tr("Compiles, checked"))
        names = [file.name for file in bundle.files]
        shown = [self._files.item(row).data(Qt.ItemDataRole.UserRole) for row in range(self._files.count())]
        current = max(self._files.currentRow(), 0)
        if names != shown:
            self._fill(bundle.files)
        for row, file in enumerate(bundle.files):
            count = file.content.count("\n")
            icon = "terminal" if file.is_executable else "file-code" if file.name.endswith(".py") else "file-text"
            self._files.item(row).setData(ICON, icon)
            self._files.item(row).setData(COUNT, str(count))
            self._files.item(row).setToolTip(self.tr("%n lines", "", count))
        self._files.setCurrentRow(min(current, len(names) - 1))
        self._show_file(self._files.currentRow())

    def _fill(self, files: tuple[BundleFile, ...]) -> None:
        self._files.blockSignals(True)
        self._files.clear()
        for file in files:
            item = QListWidgetItem(file.name)
            item.setData(Qt.ItemDataRole.UserRole, file.name)
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
        question, step = self._question_of(line), self._step_of(line)
        self._go.setVisible(step is not None)
        text = self.tr("line {n}").format(n=line) if self._file is not None else ""
        if question is not None:
            text = self.tr("line {n}: {question}").format(n=line, question=self.state.text(question.label))
        self._line.setText(text)
        if step is not None:
            self._go.setText(self.tr("Go to step {n}").format(n=list(Step).index(step) + 1))

    def _go_to_answer(self) -> None:
        step = self._step_of(self._code.textCursor().blockNumber() + 1)
        if step is not None:
            self.draft.go_to(step)

    def _step_of(self, line: int) -> Step | None:
        question = self._question_of(line)
        return Step(question.step.value) if question is not None else None

    def _question_of(self, line: int) -> Question | None:
        bundle, template = self.draft.bundle, self.draft.template
        if bundle is None or template is None or self._file is None or self._file.name != "train.py":
            return None
        question_id = bundle.line_answers.get(line)
        return next((item for item in template.questions if item.id == question_id), None)
