"""What stands in the way of TensorFlow: the requirements up to the one that fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gpuconfig_app.core.finding import Requirement, Severity
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard, Line
from gpuconfig_app.ui.widgets.requirement_table import RequirementTable

MOST_ROWS = 5
_FAILING = (Severity.BLOCKED, Severity.WARNING)


def stands_in_the_way(requirements: Sequence[Requirement]) -> bool:
    """Whether a requirement fails; where none does the cause is the card itself, and the banner says it."""
    return any(item.severity in _FAILING for item in requirements)


class ObstaclesBlock(HeadedCard):
    """Table of the requirements that matter most.

    Args:
        text: Renders a text in the shown language.

    Signals:
        opened(): The user wants to see all of it.
    """

    opened = Signal()

    def __init__(
        self, title: str, text: Callable[[Message | LocalText | None], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(title, parent)
        self.setObjectName("obstaclesBlock")
        self.head.addWidget(
            Button(
                self.tr("Open Compatibility"), LINK, "arrow-right", scale="small", icon_after=True,
                on_click=self.opened.emit,
            )
        )  # fmt: skip
        self.table = RequirementTable(text)
        self.table.horizontalHeader().hide()
        self.body.addWidget(Line())
        self.body.addWidget(self.table, 1)
        self.body.addStretch(0)

    def show_requirements(self, requirements: Sequence[Requirement]) -> None:
        """Show the failing ones and, where there is room, those that hold, in their order."""
        failing = [item for item in requirements if item.severity in _FAILING]
        holding = [item for item in requirements if item.severity in (Severity.GOOD, Severity.NOTE)]
        chosen = [*failing[:MOST_ROWS], *holding[: max(MOST_ROWS - len(failing), 0)]]
        self.table.show_requirements([item for item in requirements if item in chosen])
