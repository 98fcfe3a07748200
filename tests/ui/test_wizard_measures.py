"""What would need less memory, as it is seen and used."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton

from gpuconfig_app.core.plan import Fit
from gpuconfig_app.ui.wizard.steps import Step
from tests.ui.clicker import Clicker


@pytest.fixture
def clicker(qapp):
    made = Clicker("training-2x4090")
    made.choose_task("image_classification")
    yield made
    made.close()


def answer(clicker: Clicker, **answers: object) -> None:
    clicker.draft.answer_all(dict(answers))
    clicker.wait_for_plan_or_problem()


def buttons(clicker: Clicker) -> list[str]:
    found = [item for item in clicker.real.window.findChildren(QPushButton) if item.isVisible()]
    return [item.objectName() for item in found if item.objectName().startswith("measure_")]


def test_nothing_is_shown_while_there_is_memory_to_spare(clicker):
    clicker.walk_to(Step.MODEL)
    answer(clicker, model="mobilenet_v2", image_size=96)

    assert buttons(clicker) == []
    assert "What would help" not in clicker.texts()


def test_one_click_makes_a_batch_that_is_too_big_fit(clicker):
    clicker.walk_to(Step.MODEL)
    answer(clicker, model="resnet50", image_size=512, batch_size=96, precision="float32")
    assert clicker.draft.plan is not None
    assert clicker.draft.plan.memory.fit is Fit.TOO_BIG
    assert buttons(clicker)[0] == "measure_accumulation"
    before = clicker.draft.plan.global_batch

    clicker.click("measure_accumulation")
    clicker.wait(lambda: clicker.draft.plan is not None and clicker.draft.plan.memory.fit is Fit.FITS, "still too big")

    assert clicker.draft.plan.global_batch == before
    assert clicker.draft.answers["accumulation_steps"] == clicker.draft.plan.accumulation_steps
    clicker.draft.undo()
    clicker.wait(lambda: clicker.draft.plan.memory.fit is Fit.TOO_BIG, "not undone")


def test_what_no_answer_does_has_no_button(clicker):
    clicker.walk_to(Step.MODEL)
    answer(clicker, model="resnet50", image_size=512, batch_size=96)

    shown = {measure.id for measure in clicker.draft.plan.shown_measures}

    assert "larger-card" in shown
    assert "measure_larger-card" not in buttons(clicker)
    assert "A card with" in clicker.texts()
