"""After a scan the data are read a little; the page shows how fast they came and loses nothing over it."""

from __future__ import annotations

import pytest

from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.metric_strip import MetricStrip
from gpuconfig_app.ui.wizard.disk_check import DISK
from gpuconfig_app.ui.wizard.steps import Step
from tests.ui.clicker import Clicker, write_pictures


@pytest.fixture
def clicker(qapp):
    made = Clicker("training-2x4090")
    yield made
    made.close()


def test_the_speed_is_shown_beside_what_was_found(clicker, tmp_path, monkeypatch):
    monkeypatch.setattr(AppState, "is_recorded", property(lambda _: False))
    clicker.choose_task("image_classification")
    clicker.next()

    clicker.give_data(write_pictures(tmp_path / "pets", count=80))
    clicker.wait(lambda: not clicker.state.background.is_busy(DISK), "the check never ends")
    clicker.wait_for_plan_or_problem()

    assert clicker.draft.dataset is not None
    assert clicker.draft.dataset.disk_speed is not None
    assert clicker.draft.dataset.disk_speed.sample_files == 160
    assert clicker.draft.dataset.sample_count == 160
    units = [metric.unit for strip in clicker.page.findChildren(MetricStrip) for metric in strip.metrics]
    assert "pictures/s" in units
    assert clicker.draft.scan_error is None


def test_the_disk_of_a_recorded_machine_is_another_one(clicker, tmp_path):
    clicker.choose_task("image_classification")
    clicker.next()

    clicker.give_data(write_pictures(tmp_path / "pets", count=80))

    assert not clicker.state.background.is_busy(DISK)
    assert clicker.draft.dataset is not None
    assert clicker.draft.dataset.disk_speed is None


def test_a_new_choice_ends_the_check(clicker, tmp_path, monkeypatch):
    monkeypatch.setattr(AppState, "is_recorded", property(lambda _: False))
    clicker.choose_task("image_classification")
    clicker.next()
    clicker.give_data(write_pictures(tmp_path / "pets", count=80))

    clicker.draft.forget_data()

    assert not clicker.state.background.is_busy(DISK)
    assert clicker.draft.dataset is None
    assert clicker.draft.step is Step.DATA
