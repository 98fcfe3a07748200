"""The overview in every state: what the banner says and offers, which blocks are there, what a press does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFileDialog

from gpuconfig_app.core.finding import Proven, Verdict
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.sample import Liveness
from gpuconfig_app.core.system import ONLY_CARDS
from gpuconfig_app.ui.pages.overview.machine_menu import MachineMenu
from gpuconfig_app.ui.pages.overview_page import OverviewPage
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.gpu_card import CardForm
from gpuconfig_app.workbench.machine import ShippedMachine
from tests.ui.fakes_ui import (
    FakeState,
    make_compat,
    make_gpu,
    make_minute,
    make_report,
    make_sample,
    make_silence,
)


@pytest.fixture
def page(state: FakeState, qtbot):
    made = OverviewPage(state)
    qtbot.addWidget(made)
    made.resize(1104, 800)
    made.show()
    made.on_enter({})
    yield made
    made.on_leave()


def _show(state: FakeState, count: int = 2, verdict: Verdict = Verdict.READY, **changes: object) -> None:
    report = make_report(tuple(make_gpu(index) for index in range(count)))
    state.show(report, make_compat(verdict, **changes), environment=report.environments[0])


def test_before_the_survey_it_says_that_it_looks(page):
    assert page.banner.word == "Looking at this machine…"
    assert page.banner.buttons == ()
    assert [card.facts.badge for card in page.cards.cards] == ["Loading"]


def test_before_the_verdict_cards_are_there_already(page, state):
    state.show(make_report((make_gpu(0),)))

    assert page.banner.word == "Checking TensorFlow…"
    assert page.cards.isVisible()


@pytest.mark.parametrize(
    ("verdict", "proven", "severity", "word", "buttons"),
    [
        (Verdict.READY, Proven.TRUE, "good", "Ready for TensorFlow", ["New training script"]),
        (Verdict.READY, Proven.FALSE, "good", "Should be ready for TensorFlow", ["Prove it", "New training script"]),
        (Verdict.READY_WITH_NOTES, Proven.FALSE, "warning", "Ready, with a note", ["Fix…", "New training script"]),
        (
            Verdict.CPU_ONLY, Proven.FALSE, "warning", "TensorFlow will use the processor only",
            ["New training script", "Fix…"],
        ),
        (Verdict.BLOCKED, Proven.FALSE, "blocked", "Not ready for TensorFlow", ["Fix…"]),
        (Verdict.UNKNOWN, Proven.FALSE, "neutral", "A test must decide", ["New training script", "Prove it"]),
    ],
)  # fmt: skip
def test_banner_of_each_verdict(page, state, verdict, proven, severity, word, buttons):
    _show(state, verdict=verdict, proven=proven)

    assert (page.banner.severity, page.banner.word) == (severity, word)
    assert [button.text() for button in page.banner.buttons] == buttons
    assert page.banner.accessibleName().startswith(word)


def test_only_one_button_of_the_page_is_filled(page, state):
    _show(state, verdict=Verdict.BLOCKED)

    filled = [item for item in page.findChildren(Button) if item.property("kind") == "primary" and item.isVisible()]
    assert len(filled) == 1


def test_unproven_is_never_called_ready(page, state):
    _show(state, proven=Proven.FALSE)

    assert not page.banner.word.startswith("Ready")


def test_recorded_machine_cannot_be_proven_from_here(page, state):
    report = make_report((make_gpu(0),))
    state.show(report, make_compat(proven=Proven.FALSE), recorded=LocalText("lab", "lab"))

    assert "only a run on that machine can" in page.banner._meta.text()
    assert [button.text() for button in page.banner.buttons] == ["New training script"]


@pytest.mark.parametrize(
    ("name", "target"),
    [("Fix…", ("compatibility", {})), ("New training script", ("new_script", {}))],
)
def test_buttons_lead_on(page, state, qtbot, name, target):
    _show(state, verdict=Verdict.READY_WITH_NOTES)
    button = next(item for item in page.banner.buttons if item.text() == name)

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    assert ("navigate", target) in state.calls


@pytest.mark.parametrize(
    ("count", "form", "totals"),
    [
        (1, CardForm.WIDE, False),
        (2, CardForm.NORMAL, False),
        (4, CardForm.NORMAL, False),
        (5, CardForm.COMPACT, True),
        (8, CardForm.COMPACT, True),
        (16, CardForm.COMPACT, True),
    ],
)
def test_cards_take_the_form_of_their_number(page, state, count, form, totals):
    _show(state, count)

    assert {card.form for card in page.cards.cards} == {form}
    assert len(page.cards.cards) == count
    assert page.cards._totals.isVisible() is totals
    assert page.machine_line.isVisible() is totals


@pytest.mark.parametrize("width", [744, 1104, 1400, 2400])
@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 16, 72])
def test_cards_never_need_sideways_scrolling(page, state, width, count, qapp):
    page.resize(width, 700)

    _show(state, count)
    qapp.processEvents()

    right = max(card.mapTo(page, card.rect().topRight()).x() for card in page.cards.cards)
    assert right < width


def test_many_gpus_are_summed_up(page, state):
    _show(state, 8)
    for index in range(8):
        state.give([make_sample(index)])

    tiles = {tile.label: (tile.number, tile.unit) for tile in page.cards._totals.metrics}

    assert tiles["GPUs"] == ("8", "of 8")
    assert tiles["Memory"] == ("149", "of 192 GiB")
    assert tiles["Power"] == ("3.2", "kW")


def test_no_gpu_offers_three_ways_on_and_says_what_was_looked_at(page, state, qtbot):
    state.show(make_report(), make_compat(Verdict.CPU_ONLY))

    assert page.banner.word == "No GPU that TensorFlow can use"
    assert page.empty.isVisible()
    assert page.search.isVisible()
    assert not page.cards.isVisible()
    page.empty.script_asked.emit()
    assert ("navigate", ("new_script", {})) in state.calls
    page.empty.machine_asked.emit()
    assert "machine menu" in state.background.asked


def test_menu_of_machines_opens_one(page, state):
    menu = MachineMenu(state, (ShippedMachine("8xh100", LocalText("Eight H100", "八块 H100")),), page)

    menu.actions()[0].trigger()

    assert ("select_machine", "8xh100") in state.calls


def test_blocked_machine_shows_what_stands_in_the_way(page, state):
    _show(state, 1, Verdict.BLOCKED)

    model = page.obstacles.table.model()
    names = [model.index(row, 0).data() for row in range(model.rowCount())]

    assert page.obstacles.isVisible()
    assert "cuDNN" in names
    assert "nvcc, CUDA toolkit" not in names


def test_silent_driver_is_said_and_readings_stay_with_their_age(page, state):
    _show(state, 1)
    state.give(make_minute(0))
    state.clock.advance(73)
    state.give([make_silence(0, 62.0, Liveness.SILENT)])

    assert page.banner.word == "The driver does not answer"
    card = page.cards.cards[0]
    assert card.facts.badge == "Stale: 14 s old"
    assert card.facts.temperature.number == "67"


def test_answer_after_a_silence_ends_it(page, state):
    _show(state, 1)
    state.give([make_sample(0), make_silence(0, 4.0, Liveness.SILENT)])

    state.give([make_sample(0, 9.0)])

    assert page.banner.word == "Ready for TensorFlow"


def test_environment_is_chosen_by_a_press(page, state, qtbot):
    _show(state, 1)
    table = page.environments.table
    rows = [table.model().index(row, 0) for row in range(table.model().rowCount())]
    keras = next(index for index in rows if "keras" in index.data())

    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(keras).center())

    assert ("select_python", "~/miniconda3/envs/keras/bin/python") in state.calls


def test_environment_is_chosen_by_the_keyboard(page, state, qtbot):
    _show(state, 1)
    table = page.environments.table
    table.setCurrentIndex(table.model().index(1, 0))

    qtbot.keyClick(table, Qt.Key.Key_Return)

    assert any(name == "select_python" for name, _ in state.calls)


def test_four_environments_are_shown_until_all_are_asked_for(page, state, qtbot):
    _show(state, 1)
    before = page.environments.table.height()

    qtbot.mouseClick(page.environments._more, Qt.MouseButton.LeftButton)

    assert page.environments.table.height() > before
    assert page.environments._remark.text() == "5 of 5 environments"


def test_enter_on_a_card_opens_the_monitor(page, state):
    _show(state, 2)
    card = page.cards.cards[1]

    card.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier))

    assert ("navigate", ("monitor", {"device": "1"})) in state.calls


def test_summary_holds_verdict_cards_and_machine(page, state, qtbot):
    _show(state, 2)

    qtbot.mouseClick(page._copy, Qt.MouseButton.LeftButton)

    text = QGuiApplication.clipboard().text()
    assert "Ready for TensorFlow" in text
    assert "GPU 1: NVIDIA GeForce RTX 4090" in text
    assert "Ubuntu 24.04 LTS" in text
    assert "GPU-" not in text


def test_another_machine_forgets_the_readings_of_the_former(page, state):
    _show(state, 1)
    state.give(make_minute(0))

    state.show(make_report((make_gpu(0),)), recorded=LocalText("lab", "lab"))

    assert page.cards.cards[0].curve.points == ()


def test_narrow_window_hides_what_is_secondary(page, state, qapp):
    _show(state, 2, verdict=Verdict.READY_WITH_NOTES)
    page.resize(744, 600)
    qapp.processEvents()

    assert page.is_narrow
    assert [button.isVisible() for button in page.banner.buttons] == [False, True]
    assert not page.banner._meta.isVisible()


def test_readings_from_before_the_page_was_opened_are_on_the_curve(state, qtbot):
    report = make_report((make_gpu(0),))
    state.show(report, make_compat())
    for sample in make_minute(0):
        state.sampling.history.add(sample)
    state.latest = {make_sample(0).key: make_sample(0, 59.0)}

    page = OverviewPage(state)
    qtbot.addWidget(page)
    page.show()
    page.on_enter({})
    page.on_leave()

    assert len(page.cards.cards[0].curve.points) > 50


def test_memory_that_no_card_tells_is_not_shown_as_zero(page, state):
    gpus = tuple(replace(make_gpu(index), memory_total_bytes=None, memory_used_bytes=None) for index in range(8))
    state.show(make_report(gpus), make_compat(Verdict.READY))

    assert "Memory" not in {tile.label for tile in page.cards._totals.metrics}


def test_output_of_a_tool_can_be_opened_from_the_menu(page, state, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: ("/mail/nvidia-smi.txt", ""))
    menu = MachineMenu(state, (), page)

    next(action for action in menu.actions() if "nvidia-smi" in action.text()).trigger()

    assert ("select_machine", "/mail/nvidia-smi.txt") in state.calls


def test_machine_known_by_its_cards_alone_claims_nothing_about_python(page, state):
    report = make_report((make_gpu(0),))
    host = replace(report.host, absent={**report.host.absent, ONLY_CARDS: Message("host.not-in-output")})
    state.show(replace(report, host=host, environments=()), make_compat(Verdict.READY))

    assert page.environments._empty.text().startswith("The output tells nothing about Python")


def test_without_a_card_nothing_is_called_installed_that_is_not(page, state):
    report = make_report()
    bare = next(item for item in report.environments if item.tensorflow_version is None)

    state.show(report, make_compat(Verdict.CPU_ONLY), environment=bare)
    assert "TensorFlow is not installed" in page.banner._meta.text()

    state.show(report, make_compat(Verdict.CPU_ONLY), environment=report.environments[0])
    version = report.environments[0].tensorflow_version
    assert f"TensorFlow {version} is installed" in page.banner._meta.text()


def test_fix_leads_to_the_ways_on_where_there_are_some(page, state, judged, qtbot):
    for name, target in (("rtx5090-stock-wheels", "ways_on"), ("cudnn-shadowed", "compatibility")):
        report, environment, compat = judged(name)
        state.show(report, compat, environment=environment)
        button = next(item for item in page.banner.buttons if item.text() == "Fix…")

        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

        assert state.calls[-1] == ("navigate", (target, {}))


def test_environment_in_wsl_says_where_it_is_and_verdicts_are_told_in_full(page, state, judged, qapp):
    report, environment, compat = judged("windows-with-wsl")
    state.show(report, compat, environment=environment, verdicts={environment.executable: compat})
    page.resize(1100, 900)
    qapp.processEvents()
    table = page.environments.table

    names = [table.model().index(row, 0).data() for row in range(2)]
    assert names == ["~\\training\\.venv", "~/tensorflow · WSL Ubuntu-22.04"]
    assert table.columnWidth(3) >= table._badge_width(0)
