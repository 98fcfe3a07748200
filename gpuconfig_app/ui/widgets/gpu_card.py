"""A GPU as a card: one widget, one paint event, the curve a picture that is shifted."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.focus import DrawsFocus
from gpuconfig_app.ui.widgets.gpu_card_facts import CardLabels, CardState, GpuCardFacts
from gpuconfig_app.ui.widgets.gpu_card_paint import CardPainter, paint_compact, paint_normal, paint_wide
from gpuconfig_app.ui.widgets.painting import draw_box, start_painter
from gpuconfig_app.ui.widgets.severity_badge import severity_color
from gpuconfig_app.ui.widgets.spark_curve import SparkCurve


class CardForm(StrEnum):
    """How much room a card has."""

    WIDE = "wide"
    NORMAL = "normal"
    COMPACT = "compact"


_HEIGHTS = {
    CardForm.WIDE: "height.gpu_card_wide",
    CardForm.NORMAL: "height.gpu_card",
    CardForm.COMPACT: "height.gpu_card_compact",
}


class GpuCard(DrawsFocus, QWidget):
    """One card or slice.

    Args:
        device: ``0``, or ``0/1`` for a slice; handed out by the signal.

    Attributes:
        curve: Utilisation of the last minute.

    Signals:
        opened(str): Enter or a double click: the user wants to see this device in detail.
    """

    opened = Signal(str)

    def __init__(self, device: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.device = device
        self.curve = SparkCurve()
        self._facts = GpuCardFacts(index=device, name="", state=CardState.LOADING)
        self._form = CardForm.NORMAL
        self._labels = CardLabels(
            memory=self.tr("Memory"),
            utilization=self.tr("Utilisation"),
            minute=self.tr("Utilisation · 60 s"),
            temperature=self.tr("Temperature"),
            temperature_short=self.tr("Temp."),
            power=self.tr("Power"),
            no_data=self.tr("no data"),
            no_process=self.tr("No process"),
        )
        self.setObjectName(f"gpuCard_{device}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_form(CardForm.NORMAL)

    @property
    def facts(self) -> GpuCardFacts:
        """What is shown."""
        return self._facts

    @property
    def form(self) -> CardForm:
        """Form it is painted in."""
        return self._form

    def set_form(self, form: CardForm) -> None:
        """Choose the form by how many cards there are."""
        self._form = form
        self.setFixedHeight(current_theme().size(_HEIGHTS[form]))
        self.update()

    def show_facts(self, facts: GpuCardFacts) -> None:
        """Show readings; nothing is painted when nothing changed."""
        if facts == self._facts:
            return
        self._facts = facts
        self.setAccessibleName(
            self.tr("GPU {index}, {name}, {state}").format(index=facts.index, name=facts.name, state=facts.badge)
        )
        self.setAccessibleDescription(self._description())
        self.setToolTip(f"{facts.name}\n{facts.details}".strip())
        self.update()

    def _description(self) -> str:
        facts, labels = self._facts, self._labels
        if facts.sentence:
            return f"{facts.sentence} {facts.footnote}".strip()
        rows = [(labels.memory, f"{facts.memory_used or facts.memory_absent} / {facts.memory_total}")]
        for label, reading in (
            (labels.utilization, facts.utilization),
            (labels.temperature, facts.temperature),
            (labels.power, facts.power),
        ):
            value = f"{reading.number} {reading.unit}" if reading.number else reading.absent
            rows.append((label, value))
        return ", ".join(f"{label} {value}" for label, value in rows)

    def _until_s(self) -> float | None:
        """Right edge of the curve: its end, or later when readings are missing."""
        if self._facts.state is not CardState.STALE or not self.curve.points:
            return None
        return self.curve.points[-1][0] + min(self._facts.stale_s, 40.0)

    @override
    def sizeHint(self) -> QSize:
        theme = current_theme()
        least = "width.gpu_card_compact_min" if self._form is CardForm.COMPACT else "width.gpu_card_min"
        return QSize(theme.size(least), self.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.height())

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.opened.emit(self.device)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.device)
            return
        super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = start_painter(self)
        place = QRectF(self.rect())
        frame = self._facts.frame
        border = severity_color(theme, frame, "border") if frame else theme.color("border")
        draw_box(painter, place, theme.color("surface"), border, theme.size("radius.card"))
        card = CardPainter(painter, theme, self._facts, self._labels, self.curve, self._until_s())
        if self._form is CardForm.WIDE:
            paint_wide(card, place)
        elif self._form is CardForm.NORMAL:
            paint_normal(card, place)
        else:
            paint_compact(card, place)
        if self.shows_focus:
            painter.setPen(QPen(theme.color("focus"), theme.size("border.focus_ring")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 7, 7)
