"""What is judged: the Python environment, the TensorFlow release, and which cards."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.ui.card_words import cards_in_words, short_name
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.elided_combo import ElidedCombo
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel

INSTALLED = ""
_MOST_NAMED = 3
_LEAST_WIDTH = 150
_MOST_WIDTHS = {"environment": 280, "release": 250}


class ChoiceBlock(QWidget):
    """The line of choices.

    Attributes:
        environments: Choice of the environment.
        versions: Choice of the release.
        cards: Button with the choice of cards; on a machine with one card a text instead.
        end: Layout at the right end.

    Signals:
        environment_chosen(str): Interpreter.
        release_chosen(str): Release, empty for the installed one.
        cards_chosen(object): Indexes of the cards to judge, None for all.
    """

    environment_chosen = Signal(str)
    release_chosen = Signal(str)
    cards_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gpus: tuple[Gpu, ...] = ()
        self._chosen: tuple[int, ...] | None = None
        self._is_held = False
        self.environments = ElidedCombo()
        self.environments.setObjectName("environment")
        self.environments.setAccessibleName(self.tr("Python environment"))
        self.environments.activated.connect(self._choose_environment)
        self.versions = ElidedCombo()
        self.versions.setObjectName("release")
        self.versions.setAccessibleName(self.tr("TensorFlow release"))
        self.versions.activated.connect(lambda row: self.release_chosen.emit(self.versions.itemData(row) or INSTALLED))
        for combo, name in ((self.environments, "environment"), (self.versions, "release")):
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            combo.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            combo.setMinimumWidth(_LEAST_WIDTH)
            combo.setMaximumWidth(_MOST_WIDTHS[name])
        self.cards = Button("", OUTLINED, "chevron-down", icon_after=True)
        self.cards.setObjectName("cards")
        self._menu = _CardsMenu(self)
        self._menu.aboutToHide.connect(self._take_cards)
        self.cards.clicked.connect(self._open_menu)
        self.card_text = ElidedLabel("", "body", "secondary", mode=Qt.TextElideMode.ElideRight)
        self._on = TextLabel(self.tr("on"), "body", "muted")
        self.end = QHBoxLayout()
        self.end.setSpacing(8)
        self._build()

    def show_environments(self, report: SystemReport | None, chosen: PythonEnvironment | None) -> None:
        """Show which environments there are."""
        with QSignalBlocker(self.environments):
            self.environments.clear()
            for item in report.environments if report is not None else ():
                version = item.python_version or "?"
                self.environments.addItem(f"{item.name or item.prefix}   Python {version}", item.executable)
                row = self.environments.count() - 1
                self.environments.setItemData(row, item.executable, Qt.ItemDataRole.ToolTipRole)
            place = self.environments.findData(chosen.executable if chosen is not None else None)
            self.environments.setCurrentIndex(place)
            if not self.environments.count():
                is_untold = report is not None and report.is_cards_alone
                none = self.tr("Fresh environment") if is_untold else self.tr("No Python environment found")
                self.environments.addItem(none)
        self.hold(is_held=self._is_held)

    def show_versions(
        self, installed: str | None, compat: CompatReport | None, chosen: str, *, is_fresh: bool = False
    ) -> None:
        """Show which releases there are.

        Args:
            chosen: Release that is judged, empty for the installed one.
            is_fresh: Nothing can be told of what is installed: a fresh environment is judged.
        """
        with QSignalBlocker(self.versions):
            self.versions.clear()
            first = self.tr("What is installed: none")
            if is_fresh and compat is not None and compat.tensorflow and not chosen:
                first = f"TensorFlow {compat.tensorflow}"
            if installed:
                first = self.tr("TensorFlow {version}, installed").format(version=installed)
            self.versions.addItem(first, INSTALLED)
            for release in compat.releases if compat is not None else ():
                if release.release != installed:
                    self.versions.addItem(f"TensorFlow {release.release}", release.release)
            self.versions.setCurrentIndex(max(self.versions.findData(chosen), 0))
        self.hold(is_held=self._is_held)

    def show_cards(self, gpus: tuple[Gpu, ...], chosen: Sequence[int] | None) -> None:
        """Show which cards there are, and which of them are judged; None for all."""
        self._gpus = gpus
        self._chosen = tuple(chosen) if chosen is not None else None
        several = len(gpus) > 1
        self.cards.setVisible(several)
        self.card_text.setVisible(not several)
        self._on.setVisible(bool(gpus))
        self.card_text.setText(cards_in_words(gpus) if not several else "")
        self.cards.setText(self._cards_text())
        self.cards.setAccessibleName(self.tr("Cards that are judged: {cards}").format(cards=self.cards.text()))

    def hold(self, *, is_held: bool) -> None:
        """Let nothing be chosen for a while, or let it again."""
        self._is_held = is_held
        tip = self.tr("Not while something is assumed") if is_held else ""
        self.cards.setToolTip(tip)
        for combo in (self.environments, self.versions):
            combo.setToolTip(tip or combo.currentText())
        self.environments.setEnabled(not is_held and self.environments.itemData(0) is not None)
        self.versions.setEnabled(not is_held)
        self.cards.setEnabled(not is_held)

    def _build(self) -> None:
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(TextLabel(self.tr("Check"), "body", "muted"))
        line.addWidget(self.environments)
        line.addWidget(TextLabel(self.tr("with"), "body", "muted"))
        line.addWidget(self.versions)
        line.addWidget(self._on)
        line.addWidget(self.cards)
        line.addWidget(self.card_text)
        line.addStretch(1)
        line.addLayout(self.end)

    def _cards_text(self) -> str:
        indexes = [gpu.index for gpu in self._gpus] if self._chosen is None else list(self._chosen)
        if len(indexes) == len(self._gpus) and len(indexes) > _MOST_NAMED:
            return self.tr("all %n card(s)", "", len(indexes))
        if len(indexes) > _MOST_NAMED:
            return self.tr("%n card(s)", "", len(indexes))
        return ", ".join(f"GPU {index}" for index in indexes)

    def _open_menu(self) -> None:
        self._menu.show_cards(self._gpus, self._chosen)
        self._menu.popup(self.cards.mapToGlobal(self.cards.rect().bottomLeft()))

    def _take_cards(self) -> None:
        chosen = self._menu.chosen
        wanted = None if len(chosen) == len(self._gpus) else chosen
        if wanted != self._chosen:
            self.cards_chosen.emit(wanted)

    def _choose_environment(self, row: int) -> None:
        executable = self.environments.itemData(row)
        if isinstance(executable, str):
            self.environment_chosen.emit(executable)


class _CardsMenu(QMenu):
    """Cards to tick; stays open for several, and one is always left."""

    @property
    def chosen(self) -> tuple[int, ...]:
        """Indexes of the ticked cards."""
        return tuple(action.data() for action in self.actions() if action.isChecked())

    def show_cards(self, gpus: Sequence[Gpu], chosen: Sequence[int] | None) -> None:
        """Fill the menu."""
        self.clear()
        for gpu in gpus:
            name = f"GPU {gpu.index}   {short_name(gpu.name)}" if gpu.name else f"GPU {gpu.index}"
            action = self.addAction(name)
            action.setCheckable(True)
            action.setChecked(chosen is None or gpu.index in chosen)
            action.setData(gpu.index)

    def _flip(self, action: QAction | None) -> bool:
        if action is None:
            return False
        if not action.isChecked() or len(self.chosen) > 1:
            action.setChecked(not action.isChecked())
        return True

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._flip(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Space or not self._flip(self.activeAction()):
            super().keyPressEvent(event)
