"""A few pictures of the data, as small as they are shown; read off the window's thread.

``QImage`` may be used on any thread, ``QPixmap`` only on the window's.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.painting import draw_box, draw_text, start_painter

logger = logging.getLogger(__name__)
MOST_PREVIEWS = 8
SIDE = 70
_CAPTION = 18
_GAP = 10
_MOST_LOOKED_AT = 40
_LARGEST_PIXELS = 64_000_000


@dataclass(frozen=True)
class Preview:
    """One picture with the class it belongs to."""

    caption: str
    image: QImage


def read_previews(dataset: DatasetFacts, control: JobControl, turn: int = 0) -> tuple[Preview, ...]:
    """Read one picture of some classes.

    Args:
        turn: 0 takes the first picture of the first classes, each further number others.

    Raises:
        JobCancelledError: Nobody wants to see them any more.
    """
    found: list[Preview] = []
    start = turn * MOST_PREVIEWS % max(len(dataset.classes), 1)
    for facts in (*dataset.classes[start:], *dataset.classes[:start]):
        control.check()
        if len(found) == MOST_PREVIEWS:
            break
        image = _picture(expanded(dataset.path) / facts.name, turn)
        if image is not None:
            found.append(Preview(facts.name, image))
    return tuple(found)


def _picture(folder: Path, turn: int) -> QImage | None:
    try:
        paths = sorted(islice(folder.rglob("*"), _MOST_LOOKED_AT))
        start = turn % max(len(paths), 1)
        for path in (*paths[start:], *paths[:start]):
            image = _read_small(path) if path.is_file() else None
            if image is not None:
                return image
    except OSError as error:
        logger.debug("no preview of %s: %s", folder, error)
    return None


def _read_small(path: Path) -> QImage | None:
    reader = QImageReader(str(path))
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > _LARGEST_PIXELS:
        return None
    reader.setScaledSize(size.scaled(QSize(SIDE * 2, SIDE * 2), Qt.AspectRatioMode.KeepAspectRatioByExpanding))
    image = reader.read()
    return None if image.isNull() else image


class PreviewStrip(QWidget):
    """Pictures side by side with their class below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._previews: tuple[Preview, ...] = ()
        self.setFixedHeight(SIDE + _CAPTION)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Some pictures of your data"))

    @property
    def previews(self) -> tuple[Preview, ...]:
        """Pictures that are shown."""
        return self._previews

    def show_previews(self, previews: tuple[Preview, ...]) -> None:
        """Show these pictures."""
        self._previews = previews
        self.setAccessibleDescription(", ".join(item.caption for item in previews))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        for number, preview in enumerate(self._previews):
            left = number * (SIDE + _GAP)
            if left + SIDE > self.width():
                break
            place = QRectF(left, 0, SIDE, SIDE)
            draw_box(painter, place, theme.color("inset"), theme.color("border"), 6)
            self._paint_picture(painter, place.adjusted(1, 1, -1, -1), preview.image)
            caption = QRectF(left, SIDE + 2, SIDE, _CAPTION - 2)
            draw_text(painter, caption, preview.caption, theme.font("caption"), theme.color("text_secondary"))

    @staticmethod
    def _paint_picture(painter: QPainter, place: QRectF, image: QImage) -> None:
        side = min(image.width(), image.height())
        source = QRectF((image.width() - side) / 2, (image.height() - side) / 2, side, side)
        painter.drawImage(place, image, source)
