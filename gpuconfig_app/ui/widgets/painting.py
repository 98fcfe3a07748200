"""What several painted widgets draw alike: boxes, hairlines, text, numbers with units, hatching."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from gpuconfig_app.ui.theme import Theme, current_theme

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTER = Qt.AlignmentFlag.AlignCenter
TOP_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


def start_painter(widget: QWidget) -> QPainter:
    """Give a painter with smooth edges for a widget."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    return painter


def is_keyboard_focus(reason: Qt.FocusReason) -> bool:
    """Whether focus came by the keyboard, so that its ring is shown."""
    return reason in _KEYBOARD


def snap(value: float, ratio: float) -> float:
    """Round a length to whole device pixels."""
    return round(value * ratio) / ratio


def draw_box(painter: QPainter, place: QRectF, fill: QColor, border: QColor, radius: float, width: float = 1) -> None:
    """Draw a rounded box whose border lies wholly inside ``place``."""
    half = width / 2
    painter.setPen(QPen(border, width))
    painter.setBrush(fill)
    painter.drawRoundedRect(place.adjusted(half, half, -half, -half), radius - half, radius - half)


def draw_hairline(painter: QPainter, start: QPointF, end: QPointF, color: QColor) -> None:
    """Draw a line of one device-independent pixel along an axis."""
    if start.y() == end.y():
        painter.fillRect(QRectF(start.x(), round(start.y()), end.x() - start.x(), 1), color)
    else:
        painter.fillRect(QRectF(round(start.x()), start.y(), 1, end.y() - start.y()), color)


def draw_text(  # a place, a text and how it looks; a class would only wrap QPainter
    painter: QPainter,
    place: QRectF,
    text: str,
    font: QFont,
    color: QColor,
    align: Qt.AlignmentFlag = LEFT,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> float:
    """Draw one line of text, shortened to its place.

    Returns:
        Width of what was drawn.
    """
    metrics = QFontMetricsF(font)
    shown = text if metrics.horizontalAdvance(text) <= place.width() else metrics.elidedText(text, elide, place.width())
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(place, int(align.value) | int(Qt.TextFlag.TextSingleLine.value), shown)
    return metrics.horizontalAdvance(shown)


def draw_wrapped(painter: QPainter, place: QRectF, text: str, font: QFont, color: QColor) -> None:
    """Draw text over several lines; what does not fit is cut at the bottom."""
    painter.setFont(font)
    painter.setPen(color)
    painter.save()
    painter.setClipRect(place)
    painter.drawText(place, int(TOP_LEFT.value) | int(Qt.TextFlag.TextWordWrap.value), text)
    painter.restore()


def text_width(text: str, font: QFont) -> float:
    """Width of one line of text."""
    return QFontMetricsF(font).horizontalAdvance(text)


def draw_reading(  # number and unit each with font and colour
    painter: QPainter,
    theme: Theme,
    place: QRectF,
    number: str,
    unit: str,
    color: QColor,
    *,
    role: str = "number",
    is_right: bool = False,
) -> float:
    """Draw a number with its smaller, muted unit on one baseline.

    Returns:
        Width of both together.
    """
    number_font, unit_font = theme.font(role), theme.font("small_strong")
    gap = 3.0 if unit else 0.0
    wide = text_width(number, number_font) + gap + text_width(unit, unit_font)
    left = place.right() - wide if is_right else place.left()
    metrics = QFontMetricsF(number_font)
    baseline = place.top() + (place.height() + metrics.capHeight()) / 2
    painter.setFont(number_font)
    painter.setPen(color)
    painter.drawText(QPointF(left, baseline), number)
    if unit:
        painter.setFont(unit_font)
        painter.setPen(theme.color("text_muted"))
        painter.drawText(QPointF(left + text_width(number, number_font) + gap, baseline), unit)
    return wide


def draw_bar(painter: QPainter, place: QRectF, share: float | None, color: QColor, track: QColor) -> None:
    """Draw a bar filled from the left; None draws the empty track."""
    radius = min(4.0, place.height() / 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(track)
    painter.drawRoundedRect(place, radius, radius)
    if share is None or share <= 0:
        return
    width = max(2.0, place.width() * min(share, 1.0))
    painter.save()
    painter.setClipRect(QRectF(place.left(), place.top(), width, place.height()))
    painter.setBrush(color)
    painter.drawRoundedRect(place, radius, radius)
    painter.restore()


def draw_hatch(painter: QPainter, place: QRectF, line: QColor, background: QColor) -> None:
    """Fill with 45-degree lines, for what is kept free or has no reading."""
    painter.fillRect(place, background)
    painter.fillRect(place, QBrush(line, Qt.BrushStyle.BDiagPattern))


def mix(color: QColor, share: float, base: QColor) -> QColor:
    """Lay a share of a colour over another."""
    rest = 1.0 - share
    return QColor(
        round(color.red() * share + base.red() * rest),
        round(color.green() * share + base.green() * rest),
        round(color.blue() * share + base.blue() * rest),
    )


def paint_card_edge(card: QWidget, color: QColor) -> None:
    """Paint the coloured left edge of a card, inside its rounded corners."""
    theme, place = current_theme(), QRectF(card.rect())
    painter = start_painter(card)
    outline = QPainterPath()
    outline.addRoundedRect(place, theme.size("radius.card"), theme.size("radius.card"))
    painter.setClipPath(outline)
    painter.fillRect(QRectF(0, 0, theme.size("border.finding_edge"), place.height()), color)
    painter.end()
