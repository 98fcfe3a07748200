"""The plan of an environment on its page: answers, costs, commands, checks, and what stands in the way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from gpuconfig_app.core.environment_made import Leftover
from gpuconfig_app.core.environment_plan import Range
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.ui.pages import make_environment_page
from gpuconfig_app.ui.pages.make_environment import sizes_text
from gpuconfig_app.ui.pages.make_environment.check_card import CheckCard
from gpuconfig_app.ui.pages.make_environment.plan_form import LOCK, SOURCE, WHEELS
from gpuconfig_app.ui.pages.make_environment_page import Stage
from gpuconfig_app.ui.widgets.code_block import CodeBlock
from gpuconfig_app.ui.widgets.metric_strip import MetricStrip
from tests.ui.environment_plans import (
    make_cpu_plan,
    make_full_disk_plan,
    make_impossible_plan,
    make_made,
    make_plan,
    make_size,
    said,
)
from tests.ui.fakes_ui import make_gpu, make_report
from tests.ui.make_environment_window import Window


@pytest.fixture
def window(state, open_shell) -> Window:
    state.show(make_report((make_gpu(0), make_gpu(1))))
    return Window(state, open_shell())


def test_plan_shows_costs_commands_and_checks_and_can_be_made(window):
    strip = window.find(MetricStrip)[0]
    metrics = [(item.number, item.unit, item.remark) for item in strip.metrics]

    assert metrics[:2] == [("2.6", "GiB", "410 MiB of it already cached"), ("5.4–5.9", "GiB", "1.1 TiB free")]
    assert metrics[2] == ("6–10", "min", "with the proof")
    assert [item.command for item in window.find(CodeBlock)] == [
        step.command.posix for step in make_plan().steps if step.command
    ]
    assert "2.21.0 found, all 14 CUDA packages resolve" in window.texts()
    assert "setuptools<81" in window.texts()
    assert window.button("make").isEnabled()
    assert window.primaries() == ["Make it"]
    assert window.banner() is None


def test_what_is_not_known_is_a_dash_with_its_reason(window):
    size = make_size(download_bytes=None, cached_bytes=None, disk_bytes=None, time_s=None, source_text=None)
    window.plan(make_plan(size=size))

    metrics = window.find(MetricStrip)[0].metrics

    assert [item.number for item in metrics] == ["–", "–", "–"]
    assert [item.remark for item in metrics] == ["Not known beforehand"] * 2 + ["Depends on the network"]


def test_other_shell_shows_its_commands(window):
    shells = next(item for item in window.find(QWidget, "shell"))

    shells.chosen.emit("powershell")

    assert next(item.command for item in window.find(CodeBlock)) == "& uv venv --python 3.12 ~/tf-2.21"


def test_windows_begins_with_powershell(window):
    window.plan(make_plan(platform="windows"))

    assert window.find(CodeBlock)[0].command.startswith("& ")


def test_command_is_copied_as_it_is(window):
    block = window.find(CodeBlock)[1]

    block.button.click()

    assert QGuiApplication.clipboard().text() == make_plan().steps[1].command.posix
    assert block.button.accessibleName().startswith("Copy: Install")


def test_script_is_copied_whole(window, monkeypatch):
    monkeypatch.setattr(make_environment_page, "plan_script", lambda plan, shell: f"{shell} {plan.tensorflow}")

    QTest.mouseClick(window.button("copy_script"), Qt.MouseButton.LeftButton)

    assert QGuiApplication.clipboard().text() == "sh 2.21.0"


def test_answers_reach_the_desk(window):
    line = window.find(QLineEdit, "folder")[0]
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "/data/tf")
    box = window.find(QComboBox, "python")[0]
    box.setCurrentIndex(1)
    box.activated.emit(1)

    assert (window.desk.folder, window.desk.python) == ("/data/tf", "3.13")
    assert line.text() == "/data/tf"
    assert not window.button("make").isEnabled()


def test_another_page_can_ask_for_a_release(window, state):
    state.navigate("make_environment", {"release": "2.20.0"})

    assert window.desk.release == "2.20.0"


def test_impossible_release_stays_in_sight_and_cannot_be_chosen(window):
    box = window.find(QComboBox, "release")[0]
    rows = [box.itemText(row) for row in range(box.count())]

    assert "2.21.0, best for this machine" in rows
    assert rows[-1] == "2.10.1 · no wheel for these Pythons"
    assert not box.model().item(len(rows) - 1).isEnabled()
    assert box.currentText() == "2.21.0, best for this machine"


def test_source_asks_for_its_place(window):
    assert window.find(QLineEdit, "place") == []

    window.desk.answer(SOURCE, WHEELS)

    place = window.find(QLineEdit, "place")[0]
    assert place.accessibleName() == "Folder of wheels"
    assert window.banner().word == "One more answer"
    assert not window.button("make").isEnabled()
    window.desk.answer(SOURCE, LOCK)
    assert place.accessibleName() == "Lock file"


@pytest.mark.parametrize(
    ("plan", "said_there"),
    [
        (make_full_disk_plan(), ("This folder is not empty", "2 GiB free")),
        (make_impossible_plan(), ("no GPU support on native Windows", "Use WSL2", "Can't be made here")),
    ],
    ids=["no-room", "impossible"],
)
def test_what_stands_in_the_way_is_said_and_nothing_can_be_made(window, plan, said_there):
    window.plan(plan)

    assert not window.button("make").isEnabled()
    for words in said_there:
        assert words in window.texts()


def test_what_was_checked_stands_apart_from_what_is_good_to_know(window):
    plan = replace(make_plan(), remarks=(LocalText("A remark.", "说明。"),))
    window.plan(plan)

    checked, known = window.find(CheckCard)
    assert [card.accessibleName() for card in (checked, known)] == ["Checked beforehand", "Good to know"]
    assert [row.name for row in checked.shown] == ["Disk", "Quota", "Temporary folder", "Driver", "Index answers"]
    assert [(row.name, row.found) for row in known.shown] == [
        ("setuptools<81", "This release still imports pkg_resources."),
        ("", "A remark."),
    ]

    window.plan(replace(plan, pins=(), remarks=()))
    assert not window.find(CheckCard)[1:]


def test_impossible_leads_to_the_ways_on(window):
    window.plan(make_impossible_plan())

    window.button("ways_on").click()

    assert window.shell.window.page_id == "ways_on"


def test_processor_only_is_said_before_anything_is_made(window):
    window.plan(make_cpu_plan())

    assert window.banner().severity == "warning"
    assert window.button("make").isEnabled()


def test_order_that_makes_no_sense_is_one_sentence(window):
    window.desk.plan, window.desk.error = None, UsageError(said("No such folder."), said("Name another one."))
    window.desk.changed.emit()

    assert window.banner().sentence == "No such folder. Name another one."
    assert not window.button("make").isEnabled()
    assert not window.button("copy_script").isEnabled()
    assert window.find(QComboBox, "release")[0].count() == 4  # another one can still be chosen


def test_recorded_machine_has_a_plan_to_copy_and_nothing_to_make(window, state):
    window.made(make_made())
    state.show(make_report((make_gpu(0),)), recorded=LocalText("lab", "lab"))
    window.plan(make_plan(is_here=False))

    assert window.page.stage is Stage.PLAN
    assert window.button("copy_script").isEnabled()
    assert not window.button("make").isEnabled()
    assert "recorded machine" in window.button("make").toolTip()


def test_sleeping_card_is_asked_for(window, state):
    state.show(make_report((make_gpu(0, state=GpuState.ASLEEP),)))
    box = window.button("wake_cards")

    box.click()

    assert "RTX 4090" in box.text()
    assert window.desk.may_wake
    state.update_settings(wakes_sleeping_gpus=True)
    window.desk.changed.emit()
    assert not box.isVisible()  # the settings have said yes already


def test_cut_off_making_is_told_and_can_be_removed(window):
    leftover = Leftover(id="a", folder="/data/half", started_at=1.0)
    cleaned: list[object] = []
    window.desk.clean = cleaned.append
    window.page._plan._leftovers.cleaning_asked.disconnect()
    window.page._plan._leftovers.cleaning_asked.connect(cleaned.append)
    window.desk.leftovers = (leftover,)
    window.desk.changed.emit()

    window.button("clean_leftover").click()

    assert "/data/half" in window.texts()
    assert cleaned == [leftover]


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (Range(low=300, high=540), ("5–9", "min")),
        (Range(low=45, high=400), ("45 s – 7", "min")),
        (Range(low=40, high=40), ("40", "s")),
        (Range(low=3600 * 2, high=3600 * 3), ("2 h 00 min – 3", "h 00 min")),
        (None, ("–", "")),
    ],
)
def test_ranges_of_time_are_read_as_one(time: Range | None, text: tuple[str, str]):
    assert sizes_text.time_of(time) == text
