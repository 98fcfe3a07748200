"""TensorFlow releases on a machine as equal columns; neighbours with the same verdict share one bar and word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.theme import Theme, current_theme
from gpuconfig_app.ui.widgets.focus import DrawsFocus
from gpuconfig_app.ui.widgets.painting import CENTER, draw_hairline, draw_text, start_painter
from gpuconfig_app.ui.widgets.severity_badge import badge_width, paint_badge, severity_color

_NAMES = 32
_BADGE = 26
_LINE = 14
_MOST_LINES = 4
_SIDE = 5
_FOOT = 8
_CENTERED = Qt.AlignmentFlag.AlignHCenter.value | Qt.AlignmentFlag.AlignTop.value | Qt.TextFlag.TextWordWrap.value


@dataclass(frozen=True)
class ReleaseShown:
    """One release.

    Attributes:
        name: ``2.21``.
        severity: Of its verdict.
        word: ``Works``.
        reason: Short, below the word.
        is_installed: Marked as the one in the chosen environment.
    """

    name: str
    severity: str
    word: str
    reason: str = ""
    is_installed: bool = False


class ReleaseStrip(DrawsFocus, QWidget):
    """The strip.

    Signals:
        release_chosen(str): A press or Enter on a release.
    """

    release_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._releases: tuple[ReleaseShown, ...] = ()
        self._at = 0
        self.setObjectName("releaseStrip")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._fit()
        self.setAccessibleName(self.tr("TensorFlow releases on this machine"))

    @property
    def releases(self) -> tuple[ReleaseShown, ...]:
        """Releases from old to new."""
        return self._releases

    @property
    def groups(self) -> tuple[tuple[ReleaseShown, ...], ...]:
        """Neighbours that share a bar and its word."""
        keyed = groupby(self._releases, key=lambda item: (item.severity, item.word))
        return tuple(tuple(group) for _, group in keyed)

    def show_releases(self, releases: Sequence[ReleaseShown]) -> None:
        """Replace the releases, old to new."""
        self._releases = tuple(releases)
        installed = (place for place, item in enumerate(releases) if item.is_installed)
        self._at = next(installed, max(len(releases) - 1, 0))
        self._describe()
        self._fit()
        self.update()

    def _describe(self) -> None:
        if self._releases:
            item = self._releases[self._at]
            self.setAccessibleDescription(f"TensorFlow {item.name}: {item.word}. {item.reason}".strip())

    def _move(self, step: int) -> None:
        if self._releases:
            self._at = min(max(self._at + step, 0), len(self._releases) - 1)
            self._describe()
            self.update()

    def _fit(self) -> None:
        """Take the height that the longest reason needs at this width."""
        lines = 1
        width = self.width() / max(len(self._releases), 1)
        for group in self.groups:
            for part in _parts(group):
                text = part[0].reason if self._has_badge(group) else _whole_text(part[0])
                lines = max(lines, _line_count(text, width * len(part) - 2 * _SIDE))
        self.setFixedHeight(_NAMES + _BADGE + min(lines, _MOST_LINES) * _LINE + _FOOT)

    def _has_badge(self, group: Sequence[ReleaseShown]) -> bool:
        """Whether the word of a group fits beside its icon."""
        width = self.width() / max(len(self._releases), 1) * len(group)
        return badge_width(current_theme(), group[0].word, is_boxed=False) <= width - 2 * _SIDE

    def _place_at(self, x: float) -> int:
        count = max(len(self._releases), 1)
        return min(max(int(x / (self.width() / count)), 0), count - 1)

    @override
    def sizeHint(self) -> QSize:
        return QSize(640, self.height())

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._releases:
            item = self._releases[self._place_at(event.pos().x())]
            QToolTip.showText(event.globalPos(), f"TensorFlow {item.name}: {item.word}\n{item.reason}".strip(), self)
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -999, Qt.Key.Key_End: 999}
        if event.key() in steps:
            self._move(steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._releases:
            self.release_chosen.emit(self._releases[self._at].name)
        else:
            super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._releases:
            self._at = self._place_at(event.position().x())
            self._describe()
            self.update()
            self.release_chosen.emit(self._releases[self._at].name)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._releases:
            return
        theme = current_theme()
        painter = start_painter(self)
        width = self.width() / len(self._releases)
        for place, item in enumerate(self._releases):
            cell = QRectF(place * width, 0, width, _NAMES)
            if item.is_installed:
                painter.fillRect(QRectF(cell.left(), 0, cell.width(), _NAMES), theme.color("selected"))
            token = "accent_text" if item.is_installed else "text"
            draw_text(painter, cell, item.name, theme.font("body_strong"), theme.color(token), CENTER)
            if self.shows_focus and place == self._at:
                painter.setPen(QPen(theme.color("focus"), theme.size("border.focus_ring")))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(cell.adjusted(3, 3, -3, -3), 6, 6)
        left = 0.0
        for number, group in enumerate(self.groups):
            right = left + width * len(group)
            if number:
                draw_hairline(painter, QPointF(left, 0), QPointF(left, self.height()), theme.color("border"))
            self._paint_group(painter, theme, QRectF(left, _NAMES, right - left, self.height() - _NAMES), group)
            left = right

    def _paint_group(self, painter: QPainter, theme: Theme, place: QRectF, group: Sequence[ReleaseShown]) -> None:
        item = group[0]
        bar = QRectF(place.left() + 6, place.top() - 2, place.width() - 12, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(severity_color(theme, item.severity))
        painter.drawRoundedRect(bar, 2, 2)
        has_badge = self._has_badge(group)
        if has_badge:
            wide = badge_width(theme, item.word, is_boxed=False)
            badge = QRectF(place.center().x() - wide / 2, place.top() + 5, wide + 2, 20)
            paint_badge(painter, theme, badge, item.severity, item.word, is_boxed=False)
        else:
            icon = QRectF(place.center().x() - 7, place.top() + 8, 14, 14)
            draw_icon(painter, theme.severity_icon(item.severity), icon, severity_color(theme, item.severity))
        left = place.left()
        for part in _parts(group):
            right = left + place.width() * len(part) / len(group)
            room = QRectF(left + _SIDE, place.top() + _BADGE, right - left - 2 * _SIDE, self.height())
            painter.setFont(theme.font("caption"))
            painter.setPen(theme.color("text_muted"))
            painter.drawText(room, _CENTERED, part[0].reason if has_badge else _whole_text(part[0]))
            left = right

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _parts(group: Sequence[ReleaseShown]) -> list[list[ReleaseShown]]:
    """Part a group where the reason changes."""
    return [list(part) for _, part in groupby(group, key=lambda item: item.reason)]


def _whole_text(item: ReleaseShown) -> str:
    return f"{item.word}. {item.reason}" if item.reason else item.word


def _line_count(text: str, width: float) -> int:
    if not text:
        return 0
    metrics = QFontMetricsF(current_theme().font("caption"))
    wrapped = metrics.boundingRect(QRectF(0, 0, max(width, 20), 1000), _CENTERED, text)
    return round(wrapped.height() / metrics.lineSpacing())
