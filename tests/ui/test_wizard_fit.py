"""Does it fit, and what to press if not: seen in the smallest window, reached by keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from gpuconfig_app.core.plan import Fit
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.fit_note import FitNote
from gpuconfig_app.ui.wizard.measure_card import MeasureCard
from gpuconfig_app.ui.wizard.plan_desk import batches_to_show
from gpuconfig_app.ui.wizard.steps import Step
from gpuconfig_app.ui.wizard.test_run_panel import TestRunPanel
from gpuconfig_app.ui.wizard.trial import Trial
from tests.ui.clicker import Clicker
from tests.ui.page_audit import cut_texts, nameless_controls, unreached_controls

TOO_BIG = {"model": "resnet50", "image_size": 512, "batch_size": 96, "precision": "float32"}


@pytest.fixture
def clicker(qapp) -> Iterator[Clicker]:
    made = Clicker("laptop-rtx4060", (960, 600))
    made.choose_task("image_classification")
    made.walk_to(Step.MODEL)
    yield made
    made.close()


def answer(clicker: Clicker, **answers: object) -> None:
    clicker.draft.answer_all(answers)
    clicker.wait_for_plan_or_problem()


def badge(clicker: Clicker) -> SeverityBadge:
    (note,) = clicker.page.findChildren(FitNote)
    return note.findChild(SeverityBadge)


def is_in_window(clicker: Clicker, name: str) -> bool:
    control, window = clicker.find(name), clicker.real.window
    top = control.mapTo(window, QPoint(0, 0)).y()
    footer = badge(clicker).mapTo(window, QPoint(0, 0)).y()
    return top >= 0 and top + control.height() <= footer


def test_the_footer_says_whether_it_fits_while_the_form_is_edited(clicker):
    assert badge(clicker).isVisible()
    assert badge(clicker).severity == "good"
    assert not clicker.visible("show_help")

    answer(clicker, **TOO_BIG)

    assert badge(clicker).severity == "blocked"
    assert badge(clicker).text.startswith("Too big: ")
    assert badge(clicker).text.endswith("of 5.7 GiB")


def test_two_keys_lead_from_too_big_to_a_batch_that_fits(clicker):
    answer(clicker, **TOO_BIG)
    assert not is_in_window(clicker, "measure_accumulation")

    clicker.find("show_help").setFocus()
    clicker.press(Qt.Key.Key_Space)

    assert is_in_window(clicker, "measure_accumulation")
    assert QApplication.focusWidget() is clicker.find("measure_accumulation")
    clicker.press(Qt.Key.Key_Space)
    clicker.wait(lambda: clicker.draft.plan is not None and clicker.draft.plan.memory.fit is Fit.FITS, "still too big")
    assert badge(clicker).severity == "good"


def test_the_review_leads_the_keyboard_to_what_would_help(clicker):
    answer(clicker, **TOO_BIG)
    clicker.walk_to(Step.TRAINING)
    clicker.find("next").setFocus()
    clicker.press(Qt.Key.Key_Space)

    assert clicker.draft.step is Step.REVIEW
    assert not clicker.find("next").isEnabled()
    assert QApplication.focusWidget() is clicker.find("show_help")


def test_rows_stay_while_the_plan_changes_and_so_does_the_keyboard(clicker):
    answer(clicker, **TOO_BIG)
    button = clicker.find("measure_accumulation")
    button.setFocus()

    answer(clicker, batch_size=112)

    assert clicker.find("measure_accumulation") is button
    assert QApplication.focusWidget() is button


def test_unknown_speeds_are_told_once(clicker):
    answer(clicker, **TOO_BIG)

    card = next(item for item in clicker.page.findChildren(MeasureCard) if item.isVisible())

    assert clicker.texts().count("How fast these are is not predicted") == 1
    assert "Speed not predicted" not in clicker.texts()
    assert card.isVisible()


def test_a_batch_that_fits_is_among_those_to_choose(clicker):
    answer(clicker, **TOO_BIG)

    fits = [batch for batch, memory in clicker.draft.desk.batches if memory.fit is Fit.FITS]

    assert fits
    assert 96 in dict(clicker.draft.desk.batches)
    clicker.click(f"batch_{max(fits)}")
    clicker.wait(lambda: clicker.draft.plan is not None and clicker.draft.plan.memory.fit is Fit.FITS, "still too big")
    assert max(fits) in dict(clicker.draft.desk.batches)


def test_batches_stay_where_they_are_as_long_as_one_may_fit(clicker):
    plan = clicker.draft.plan
    shown = tuple(batch for batch, _ in clicker.draft.desk.batches)

    assert batches_to_show(plan, shown) == shown
    assert plan.per_replica_batch in batches_to_show(plan, ())
    assert batches_to_show(replace(plan, measures=()), shown) == shown


def test_a_machine_without_a_usable_card_says_why(qapp):
    made = Clicker("card-without-driver")
    made.choose_task("image_classification")
    made.walk_to(Step.MODEL)
    texts = made.texts()
    reasons = [choice.reason for choice in made.draft.plan.choices if choice.id == "left-out-cards"]
    expected = made.state.text(reasons[0])
    made.close()

    assert expected in texts
    assert "the rows below" not in texts


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_nothing_is_cut_and_all_is_reached_when_it_does_not_fit(clicker, language):
    clicker.real.choose_look("dark", language)
    clicker.real.open_page("new_script")
    problems: list[str] = []

    for step in (Step.MODEL, Step.TRAINING, Step.REVIEW):
        clicker.walk_to(step)
        answer(clicker, **TOO_BIG)
        window = clicker.real.window
        problems += [f"{step}: {text}" for text in cut_texts(window)]
        problems += [f"{step}: {text} has no name" for text in nameless_controls(window)]
        problems += [f"{step}: {text} is never reached" for text in unreached_controls(window)]

    assert problems == []


def test_the_keyboard_stays_in_the_test_run_when_its_button_goes(clicker, monkeypatch):
    clicker.walk_to(Step.SCRIPT)
    clicker.wait_for_script()
    panel = next(iter(clicker.page.findChildren(TestRunPanel)))
    start = clicker.find("run_smoke")
    start.setEnabled(True)
    start.setFocus()

    monkeypatch.setattr(Trial, "is_running", property(lambda _: True))
    clicker.draft.trial.changed.emit()

    assert QApplication.focusWidget() is clicker.find("run_stop")
    assert panel.isAncestorOf(QApplication.focusWidget())
