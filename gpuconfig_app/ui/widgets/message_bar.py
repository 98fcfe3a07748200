"""Lines the user must know about: severity, bold lead, sentence, one small button, close; stacked at most three."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPropertyAnimation, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import ANY_SIZE, current_theme
from gpuconfig_app.ui.widgets.buttons import Button, square_button
from gpuconfig_app.ui.widgets.cards import IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel

LEAVES_AFTER_MS = 8000
MOST_BARS = 3


@dataclass(frozen=True)
class BarText:
    """What one bar says.

    Attributes:
        topic: A newer bar of the same topic takes its place.
        severity: ``good``, ``note``, ``warning``, ``blocked`` or ``neutral``.
        lead: Bold beginning, may be empty.
        sentence: The rest.
        action: Word on the button, empty for none.
        on_action: Called when it is pressed.
        stays: It stays until it is closed although it is no error.
    """

    topic: str
    severity: str
    lead: str
    sentence: str = ""
    action: str = ""
    on_action: Callable[[], object] | None = None
    stays: bool = False


class MessageBar(QFrame):
    """One line of the stack.

    Signals:
        closed(str): The user closed the bar of this topic, or its time was over.
    """

    closed = Signal(str)

    def __init__(self, text: BarText, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = text
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LEAVES_AFTER_MS)
        self._timer.timeout.connect(lambda: self.closed.emit(self.text.topic))
        self.setProperty("role", "message")
        self.setProperty("severity", text.severity)
        self.setAccessibleName(f"{text.lead} {text.sentence}".strip())
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._build()
        self._start_clock()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow_focus)

    @property
    def stays(self) -> bool:
        """Errors stay until they are closed, and what says so itself."""
        return self.text.stays or self.text.severity == "blocked"

    @property
    def is_leaving(self) -> bool:
        """Whether its time runs."""
        return self._timer.isActive()

    def _build(self) -> None:
        theme = current_theme()
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 8, 5)
        row.setSpacing(10)
        self.setMinimumHeight(theme.size("height.message_bar"))
        icon = theme.severity_icon(self.text.severity if self.text.severity != "neutral" else "note")
        row.addWidget(IconLabel(icon, 18, f"{self.text.severity}.fg"))
        if self.text.lead:
            lead = TextLabel(self.text.lead, "body_strong", self.text.severity)
            lead.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            lead.setWordWrap(len(self.text.lead) > 60)
            row.addWidget(lead, 3 if len(self.text.lead) > 60 else 0)
        sentence = TextLabel(self.text.sentence, "body", "text", wraps=True)
        row.addWidget(sentence, 1)
        if self.text.action and self.text.on_action is not None:
            row.addWidget(Button(self.text.action, scale="small", on_click=self.text.on_action))
        row.addWidget(square_button("x", self.tr("Close this message"), lambda: self.closed.emit(self.text.topic)))

    def _start_clock(self) -> None:
        if not self.stays and not self.underMouse() and not self._has_focus_inside():
            self._timer.start()

    def _has_focus_inside(self) -> bool:
        focused = QApplication.focusWidget()
        return isinstance(focused, QWidget) and self.isAncestorOf(focused)

    def _follow_focus(self) -> None:
        if self._has_focus_inside():
            self._timer.stop()
        elif not self._timer.isActive():
            self._start_clock()

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._start_clock()


class MessageArea(QWidget):
    """The stack: newest on top, three at most, then "2 more".

    Signals:
        closed(str): A bar went away.
    """

    closed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageArea")
        self._bars: list[MessageBar] = []
        self._stack = QVBoxLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.setSpacing(8)
        self._more = TextLabel("", "small", "muted")
        self._stack.addWidget(self._more)
        self._animation: QPropertyAnimation | None = None
        self._arrange()

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics shown or waiting, newest first."""
        return tuple(bar.text.topic for bar in self._bars)

    def bar(self, topic: str) -> MessageBar | None:
        """Give the bar of a topic."""
        return next((bar for bar in self._bars if bar.text.topic == topic), None)

    def show_text(self, text: BarText) -> None:
        """Show a bar; one of the same topic is replaced where it stands."""
        bar = MessageBar(text, self)
        bar.closed.connect(self.remove, Qt.ConnectionType.QueuedConnection)
        old = self.bar(text.topic)
        if old is not None:
            place = self._bars.index(old)
            self._bars[place] = bar
            self._stack.insertWidget(place, bar)
            self._drop(old)
        else:
            self._bars.insert(0, bar)
            self._stack.insertWidget(0, bar)
            self._slide_in(bar)
        self._arrange()

    def remove(self, topic: str) -> None:
        """Take a bar away."""
        bar = self.bar(topic)
        if bar is None:
            return
        self._bars.remove(bar)
        self._drop(bar)
        self._arrange()
        self.closed.emit(topic)

    def _drop(self, bar: MessageBar) -> None:
        self._stack.removeWidget(bar)
        bar.hide()
        bar.deleteLater()

    def _arrange(self) -> None:
        for place, bar in enumerate(self._bars):
            bar.setVisible(place < MOST_BARS)
        hidden = len(self._bars) - MOST_BARS
        self._more.setText(self.tr("%n more", "", max(hidden, 0)))
        self._more.setVisible(hidden > 0)
        self.setVisible(bool(self._bars))

    def _slide_in(self, bar: MessageBar) -> None:
        if not self.isVisible():
            return
        animation = QPropertyAnimation(bar, b"maximumHeight", bar)
        animation.setDuration(current_theme().size("motion.message_bar_in_ms"))
        animation.setStartValue(0)
        animation.setEndValue(max(bar.sizeHint().height(), current_theme().size("height.message_bar")))
        animation.finished.connect(lambda: bar.setMaximumHeight(ANY_SIZE))
        animation.start()
        self._animation = animation
