"""A strip of readings: label, number, remark, parted by hairlines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.ui.widgets.cards import Line
from gpuconfig_app.ui.widgets.labels import TextLabel


class TileStrip(QFrame):
    """Readings side by side in one card."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(18, 12, 18, 12)
        self._row.setSpacing(18)
        self._shown: list[tuple[str, str, str]] = []

    def show_tiles(self, tiles: Sequence[tuple[str, str, str]]) -> None:
        """Show tiles of (label, number, remark)."""
        if list(tiles) == self._shown:
            return
        self._shown = list(tiles)
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for number, tile in enumerate(tiles):
            if number:
                self._row.addWidget(Line(is_vertical=True))
            self._row.addWidget(_make_tile(*tile), 1)


def _make_tile(label: str, number: str, remark: str) -> QWidget:
    tile = QWidget()
    column = QVBoxLayout(tile)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    column.addWidget(TextLabel(label, "small", "muted"))
    column.addWidget(TextLabel(number, "number"))
    column.addWidget(TextLabel(remark or " ", "small", "muted"))
    tile.setAccessibleName(f"{label}: {number} {remark}".strip())
    return tile
