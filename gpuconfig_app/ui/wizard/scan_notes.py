"""What the scan found beside the counts: broken files to look through, and remarks with their weight."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.messages import Message
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import Card, IconLabel
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.wizard.layouts import clear_layout

_FIRST = 3
_BROKEN = "dataset.broken-"
_GOOD = frozenset({"dataset.balanced"})
# Worth a second look before hours of training go into it.
_WARNINGS = frozenset(
    {
        "dataset.unbalanced", "dataset.few-pictures", "dataset.few-rows", "dataset.duplicates",
        "dataset.duplicates-across-classes", "dataset.empty-classes", "dataset.too-few-classes",
        "dataset.closed-folders", "dataset.mostly-missing", "dataset.rows-unreadable", "dataset.wrong-lengths",
        "dataset.no-class-folders", "dataset.folder-of-tables", "dataset.nothing-known", "dataset.other-table",
        "dataset.single-picture", "dataset.one-column", "dataset.double-names", "dataset.decimal-commas",
    }
)  # fmt: skip


class BrokenFilesCard(Card):
    """Files that can't be read: the first few, all of them on demand; hidden when there are none."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent, severity="warning")
        self._state = state
        self._dataset: DatasetFacts | None = None
        self._shows_all = False
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(IconLabel("triangle-alert", 20, "warning.fg"))
        self._name = TextLabel("", "body_strong", wraps=True)
        head.addWidget(self._name, 1)
        self._all = Button("", LINK, scale="small", on_click=self._toggle)
        self._all.setObjectName("all_broken")
        head.addWidget(self._all)
        self.body.addLayout(head)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(2)
        self.body.addLayout(self._lines)
        self._why = TextLabel("", "small", "secondary", wraps=True)
        self.body.addWidget(self._why)
        note = self.tr("Nothing is deleted; the script leaves them out and names them.")
        self.body.addWidget(TextLabel(note, "small", "muted", wraps=True))

    def show_dataset(self, dataset: DatasetFacts | None) -> None:
        """Show the broken files of these data."""
        if dataset is not self._dataset:
            self._shows_all = False
        self._dataset = dataset
        self.setVisible(dataset is not None and dataset.broken_count > 0)
        clear_layout(self._lines)
        if dataset is None:
            return
        self._name.setText(self.tr("%n broken files are left out", "", dataset.broken_count))
        shown = dataset.broken_files if self._shows_all else dataset.broken_files[:_FIRST]
        for name in shown:
            self._lines.addWidget(ElidedLabel(name, "mono", "secondary"))
        hidden = dataset.broken_count - len(dataset.broken_files)
        if self._shows_all and hidden > 0:
            self._lines.addWidget(TextLabel(self.tr("%n more", "", hidden), "small", "muted"))
        self._all.setVisible(dataset.broken_count > _FIRST)
        self._all.setText(self.tr("Fewer") if self._shows_all else self.tr("All %n", "", dataset.broken_count))
        reasons = [self._state.text(note) for note in dataset.notes if note.id.startswith(_BROKEN)]
        self._why.setText("\n".join(reasons))
        self._why.setVisible(bool(reasons))

    def _toggle(self) -> None:
        self._shows_all = not self._shows_all
        self.show_dataset(self._dataset)


class ScanNotesCard(Card):
    """Remarks on the data; hidden when there are none."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._lines = QVBoxLayout()
        self._lines.setSpacing(8)
        self.body.addLayout(self._lines)

    def show_dataset(self, dataset: DatasetFacts | None) -> None:
        """Show the remarks on these data; those on broken files stand with the files."""
        clear_layout(self._lines)
        notes = [note for note in dataset.notes if not note.id.startswith(_BROKEN)] if dataset is not None else []
        for note in sorted(notes, key=lambda item: item.id not in _WARNINGS):
            self._add(note)
        self.setVisible(bool(notes))

    def _add(self, note: Message) -> None:
        icon, color = "info", "note.fg"
        if note.id in _GOOD:
            icon, color = "circle-check", "good.fg"
        elif note.id in _WARNINGS:
            icon, color = "triangle-alert", "warning.fg"
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(IconLabel(icon, 16, color), 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(TextLabel(self._state.text(note), "small", "secondary", wraps=True), 1)
        self._lines.addLayout(line)
