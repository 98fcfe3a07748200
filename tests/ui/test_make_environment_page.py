"""The page that makes an environment, in every state, over a made-up plan and a made-up making."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget

from gpuconfig_app.core.environment_made import Leftover, MakeOutcome
from gpuconfig_app.core.environment_plan import Range
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.ui.environment_making import MAKING, REMOVING, making_of
from gpuconfig_app.ui.pages import make_environment_page
from gpuconfig_app.ui.pages.make_environment import sizes_text
from gpuconfig_app.ui.pages.make_environment.plan_desk import desk_of
from gpuconfig_app.ui.pages.make_environment.plan_form import LOCK, SOURCE, WHEELS
from gpuconfig_app.ui.pages.make_environment_page import MakeEnvironmentPage, Stage
from gpuconfig_app.ui.widgets.code_block import CodeBlock
from gpuconfig_app.ui.widgets.finding_card import FindingCard
from gpuconfig_app.ui.widgets.metric_strip import MetricStrip
from gpuconfig_app.ui.widgets.verdict_banner import VerdictBanner
from tests.ui.environment_plans import (
    FOLDER,
    PYTHON,
    make_cpu_plan,
    make_failed,
    make_full_disk_plan,
    make_impossible_plan,
    make_lines,
    make_made,
    make_plan,
    make_progress,
    make_size,
    said,
)
from tests.ui.fakes_ui import make_gpu, make_report


class Window:
    """The page in the window over a fake state.

    Args:
        state: Whose desk and making tests fill.
    """

    def __init__(self, state, shell) -> None:
        self.state, self.shell = state, shell
        self.desk, self.making = desk_of(state), making_of(state)
        self.desk.plan, self.desk.is_thorough = make_plan(), True
        shell.window.open_page("make_environment")

    @property
    def page(self) -> MakeEnvironmentPage:
        page = self.shell.window.page("make_environment")
        assert isinstance(page, MakeEnvironmentPage)
        return page

    def plan(self, plan) -> None:
        self.desk.plan = plan
        self.desk.changed.emit()

    def begin(self, progress=None) -> None:
        self.state.background.busy.add(MAKING)
        self.making.plan = make_plan()
        self.making.changed.emit()
        if progress is not None:
            self.making.progress, self.making.lines = progress, list(make_lines())
            self.making.progress_at = self.state.clock.monotonic()
            self.making.progressed.emit()

    def made(self, made) -> None:
        self.state.background.busy.discard(MAKING)
        self.making.plan, self.making.made = made.plan, made
        self.making.changed.emit()

    def find(self, kind: type[QWidget], name: str = "") -> list[QWidget]:
        found = self.page.findChildren(kind, name) if name else self.page.findChildren(kind)
        return [item for item in found if item.isVisible()]

    def button(self, name: str) -> QAbstractButton:
        found = self.find(QAbstractButton, name)
        assert len(found) == 1, f"{name}: {len(found)} visible"
        return found[0]

    def texts(self) -> str:
        labels = [item.text().replace("\u200b", "") for item in self.find(QLabel)]
        return "\n".join([*labels, *(item.text() for item in self.find(QAbstractButton))])

    def banner(self) -> VerdictBanner | None:
        return next(iter(self.find(VerdictBanner)), None)

    def primaries(self) -> list[str]:
        return [item.text() for item in self.find(QAbstractButton) if item.property("kind") == "primary"]


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
    assert [item.remark for item in metrics] == ["Nobody tells the sizes"] * 2 + ["Depends on the network"]


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


def test_impossible_leads_to_the_ways_on(window):
    window.plan(make_impossible_plan())

    window.button("ways_on").click()

    assert window.shell.window.page_id == "compatibility"
    assert not window.find(CodeBlock)


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
    assert window.desk.wakes


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


def test_unproven_environment_says_why_with_the_fix_first(window):
    window.made(make_made(MakeOutcome.NOT_PROVEN))

    assert window.banner().word == "Made, but not proven"
    assert [card.shown.title for card in window.find(FindingCard)] == ["An older cuDNN is loaded first"]
    assert window.primaries() == ["Copy"]


def test_failure_is_explained_and_the_plan_comes_back(window):
    window.making.lines = list(make_lines())
    window.made(make_failed())

    assert window.page.stage is Stage.FAILED
    assert "ended with code 1" in window.banner().sentence
    assert [card.shown.title for card in window.find(FindingCard)] == ["An older cuDNN is loaded first"]
    assert "Resolved 41 packages" in window.page._failure.log.text
    window.button("back_to_plan").click()
    assert window.page.stage is Stage.PLAN


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
