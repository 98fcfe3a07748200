"""What a run measured is called so in the wizard, and can be forgotten in the settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton

from gpuconfig_app.core.calibration import Calibration
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Interval, TimePrediction
from gpuconfig_app.core.run_result import RunResult, RunState
from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.storage.measured_runs import load_measured_runs, save_measured_run
from gpuconfig_app.ui.notice import Notice
from gpuconfig_app.ui.pages.settings import about_sections
from gpuconfig_app.ui.pages.settings_page import SettingsPage
from gpuconfig_app.ui.wizard.plan_desk import MEASURED
from gpuconfig_app.ui.wizard.steps import Step
from gpuconfig_app.workbench.measured_runs import Kept
from tests.ui.clicker import Clicker

MOMENT = "2026-11-30T12:00:00+00:00"
RUN = Calibration(
    gpu_name="NVIDIA GeForce RTX 4090",
    tensorflow="2.21.0",
    precision=Precision.FLOAT32,
    optimizer=Optimizer.ADAM,
    run_id="20261130-120000-abc",
    measured_at=MOMENT,
)


@pytest.fixture
def clicker(qapp) -> Iterator[Clicker]:
    made = Clicker("training-2x4090")
    yield made
    made.close()


def show_plan(clicker: Clicker, *, memory: bool, time: bool) -> None:
    """Show the plan as if a run had measured it."""
    plan = clicker.draft.plan
    if memory:
        plan = replace(plan, memory=replace(plan.memory, source="measured", measured_at=MOMENT))
    if time:
        step = Interval(low=0.1, expected=0.2, high=0.3)
        plan = replace(plan, time=TimePrediction(step=step, source="measured", measured_at=MOMENT))
    clicker.draft.desk.plan = plan
    clicker.draft.desk.plan_changed.emit()


def test_the_model_step_tells_that_memory_was_measured_here_and_when(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.MODEL)
    before = clicker.texts()

    show_plan(clicker, memory=True, time=False)

    assert "measured here" not in before
    assert "usable, measured here on 30 Nov 2026" in clicker.texts()


@pytest.mark.parametrize(
    ("memory", "time", "told"),
    [
        (True, True, "Memory and time were measured here on 30 Nov 2026"),
        (True, False, "Memory was measured here on 30 Nov 2026."),
        (False, True, "Time was measured here on 30 Nov 2026"),
    ],
)
def test_the_review_tells_what_was_measured_here(clicker, memory, time, told):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.REVIEW)

    show_plan(clicker, memory=memory, time=time)

    assert told in clicker.texts()


def test_the_test_run_says_whether_plans_use_it_and_asks_for_a_new_plan(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.SCRIPT)
    clicker.wait_for_script()
    clicker.state.select_machine(None)
    clicker.real.wait_for_verdict()
    clicker.wait_for_plan()
    trial = clicker.draft.trial
    result = RunResult(state=RunState.FINISHED, meaning=Message("runner.exit-done"))

    trial._ended((result, Kept(RUN, Message("workbench.measured-kept", {"steps": 35}))))

    assert trial.kept is not None
    assert clicker.draft.desk.is_waiting  # a new plan is on its way
    clicker.wait_for_plan()


def test_a_plan_that_only_predicts_better_leaves_the_script_saved(clicker, tmp_path):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.SCRIPT)
    clicker.wait_for_script()
    draft = clicker.draft
    draft.set_saved(tmp_path, draft.bundle)
    plan = draft.bundle.recipe.plan
    measured = replace(plan, memory=replace(plan.memory, source="measured"), choices=())
    other = replace(plan, per_replica_batch=plan.per_replica_batch // 2)

    draft.desk.bundle = replace(draft.bundle, recipe=replace(draft.bundle.recipe, plan=measured))
    is_still_saved = draft.is_saved
    draft.desk.bundle = replace(draft.bundle, recipe=replace(draft.bundle.recipe, plan=other))

    assert is_still_saved
    assert not draft.is_saved


def test_measurements_are_forgotten_in_the_settings(state, qtbot):
    """Counted and forgotten by jobs: until they ran, nothing happened to any file."""
    path = save_measured_run(state.workbench.places, RUN)
    page = SettingsPage(state)
    qtbot.addWidget(page)
    button = page.findChild(QPushButton, "forget_measured")
    is_ready_at_once = button.isEnabled()
    state.background.finish(about_sections.COUNT)

    button.click()
    asked = button.text()
    button.click()
    is_kept, is_pressed_again = path.exists(), button.isEnabled()
    state.background.finish(about_sections.FORGET)

    assert not is_ready_at_once
    assert asked == "Forget 1 for good"
    assert is_kept
    assert not is_pressed_again
    assert not path.exists()
    assert button.text() == "Forgotten: 1"
    assert not button.isEnabled()


def test_with_nothing_measured_there_is_nothing_to_forget(state, qtbot):
    page = SettingsPage(state)
    qtbot.addWidget(page)
    state.background.finish(about_sections.COUNT)

    assert not page.findChild(QPushButton, "forget_measured").isEnabled()


def test_a_measurement_that_cannot_be_read_is_told_once_in_the_message_bar(clicker):
    told: list[Notice] = []
    clicker.state.notice_posted.connect(told.append)
    places = clicker.state.workbench.places
    save_measured_run(places, RUN).write_text("{", encoding="utf-8")

    clicker.choose_task("image_classification")
    load_measured_runs(places, RUN.gpu_name, RUN.tensorflow, RUN.template_id)
    for batch in (8, 16):
        clicker.draft.answer_all({"batch_size": batch})
        clicker.wait_for_plan()

    assert [notice.message.id for notice in told if notice.topic == MEASURED] == ["core.measured-unusable"]
