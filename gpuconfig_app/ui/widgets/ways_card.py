"""Further ways out of a finding, numbered after the first: what to do, and its commands to copy beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import HeadedCard, Line
from gpuconfig_app.ui.widgets.command_line import CommandLine
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.painting import CENTER, TOP_LEFT, draw_box, draw_text, start_painter

_CIRCLE = 24


@dataclass(frozen=True)
class WayShown:
    """One way.

    Attributes:
        text: What to do.
        commands: Lines to copy.
        shell: Sign before them.
        changes: What they change, small.
    """

    text: str
    commands: tuple[str, ...] = ()
    shell: str = "sh"
    changes: str = ""


class WaysCard(HeadedCard):
    """The ways, best first.

    Args:
        first: Number of the first one; the finding itself shows those before.
    """

    def __init__(self, ways: Sequence[WayShown], first: int = 2, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title.setText(self.tr("Other ways on") if first > 1 else self.tr("Ways on"))
        self.setAccessibleName(self.title.text())
        for number, way in enumerate(ways, start=first):
            self.body.addWidget(Line())
            self.body.addLayout(_row(number, way))


def _row(number: int, way: WayShown) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(16, 10, 18, 10)
    row.setSpacing(10)
    row.addWidget(_Number(number), 0, Qt.AlignmentFlag.AlignTop)
    text = TextLabel(way.text, "body", "secondary", wraps=True, is_selectable=True)
    text.setMinimumHeight(_CIRCLE)
    if way.commands:
        text.setAlignment(TOP_LEFT)
        text.setContentsMargins(0, 3, 0, 0)
    row.addWidget(text, 11)
    if way.commands:
        row.addSpacing(16)
        column = QVBoxLayout()
        column.setSpacing(8)
        for command in way.commands:
            column.addWidget(CommandLine(command, way.shell))
        if way.changes:
            column.addWidget(TextLabel(way.changes, "small", "secondary", wraps=True))
        row.addLayout(column, 10)
    return row


class _Number(QWidget):
    """A number in a ring."""

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = number
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        return QSize(_CIRCLE, _CIRCLE)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        place = QRectF(0, 0, _CIRCLE, _CIRCLE)
        draw_box(painter, place, theme.color("surface"), theme.color("border_control"), _CIRCLE / 2)
        font = theme.font("small_strong")
        draw_text(painter, place, str(self._number), font, theme.color("text_secondary"), CENTER)
