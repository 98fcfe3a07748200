"""Cards in columns of equal width that never scroll sideways."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override


class CardGrid(QWidget):
    """Lays its cards out in rows; the number of columns follows from the width.

    Args:
        least_width: A card is never narrower, unless the grid itself is.
        most_columns: At most this many beside each other.
        gap: Between cards.
    """

    def __init__(
        self, least_width: int = 320, most_columns: int = 4, gap: int = 16, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._least_width = least_width
        self._most_columns = most_columns
        self._gap = gap
        self._cards: tuple[QWidget, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def cards(self) -> tuple[QWidget, ...]:
        """Cards in order."""
        return self._cards

    @property
    def columns(self) -> int:
        """Columns at the present width."""
        return self._columns(self.width())

    def set_cards(self, cards: Sequence[QWidget]) -> None:
        """Replace the cards; former ones that are not among them are deleted."""
        for card in self._cards:
            if card not in cards:
                card.hide()
                card.deleteLater()
        self._cards = tuple(cards)
        for card in self._cards:
            card.setParent(self)
            card.show()
        self._arrange()

    def set_shape(self, least_width: int, most_columns: int, gap: int) -> None:
        """Change how cards are laid out."""
        self._least_width, self._most_columns, self._gap = least_width, most_columns, gap
        self._arrange()

    def _columns(self, width: int) -> int:
        if not self._cards:
            return 1
        fitting = max((width + self._gap) // (self._least_width + self._gap), 1)
        columns = min(fitting, self._most_columns, len(self._cards))
        rows = -(-len(self._cards) // columns)
        return -(-len(self._cards) // rows) if rows > 1 and columns > 3 and len(self._cards) <= 6 else columns

    def _places(self, width: int) -> list[QRect]:
        columns = self._columns(width)
        card_width = (width - (columns - 1) * self._gap) / columns
        places = []
        top = 0
        for first in range(0, len(self._cards), columns):
            row = self._cards[first : first + columns]
            height = max(self._height_of(card, int(card_width)) for card in row)
            for column in range(len(row)):
                left = round(column * (card_width + self._gap))
                right = round(column * (card_width + self._gap) + card_width)
                places.append(QRect(left, top, right - left, height))
            top += height + self._gap
        return places

    @staticmethod
    def _height_of(card: QWidget, width: int) -> int:
        if card.hasHeightForWidth():
            return max(card.heightForWidth(width), card.minimumHeight())
        hint = card.sizeHint().height()
        return min(max(hint, card.minimumHeight()), card.maximumHeight())

    def _arrange(self) -> None:
        for card, place in zip(self._cards, self._places(self.width()), strict=True):
            card.setGeometry(place)
        self.updateGeometry()
        self.setMinimumHeight(self.heightForWidth(self.width()))

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        places = self._places(max(width, 1))
        return places[-1].bottom() + 1 if places else 0

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._least_width, self.heightForWidth(max(self.width(), self._least_width)))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(min(self._least_width, 240), self.heightForWidth(max(self.width(), self._least_width)))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()
