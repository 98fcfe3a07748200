"""The log with its findings: numbers, marks and text in a list; folded runs open by a press, Enter or the arrows."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from gpuconfig_app.core.log_report import LogReport
from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.pages.explain.log_model import LogModel, RowRole
from gpuconfig_app.ui.pages.explain.log_rows import LineRole, LogRow
from gpuconfig_app.ui.pages.explain.wrapping import wrapped
from gpuconfig_app.ui.theme import Theme, current_theme, set_style_property
from gpuconfig_app.ui.widgets.painting import LEFT, RIGHT, draw_hairline, draw_text, is_keyboard_focus
from gpuconfig_app.workbench.log_lines import LogLines

_LINE = 17
_PAD = 1
_FOLD = 25
_ICON = 14
_GAP = 8
_RIGHT_MARGIN = 14
_LEAST_DIGITS = 3
Index = QModelIndex | QPersistentModelIndex


class LogView(QListView):
    """The list.

    Signals:
        finding_chosen(str): The user is on a line that shows the finding of this code.
        harmless_chosen(): The user is on a harmless line.
    """

    finding_chosen = Signal(str)
    harmless_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = LogModel(self)
        self._digits = _LEAST_DIGITS
        self.shows_focus = False
        self.setObjectName("explainedLog")
        self.setAccessibleName(self.tr("Lines of the log"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "log")
        self.setModel(self._model)
        self.setItemDelegate(_LineDelegate(self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        bar = self.verticalScrollBar()
        bar.setSingleStep(_LINE)
        bar.rangeChanged.connect(lambda _, top: set_style_property(bar, "idle", top == 0))
        set_style_property(bar, "idle", True)
        self.selectionModel().currentChanged.connect(self._tell)

    @property
    def log_model(self) -> LogModel:
        """Model of the rows."""
        return self._model

    def show_log(self, report: LogReport | None, lines: LogLines | None) -> None:
        """Show a log from its main cause on; None for none."""
        count = report.line_count if report is not None else 0
        self._digits = max(len(str(count)), _LEAST_DIGITS)
        self.selectionModel().blockSignals(True)
        self._model.show_log(report, lines)
        self.selectionModel().blockSignals(False)

    def show_line(self, number: int) -> None:
        """Scroll to a line and select it, unfolding what hides it."""
        place = self._model.place_of(number)
        if place >= 0:
            index = self._model.index(place)
            self.selectionModel().blockSignals(True)
            self.setCurrentIndex(index)
            self.selectionModel().blockSignals(False)
            self.viewport().update()
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def columns(self) -> int:
        """How many characters of the fixed-width face fit beside the numbers."""
        cell = QFontMetricsF(current_theme().font("mono")).horizontalAdvance("0")
        return int((self.viewport().width() - self.text_left() - _RIGHT_MARGIN) / cell)

    def number_right(self) -> float:
        """Where the line numbers end."""
        return 12 + QFontMetricsF(current_theme().font("mono")).horizontalAdvance("0" * self._digits)

    def text_left(self) -> float:
        """Where the text begins."""
        return self.number_right() + _GAP + _ICON + 4

    def _tell(self, current: QModelIndex) -> None:
        row = self._model.row(current.row())
        if row is not None and row.code:
            self.finding_chosen.emit(row.code)
        elif row is not None and row.role is LineRole.HARMLESS:
            self.harmless_chosen.emit()

    def _toggle(self, place: int) -> bool:
        if not self._model.toggle(place):
            return False
        self.setCurrentIndex(self._model.index(place))
        return True

    def _copy(self) -> None:
        places = sorted(index.row() for index in self.selectedIndexes())
        rows = [row for place in places if (row := self._model.row(place)) is not None and not row.is_fold]
        if rows:
            QGuiApplication.clipboard().setText("\n".join(row.text for row in rows))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        place = self.currentIndex().row()
        row = self._model.row(place)
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
            return
        is_fold = row is not None and row.is_fold
        is_open = row is not None and row.is_open
        presses = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        arrow = (event.key() == Qt.Key.Key_Right and not is_open) or (event.key() == Qt.Key.Key_Left and is_open)
        if is_fold and (presses or arrow):
            self._toggle(place)
            return
        super().keyPressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        has_keys = event.modifiers() != Qt.KeyboardModifier.NoModifier
        if event.button() is Qt.MouseButton.LeftButton and not has_keys:
            self._toggle(self.indexAt(event.position().toPoint()).row())

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self.shows_focus = is_keyboard_focus(event.reason())
        if not self.currentIndex().isValid() and self._model.rowCount():
            self.selectionModel().setCurrentIndex(self._model.index(0), self.selectionModel().SelectionFlag.NoUpdate)
        super().focusInEvent(event)
        self.viewport().update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.shows_focus = False
        super().focusOutEvent(event)
        self.viewport().update()


class _LineDelegate(QStyledItemDelegate):
    """Paints one row."""

    def __init__(self, view: LogView) -> None:
        super().__init__(view)
        self._view = view

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: LogRow = index.data(RowRole.ROW)
        width = self._view.viewport().width()
        if row.is_fold:
            return QSize(width, _FOLD)
        return QSize(width, len(wrapped(row.text, self._view.columns())) * _LINE + 2 * _PAD)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, row = current_theme(), index.data(RowRole.ROW)
        place = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, theme, place, row, self._view.log_model.row(index.row() - 1), state)
        number_room = QRectF(place.left(), place.top() + _PAD, self._view.number_right(), _LINE)
        if row.is_fold:
            number_room.setRect(place.left(), place.top(), self._view.number_right(), place.height())
        draw_text(painter, number_room, str(row.number), theme.font("mono"), theme.color("code.gutter"), RIGHT)
        self._paint_mark(painter, theme, place, row)
        if row.is_fold:
            room = place.adjusted(self._view.text_left(), 0, -_RIGHT_MARGIN, 0)
            draw_text(painter, room, str(index.data()), theme.font("small"), theme.color("text_secondary"), LEFT)
        else:
            self._paint_text(painter, theme, place, row)
        if self._view.shows_focus and index == self._view.currentIndex():
            painter.setPen(QPen(theme.color("focus"), theme.size("border.focus_ring")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(1, 1, -1, -1))
        painter.restore()

    @staticmethod
    def _paint_ground(  # a row, what stands above it, and how it is looked at
        painter: QPainter, theme: Theme, place: QRectF, row: LogRow, above: LogRow | None, state: QStyle.StateFlag
    ) -> None:
        if row.role is LineRole.MAIN:
            painter.fillRect(place, theme.color(f"{row.severity}.bg"))
        elif row.is_fold:
            painter.fillRect(place, theme.color("surface"))
            y = place.bottom() - 1
            draw_hairline(painter, QPointF(place.left(), y), QPointF(place.right(), y), theme.color("border"))
            if above is not None and not above.is_fold:
                top = QPointF(place.left(), place.top())
                draw_hairline(painter, top, QPointF(place.right(), place.top()), theme.color("border"))
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(place, theme.color("selected"))
        elif state & QStyle.StateFlag.State_MouseOver and row.is_fold:
            painter.fillRect(place, theme.color("hover"))
        if row.role is LineRole.MAIN:
            edge = QRectF(place.left(), place.top(), theme.size("border.log_edge"), place.height())
            painter.fillRect(edge, theme.color(f"{row.severity}.fg"))

    def _paint_mark(self, painter: QPainter, theme: Theme, place: QRectF, row: LogRow) -> None:
        name, color = _mark(theme, row)
        if not name:
            return
        top = place.center().y() - _ICON / 2 if row.is_fold else place.top() + _PAD + (_LINE - _ICON) / 2
        draw_icon(painter, name, QRectF(self._view.number_right() + _GAP, top, _ICON, _ICON), theme.color(color))

    def _paint_text(self, painter: QPainter, theme: Theme, place: QRectF, row: LogRow) -> None:
        color = theme.color("text_muted" if row.role is LineRole.HARMLESS else "code.text")
        font = theme.font("mono")
        left, top = place.left() + self._view.text_left(), place.top() + _PAD
        for part in wrapped(row.text, self._view.columns()):
            draw_text(painter, QRectF(left, top, place.right() - left, _LINE), part, font, color, LEFT)
            top += _LINE


def _mark(theme: Theme, row: LogRow) -> tuple[str, str]:
    """Give the icon before a row and its colour."""
    if row.is_fold:
        return "chevron-down" if row.is_open else "chevron-right", "text_secondary"
    marks = {
        LineRole.MAIN: (theme.severity_icon(row.severity or "neutral"), f"{row.severity or 'neutral'}.fg"),
        LineRole.FURTHER: (theme.severity_icon(row.severity or "neutral"), f"{row.severity or 'neutral'}.fg"),
        LineRole.CONSEQUENCE: ("corner-down-right", "blocked.fg"),
        LineRole.UNEXPLAINED: ("circle-help", "neutral.fg"),
    }
    return marks.get(row.role, ("", ""))
