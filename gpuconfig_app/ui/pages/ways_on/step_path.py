"""A path of steps: mark and line at the left, name, what was found, state; only the current step is open."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.way_on import StepAction
from gpuconfig_app.ui.icons import draw_icon
from gpuconfig_app.ui.pages.ways_on.way_words import StepShown
from gpuconfig_app.ui.theme import ANY_SIZE, current_theme
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button, square_button
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.command_line import CommandLine
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.painting import CENTER, draw_box, draw_text, start_painter
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge

_CIRCLE = 24
_MARK_WIDTH = 44
_NAME_WIDTH = 206
_LINE_WIDTH = 1.5


class StepPath(Card):
    """All steps of a way.

    Signals:
        action_asked(object): ``StepShown`` whose button was pressed.
    """

    action_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, padding=0)
        self.setObjectName("stepPath")
        self.setAccessibleName(self.tr("Steps"))
        self.body.setContentsMargins(0, 8, 0, 8)
        self.body.setSpacing(0)
        self.rows: tuple[StepRow, ...] = ()
        self._open: set[int] = set()
        self._is_narrow = False

    def show_steps(self, steps: Sequence[StepShown], *, has_primary: bool) -> None:
        """Replace the steps; those unfolded by hand stay so.

        Args:
            has_primary: The next command's button is the page's filled one.
        """
        while (item := self.body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        rows: list[StepRow] = []
        for step in steps:
            former = rows[-1].step if rows else None
            mark = _Mark(step, former, is_last=step is steps[-1])
            row = StepRow(step, mark, is_primary=has_primary and step.is_current)
            row.set_open(is_open=step.is_current or step.number in self._open)
            row.set_narrow(is_narrow=self._is_narrow)
            row.toggled.connect(self._remember)
            row.action_asked.connect(self.action_asked)
            self.body.addWidget(row)
            rows.append(row)
        self.rows = tuple(rows)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Put what was found below the name on a narrow window."""
        self._is_narrow = is_narrow
        for row in self.rows:
            row.set_narrow(is_narrow=is_narrow)

    def _remember(self, number: int, is_open: bool) -> None:  # values of a signal
        if is_open:
            self._open.add(number)
        else:
            self._open.discard(number)


class StepRow(QFrame):
    """One step.

    Attributes:
        step: What it shows.

    Signals:
        toggled(int, bool): The step of this number was unfolded or folded.
        action_asked(object): Its ``StepShown``; the button was pressed.
    """

    toggled = Signal(int, bool)
    action_asked = Signal(object)

    def __init__(self, step: StepShown, mark: QWidget, parent: QWidget | None = None, *, is_primary: bool) -> None:
        super().__init__(parent)
        self.step = step
        self._is_primary = is_primary
        self.setAccessibleName(f"{step.number}. {step.name}: {step.badge.word}")
        self.setAccessibleDescription(" ".join(part for part in (step.needs, step.found, step.explanation) if part))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 16, 0)
        row.setSpacing(0)
        row.addWidget(mark)
        column = QVBoxLayout()
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(8)
        column.addLayout(self._build_line())
        self._more = self._build_more()
        column.addWidget(self._more)
        row.addLayout(column, 1)
        self._is_open = False
        self.set_open(is_open=False)

    @property
    def is_open(self) -> bool:
        """Whether commands and explanation are shown."""
        return self._is_open

    def set_open(self, *, is_open: bool) -> None:
        """Show or hide commands and explanation."""
        self._is_open = is_open and self.step.has_more
        self._more.setVisible(self._is_open)
        if self._toggle is not None:
            self._toggle.set_icon_name("chevron-up" if self._is_open else "chevron-down")
            name = self.tr("Hide what to do") if self._is_open else self.tr("Show what to do")
            self._toggle.setAccessibleName(f"{name}: {self.step.name}")
            self._toggle.setToolTip(name)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Put what was found below the name, or beside it."""
        direction = QHBoxLayout.Direction
        self._texts.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self._texts.setSpacing(0 if is_narrow else 12)
        for label in self._names:
            label.setMaximumWidth(ANY_SIZE if is_narrow else _NAME_WIDTH)
            label.setMinimumWidth(0 if is_narrow else _NAME_WIDTH)

    def _build_line(self) -> QHBoxLayout:
        step = self.step
        line = QHBoxLayout()
        line.setSpacing(8)
        self._texts = QHBoxLayout()
        left = QVBoxLayout()
        left.setSpacing(0)
        name = TextLabel(step.name, "body_strong" if step.is_current else "body", wraps=True)
        name.setMinimumHeight(_CIRCLE)
        name.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._names = [name]
        left.addWidget(name)
        if step.needs:
            needs = TextLabel(step.needs, "small", "muted", wraps=True)
            self._names.append(needs)
            left.addWidget(needs)
        left.addStretch(1)
        self._texts.addLayout(left)
        found = TextLabel(step.found, "body", "secondary", wraps=True, is_selectable=True)
        found.setMinimumHeight(_CIRCLE)
        found.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if not step.found:
            found.hide()
        self._texts.addWidget(found, 1, Qt.AlignmentFlag.AlignTop)
        if not step.found:
            self._texts.addStretch(1)
        line.addLayout(self._texts, 1)
        badge = SeverityBadge(step.badge.severity, step.badge.word, is_boxed=False, icon_name=step.badge.icon)
        line.addWidget(badge, 0, Qt.AlignmentFlag.AlignTop)
        self._toggle = square_button("chevron-down", step.name, self._flip) if step.has_more else None
        if self._toggle is not None:
            self._toggle.setFixedHeight(_CIRCLE + 2)
            line.addWidget(self._toggle, 0, Qt.AlignmentFlag.AlignTop)
        else:
            line.addSpacing(36)
        return line

    def _build_more(self) -> QWidget:
        step = self.step
        more = QWidget()
        column = QVBoxLayout(more)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(8)
        texts = [(step.explanation, "secondary"), (step.effort, "muted")]
        for text, tone in texts:
            if text:
                column.addWidget(TextLabel(text, "small", tone, wraps=True, is_selectable=True))
        for place, command in enumerate(step.commands):
            is_primary = self._is_primary and place == 0 and self._action() is None
            column.addWidget(CommandLine(command, step.shell, is_primary=is_primary))
        if step.changes:
            column.addWidget(TextLabel(step.changes, "small", "secondary", wraps=True))
        if (action := self._action()) is not None:
            line = QHBoxLayout()
            line.addWidget(action)
            line.addStretch(1)
            column.addLayout(line)
        return more

    def _action(self) -> Button | None:
        words: dict[StepAction, tuple[str, str]] = {
            StepAction.ENVIRONMENT: (self.tr("Make it…"), "package"),
            StepAction.PROVE: (self.tr("Prove it…"), "flask-conical"),
            StepAction.SCRIPT: (self.tr("New training script"), "wand-sparkles"),
        }
        if self.step.action not in words:
            return None
        word, icon = words[self.step.action]
        return Button(word, OUTLINED, icon, scale="small", on_click=lambda: self.action_asked.emit(self.step))

    def _flip(self) -> None:
        self.set_open(is_open=not self._is_open)
        self.toggled.emit(self.step.number, self._is_open)


class _Mark(QWidget):
    """The circle of a step and the lines to its neighbours."""

    def __init__(self, step: StepShown, former: StepShown | None, *, is_last: bool) -> None:
        super().__init__()
        self._step, self._former, self._is_last = step, former, is_last
        self.setFixedWidth(_MARK_WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    @override
    def sizeHint(self) -> QSize:
        return QSize(_MARK_WIDTH, _CIRCLE + 16)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        step, top = self._step, 8
        circle = QRectF(0, top, _CIRCLE, _CIRCLE)
        line = theme.color(_line_color(step))
        left = _CIRCLE / 2 - _LINE_WIDTH / 2
        if self._former is not None:
            painter.fillRect(QRectF(left, 0, _LINE_WIDTH, top - 3), theme.color(_line_color(self._former)))
        if not self._is_last:
            painter.fillRect(QRectF(left, circle.bottom() + 3, _LINE_WIDTH, self.height()), line)
        if step.is_current:
            draw_box(painter, circle, theme.color("accent"), theme.color("accent"), _CIRCLE / 2)
        else:
            draw_box(painter, circle, theme.color("surface"), line, _CIRCLE / 2)
        if step.is_done:
            draw_icon(painter, "check", circle.adjusted(5, 5, -5, -5), theme.color("good.fg"))
        else:
            color = theme.color("on_accent" if step.is_current else "text_secondary")
            draw_text(painter, circle, str(step.number), theme.font("small_strong"), color, CENTER)


def _line_color(step: StepShown) -> str:
    return "good.fg" if step.is_done else "border_control"
