"""Second step: where the data are. The folder or table is looked at, and what was found is shown before it is used."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.dataset import DataKind, DatasetFacts
from gpuconfig_app.core.units import format_bytes, format_count
from gpuconfig_app.scriptgen.manifest import WizardStep
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import ANY_SIZE
from gpuconfig_app.ui.widgets.buttons import FLAT, LINK, Button
from gpuconfig_app.ui.widgets.cards import Card, HeadedCard
from gpuconfig_app.ui.widgets.class_bars import ClassBars
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.metric_strip import Metric, MetricStrip
from gpuconfig_app.ui.wizard.data_columns import ColumnTable
from gpuconfig_app.ui.wizard.data_path_card import DataPathCard
from gpuconfig_app.ui.wizard.disk_check import DiskCheck
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.previews import Preview, PreviewStrip, read_previews
from gpuconfig_app.ui.wizard.question_form import QuestionForm
from gpuconfig_app.ui.wizard.scan_notes import BrokenFilesCard, ScanNotesCard
from gpuconfig_app.ui.wizard.split_card import SHARES, SplitCard
from gpuconfig_app.ui.wizard.step_page import StepPage

_SIDE = 380
_SIDE_BY_SIDE_FROM = 860
_PREVIEWS = "wizard-previews"


class DataStep(StepPage):
    """Choose data, see what is in them."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(state, draft, parent)
        self._shown: DatasetFacts | None = None
        self._turn = 0
        self._path = DataPathCard(state, draft)
        self._tiles = MetricStrip(is_tall=True)
        self.column.addWidget(self._path)
        self.column.addWidget(self._tiles)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(12)
        self._left, self._right = self._build_left(), self._build_right()
        self._row.addWidget(self._left, 1)
        self._row.addWidget(self._right)
        self.column.addLayout(self._row)
        self.column.addStretch(1)
        DiskCheck(state, draft, self)
        draft.dataset_changed.connect(self._refresh)
        draft.changed.connect(self._refresh_form)
        self._refresh()

    @property
    def previews(self) -> tuple[Preview, ...]:
        """Pictures that are shown."""
        return self._strip.previews

    def on_enter(self) -> None:
        """Put the keyboard where the first answer goes."""
        self._refresh_form()
        self._path.take_focus()

    def _build_left(self) -> QWidget:
        side = QWidget()
        left = QVBoxLayout(side)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(12)
        self._classes = HeadedCard(self.tr("Pictures in each class"))
        self._all_classes = Button("", LINK, scale="small", on_click=self._toggle_classes)
        self._all_classes.setObjectName("all_classes")
        self._classes.head.addWidget(self._all_classes)
        self._bars = ClassBars()
        self._classes.body.addLayout(_padded(self._bars))
        self._preview = HeadedCard(self.tr("Preview"))
        others = Button(self.tr("Others"), FLAT, "refresh-cw", scale="small", on_click=self._read_previews)
        others.setObjectName("other_previews")
        others.setToolTip(self.tr("Show other pictures"))
        self._preview.head.addWidget(others)
        self._strip = PreviewStrip()
        self._preview.body.addLayout(_padded(self._strip))
        self._columns = ColumnTable(self.state)
        for card in (self._classes, self._preview, self._columns):
            left.addWidget(card)
        left.addStretch(1)
        return side

    def _build_right(self) -> QWidget:
        side = QWidget()
        right = QVBoxLayout(side)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(12)
        self._form_card = Card()
        self._form = QuestionForm(self.state, self.draft, WizardStep.DATA, without=SHARES)
        self._form_card.body.addWidget(TextLabel(self.tr("How the data are used"), "heading"))
        self._form_card.body.addWidget(self._form)
        self._split = SplitCard(self.state, self.draft)
        self._broken = BrokenFilesCard(self.state)
        self._notes = ScanNotesCard(self.state)
        for card in (self._form_card, self._split, self._broken, self._notes):
            right.addWidget(card)
        right.addStretch(1)
        return side

    def _refresh(self) -> None:
        dataset = self.draft.dataset
        self._path.refresh()
        has_classes = dataset is not None and bool(dataset.classes)
        has_columns = dataset is not None and bool(dataset.columns)
        for card, is_shown in (
            (self._tiles, dataset is not None),
            (self._classes, has_classes),
            (self._preview, has_classes),
            (self._columns, has_columns),
            (self._left, has_classes or has_columns),
        ):
            card.setVisible(is_shown)
        self._broken.show_dataset(dataset)
        self._notes.show_dataset(dataset)
        if dataset is not None:
            self._show_dataset(dataset)
        self._shown = dataset
        self._arrange(self.width())
        self._refresh_form()

    def _refresh_form(self) -> None:
        if not self.isVisible():
            return  # on_enter sees to it
        self._path.refresh()
        has_something = self.draft.dataset is not None or self.draft.is_made_up
        self._form_card.setVisible(has_something and not self._form.is_empty)
        self._split.refresh()
        self._split.setVisible(self._split.isVisibleTo(self._right) and has_something)

    def _show_dataset(self, dataset: DatasetFacts) -> None:
        self._tiles.show_metrics(self._tile_texts(dataset))
        if dataset.classes:
            counts = sorted(item.count for item in dataset.classes)
            median = counts[len(counts) // 2]
            self._bars.show_classes(dataset.classes)
            note = self.tr("{least} – {most}, median {median}")
            self._classes.set_note(note.format(least=counts[0], most=counts[-1], median=median))
            self._name_all_classes()
            if self._shown is None or replace(dataset, disk_speed=None) != replace(self._shown, disk_speed=None):
                self._shown = dataset
                self._strip.show_previews(())
                self._turn = 0
                self._read_previews()
        if dataset.columns:
            self._columns.show_columns(dataset.columns)

    def _name_all_classes(self) -> None:
        count = len(self.draft.dataset.classes) if self.draft.dataset is not None else 0
        text = self.tr("Fewer") if self._bars.shows_all else self.tr("All %n classes", "", count)
        self._all_classes.setText(text)
        self._all_classes.setVisible(self._bars.has_more or self._bars.shows_all)

    def _toggle_classes(self) -> None:
        self._bars.set_shows_all(shows_all=not self._bars.shows_all)
        self._name_all_classes()

    def _read_previews(self) -> None:
        dataset = self.draft.dataset
        if dataset is None:
            return
        turn = self._turn
        self._turn += 1
        self.state.background.run(
            _PREVIEWS, lambda control: read_previews(dataset, control, turn), self._strip.show_previews
        )

    def _tile_texts(self, dataset: DatasetFacts) -> list[Metric]:
        count = "–" if dataset.sample_count is None else format_count(dataset.sample_count)
        about = "" if dataset.is_exact else self.tr("estimated")
        size, _, unit = ("– " if dataset.total_bytes is None else format_bytes(dataset.total_bytes)).partition(" ")
        if dataset.kind is not DataKind.IMAGE_FOLDERS:
            columns = str(len(dataset.columns)) if dataset.columns else "–"
            return [
                Metric(self.tr("Rows"), count, remark=about),
                Metric(self.tr("Columns"), columns),
                Metric(self.tr("Size on disk"), size, unit, (dataset.table_format or "").upper()),
                *self._speed_tiles(dataset),
            ]
        broken = self.tr("%n cannot be read", "", dataset.broken_count) if dataset.broken_count else ""
        formats = ", ".join(item.upper() for item in dataset.image_formats)
        tiles = [
            Metric(self.tr("Pictures"), count, remark=about or broken),
            Metric(self.tr("Classes"), str(len(dataset.classes)), remark=self.tr("one sub-folder each")),
            Metric(self.tr("Size on disk"), size, unit, formats),
        ]
        if dataset.image_size is not None:
            height, width, channels = dataset.image_size
            colour = self.tr("median, grey") if channels == 1 else self.tr("median, colour")
            tiles.append(Metric(self.tr("Picture size"), f"{width} × {height}", remark=colour))
        return tiles + self._speed_tiles(dataset)

    def _speed_tiles(self, dataset: DatasetFacts) -> list[Metric]:
        """Tell how fast the data were read, once that is known."""
        speed = dataset.disk_speed
        if speed is None:
            return []
        size, _, unit = format_bytes(int(speed.read_bytes_per_s)).partition(" ")
        doubt = self.tr("may be cached") if speed.is_from_cache else self.tr("from the disk")
        if speed.files_per_s is None or dataset.kind is not DataKind.IMAGE_FOLDERS:
            return [Metric(self.tr("Reading"), size, self.tr("{unit}/s").format(unit=unit), doubt)]
        files = self.tr("pictures/s")
        return [Metric(self.tr("Reading"), format_count(round(speed.files_per_s)), files, doubt)]

    def _arrange(self, width: int) -> None:
        """Put the cards side by side where there is room and something to stand beside."""
        has_left = self._left.isVisibleTo(self)
        is_wide = width >= _SIDE_BY_SIDE_FROM
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom)
        self._right.setMinimumWidth(_SIDE if is_wide and has_left else 0)
        self._right.setMaximumWidth(_SIDE if is_wide and has_left else ANY_SIZE)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(event.size().width())


def _padded(widget: QWidget) -> QVBoxLayout:
    inside = QVBoxLayout()
    inside.setContentsMargins(16, 0, 16, 14)
    inside.addWidget(widget)
    return inside
