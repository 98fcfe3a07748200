"""The card "What is made": folder, TensorFlow release, Python, and where the packages come from."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from gpuconfig_app.ui.pages.make_environment.choice_field import ChoiceField, PathField
from gpuconfig_app.ui.pages.make_environment.shown import FormShown
from gpuconfig_app.ui.widgets.cards import Card, IconLabel, Line
from gpuconfig_app.ui.widgets.labels import TextLabel

PIP = "pip"
INDEX = "index"
WHEELS = "wheels"
LOCK = "lock"
FOLDER = "folder"
RELEASE = "release"
PYTHON = "python"
SOURCE = "source"
PLACE = "place"


class PlanForm(Card):
    """The answers; it shows what it is given and keeps nothing.

    Signals:
        answered(str, str): One of ``folder``, ``release``, ``python``, ``source``, ``place``, and its new value.
        folder_asked(): The user wants to look for a place for the folder.
        place_asked(str): The user wants to look for the folder of wheels or the lock file of this source.
    """

    answered = Signal(str, str)
    folder_asked = Signal()
    place_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = PIP
        self._is_wide = False
        self.body.setSpacing(14)
        self.body.addWidget(TextLabel(self.tr("What is made"), "heading"))
        self.folder = PathField(self.tr("New folder"), FOLDER, self.tr("Look for a place"))
        self.releases = ChoiceField("TensorFlow", RELEASE)
        self.pythons = ChoiceField("Python", PYTHON)
        self.sources = ChoiceField(self.tr("Where packages come from"), SOURCE)
        self.place = PathField("", PLACE, "")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(14)
        self.body.addLayout(self._grid)
        self.body.addWidget(Line())
        self.body.addLayout(self._build_promise())
        self._arrange()
        self._connect()

    def show_form(self, shown: FormShown) -> None:
        """Show the answers and what speaks for or against them."""
        self.folder.show_path(shown.folder, shown.folder_problem)
        self.releases.show_choice(shown.releases)
        self.pythons.show_choice(shown.pythons)
        self.sources.show_choice(shown.sources)
        self._source = shown.sources.value
        name, ask, hint = self._place_names().get(self._source, ("", "", ""))
        self.place.setVisible(bool(name))
        if name:
            self.place.set_names(name, ask, hint)
            self.place.show_path(shown.place, shown.place_problem)

    def set_wide(self, *, is_wide: bool) -> None:
        """Put the questions into two columns, or one."""
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self._arrange()

    def _connect(self) -> None:
        self.folder.typed.connect(lambda text: self.answered.emit(FOLDER, text))
        self.folder.asked.connect(self.folder_asked)
        self.releases.chosen.connect(lambda value: self.answered.emit(RELEASE, value))
        self.pythons.chosen.connect(lambda value: self.answered.emit(PYTHON, value))
        self.sources.chosen.connect(lambda value: self.answered.emit(SOURCE, value))
        self.place.typed.connect(lambda text: self.answered.emit(PLACE, text))
        self.place.asked.connect(lambda: self.place_asked.emit(self._source))

    def _place_names(self) -> dict[str, tuple[str, str, str]]:
        return {
            INDEX: (self.tr("Address of the index"), "", "https://…/simple"),
            WHEELS: (self.tr("Folder of wheels"), self.tr("Look for the folder of wheels"), ""),
            LOCK: (self.tr("Lock file"), self.tr("Look for the lock file"), "requirements.lock"),
        }

    def _build_promise(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(9)
        row.addWidget(IconLabel("shield-check", 14, "good.fg"), 0, Qt.AlignmentFlag.AlignTop)
        text = self.tr("No existing environment is touched. Cancelled, it leaves nothing behind.")
        row.addWidget(TextLabel(text, "small", "secondary", wraps=True), 1)
        return row

    def _arrange(self) -> None:
        fields = (self.folder, self.releases, self.sources, self.pythons, self.place)
        if not self._is_wide:
            fields = (self.folder, self.releases, self.pythons, self.sources, self.place)
        columns = 2 if self._is_wide else 1
        while self._grid.takeAt(0) is not None:
            pass
        for number, field in enumerate(fields):
            self._grid.addWidget(field, number // columns, number % columns, Qt.AlignmentFlag.AlignTop)
        for column in range(2):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
