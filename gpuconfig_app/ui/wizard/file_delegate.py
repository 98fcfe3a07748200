"""A file of the bundle in the list: icon, name, and how many lines it has."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.painting import RIGHT, draw_box, draw_text, text_width

COUNT = int(Qt.ItemDataRole.UserRole) + 1
ICON = int(Qt.ItemDataRole.UserRole) + 2
_HEIGHT = 34
_ICON = 16


class FileDelegate(QStyledItemDelegate):
    """Paints the row."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, _HEIGHT)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, place = current_theme(), QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        is_on = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_on or state & QStyle.StateFlag.State_MouseOver:
            fill = theme.color("selected" if is_on else "hover")
            draw_box(painter, place.adjusted(0, 1, 0, -1), fill, fill, theme.size("radius.control"))
        if state & QStyle.StateFlag.State_HasFocus:
            clear = theme.color("selected")
            draw_box(painter, place.adjusted(0, 1, 0, -1), clear, theme.color("focus"), theme.size("radius.control"), 2)
        color = theme.color("accent_text" if is_on else "text_secondary")
        top = place.center().y() - _ICON / 2
        draw_icon(painter, str(index.data(ICON) or "file-text"), QRectF(place.left() + 8, top, _ICON, _ICON), color)
        count, small = str(index.data(COUNT) or ""), theme.font("small")
        wide = text_width(count, small) + 2
        room = QRectF(place.right() - wide - 8, place.top(), wide, place.height())
        draw_text(painter, room, count, small, theme.color("text_muted"), RIGHT)
        name = QRectF(place.left() + 32, place.top(), room.left() - place.left() - 40, place.height())
        text = str(index.data(Qt.ItemDataRole.DisplayRole))
        draw_text(painter, name, text, theme.font("body", 600 if is_on else 400), theme.color("text"))
        painter.restore()
