"""The machine around the cards: a card of rows, or one line where many GPUs need the room."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.ui.models.machine_rows import MachineRow, MachineRows
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import HeadedCard
from gpuconfig_app.ui.widgets.key_values import KeyValues
from gpuconfig_app.ui.widgets.painting import draw_box, draw_text, start_painter, text_width


class MachineBlock(HeadedCard):
    """Processor, memory, disk, system, driver as rows."""

    def __init__(self, title: str, maker: MachineRows, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setObjectName("machineBlock")
        self._maker = maker
        self.values = KeyValues()
        self.body.addWidget(self.values)
        self.body.addStretch(1)

    def show_report(self, report: SystemReport) -> None:
        """Show a machine."""
        self.values.show_rows([(row.label, row.value, row.remark) for row in self._maker.rows(report)])


class MachineLine(QWidget):
    """The same facts in one line of 38; what does not fit is left out and stands in the tool tip."""

    def __init__(self, maker: MachineRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._maker = maker
        self._rows: tuple[MachineRow, ...] = ()
        self.setObjectName("machineLine")
        self.setFixedHeight(38)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_report(self, report: SystemReport) -> None:
        """Show a machine."""
        self._rows = self._maker.rows(report)
        words = "\n".join(f"{row.label}: {row.value} {row.remark}".strip() for row in self._rows)
        self.setToolTip(words)
        self.setAccessibleName(words.replace("\n", ", "))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(400, 38)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = start_painter(self)
        whole = QRectF(self.rect())
        draw_box(painter, whole, theme.color("surface"), theme.color("border"), theme.size("radius.card"))
        font = theme.font("small")
        left, right = 16.0, whole.width() - 16
        for row in self._rows:
            label_width = text_width(row.label, font) + 8
            needed = label_width + text_width(row.value, font)
            if left + label_width + 60 > right:
                break
            place = QRectF(left, 0, label_width, whole.height())
            draw_text(painter, place, row.label, font, theme.color("text_muted"))
            room = QRectF(
                left + label_width, 0, min(needed - label_width + 1, right - left - label_width), whole.height()
            )
            draw_text(painter, room, row.value, font, theme.color("text"), elide=Qt.TextElideMode.ElideRight)
            left += needed + 26
