"""Lucide icons in the colour of their place, rendered once per name, size, colour and pixel ratio.

Pictures lie in Qt's own pixmap cache. The SVG files are in ``resources/icons`` (ISC licence beside them).
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from gpuconfig_app.resources import resource_path


def icon_pixmap(name: str, size: int, color: QColor, ratio: float | None = None, angle: int = 0) -> QPixmap:
    """Give an icon as a picture.

    Args:
        name: File name in ``resources/icons`` without suffix.
        size: Side in device-independent pixels.
        ratio: Device pixel ratio, None for the application's highest.
        angle: Turned clockwise, degrees.

    Raises:
        FileNotFoundError: There is no such icon.
    """
    scale = ratio if ratio is not None else _highest_ratio()
    key = f"icon:{name}:{size}:{color.rgba():x}:{scale}:{angle}"
    picture = QPixmap()
    if not QPixmapCache.find(key, picture):
        picture = _render(name, size, color, scale, angle)
        QPixmapCache.insert(key, picture)
    return picture


def make_icon(
    name: str, size: int, color: QColor, disabled: QColor | None = None, gap: int = 0, *, is_after: bool = False
) -> QIcon:
    """Give an icon for a button or menu entry.

    Args:
        disabled: Colour of the disabled state.
        gap: Empty pixels between icon and text beyond Qt's own four; the icon's width grows by them.
        is_after: The icon stands behind the text.
    """
    icon = QIcon(_widened(icon_pixmap(name, size, color), size, gap, is_after=is_after))
    if disabled is not None:
        faded = _widened(icon_pixmap(name, size, disabled), size, gap, is_after=is_after)
        icon.addPixmap(faded, QIcon.Mode.Disabled)
    return icon


def draw_icon(painter: QPainter, name: str, place: QRectF, color: QColor, angle: int = 0) -> None:
    """Paint an icon into a square."""
    ratio = painter.device().devicePixelRatioF()
    picture = icon_pixmap(name, round(place.width()), color, ratio, angle)
    painter.drawPixmap(QPointF(round(place.x() * ratio) / ratio, round(place.y() * ratio) / ratio), picture)


def app_icon() -> QIcon:
    """Give the program's icon in all sizes."""
    icon = QIcon()
    for side in (16, 32, 48, 64, 128, 256):
        icon.addFile(str(resource_path("icons", "app", f"gpuconfig-{side}.png")), QSize(side, side))
    return icon


def _widened(picture: QPixmap, size: int, gap: int, *, is_after: bool) -> QPixmap:
    if not gap:
        return picture
    ratio = picture.devicePixelRatio()
    wide = QPixmap(round((size + gap) * ratio), picture.height())
    wide.fill(Qt.GlobalColor.transparent)
    wide.setDevicePixelRatio(ratio)
    painter = QPainter(wide)
    painter.drawPixmap(gap if is_after else 0, 0, picture)
    painter.end()
    return wide


def _render(name: str, size: int, color: QColor, ratio: float, angle: int) -> QPixmap:
    side = max(1, round(size * ratio))
    renderer = _renderer(name, color.name())
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    if angle:
        painter.translate(side / 2, side / 2)
        painter.rotate(angle)
        painter.translate(-side / 2, -side / 2)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


def _renderer(name: str, color: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", color).encode()))


@cache
def _source(name: str) -> str:
    return resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")


def _highest_ratio() -> float:
    app = QApplication.instance()
    return app.devicePixelRatio() if isinstance(app, QApplication) else 1.0
