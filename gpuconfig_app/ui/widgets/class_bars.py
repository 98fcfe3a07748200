"""How many samples each class has: the largest and the smallest as bars, the rest counted."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.core.dataset import ClassFacts
from gpuconfig_app.core.units import format_count
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.painting import RIGHT, draw_bar, draw_text, start_painter

_ROW = 27
_LARGEST_SHOWN = 5
_MOST_SHOWN = 7
_NAME_WIDTH = 140
_COUNT_WIDTH = 70


class ClassBars(QWidget):
    """Bars of the classes; up to seven in full, else the five largest and the smallest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ClassFacts | None, ...] = ()
        self._hidden = 0
        self._largest = 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Samples in each class"))

    def show_classes(self, classes: Sequence[ClassFacts]) -> None:
        """Show these classes."""
        ordered = sorted(classes, key=lambda item: (-item.count, item.name))
        self._largest = max((item.count for item in ordered), default=1) or 1
        if len(ordered) <= _MOST_SHOWN:
            self._rows, self._hidden = tuple(ordered), 0
        else:
            self._rows = (*ordered[:_LARGEST_SHOWN], None, ordered[-1])
            self._hidden = len(ordered) - _LARGEST_SHOWN - 1
        self.setAccessibleDescription(", ".join(f"{item.name}: {item.count}" for item in ordered[:50]))
        self.setToolTip("\n".join(f"{item.name}: {item.count}" for item in ordered[:50]))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(400, max(len(self._rows), 1) * _ROW)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(260, self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        for number, row in enumerate(self._rows):
            line = QRectF(0, number * _ROW, self.width(), _ROW)
            name = QRectF(0, line.top(), _NAME_WIDTH, _ROW)
            if row is None:
                text = self.tr("%n more classes", "", self._hidden)
                draw_text(
                    painter, line.adjusted(_NAME_WIDTH, 0, 0, 0), text, theme.font("small"), theme.color("text_muted")
                )
                continue
            draw_text(painter, name.adjusted(0, 0, -12, 0), row.name, theme.font("body"), theme.color("text"))
            bar = QRectF(_NAME_WIDTH, line.center().y() - 4, self.width() - _NAME_WIDTH - _COUNT_WIDTH, 8)
            draw_bar(painter, bar, row.count / self._largest, theme.color("accent"), theme.color("track"))
            count = QRectF(self.width() - _COUNT_WIDTH, line.top(), _COUNT_WIDTH, _ROW)
            draw_text(painter, count, format_count(row.count), theme.font("body"), theme.color("text"), RIGHT)
