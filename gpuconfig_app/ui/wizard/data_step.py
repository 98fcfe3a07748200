"""Second step: where the data are. The folder or table is looked at, and what was found is shown before it is used."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QProgressBar, QVBoxLayout, QWidget

from gpuconfig_app.core.dataset import DataKind, DatasetFacts
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.units import format_bytes, format_count
from gpuconfig_app.scriptgen.manifest import WizardStep
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import set_style_property
from gpuconfig_app.ui.widgets.buttons import FLAT, OUTLINED, Button, square_button
from gpuconfig_app.ui.widgets.cards import Card, HeadedCard, IconLabel
from gpuconfig_app.ui.widgets.class_bars import ClassBars
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.metric_strip import Metric, MetricStrip
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.data_columns import ColumnTable
from gpuconfig_app.ui.wizard.draft import ScanProgress, WizardDraft
from gpuconfig_app.ui.wizard.previews import PreviewStrip, read_previews
from gpuconfig_app.ui.wizard.question_form import QuestionForm
from gpuconfig_app.ui.wizard.step_page import StepPage

_BROKEN_SHOWN = 3
_FORM_WIDTH = 380


class DataStep(StepPage):
    """Choose data, see what is in them."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(state, draft, parent)
        self._shown: DatasetFacts | None = None
        self.column.addWidget(self._build_path())
        self._tiles = MetricStrip(is_tall=True)
        self.column.addWidget(self._tiles)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addLayout(self._build_left(), 1)
        row.addLayout(self._build_right())
        self.column.addLayout(row)
        self.column.addStretch(1)
        draft.dataset_changed.connect(self._refresh)
        draft.scan_progressed.connect(self._show_progress)
        draft.changed.connect(self._refresh_form)
        self._refresh()

    def on_enter(self) -> None:
        """Put the keyboard where the first answer goes."""
        if not self._path.text():
            self._path.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build_path(self) -> Card:
        card = Card()
        line = QHBoxLayout()
        line.setSpacing(10)
        self._path_label = TextLabel("", "body", "secondary")
        self._path = QLineEdit()
        self._path.setObjectName("data_path")
        self._path.setAccessibleName(self.tr("Path of the data"))
        self._path.returnPressed.connect(self._scan_typed)
        self._path.editingFinished.connect(self._scan_changed)
        self._choose = Button(self.tr("Choose…"), OUTLINED, "folder-open", on_click=self._ask)
        self._made_up = Button(self.tr("Made-up data"), FLAT, "sparkles", on_click=self.draft.forget_data)
        self._made_up.setToolTip(self.tr("Go on without data: the script can still be tried with --smoke"))
        self._badge = SeverityBadge()
        self._cancel = Button(self.tr("Cancel"), OUTLINED, "x", scale="small", on_click=self.draft.cancel_scan)
        self._again = square_button("refresh-cw", self.tr("Look again"), self._scan_typed)
        line.addWidget(self._path_label)
        line.addWidget(self._path, 1)
        for widget in (self._choose, self._made_up, self._badge, self._cancel, self._again):
            line.addWidget(widget)
        card.body.addLayout(line)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._status = TextLabel("", "small", "muted", wraps=True)
        card.body.addWidget(self._bar)
        card.body.addWidget(self._status)
        return card

    def _build_left(self) -> QVBoxLayout:
        left = QVBoxLayout()
        left.setSpacing(12)
        self._classes = HeadedCard(self.tr("Pictures in each class"))
        self._bars = ClassBars()
        inside = QVBoxLayout()
        inside.setContentsMargins(16, 0, 16, 14)
        inside.addWidget(self._bars)
        self._classes.body.addLayout(inside)
        self._preview = HeadedCard(self.tr("Preview"))
        strip = QVBoxLayout()
        strip.setContentsMargins(16, 0, 16, 14)
        self._strip = PreviewStrip()
        strip.addWidget(self._strip)
        self._preview.body.addLayout(strip)
        self._columns = ColumnTable(self.state)
        for card in (self._classes, self._preview, self._columns):
            left.addWidget(card)
        left.addStretch(1)
        return left

    def _build_right(self) -> QVBoxLayout:
        right = QVBoxLayout()
        right.setSpacing(12)
        self._form_card = Card()
        self._form_card.setFixedWidth(_FORM_WIDTH)
        self._form = QuestionForm(self.state, self.draft, WizardStep.DATA)
        self._form_card.body.addWidget(TextLabel(self.tr("How the data are used"), "heading"))
        self._form_card.body.addWidget(self._form)
        self._broken = Card(severity="warning")
        self._broken.setFixedWidth(_FORM_WIDTH)
        head = QHBoxLayout()
        head.addWidget(IconLabel("triangle-alert", 20, "warning.fg"))
        self._broken_title = TextLabel("", "body_strong")
        head.addWidget(self._broken_title, 1)
        self._broken.body.addLayout(head)
        self._broken_list = TextLabel("", "mono", "secondary", wraps=True)
        self._broken.body.addWidget(self._broken_list)
        note = self.tr("Nothing is deleted; the script leaves them out and names them.")
        self._broken.body.addWidget(TextLabel(note, "small", "muted", wraps=True))
        self._notes = Card()
        self._notes.setFixedWidth(_FORM_WIDTH)
        self._notes_text = TextLabel("", "small", "secondary", wraps=True)
        self._notes.body.addWidget(self._notes_text)
        for card in (self._form_card, self._broken, self._notes):
            right.addWidget(card)
        right.addStretch(1)
        return right

    def _ask(self) -> None:
        start = self._path.text() or str(Path.home())
        if self._is_table():
            pattern = self.tr("Tables (*.csv *.tsv *.txt *.parquet);;All files (*)")
            path, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a table"), start, pattern)
        else:
            path = QFileDialog.getExistingDirectory(self, self.tr("Choose the folder of class folders"), start)
        if path:
            self._path.setText(path)
            self.draft.scan(path)

    def _scan_typed(self) -> None:
        path = self._path.text().strip()
        if path:
            self.draft.scan(path)

    def _scan_changed(self) -> None:
        path = self._path.text().strip()
        if path and path != self._answered_path():
            self.draft.scan(path)

    def _answered_path(self) -> str:
        question = self.draft.data_question()
        answer = self.draft.answers.get(question) if question is not None else None
        return answer if isinstance(answer, str) else ""

    def _is_table(self) -> bool:
        return self.draft.template is not None and self.draft.template.data_kind is DataKind.TABLE

    def _refresh(self) -> None:
        dataset, is_busy = self.draft.dataset, self.draft.is_scanning
        self._path_label.setText(self.tr("Table") if self._is_table() else self.tr("Folder"))
        if not self._path.hasFocus() or not self._path.text():
            self._path.setText(self._answered_path())
        self._cancel.setVisible(is_busy)
        self._bar.setVisible(is_busy)
        self._again.setVisible(dataset is not None and not is_busy)
        if not is_busy:
            self._bar.setRange(0, 100)
            self._bar.setValue(0)
        self._show_status(dataset, is_busy=is_busy)
        self._show_dataset(dataset)
        self._refresh_form()

    def _refresh_form(self) -> None:
        self._form_card.setVisible(not self._form.is_empty)

    def _show_status(self, dataset: DatasetFacts | None, *, is_busy: bool) -> None:
        error = self.draft.scan_error
        is_wrong = error is not None and not is_busy
        set_style_property(self._path, "wrong", "true" if is_wrong else "false")
        self._status.set_tone("blocked" if is_wrong else "muted")
        if is_busy:
            self._badge.show_state("loading", self.tr("Looking"))
            self._status.setText(self.tr("Counting files…"))
        elif isinstance(error, GpuConfigError):
            self._badge.show_state("blocked", self.tr("Can't be used"))
            hint = f" {self.state.text(error.hint)}" if error.hint is not None else ""
            self._status.setText(self.state.text(error.message) + hint)
        elif dataset is not None:
            self._badge.show_state("good", self.tr("Looked at"))
            self._status.setText("")
        else:
            self._badge.show_state("note", self.tr("Made-up data"))
            self._status.setText(
                self.tr("No data chosen. The script is written for made-up data and takes yours with --data.")
            )
        self._status.setVisible(bool(self._status.text()))

    def _show_progress(self, progress: ScanProgress) -> None:
        self._bar.setRange(0, 0 if progress.share is None else 100)
        if progress.share is not None:
            self._bar.setValue(round(progress.share * 100))
        self._status.setText(self.state.text(progress.message))

    def _show_dataset(self, dataset: DatasetFacts | None) -> None:
        for card in (self._classes, self._preview, self._columns, self._broken, self._notes, self._tiles):
            card.setVisible(False)
        if dataset is None:
            self._shown = None
            return
        self._tiles.show_metrics(self._tile_texts(dataset))
        self._tiles.setVisible(True)
        if dataset.classes:
            counts = [item.count for item in dataset.classes]
            self._bars.show_classes(dataset.classes)
            self._classes.set_note(f"{min(counts)} – {max(counts)}")
            self._classes.setVisible(True)
            self._start_previews(dataset)
        if dataset.columns:
            self._columns.show_columns(dataset.columns)
            self._columns.setVisible(True)
        if dataset.broken_count:
            self._broken_title.setText(self.tr("%n broken files are left out", "", dataset.broken_count))
            self._broken_list.setText("\n".join(dataset.broken_files[:_BROKEN_SHOWN]))
            self._broken.setVisible(True)
        if dataset.notes:
            self._notes_text.setText("\n".join(self.state.text(note) for note in dataset.notes))
            self._notes.setVisible(True)

    def _start_previews(self, dataset: DatasetFacts) -> None:
        self._preview.setVisible(True)
        if dataset is self._shown:
            return
        self._shown = dataset
        self._strip.show_previews(())
        self.state.background.run(
            "wizard-previews", lambda control: read_previews(dataset, control), self._strip.show_previews
        )

    def _tile_texts(self, dataset: DatasetFacts) -> list[Metric]:
        count = "–" if dataset.sample_count is None else format_count(dataset.sample_count)
        about = "" if dataset.is_exact else self.tr("estimated")
        size, _, unit = ("– " if dataset.total_bytes is None else format_bytes(dataset.total_bytes)).partition(" ")
        if dataset.kind is DataKind.TABLE:
            columns = str(len(dataset.columns)) if dataset.columns else "–"
            return [
                Metric(self.tr("Rows"), count, remark=about),
                Metric(self.tr("Columns"), columns),
                Metric(self.tr("Size on disk"), size, unit, dataset.table_format or ""),
            ]
        tiles = [
            Metric(self.tr("Pictures"), count, remark=about),
            Metric(self.tr("Classes"), str(len(dataset.classes)), remark=self.tr("one sub-folder each")),
            Metric(self.tr("Size on disk"), size, unit, ", ".join(dataset.image_formats)),
        ]
        if dataset.image_size is not None:
            height, width, channels = dataset.image_size
            colour = self.tr("median, grey") if channels == 1 else self.tr("median, colour")
            tiles.append(Metric(self.tr("Picture size"), f"{width} × {height}", remark=colour))
        return tiles
