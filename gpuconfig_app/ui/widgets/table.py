"""How tables look everywhere: no grid, a hairline under each row, severity as icon and word, text to the left."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from typing_extensions import override

from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.painting import LEFT, RIGHT, draw_hairline, draw_text, is_keyboard_focus
from gpuconfig_app.ui.widgets.severity_badge import paint_badge, severity_color

_SIDE = 8
_FIRST_SIDE = 16
Index = QModelIndex | QPersistentModelIndex


class CellRole(IntEnum):
    """What a model tells the delegate beside the text of a cell."""

    SEVERITY = int(Qt.ItemDataRole.UserRole) + 1  # severity or state: the cell is a plain badge
    ROW_SEVERITY = int(Qt.ItemDataRole.UserRole) + 2  # colours the whole row, empty for none
    TONE = int(Qt.ItemDataRole.UserRole) + 3  # colour token of the text
    TYPE = int(Qt.ItemDataRole.UserRole) + 4  # role of the type scale
    SORT = int(Qt.ItemDataRole.UserRole) + 5  # value to sort by
    RADIO = int(Qt.ItemDataRole.UserRole) + 6  # bool: a radio mark stands before the text
    SECOND = int(Qt.ItemDataRole.UserRole) + 7  # second line, muted


class RowDelegate(QStyledItemDelegate):
    """Paints cells from the roles of ``CellRole``."""

    def __init__(self, parent: QWidget | None = None, row_height: int | None = None) -> None:
        super().__init__(parent)
        self._row_height = row_height or current_theme().size("height.table_row")

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + 2 * _SIDE, self._row_height)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = current_theme()
        place = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, theme, place, index, state)
        side = _FIRST_SIDE if index.column() == 0 else _SIDE
        inner = place.adjusted(side, 0, -_SIDE, -1)
        radio = index.data(CellRole.RADIO)
        if radio is not None:
            self._paint_radio(painter, theme, inner, is_on=bool(radio))
            inner = inner.adjusted(28, 0, 0, 0)
        severity = index.data(CellRole.SEVERITY)
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        if severity:
            paint_badge(painter, theme, inner, str(severity), text, is_boxed=False)
        else:
            self._paint_text(painter, theme, inner, index, text)
        painter.restore()

    @staticmethod
    def _paint_ground(painter: QPainter, theme: Theme, place: QRectF, index: Index, state: QStyle.StateFlag) -> None:
        row_severity = index.data(CellRole.ROW_SEVERITY)
        if row_severity:
            painter.fillRect(place, severity_color(theme, str(row_severity), "bg"))
        elif state & QStyle.StateFlag.State_Selected:
            painter.fillRect(place, theme.color("selected"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(place, theme.color("hover"))
        if index.row() == index.model().rowCount() - 1:
            return  # the card's own edge, or nothing, is below
        bottom = place.bottom() - 1
        draw_hairline(painter, QPointF(place.left(), bottom), QPointF(place.right(), bottom), theme.color("border"))

    @staticmethod
    def _paint_radio(painter: QPainter, theme: Theme, place: QRectF, *, is_on: bool) -> None:
        circle = QRectF(place.left() + 0.5, place.center().y() - 7.5, 15, 15)
        painter.setPen(QPen(theme.color("accent" if is_on else "border_control"), 5 if is_on else 1))
        painter.setBrush(theme.color("on_accent" if is_on else "surface"))
        painter.drawEllipse(circle.adjusted(2, 2, -2, -2) if is_on else circle)

    @staticmethod
    def _paint_text(painter: QPainter, theme: Theme, place: QRectF, index: Index, text: str) -> None:
        font = theme.font(str(index.data(CellRole.TYPE) or "body"))
        color = theme.color(str(index.data(CellRole.TONE) or "text"))
        alignment = index.data(Qt.ItemDataRole.TextAlignmentRole)
        is_right = alignment is not None and bool(int(alignment) & int(Qt.AlignmentFlag.AlignRight.value))
        align = RIGHT if is_right else LEFT
        second = index.data(CellRole.SECOND)
        mode = Qt.TextElideMode.ElideMiddle
        if not second:
            draw_text(painter, place, text, font, color, align, mode)
            return
        half = place.height() / 2
        draw_text(painter, QRectF(place.left(), place.top() + 3, place.width(), half), text, font, color, align, mode)
        below = QRectF(place.left(), place.top() + half - 1, place.width(), half - 3)
        draw_text(painter, below, str(second), theme.font("small"), theme.color("text_muted"), align, mode)


class PlainTable(QTableView):
    """A table view without grid whose height follows its rows.

    Args:
        row_height: Of every row.
        fits_rows: The table is as high as its rows and never scrolls by itself.
    """

    def __init__(self, parent: QWidget | None = None, row_height: int | None = None, *, fits_rows: bool = True) -> None:
        super().__init__(parent)
        theme = current_theme()
        self._fits_rows = fits_rows
        self._row_height = row_height or theme.size("height.table_row")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(RowDelegate(self, self._row_height))
        self.setTabKeyNavigation(False)
        if fits_rows:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = self.horizontalHeader()
        head.setFixedHeight(theme.size("height.table_head"))
        head.setHighlightSections(False)
        head.setSectionsClickable(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setFont(theme.font("small_strong"))
        rows = self.verticalHeader()
        rows.hide()
        rows.setMinimumSectionSize(self._row_height)
        rows.setDefaultSectionSize(self._row_height)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def set_columns(self, widths: dict[int, int], stretched: int) -> None:
        """Give columns fixed widths; one takes the rest."""
        head = self.horizontalHeader()
        for column in range(self.model().columnCount()):
            if column == stretched:
                head.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
            else:
                head.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
                head.resizeSection(column, widths.get(column, 100))

    def fit(self) -> None:
        """Take the height of the rows; call it when rows came or went."""
        if not self._fits_rows or self.model() is None:
            return
        head = 0 if self.horizontalHeader().isHidden() else self.horizontalHeader().height()
        self.setFixedHeight(head + self.model().rowCount() * self._row_height)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        came_by_keyboard = is_keyboard_focus(event.reason())
        if came_by_keyboard and not self.currentIndex().isValid() and self.model() is not None:
            self.setCurrentIndex(self.model().index(0, 0))
        self.viewport().update()
