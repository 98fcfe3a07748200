"""The form of the graphs follows the number of cards, and a card without readings says why."""

from __future__ import annotations

import pytest

from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.widgets.graph_stack import STRIP_FROM, GraphStack
from gpuconfig_app.ui.widgets.heat_strip import HeatStrip
from gpuconfig_app.ui.widgets.small_multiples import SmallMultiples
from gpuconfig_app.ui.widgets.tall_panels import TallPanels
from tests.fakes import FakeClock
from tests.ui.graphs import COLUMNS, fill, key_of, make_row


@pytest.fixture
def history():
    made = History()
    for device in range(16):
        fill(made, device, range(940, 1001))
    return made


@pytest.fixture
def stack(show):
    made = show(GraphStack(FakeClock(monotonic=1000.0), COLUMNS))
    made.window().resize(1000, 700)
    return made


def forms(stack: GraphStack) -> set[type]:
    kinds = (TallPanels, SmallMultiples, HeatStrip)
    return {kind for kind in kinds if any(item.isVisibleTo(stack) for item in stack.findChildren(kind))}


@pytest.mark.parametrize(
    ("count", "form"),
    [(1, {TallPanels}), (2, {SmallMultiples}), (8, {SmallMultiples}), (STRIP_FROM, {HeatStrip}), (16, {HeatStrip})],
)
def test_form_follows_the_number_of_cards(stack, history, count, form):
    stack.show_rows(history, [make_row(device) for device in range(count)])

    assert forms(stack) == form


def test_form_changes_with_the_machine(stack, history):
    stack.show_rows(history, [make_row(0)])
    stack.show_rows(history, [make_row(device) for device in range(16)])
    stack.show_rows(history, [make_row(device) for device in range(2)])

    assert forms(stack) == {SmallMultiples}


def test_chosen_rows_of_the_strip_are_shown_in_full_below(stack, history):
    stack.show_rows(history, [make_row(device) for device in range(16)])

    stack.select([key_of(3), key_of(9)])

    multiples = stack.findChild(SmallMultiples)
    assert forms(stack) == {HeatStrip, SmallMultiples}
    assert [row.label for row in multiples._rows] == ["3", "9"]
    stack.select([])
    assert forms(stack) == {HeatStrip}


def test_what_is_wrong_is_chosen_at_first(stack, history):
    rows = [make_row(device) for device in range(16)]
    rows[7] = make_row(7, word="Slowed", severity="warning")
    rows[11] = make_row(11, word="Lost", severity="blocked")

    stack.show_rows(history, rows)

    assert stack.findChild(HeatStrip).selected == (key_of(7), key_of(11))


def test_what_goes_wrong_later_joins_and_leaves_again(stack, history):
    rows = [make_row(device) for device in range(16)]
    slowed, lost = (make_row(7, severity="warning"), make_row(11, severity="blocked"))
    strip = stack.findChild(HeatStrip)

    stack.show_rows(history, [*rows[:7], slowed, *rows[8:]])
    first = strip.selected
    stack.show_rows(history, [*rows[:7], slowed, *rows[8:11], lost, *rows[12:]])
    both = strip.selected
    stack.show_rows(history, rows)

    assert (first, both, strip.selected) == ((key_of(7),), (key_of(7), key_of(11)), ())


def test_lost_cards_go_before_slowed_ones_when_there_are_many(stack, history):
    rows = [make_row(device, severity="warning") for device in range(16)]
    rows[15] = make_row(15, severity="blocked")

    stack.show_rows(history, rows)

    assert stack.findChild(HeatStrip).selected == (key_of(0), key_of(1), key_of(2), key_of(15))


def test_another_machine_forgets_the_own_choice(stack, history):
    stack.show_rows(history, [make_row(device) for device in range(16)])
    stack.select([key_of(1)])

    stack.show_rows(History(), [make_row(device) for device in range(16)])

    assert stack.findChild(HeatStrip).selected == ()


def test_own_choice_is_not_replaced_by_what_goes_wrong(stack, history):
    stack.show_rows(history, [make_row(device) for device in range(16)])
    stack.select([key_of(1)])
    rows = [make_row(device) for device in range(16)]
    rows[11] = make_row(11, word="Lost", severity="blocked")

    stack.show_rows(history, rows)

    assert stack.findChild(HeatStrip).selected == (key_of(1),)


def test_single_card_without_readings_says_why_in_place_of_empty_graphs(stack):
    stack.show_rows(History(), [make_row(0, word="No driver", reason="no driver, no readings")])

    assert forms(stack) == set()
    assert stack._nothing.isVisibleTo(stack)
    assert stack._nothing.text() == "No graphs of GPU 0: no driver, no readings"


def test_card_that_went_silent_keeps_its_curve(stack, history):
    stack.show_rows(history, [make_row(0, word="Lost", severity="blocked", reason="The card is lost.")])

    assert forms(stack) == {TallPanels}
    assert not stack._nothing.isVisibleTo(stack)


def test_span_and_freeze_reach_graphs_that_are_made_later(stack, history):
    stack.set_span(60.0, 1.0)
    stack.set_frozen(990.0)

    stack.show_rows(history, [make_row(0)])

    tall = stack.findChild(TallPanels)
    assert (tall._span_s, tall._frozen_s) == (60.0, 990.0)


def test_crosshair_of_the_rows_is_shown_on_the_strip(stack, history):
    stack.show_rows(history, [make_row(device) for device in range(16)])
    stack.select([key_of(3)])

    stack.findChild(SmallMultiples)._move_crosshair(12.0)

    assert stack.findChild(HeatStrip)._age_s == 12.0


def test_strip_shows_the_chosen_metric(stack, history):
    stack.show_rows(history, [make_row(device) for device in range(16)])

    stack._metric.chosen.emit("memory_used_bytes")
    stack._metric.set_value("memory_used_bytes")
    stack.show_rows(history, [make_row(device) for device in range(16)])

    assert stack.findChild(HeatStrip)._column.title == "Memory"
