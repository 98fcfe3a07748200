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
_REMARK_WIDTH = 62
_COUNT_WIDTH = 56


class ClassBars(QWidget):
    """Bars of the classes; up to seven in full, else the five largest and the smallest until all are asked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ClassFacts | None, ...] = ()
        self._ordered: tuple[ClassFacts, ...] = ()
        self._hidden = 0
        self._largest = 1
        self._fewest = ""
        self.shows_all = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Samples in each class"))

    @property
    def has_more(self) -> bool:
        """Whether some classes are only counted."""
        return self._hidden > 0

    def set_shows_all(self, *, shows_all: bool) -> None:
        """Show every class, or the usual selection."""
        self.shows_all = shows_all
        self.show_classes(self._ordered)

    def show_classes(self, classes: Sequence[ClassFacts]) -> None:
        """Show these classes."""
        ordered = sorted(classes, key=lambda item: (-item.count, item.name))
        self._ordered = tuple(ordered)
        is_even = bool(ordered) and ordered[0].count == ordered[-1].count
        self._fewest = ordered[-1].name if ordered and not is_even else ""
        self._largest = max((item.count for item in ordered), default=1) or 1
        if self.shows_all or len(ordered) <= _MOST_SHOWN:
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
            bar = QRectF(
                _NAME_WIDTH, line.center().y() - 4, self.width() - _NAME_WIDTH - _REMARK_WIDTH - _COUNT_WIDTH, 8
            )
            draw_bar(painter, bar, row.count / self._largest, theme.color("accent"), theme.color("track"))
            if row.name == self._fewest:
                word = QRectF(bar.right() + 8, line.top(), _REMARK_WIDTH - 8, _ROW)
                draw_text(painter, word, self.tr("fewest"), theme.font("small"), theme.color("text_muted"))
            count = QRectF(self.width() - _COUNT_WIDTH, line.top(), _COUNT_WIDTH, _ROW)
            draw_text(painter, count, format_count(row.count), theme.font("body"), theme.color("text"), RIGHT)
