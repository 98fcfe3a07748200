"""The three forms of a GPU card as paint functions: wide (one GPU), normal (2 to 4), compact (from 5)."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.theme import Theme
from gpuconfig_app.ui.widgets.gpu_card_facts import CardLabels, CardReading, CardState, GpuCardFacts
from gpuconfig_app.ui.widgets.painting import (
    CENTER,
    LEFT,
    RIGHT,
    draw_bar,
    draw_box,
    draw_hairline,
    draw_reading,
    draw_text,
    draw_wrapped,
    text_width,
)
from gpuconfig_app.ui.widgets.severity_badge import badge_width, paint_badge, severity_color
from gpuconfig_app.ui.widgets.spark_curve import SparkCurve

_PILL = 22
_NARROW = 440
_DASH = "–"


@dataclass(frozen=True)
class CardPainter:
    """Everything the forms draw with.

    Attributes:
        until_s: Time of the curve's right edge, None for its newest point.
    """

    painter: QPainter
    theme: Theme
    facts: GpuCardFacts
    labels: CardLabels
    curve: SparkCurve
    until_s: float | None

    @property
    def is_stale(self) -> bool:
        """Whether readings are shown in grey."""
        return self.facts.state is CardState.STALE

    def color(self, token: str) -> QColor:
        """Give a colour."""
        return self.theme.color(token)

    def value_color(self, severity: str = "") -> QColor:
        """Colour of a number."""
        if self.is_stale:
            return self.color("text_muted")
        return severity_color(self.theme, severity) if severity else self.color("text")

    def metric_color(self, name: str) -> QColor:
        """Colour of a bar or curve; grey when stale."""
        return self.color("text_muted") if self.is_stale else self.color(f"metric.{name}")


def paint_wide(card: CardPainter, place: QRectF) -> None:
    """Paint one GPU over the whole width: memory, utilisation, temperature and power side by side."""
    left, right = place.left() + 16, place.right() - 16
    used = _paint_head(card, QRectF(left, place.top() + 13, right - left, 26), "heading", card.facts.name)
    details = QRectF(left + used[0] + 14, place.top() + 13, used[1] - used[0] - 28, 26)
    draw_text(card.painter, details, card.facts.details, card.theme.font("small"), card.color("text_muted"))
    top = place.top() + 52
    if _paint_without_readings(card, QRectF(left, top, right - left, 72)):
        return
    memory = min(300.0, (right - left) * 0.34)
    _paint_memory(card, QRectF(left, top, memory, 42), bar=10, is_large=True)
    _paint_process(card, QRectF(left, top + 46, memory, 26))
    _line_down(card, left + memory + 20, top - 2, top + 72)
    numbers = right - 196
    _paint_utilization(card, QRectF(left + memory + 41, top, numbers - 62 - left - memory, 70), card.labels.minute)
    _line_down(card, numbers - 1, top - 2, top + 72)
    _paint_tile(card, QRectF(numbers + 20, top - 4, 92, 66), card.labels.temperature, card.facts.temperature)
    _paint_tile(card, QRectF(numbers + 124, top - 4, 80, 66), card.labels.power, card.facts.power)


def paint_normal(card: CardPainter, place: QRectF) -> None:
    """Paint a card of two to four."""
    left, right = place.left() + 16, place.right() - 16
    width = right - left
    is_narrow = place.width() < _NARROW
    name = card.facts.short_name if is_narrow else card.facts.name
    _paint_head(card, QRectF(left, place.top() + 13, width, 26), "heading", name)
    details = card.facts.short_details if is_narrow else card.facts.details
    line = QRectF(left, place.top() + 40, width, 18)
    draw_text(card.painter, line, details, card.theme.font("small"), card.color("text_muted"))
    foot = place.bottom() - 36
    draw_hairline(card.painter, QPointF(place.left() + 1, foot), QPointF(place.right() - 1, foot), card.color("border"))
    _paint_process(card, QRectF(left, foot + 1, width, 34))
    if _paint_without_readings(card, QRectF(left, place.top() + 68, width, foot - place.top() - 76)):
        return
    _paint_memory(card, QRectF(left, place.top() + 68, width, 34), bar=10)
    top = place.top() + 114
    split = right - (92 if is_narrow else 208)
    _paint_utilization(card, QRectF(left, top, split - 16 - left, 71), card.labels.minute)
    _line_down(card, split, top, top + 71)
    if is_narrow:
        _paint_small_tile(card, QRectF(split + 16, top, 76, 36), card.labels.temperature_short, card.facts.temperature)
        _paint_small_tile(card, QRectF(split + 16, top + 38, 76, 36), card.labels.power, card.facts.power)
    else:
        _paint_tile(card, QRectF(split + 17, top, 100, 66), card.labels.temperature, card.facts.temperature)
        _paint_tile(card, QRectF(split + 125, top, 84, 66), card.labels.power, card.facts.power)


def paint_compact(card: CardPainter, place: QRectF) -> None:
    """Paint a card of five or more."""
    left, right = place.left() + 14, place.right() - 14
    _paint_head(card, QRectF(left, place.top() + 11, right - left, 26), "body_strong", card.facts.short_name)
    if _paint_without_readings(card, QRectF(left, place.top() + 44, right - left, place.height() - 54)):
        return
    middle = left + (right - left) * 0.55
    _paint_memory(card, QRectF(left, place.top() + 42, middle - left, 30), bar=8)
    _paint_icon_line(card, QRectF(left, place.top() + 79, middle - left, 20))
    curve = QRectF(middle + 16, place.top() + 42, right - middle - 16, place.height() - 60)
    _paint_utilization(card, curve, card.labels.utilization, is_small=True)


def _paint_head(card: CardPainter, place: QRectF, role: str, name: str) -> tuple[float, float]:
    """Paint pill, name and badge; gives where the name ends and the badge begins, from the left."""
    theme, painter = card.theme, card.painter
    index_font = theme.font("small", 600)
    pill_width = max(float(_PILL), text_width(card.facts.index, index_font) + 12)
    pill = QRectF(place.left(), place.center().y() - _PILL / 2, pill_width, _PILL)
    draw_box(painter, pill, card.color("inset"), card.color("border"), 5)
    draw_text(painter, pill, card.facts.index, index_font, card.color("text_secondary"), CENTER)
    badge_left = place.right()
    if card.facts.badge:
        width = badge_width(theme, card.facts.badge)
        badge_left = place.right() - width
        badge = QRectF(badge_left, place.top(), width + 1, place.height())
        paint_badge(painter, theme, badge, card.facts.badge_severity, card.facts.badge)
    start = pill.right() + 8
    room = QRectF(start, place.top(), badge_left - start - 8, place.height())
    font = theme.font(role)
    drawn = draw_text(painter, room, name, font, card.color("text"), LEFT, Qt.TextElideMode.ElideMiddle)
    return start - place.left() + drawn, badge_left - place.left()


def _paint_without_readings(card: CardPainter, place: QRectF) -> bool:
    """Paint what stands in place of the readings; True when there is something."""
    if card.facts.state is CardState.LOADING:
        card.painter.setPen(Qt.PenStyle.NoPen)
        card.painter.setBrush(card.color("track"))
        step = min(22.0, place.height() / 3)
        for number, share in enumerate((0.74, 0.95, 0.56)):
            bar = QRectF(place.left(), place.top() + 2 + number * step, place.width() * share, 10)
            card.painter.drawRoundedRect(bar, 4, 4)
        return True
    if card.facts.state is not CardState.SENTENCE:
        return False
    font = card.theme.font("body")
    body = QRectF(place.left(), place.top(), place.width(), place.height() - (20 if card.facts.footnote else 0))
    draw_wrapped(card.painter, body, card.facts.sentence, font, card.color("text_secondary"))
    if card.facts.footnote:
        foot = QRectF(place.left(), place.bottom() - 18, place.width(), 18)
        draw_text(card.painter, foot, card.facts.footnote, card.theme.font("small"), card.color("text_muted"))
    return True


def _paint_memory(card: CardPainter, place: QRectF, bar: int, *, is_large: bool = False) -> None:
    painter, theme, facts = card.painter, card.theme, card.facts
    line = QRectF(place.left(), place.top(), place.width(), place.height() - bar - (8 if is_large else 4))
    draw_text(painter, line, card.labels.memory, theme.font("small"), card.color("text_muted"))
    total_font = theme.font("small" if is_large else "body")
    number_font = theme.font("number" if is_large else "body_strong")
    total = f" / {facts.memory_total}" if facts.memory_total else ""
    number = facts.memory_used or _DASH
    total_width = text_width(total, total_font)
    draw_text(painter, line, total, total_font, card.color("text_muted" if is_large else "text_secondary"), RIGHT)
    room = QRectF(line.left(), line.top() - (2 if is_large else 0), line.width() - total_width, line.height())
    draw_text(painter, room, number, number_font, card.value_color(), RIGHT)
    strip = QRectF(place.left(), place.bottom() - bar, place.width(), bar)
    draw_bar(painter, strip, facts.memory_share, card.metric_color("memory"), card.color("track"))


def _paint_utilization(card: CardPainter, place: QRectF, label: str, *, is_small: bool = False) -> None:
    painter, theme, reading = card.painter, card.theme, card.facts.utilization
    line = QRectF(place.left(), place.top(), place.width(), 20 if is_small else 27)
    draw_text(painter, line.adjusted(0, 2, 0, 2), label, theme.font("small"), card.color("text_muted"))
    number = reading.number or _DASH
    if is_small:
        shown = f"{number} {reading.unit}" if reading.number else number
        color = card.value_color(reading.severity)
        draw_text(painter, line.adjusted(0, 2, 0, 2), shown, theme.font("body_strong"), color, RIGHT)
    else:
        unit = reading.unit if reading.number else ""
        draw_reading(painter, theme, line, number, unit, card.value_color(reading.severity), is_right=True)
    graph = QRectF(place.left(), line.bottom() + 4, place.width(), place.bottom() - line.bottom() - 4)
    absent = reading.absent or card.facts.curve_absent
    if absent:
        draw_wrapped(painter, graph.adjusted(0, -2, 0, 4), absent, theme.font("small"), card.color("text_muted"))
        return
    card.curve.paint(painter, graph, card.metric_color("util"), card.color("chart.grid"), card.until_s)
    if card.is_stale and not is_small:
        note = graph.adjusted(graph.width() - text_width(card.labels.no_data, theme.font("caption")) - 2, 0, 0, 0)
        draw_text(painter, note, card.labels.no_data, theme.font("caption"), card.color("text_muted"))


def _paint_tile(card: CardPainter, place: QRectF, label: str, reading: CardReading) -> None:
    painter, theme = card.painter, card.theme
    small = theme.font("small")
    draw_text(painter, QRectF(place.left(), place.top(), place.width(), 18), label, small, card.color("text_muted"))
    number = QRectF(place.left(), place.top() + 20, place.width(), 24)
    unit = reading.unit if reading.number else ""
    draw_reading(painter, theme, number, reading.number or _DASH, unit, card.value_color(reading.severity))
    below = QRectF(place.left(), place.top() + 46, place.width(), 18)
    is_short = text_width(reading.absent, small) <= place.width()
    absent = reading.absent if is_short else card.labels.no_data
    draw_text(painter, below, reading.limit or absent, small, card.color("text_muted"))


def _paint_small_tile(card: CardPainter, place: QRectF, label: str, reading: CardReading) -> None:
    painter, theme = card.painter, card.theme
    top = QRectF(place.left(), place.top(), place.width(), 17)
    draw_text(painter, top, label, theme.font("small"), card.color("text_muted"))
    value = f"{reading.number} {reading.unit}" if reading.number else _DASH
    below = QRectF(place.left(), place.top() + 17, place.width(), 18)
    draw_text(painter, below, value, theme.font("body_strong"), card.value_color(reading.severity))


def _paint_icon_line(card: CardPainter, place: QRectF) -> None:
    painter, theme = card.painter, card.theme
    left = place.left()
    for icon, reading in (("thermometer", card.facts.temperature), ("zap", card.facts.power)):
        mark = severity_color(theme, reading.severity) if reading.severity else card.color("text_muted")
        draw_icon(painter, icon, QRectF(left, place.center().y() - 7, 14, 14), mark)
        value = f"{reading.number or _DASH} {reading.unit}".strip()
        font = theme.font("small", 600 if reading.severity else 400)
        color = card.value_color(reading.severity)
        room = QRectF(left + 17, place.top(), place.right() - left - 17, place.height())
        left += 17 + draw_text(painter, room, value, font, color) + 13


def _paint_process(card: CardPainter, place: QRectF) -> None:
    painter, theme, facts = card.painter, card.theme, card.facts
    small = theme.font("small")
    if not facts.process:
        if facts.state is not CardState.LOADING:
            draw_text(painter, place, card.labels.no_process, small, card.color("text_muted"))
        return
    icon = QRectF(place.left(), place.center().y() - 7, 14, 14)
    draw_icon(painter, facts.process_icon, icon, card.color("text_secondary"))
    memory_width = text_width(facts.process_memory, small)
    room = QRectF(place.left() + 22, place.top(), place.width() - 22 - memory_width - 12, place.height())
    draw_text(painter, room, facts.process, small, card.color("text_secondary"), LEFT, Qt.TextElideMode.ElideMiddle)
    draw_text(painter, place, facts.process_memory, small, card.color("text_secondary"), RIGHT)


def _line_down(card: CardPainter, x: float, top: float, bottom: float) -> None:
    draw_hairline(card.painter, QPointF(x, top), QPointF(x, bottom), card.color("border"))
