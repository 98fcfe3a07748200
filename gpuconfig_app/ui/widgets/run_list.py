"""The list of runs: two lines each."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from gpuconfig_app.ui.models.run_list_model import RunListModel, RunRole
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.painting import RIGHT, draw_box, draw_text
from gpuconfig_app.ui.widgets.severity_badge import paint_badge
from gpuconfig_app.ui.widgets.table import Index

_HEIGHT = 56


class RunList(QListView):
    """Choose a run.

    Signals:
        run_chosen(str): Id of the run the user is on.
    """

    run_chosen = Signal(str)

    def __init__(self, model: RunListModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs = model
        self.setObjectName("runList")
        self.setAccessibleName(self.tr("Runs"))
        self.setModel(model)
        self.setItemDelegate(_RunDelegate(self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.selectionModel().currentChanged.connect(self._tell)

    def choose(self, run_id: str) -> None:
        """Select a run."""
        row = self._runs.row_of(run_id)
        if row >= 0:
            self.setCurrentIndex(self._runs.index(row))

    def _tell(self, current: Index, _former: Index) -> None:
        if current.isValid():
            self.run_chosen.emit(self._runs.runs[current.row()].record.id)


class _RunDelegate(QStyledItemDelegate):
    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, _HEIGHT)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = current_theme()
        place = QRectF(option.rect).adjusted(2, 1, -2, -1)
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            draw_box(painter, place, theme.color("selected"), theme.color("selected"), 8)
        elif state & QStyle.StateFlag.State_MouseOver:
            draw_box(painter, place, theme.color("hover"), theme.color("hover"), 8)
        inner = place.adjusted(12, 6, -12, -6)
        upper = QRectF(inner.left(), inner.top(), inner.width(), 20)
        lower = QRectF(inner.left(), inner.top() + 22, inner.width(), 20)
        when = str(index.data(RunRole.WHEN) or "")
        used = draw_text(painter, upper, when, theme.font("small"), theme.color("text_muted"), RIGHT)
        name = upper.adjusted(0, 0, -used - 8, 0)
        draw_text(painter, name, str(index.data()), theme.font("body_strong"), theme.color("text"))
        remark = str(index.data(RunRole.REMARK) or "")
        used = draw_text(painter, lower, remark, theme.font("small"), theme.color("text_muted"), RIGHT)
        badge = lower.adjusted(0, 0, -used - 8, 0)
        severity, text = str(index.data(RunRole.SEVERITY)), str(index.data(RunRole.STATE))
        paint_badge(painter, theme, badge, severity, text, is_boxed=False)
        if _has(state, QStyle.StateFlag.State_HasFocus) and self._view_has_focus():
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 7, 7)
        painter.restore()

    def _view_has_focus(self) -> bool:
        view = self.parent()
        return isinstance(view, QWidget) and view.hasFocus()


def _has(state: QStyle.StateFlag, flag: QStyle.StateFlag) -> bool:
    return (state & flag) == flag
