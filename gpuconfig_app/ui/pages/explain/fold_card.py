"""A card that folds to its head: icon, title, a remark at the right; the whole head is its button."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.focus import RingsFocus
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.painting import LEFT, RIGHT, draw_text, paint_card_edge, start_painter, text_width
from gpuconfig_app.ui.widgets.severity_badge import severity_color

_HEIGHT = 44
_HIGHER = 60
_RIGHT = 42
_LEFT = 16
_TEXT_LEFT = 42


class FoldHead(RingsFocus, QAbstractButton):
    """The head.

    Args:
        icon: Lucide name.
        color: Of the icon, by token.
    """

    def __init__(self, icon: str, color: str, title: str, note: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._color, self._note = icon, color, note
        self.setText(title)
        self.setCheckable(True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(f"{title}, {note}" if note else title)
        self.setToolTip(title)
        self.toggled.connect(lambda is_open: self._describe(is_open=is_open))
        self._describe(is_open=False)

    def _describe(self, *, is_open: bool) -> None:
        self.setAccessibleDescription(self.tr("Show less") if is_open else self.tr("Show more"))
        self.update()

    def _widths(self) -> tuple[float, float]:
        """Give the widths of title and note."""
        theme = current_theme()
        return text_width(self.text(), theme.font("body_strong")), text_width(self._note, theme.font("small"))

    def _fits(self, width: int) -> bool:
        """Whether the note has room beside the title; else it stands below."""
        return sum(self._widths()) + _TEXT_LEFT + _RIGHT + 14 <= width

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return _HEIGHT if self._fits(width) or not self._note else _HIGHER

    @override
    def sizeHint(self) -> QSize:
        return QSize(round(sum(self._widths())) + _TEXT_LEFT + _RIGHT + 16, _HEIGHT)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(200, _HEIGHT)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), start_painter(self)
        is_beside = self.height() < _HIGHER
        middle = self.height() / 2 if is_beside else 20
        draw_icon(painter, self._icon, QRectF(_LEFT, middle - 8, 16, 16), theme.color(self._color))
        chevron = "chevron-up" if self.isChecked() else "chevron-down"
        place = QRectF(self.width() - 30, self.height() / 2 - 7, 14, 14)
        draw_icon(painter, chevron, place, theme.color("text_secondary"))
        color = theme.color("accent_text" if self.underMouse() else "text")
        room = QRectF(_TEXT_LEFT, 0, self.width() - _TEXT_LEFT - _RIGHT, self.height())
        note = room if is_beside else room.adjusted(0, 30, 0, -8)
        title = (
            room.adjusted(0, 0, -self._widths()[1] - 10, 0) if is_beside else QRectF(room.left(), 8, room.width(), 24)
        )
        align = RIGHT if is_beside else LEFT
        draw_text(painter, note, self._note, theme.font("small"), theme.color("text_muted"), align)
        draw_text(painter, title, self.text(), theme.font("body_strong"), color, LEFT)


class FoldCard(QFrame):
    """The card.

    Args:
        icon: Lucide name.
        color: Of the icon, by token.
        note: At the right of the head.
        summary: What the folded card says below its head, empty for nothing.
        severity: Colours border and left edge, empty for the plain card.

    Attributes:
        head: The button.
        body: Layout of what is unfolded.

    Signals:
        pressed(): Somebody pressed the card, its head or not.
    """

    pressed = Signal()

    def __init__(
        self, icon: str, color: str, title: str, note: str = "", summary: str = "", severity: str = ""
    ) -> None:
        super().__init__()
        self._severity = severity
        self.setProperty("role", "card")
        if severity:
            self.setProperty("severity", severity)
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        self.head = FoldHead(icon, color, title, note)
        outer.addWidget(self.head)
        self._summary = TextLabel(summary, "small", "muted", wraps=True)
        self._summary.setContentsMargins(_TEXT_LEFT, 0, 16, 12)
        if not summary:
            self._summary.hide()
        outer.addWidget(self._summary)
        self._inside = QWidget()
        self.body = QVBoxLayout(self._inside)
        self.body.setContentsMargins(_TEXT_LEFT, 0, 16, 14)
        self.body.setSpacing(8)
        self._inside.hide()
        outer.addWidget(self._inside)
        self.head.toggled.connect(lambda is_open: self._show(is_open=is_open))
        self.head.clicked.connect(self.pressed)

    @property
    def is_folded(self) -> bool:
        """Whether only the head is shown."""
        return not self.head.isChecked()

    def set_folded(self, *, is_folded: bool) -> None:
        """Fold, or show all."""
        self.head.setChecked(not is_folded)

    def _show(self, *, is_open: bool) -> None:
        self._inside.setVisible(is_open)
        self._summary.setVisible(not is_open and bool(self._summary.text()))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.pressed.emit()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._severity:
            paint_card_edge(self, severity_color(current_theme(), self._severity))
