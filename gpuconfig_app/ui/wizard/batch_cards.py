"""Other batch sizes side by side: what each would take and whether it fits; a press takes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.core.plan import MemoryPrediction
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.focus import DrawsFocus
from gpuconfig_app.ui.widgets.painting import CENTER, draw_box, draw_text, start_painter
from gpuconfig_app.ui.widgets.severity_badge import badge_width, paint_badge

_HEIGHT = 78
_NARROWEST = 84
BatchShown = tuple[int, MemoryPrediction, str, str]


class BatchCard(DrawsFocus, QAbstractButton):
    """One batch size.

    Attributes:
        batch: Samples for each GPU.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.batch = 0
        self._memory = ""
        self._severity = "neutral"
        self._word = ""
        self.setCheckable(True)
        self.setFixedHeight(_HEIGHT)
        self.setMinimumWidth(_NARROWEST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_batch(self, batch: int, memory: MemoryPrediction, severity: str, word: str) -> None:
        """Show a batch size with what it takes."""
        self.batch, self._severity, self._word = batch, severity, word
        self._memory = format_bytes(int(memory.total.expected))
        self.setObjectName(f"batch_{batch}")
        low, high = format_bytes(int(memory.total.low)), format_bytes(int(memory.total.high))
        self.setAccessibleName(self.tr("Batch {n}").format(n=batch))
        self.setAccessibleDescription(f"{self._memory}, {low} – {high}, {word}")
        self.setToolTip(f"{low} – {high}")
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(96, _HEIGHT)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        place, is_on = QRectF(self.rect()), self.isChecked()
        border, width = (theme.color("accent"), 2) if is_on else (theme.color("border"), 1)
        if self.shows_focus:
            border, width = theme.color("focus"), 2
        fill = theme.color("hover" if self.underMouse() and not is_on else "surface")
        draw_box(painter, place, fill, border, theme.size("radius.control"), width)
        top = QRectF(0, 9, place.width(), 20)
        draw_text(painter, top, str(self.batch), theme.font("body_strong"), theme.color("text"), CENTER)
        middle = QRectF(0, 29, place.width(), 18)
        draw_text(painter, middle, self._memory, theme.font("small"), theme.color("text_secondary"), CENTER)
        wide = min(badge_width(theme, self._word, is_boxed=False), place.width() - 8)
        badge = QRectF((place.width() - wide) / 2, 48, wide, 20)
        paint_badge(painter, theme, badge, self._severity, self._word, is_boxed=False)


class BatchCards(QWidget):
    """The row of cards.

    Signals:
        chosen(int): A batch size was pressed.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: list[BatchCard] = []
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)

    def show_batches(self, batches: Sequence[BatchShown], now: int) -> None:
        """Show these sizes; the one of the plan is marked."""
        while len(self._cards) < len(batches):
            self._add_card()
        for number, card in enumerate(self._cards):
            card.setVisible(number < len(batches))
        for card, shown in zip(self._cards, batches, strict=False):
            card.show_batch(*shown)
            card.setChecked(shown[0] == now)

    def _add_card(self) -> None:
        card = BatchCard()
        card.clicked.connect(partial(self._press, card))
        self._group.addButton(card)
        self._cards.append(card)
        self._row.addWidget(card)

    def _press(self, card: BatchCard, *_: object) -> None:
        self.chosen.emit(card.batch)
