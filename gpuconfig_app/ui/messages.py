"""The message bars of the window: the only place of the window that turns a notice or an error into text.

The stack is one widget that moves under the title of whichever page is shown.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gpuconfig_app.ui.widgets.message_bar import BarText, MessageArea

if TYPE_CHECKING:
    from gpuconfig_app.ui.notice import Notice
    from gpuconfig_app.ui.state import AppState


class Messages(QObject):
    """Shows notices of the state.

    Attributes:
        state: Where they come from.

    Args:
        state: Gives sentences in the shown language and posts the notices.
        area: Stack of bars.
    """

    def __init__(self, state: AppState, area: MessageArea, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self._area = area
        self._notices: dict[str, Notice] = {}
        state.notice_posted.connect(self.show_notice)
        area.closed.connect(self._forget)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What is shown, oldest first."""
        return tuple(self._notices.values())

    def show_notice(self, notice: Notice) -> None:
        """Show a notice, or take its line away when the topic is over."""
        if notice.is_over:
            self._area.remove(notice.topic)
            return
        self._notices[notice.topic] = notice
        lead = self.state.text(notice.message)
        sentence = self.state.text(notice.hint)
        if not sentence:
            lead, sentence = split_lead(lead)
        show = partial(self.state.navigate, notice.page)
        action, on_action = (self.tr("Show"), show) if notice.page else ("", None)
        self._area.show_text(
            BarText(notice.topic, notice.severity.value, lead, sentence, action, on_action, stays=notice.stays)
        )

    def take_over(self, former: Messages) -> None:
        """Show what the bars of the former build held, in the language that is shown now, and end it."""
        former.state.notice_posted.disconnect(former.show_notice)
        for notice in list(former.notices):
            self.show_notice(notice)
        former.deleteLater()

    def _forget(self, topic: str) -> None:
        self._notices.pop(topic, None)


def split_lead(text: str) -> tuple[str, str]:
    """Part a text into its first sentence, shown bold, and the rest."""
    for mark in (". ", "。"):
        head, found, tail = text.partition(mark)
        if found and tail.strip():
            return head + mark.strip(), tail.strip()
    return text, ""
