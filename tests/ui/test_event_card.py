"""What happened to the cards lately."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel

from gpuconfig_app.ui.widgets.event_card import EventCard, EventShown


@pytest.fixture
def card(show):
    return show(EventCard())


def texts(card: EventCard) -> list[str]:
    items = [card._grid.itemAt(place).widget() for place in range(card._grid.count())]
    return [item.text() for item in items if isinstance(item, QLabel) and item.text()]


def test_nothing_happened(card):
    card.show_events([])

    assert texts(card) == ["Nothing noteworthy since this machine was opened."]


def test_newest_first_six_at_most(card):
    card.show_events([EventShown(f"10:0{number}", f"event {number}", is_over=False) for number in range(9)])

    assert texts(card)[1::2] == [f"event {number}" for number in (8, 7, 6, 5, 4, 3)]
    assert texts(card)[0] == "10:08"


def icon(card: EventCard) -> QImage:
    return card._grid.itemAt(0).widget().pixmap().toImage()


def test_begin_and_end_have_icons_of_their_own(card):
    shown = (
        EventShown("1", "is hot", is_over=False),
        EventShown("2", "is lost", is_over=False, severity="blocked"),
        EventShown("3", "is well", is_over=True),
    )
    icons = []
    for event in shown:
        card.show_events([event])
        icons.append(icon(card))

    assert icons[0] != icons[1]
    assert icons[1] != icons[2]
    assert icons[0] != icons[2]


def test_same_events_are_not_built_again(card):
    events = [EventShown("1", "is hot", is_over=False)]
    card.show_events(events)
    before = card._grid.itemAt(0).widget()

    card.show_events(list(events))

    assert card._grid.itemAt(0).widget() is before


def test_short_line_has_the_whole_as_tool_tip(card):
    card.show_events([EventShown("1", "GPU 3: The card is lost.", is_over=False, whole="The card is lost. Restart.")])

    assert card._grid.itemAtPosition(0, 2).widget().toolTip() == "The card is lost. Restart."
