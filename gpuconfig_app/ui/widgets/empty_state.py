"""What to do when there is nothing to show: up to three equal cards, each with one way on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.card_grid import CardGrid
from gpuconfig_app.ui.widgets.cards import IconLabel
from gpuconfig_app.ui.widgets.labels import TextLabel


@dataclass(frozen=True)
class WayOn:
    """One card.

    Attributes:
        icon: Lucide name.
        title: Question or offer.
        text: Two to four lines.
        action: Word on the button, empty for none.
        action_icon: Its icon.
    """

    icon: str
    title: str
    text: str
    action: str = ""
    action_icon: str | None = None
    on_action: Callable[[], object] | None = None


class WaysOn(CardGrid):
    """The cards side by side, below each other on a narrow window."""

    def __init__(self, ways: Sequence[WayOn], parent: QWidget | None = None) -> None:
        super().__init__(230, 3, 16, parent)
        self.setObjectName("waysOn")
        self.set_cards([_WayCard(way) for way in ways])


class _WayCard(QFrame):
    def __init__(self, way: WayOn) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName(way.title)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(IconLabel(way.icon, current_theme().size("icon.card"), "accent_text"))
        head.addWidget(TextLabel(way.title, "heading", wraps=True), 1)
        column.addLayout(head)
        column.addWidget(TextLabel(way.text, "body", "secondary", wraps=True))
        column.addStretch(1)
        if way.action and way.on_action is not None:
            column.addSpacing(6)
            foot = QHBoxLayout()
            foot.addWidget(Button(way.action, icon_name=way.action_icon, on_click=way.on_action))
            foot.addStretch(1)
            column.addLayout(foot)
