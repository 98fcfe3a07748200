"""Top of the rail: which machine is looked at, with a menu of the others."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from gpuconfig_app.ui.icons import draw_icon, make_icon
from gpuconfig_app.ui.overriding import override
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.focus import DrawsFocus
from gpuconfig_app.ui.widgets.painting import LEFT, draw_box, draw_text, start_painter

_HEIGHT = 48


class MachineChooser(DrawsFocus, QAbstractButton):
    """A card of 48 pixels; a press opens the menu.

    Signals:
        machine_chosen(object): Name of a recorded machine, None for this machine.
        folder_asked(): The user wants to open a recorded machine's folder.
        output_asked(): The user wants to open a file with what a tool printed on another machine.
    """

    machine_chosen = Signal(object)
    folder_asked = Signal()
    output_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = self.tr("This machine")
        self._contents = ""
        self._is_recorded = False
        self._machines: tuple[tuple[str, str], ...] = ()
        self.setObjectName("machineChooser")
        self.setFixedHeight(_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(self._open_menu)
        self._describe()

    def show_machine(self, title: str | None, contents: str) -> None:
        """Show what is open.

        Args:
            title: Title of a recorded machine, None for this machine.
            contents: Its cards in few words, ``2× RTX 4090``.
        """
        self._is_recorded = title is not None
        self._title = title or self.tr("This machine")
        self._contents = contents
        self._describe()
        self.update()

    def set_machines(self, machines: tuple[tuple[str, str], ...]) -> None:
        """Set the recorded machines of the menu, each (name, title)."""
        self._machines = machines

    def make_menu(self) -> QMenu:
        """Build the menu of machines."""
        theme = current_theme()
        color = theme.color("text_secondary")
        menu = QMenu(self)
        this = menu.addAction(make_icon("pc-case", 16, color), self.tr("This machine"))
        this.triggered.connect(lambda *_: self.machine_chosen.emit(None))
        menu.addSection(self.tr("Recorded machines")) if self._machines else menu.addSeparator()
        for name, title in self._machines:
            action = menu.addAction(make_icon("history", 16, color), title)
            action.triggered.connect(lambda *_, chosen=name: self.machine_chosen.emit(chosen))
        menu.addSeparator()
        folder = menu.addAction(make_icon("folder-open", 16, color), self.tr("Open a recorded machine…"))
        folder.triggered.connect(lambda *_: self.folder_asked.emit())
        output = menu.addAction(
            make_icon("file-text", 16, color), self.tr("Open the output of nvidia-smi or another tool…")
        )
        output.triggered.connect(lambda *_: self.output_asked.emit())
        return menu

    def _open_menu(self) -> None:
        menu = self.make_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _describe(self) -> None:
        self.setAccessibleName(self.tr("Machine: {name}").format(name=self._title))
        self.setAccessibleDescription(self._contents)
        self.setToolTip(f"{self._title}\n{self._contents}".strip())

    @override
    def sizeHint(self) -> QSize:
        return QSize(current_theme().size("width.rail") - 17, _HEIGHT)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.click()
            return
        super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = start_painter(self)
        place = QRectF(self.rect())
        fill = theme.color("pressed" if self.isDown() else "hover" if self.underMouse() else "surface")
        draw_box(painter, place, fill, theme.color("border"), theme.size("radius.control"))
        side = theme.size("icon.nav")
        icon = "history" if self._is_recorded else "pc-case"
        muted = theme.color("text_secondary")
        draw_icon(painter, icon, QRectF(9, (place.height() - side) / 2, side, side), muted)
        draw_icon(painter, "chevron-down", QRectF(place.width() - 22, (place.height() - 14) / 2, 14, 14), muted)
        width = place.width() - 35 - 28
        draw_text(painter, QRectF(35, 6, width, 19), self._title, theme.font("body_strong"), theme.color("text"), LEFT)
        small = theme.font("caption")
        draw_text(painter, QRectF(35, 25, width, 16), self._contents, small, theme.color("text_muted"), LEFT)
        if self.shows_focus:
            painter.setPen(QPen(theme.color("focus"), theme.size("border.focus_ring")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 7, 7)
