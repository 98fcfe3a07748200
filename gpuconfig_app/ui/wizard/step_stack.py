"""Shows one step at a time and is only as large as that step, unlike ``QStackedWidget``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

_WHOLE = (QAbstractButton, QAbstractScrollArea, QAbstractSpinBox, QComboBox, QLineEdit)


class StepStack(QWidget):
    """Steps on top of each other, one shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.current: QWidget | None = None

    def show_step(self, page: QWidget) -> None:
        """Show a step; it is added the first time."""
        if page is self.current:
            return
        if self.current is not None:
            self.current.hide()
        if self._column.indexOf(page) < 0:
            self._column.addWidget(page)
        self.current = page
        page.show()


def order_tabs(*roots: QWidget) -> None:
    """Let Tab go through the controls as they are laid out, whenever they were made."""
    controls = [control for root in roots for control in _controls(root)]
    for before, after in pairwise(controls):
        QWidget.setTabOrder(before, after)


def _controls(widget: QWidget) -> Iterator[QWidget]:
    if widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value:
        yield widget
    layout = widget.layout()
    if layout is not None and not isinstance(widget, _WHOLE):
        yield from _laid_out(layout)


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        widget, inner = (item.widget(), item.layout()) if item is not None else (None, None)
        if widget is not None:
            yield from _controls(widget)
        elif inner is not None:
            yield from _laid_out(inner)
