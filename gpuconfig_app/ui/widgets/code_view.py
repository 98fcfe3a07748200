"""Read-only code with line numbers and colours, and a plain log in the same look."""

from __future__ import annotations

import keyword

from PySide6.QtCore import QRect, QRegularExpression, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme

_GUTTER = 44
MOST_LOG_LINES = 10_000
_IN_TEXT = 1
_LOG_MARGIN = 12


class PythonColors(QSyntaxHighlighter):
    """Colours of Python; enough for scripts that we write ourselves."""

    def __init__(self, view: QPlainTextEdit) -> None:
        super().__init__(view.document())
        words = "|".join(sorted(keyword.kwlist))
        self._rules = (
            (QRegularExpression(rf"\b(?:{words})\b"), "keyword"),
            (QRegularExpression(r"\b(?:def|class)\s+(\w+)"), "name"),
            (QRegularExpression(r"^[A-Z][A-Z0-9_]+\b"), "name"),
            (QRegularExpression(r"\b\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b"), "number"),
        )
        self._text = QRegularExpression(r"[rbf]{0,2}(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
        self._comment = QRegularExpression(r"#[^\n]*")

    @override
    def highlightBlock(self, text: str) -> None:
        for pattern, color in self._rules:
            found = pattern.globalMatch(text)
            while found.hasNext():
                match = found.next()
                group = 1 if match.lastCapturedIndex() >= 1 else 0
                self.setFormat(match.capturedStart(group), match.capturedLength(group), _format(color))
        self._color_text(text)

    def _color_text(self, text: str) -> None:
        quotes = '"""'
        inside = self.previousBlockState() == _IN_TEXT
        start = 0
        self.setCurrentBlockState(0)
        if inside:
            end = text.find(quotes)
            if end < 0:
                self.setCurrentBlockState(_IN_TEXT)
                self.setFormat(0, len(text), _format("string"))
                return
            start = end + 3
            self.setFormat(0, start, _format("string"))
        opened = text.find(quotes, start)
        if opened >= 0 and text.find(quotes, opened + 3) < 0:
            self.setCurrentBlockState(_IN_TEXT)
            self.setFormat(opened, len(text) - opened, _format("string"))
            return
        covered = self._color_strings(text, start)
        found = self._comment.globalMatch(text, start)
        while found.hasNext():
            match = found.next()
            if not any(left <= match.capturedStart() < right for left, right in covered):
                self.setFormat(match.capturedStart(), len(text) - match.capturedStart(), _format("comment"))
                return

    def _color_strings(self, text: str, start: int) -> list[tuple[int, int]]:
        covered: list[tuple[int, int]] = []
        found = self._text.globalMatch(text, start)
        while found.hasNext():
            match = found.next()
            if "#" in text[: match.capturedStart()] and not covered:
                break
            self.setFormat(match.capturedStart(), match.capturedLength(), _format("string"))
            covered.append((match.capturedStart(), match.capturedEnd()))
        return covered


class CodeView(QPlainTextEdit):
    """Code to read and copy.

    Signals:
        line_selected(int): The cursor is on another line, counted from 1.
        find_asked(): The user pressed the keys for finding.
    """

    line_selected = Signal(int)
    find_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setAccessibleName(self.tr("Script"))
        self._colors: PythonColors | None = None
        self._gutter = _Gutter(self)
        self._restyle()
        self.setViewportMargins(_GUTTER, 0, 0, 0)
        self.updateRequest.connect(self._move_gutter)
        self.cursorPositionChanged.connect(self._mark_line)
        shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut.activated.connect(self.find_asked)
        current_theme().changed.connect(self._restyle)

    def show_code(self, text: str, *, is_python: bool) -> None:
        """Show a file from its beginning."""
        if self._colors is not None:
            self._colors.setDocument(None)
            self._colors = None
        self.setPlainText(text)
        if is_python:
            self._colors = PythonColors(self)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def find_next(self, words: str) -> bool:
        """Select the next place that holds ``words``, from the top again after the last; False when there is none."""
        if not words:
            return False
        if self.find(words):
            return True
        self.moveCursor(QTextCursor.MoveOperation.Start)
        return self.find(words)

    def paint_gutter(self, painter: QPainter, place: QRect) -> None:
        """Paint the line numbers that are in view."""
        theme = current_theme()
        painter.fillRect(place, theme.color("code.bg"))
        painter.setFont(theme.font("mono"))
        painter.setPen(theme.color("code.gutter"))
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        height = QFontMetrics(theme.font("mono")).height()
        while block.isValid() and top <= place.bottom():
            bottom = top + self.blockBoundingRect(block).height()
            if block.isVisible() and bottom >= place.top():
                room = QRect(0, round(top), _GUTTER - 14, height)
                painter.drawText(room, int(Qt.AlignmentFlag.AlignRight.value), str(block.blockNumber() + 1))
            block, top = block.next(), bottom

    def _restyle(self) -> None:
        self.setFont(current_theme().font("mono"))
        self.setTabStopDistance(QFontMetrics(self.font()).horizontalAdvance(" ") * 4)
        if self._colors is not None:
            self._colors.rehighlight()
        self._mark_line()

    def _mark_line(self) -> None:
        mark = QTextEdit.ExtraSelection()
        mark.format.setBackground(current_theme().color("code.line"))
        mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        mark.cursor = self.textCursor()
        mark.cursor.clearSelection()
        self.setExtraSelections([mark])
        self.line_selected.emit(self.textCursor().blockNumber() + 1)

    def _move_gutter(self, place: QRect, distance: int) -> None:
        if distance:
            self._gutter.scroll(0, distance)
        else:
            self._gutter.update(0, place.y(), _GUTTER, place.height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._gutter.setGeometry(QRect(inside.left(), inside.top(), _GUTTER, inside.height()))


class LogView(QPlainTextEdit):
    """Lines that a script prints; follows the end unless the user scrolled up."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setMaximumBlockCount(MOST_LOG_LINES)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName(self.tr("Log"))
        self._unfinished = ""
        self._follows = True
        self.document().setDocumentMargin(_LOG_MARGIN)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._look_where)
        bar.rangeChanged.connect(self._keep_at_end)
        self._restyle()
        current_theme().changed.connect(self._restyle)

    @property
    def follows(self) -> bool:
        """Whether new lines are scrolled to; not while the user reads further up."""
        return self._follows

    def clear_log(self) -> None:
        """Begin anew."""
        self._unfinished = ""
        self._follows = True
        self.clear()

    def add_lines(self, lines: tuple[str, ...], unfinished: str = "") -> None:
        """Add finished lines; ``unfinished`` is the line under way and is replaced the next time."""
        if not lines and unfinished == self._unfinished:
            return
        follows = self._follows
        if self._unfinished:
            cursor = self.textCursor()
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            if cursor.position() > 0:
                cursor.deletePreviousChar()
        shown = [*lines, unfinished] if unfinished else list(lines)
        if shown:
            self.appendPlainText("\n".join(shown))
        self._unfinished = unfinished
        self._follows = follows
        self._keep_at_end()

    def _look_where(self, value: int) -> None:
        self._follows = value >= self.verticalScrollBar().maximum() - 1

    def _keep_at_end(self, *_: int) -> None:
        if self._follows:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _restyle(self) -> None:
        self.setFont(current_theme().font("mono"))


class _Gutter(QWidget):
    def __init__(self, view: CodeView) -> None:
        super().__init__(view)
        self._view = view

    @override
    def sizeHint(self) -> QSize:
        return QSize(_GUTTER, 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        self._view.paint_gutter(QPainter(self), event.rect())


def _format(color: str) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(current_theme().color(f"code.{color}"))
    return made
