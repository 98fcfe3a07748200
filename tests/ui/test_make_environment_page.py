"""The page that makes an environment: the ways to it, the making, the proof, a failure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit

from gpuconfig_app.core.environment_made import MakeOutcome
from gpuconfig_app.ui.environment_making import MAKING, REMOVING
from gpuconfig_app.ui.pages.make_environment_page import Stage
from gpuconfig_app.ui.widgets.finding_card import FindingCard
from tests.ui.environment_plans import (
    FOLDER,
    PYTHON,
    make_cpu_plan,
    make_failed,
    make_impossible_plan,
    make_lines,
    make_made,
    make_plan,
    make_progress,
)
from tests.ui.fakes_ui import make_gpu, make_report
from tests.ui.make_environment_window import Window


@pytest.fixture
def window(state, open_shell) -> Window:
    state.show(make_report((make_gpu(0), make_gpu(1))))
    return Window(state, open_shell())


def test_button_at_compatibility_leads_here(state, open_shell):
    state.show(make_report((make_gpu(0),)))
    shell = open_shell()
    shell.window.open_page("compatibility")

    shell.window.page("compatibility").findChild(QAbstractButton, "make_environment").click()

    assert shell.window.page_id == "make_environment"


def test_overview_leads_here_where_no_environment_has_tensorflow(state, open_shell):
    report = make_report((make_gpu(0),))
    state.show(replace(report, environments=report.environments[3:4]))
    shell = open_shell()
    shell.window.open_page("overview")
    button = shell.window.page("overview").findChild(QAbstractButton, "make_environment")

    assert button.isVisible()
    button.click()
    assert shell.window.page_id == "make_environment"
    state.show(report)
    shell.window.open_page("overview")
    assert not button.isVisible()


def test_make_it_starts_the_making(window, state):
    QTest.mouseClick(window.button("make"), Qt.MouseButton.LeftButton)

    assert state.background.asked[-1] == MAKING


def test_making_shows_bytes_packages_and_the_log(window):
    window.begin(make_progress())

    load = window.page._make.card.bars.shown
    assert window.page.stage is Stage.MAKE
    assert (load.number, load.unit, load.count) == ("1.6", "of 2.6 GiB", "Packages: 9 of 41")
    assert load.pace == "7 MiB/s · about 2 min left"
    assert [(item.name, item.is_done) for item in load.packages][:2] == [
        ("nvidia-cudnn-cu12", False),
        ("tensorflow", True),
    ]
    assert "Resolved 41 packages" in window.page._make.log.text
    assert "0.8 s" in window.texts()
    assert "3 min 41 s" in window.texts()
    assert window.primaries() == []


def test_when_everything_is_there_it_is_unpacked(window):
    window.begin(make_progress(packages_done=41))

    load = window.page._make.card.bars.shown

    assert (load.unit, load.pace, load.share) == ("GiB", "Unpacking…", 1.0)


def test_time_of_the_step_goes_on_without_news(window, state):
    window.begin(make_progress())
    state.clock.advance(30)

    window.page._make.refresh()

    assert "4 min 11 s" in window.texts()


def test_before_the_first_news_every_step_waits(window):
    window.begin()

    assert "Install TensorFlow 2.21.0" in window.texts()
    assert "5–9 min" in window.texts()


def test_making_survives_another_page_and_another_build(window):
    window.begin(make_progress())
    window.shell.window.open_page("overview")
    window.shell.window.rebuild()

    window.shell.window.open_page("make_environment")

    assert window.page.stage is Stage.MAKE
    assert "Resolved 41 packages" in window.page._make.log.text


def test_copied_log_has_every_line(window):
    window.begin(make_progress())

    QTest.mouseClick(window.button("copy_log"), Qt.MouseButton.LeftButton)

    assert QGuiApplication.clipboard().text().count("\n") == len(make_lines()) - 1


def test_cancel_asks_nothing_and_says_that_it_cleans(window, monkeypatch):
    cancelled: list[bool] = []
    window.begin(make_progress())
    window.making._control = type("Control", (), {"cancel": lambda _: cancelled.append(True)})()

    window.button("end_making").click()

    assert cancelled == [True]
    assert not window.button("end_making").isEnabled()
    assert "removing what was made" in window.texts()


def test_proof_shows_where_each_test_ran_and_how_it_is_used(window, state):
    window.made(make_made())
    table = window.page._proof.proven.table.model()
    rows = [[str(table.index(row, column).data()) for column in range(4)] for row in range(table.rowCount())]

    assert window.banner().word == "Ready, and proven"
    assert rows[0] == ["Matrix product", "3.9, 3.9 ms", "GPU:0, GPU:1", "Ran there"]
    assert "/home/you/tf-2.21 · Python 3.12.8 · made in 6 min 52 s · 5.6 GiB" in window.texts()
    assert window.primaries() == ["Use this environment"]
    window.button("use_environment").click()
    assert ("select_python", PYTHON) in state.calls


def test_environment_in_use_offers_the_script_next(window, state):
    environment = replace(state.report.environments[0], executable=PYTHON)
    window.made(make_made())

    state.environment = environment
    state.compat_changed.emit(state.compat)

    assert window.find(QAbstractButton, "use_environment") == []
    assert window.primaries() == ["New training script"]
    asked: list[str] = []
    state.navigation_requested.disconnect()
    state.navigation_requested.connect(lambda page, _: asked.append(page))
    window.button("new_script").click()
    assert asked == ["new_script"]


def test_processor_is_never_green(window):
    window.made(make_made(MakeOutcome.CPU_PROVEN))
    table = window.page._proof.proven.table.model()

    results = {str(table.index(row, 3).data()) for row in range(table.rowCount())}

    assert window.banner().severity == "warning"
    assert results == {"No GPU took part"}
    assert "libcudnn" not in window.texts()


def test_unproven_environment_says_why_with_the_fix_first(window):
    window.made(make_made(MakeOutcome.NOT_PROVEN))

    assert window.banner().word == "Made, but not proven"
    assert [card.shown.title for card in window.find(FindingCard)] == ["An older cuDNN is loaded first"]
    assert window.primaries() == ["Copy"]
    assert "libcudnn.so.9" in window.texts()


def test_failure_is_explained_and_the_plan_comes_back(window):
    window.making.lines = list(make_lines())
    window.made(make_failed())

    assert window.page.stage is Stage.FAILED
    assert "ended with code 1" in window.banner().sentence
    assert [card.shown.title for card in window.find(FindingCard)] == ["An older cuDNN is loaded first"]
    assert "Resolved 41 packages" in window.page._failure.log.text
    window.button("back_to_plan").click()
    assert window.page.stage is Stage.PLAN


def test_log_that_is_not_recognised_adds_nothing_to_the_sentence(window):
    failed = make_failed()
    assert failed.failure is not None
    assert failed.failure.explained is not None
    unknown = replace(failed.failure, explained=replace(failed.failure.explained, is_known=False))
    window.made(replace(failed, failure=unknown))

    assert window.find(FindingCard) == []
    assert window.primaries() == ["Back to the plan"]


def test_what_could_not_be_removed_is_named(window):
    window.made(replace(make_failed(), left_behind=("/data/tf/mine.txt",)))

    assert "/data/tf/mine.txt" in window.texts()


def test_removal_is_asked_for_first(window, state):
    window.made(make_made())
    window.button("remove_environment").click()
    assert FOLDER in window.texts()
    window.button("keep_environment").click()
    assert REMOVING not in state.background.asked

    window.button("remove_environment").click()
    window.button("remove_yes").click()

    assert state.background.asked[-1] == REMOVING


def test_escape_leads_back_from_a_field(window):
    line = window.find(QLineEdit, "folder")[0]
    line.setFocus()

    QTest.keyClick(line, Qt.Key.Key_Escape)

    assert window.shell.window.page_id == "compatibility"


def test_every_state_has_one_filled_button_at_most(window):
    show: list[Callable[[], None]] = [
        *(lambda plan=plan: window.plan(plan) for plan in (make_plan(), make_cpu_plan(), make_impossible_plan())),
        lambda: window.begin(make_progress()),
        *(lambda outcome=outcome: window.made(make_made(outcome)) for outcome in list(MakeOutcome)[:3]),
        lambda: window.made(make_failed()),
    ]

    for case in show:
        case()
        assert len(window.primaries()) <= 1
