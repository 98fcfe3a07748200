"""The frame: pages open and close, keyboard, machine chooser, marks, language without restart, geometry."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFileDialog

from gpuconfig_app.core.finding import Severity, Verdict
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.sample import Liveness
from gpuconfig_app.storage.settings import settings_file
from gpuconfig_app.ui.first_look import FirstLook
from gpuconfig_app.ui.notice import Notice
from gpuconfig_app.ui.pages import PAGES, find_page
from gpuconfig_app.ui.window_facts import WindowFacts
from gpuconfig_app.workbench.machine import ShippedMachine
from tests.ui.fakes_ui import lost_gpu, make_compat, make_gpu, make_report, make_sample, make_silence


def test_pages_have_ids_icons_and_importable_names():
    assert len({spec.id for spec in PAGES}) == len(PAGES) == 6
    assert all(":" in spec.factory for spec in PAGES)
    assert find_page("advisor") is None


def test_window_opens_on_the_first_page(open_shell):
    window = open_shell().window

    assert window.page_id == "overview"
    assert window.page("overview").isVisible()
    assert window.rail.item("overview").isChecked()


def test_window_opens_on_the_page_of_last_time(open_shell):
    window = open_shell(FirstLook(theme="light", language="en", last_page="settings")).window

    assert window.page_id == "settings"


def test_unknown_last_page_opens_the_first(open_shell):
    window = open_shell(FirstLook(theme="light", language="en", last_page="gone")).window

    assert window.page_id == "overview"


def test_page_is_built_once_and_left_when_another_opens(open_shell, monkeypatch):
    window = open_shell().window
    first = window.page("overview")
    left = []
    monkeypatch.setattr(first, "on_leave", lambda: left.append(True))

    window.open_page("settings")
    window.open_page("overview")

    assert left == [True]
    assert window.page("overview") is first


def test_state_may_ask_for_a_page(open_shell, state):
    window = open_shell().window

    state.navigate("settings", {"section": "about"})

    assert window.page_id == "settings"


def test_unknown_page_changes_nothing(open_shell):
    window = open_shell().window

    window.open_page("advisor")

    assert window.page_id == "overview"


def test_keyboard_reaches_pages_and_commands(open_shell, state, qtbot):
    window = open_shell().window
    window.activateWindow()

    qtbot.keyClick(window, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
    by_number = window.page_id
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    back = window.page_id
    qtbot.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    by_comma = window.page_id
    qtbot.keyClick(window, Qt.Key.Key_F5)

    assert (by_number, back, by_comma) == ("settings", "overview", "settings")
    assert ("refresh", None) in state.calls


def test_up_and_down_move_between_pages(open_shell, qtbot, monkeypatch):
    window = open_shell().window
    asked = []
    window.rail.page_asked.disconnect()
    window.rail.page_asked.connect(asked.append)
    item = window.rail.item("overview")
    window.activateWindow()
    item.setFocus(Qt.FocusReason.TabFocusReason)

    qtbot.keyClick(item, Qt.Key.Key_Down)
    qtbot.keyClick(window.rail.item("monitor"), Qt.Key.Key_Up)

    assert asked == ["monitor", "overview"]


def test_chooser_names_cards_and_recorded_machine(open_shell, state):
    window = open_shell().window
    state.show(make_report((make_gpu(0), make_gpu(1))))
    live = window.rail.chooser.accessibleDescription()
    state.show(make_report((make_gpu(0),)), recorded=LocalText("lab-a100", "lab-a100"))

    assert live == "2× RTX 4090"
    assert window.rail.chooser.accessibleName() == "Machine: lab-a100"


def test_chooser_counts_what_can_be_used(open_shell, state):
    window = open_shell().window

    state.show(make_report((make_gpu(0), lost_gpu(1))))

    assert window.rail.chooser.accessibleDescription() == "1 of 2 usable"


def test_menu_lists_this_machine_recorded_ones_and_a_folder(open_shell, state):
    window = open_shell().window
    facts = window.findChild(WindowFacts)
    facts._take_machines((ShippedMachine("8xh100", LocalText("Eight H100", "八块 H100")),))

    menu = window.rail.chooser.make_menu()
    actions = {action.text(): action for action in menu.actions() if action.text()}
    _press(actions["Eight H100"])

    output = "Open the output of nvidia-smi or another tool…"
    assert list(actions) == ["This machine", "Recorded machines", "Eight H100", "Open a recorded machine…", output]
    assert ("select_machine", "8xh100") in state.calls


def test_recorded_bar_is_first_and_leads_back(open_shell, state, qtbot):
    window = open_shell().window
    state.show(make_report((make_gpu(0),)), recorded=LocalText("lab-a100", "lab-a100"))
    state.post(Notice("disk", Severity.BLOCKED, Message("core.disk-full-hint")))

    window.recorded.back_asked.emit()

    assert window.recorded.isVisible()
    assert (
        window.recorded.mapTo(window, window.recorded.rect().topLeft()).y()
        < window.messages.mapTo(window, window.messages.rect().topLeft()).y()
    )
    assert ("select_machine", None) in state.calls
    assert "lab-a100" in window.recorded.accessibleName()


@pytest.mark.parametrize(
    ("verdict", "severity"), [(Verdict.BLOCKED, "blocked"), (Verdict.CPU_ONLY, "warning"), (Verdict.READY, "")]
)
def test_verdict_marks_the_page_of_compatibility(open_shell, state, verdict, severity):
    window = open_shell().window

    state.show(make_report((make_gpu(0),)), make_compat(verdict))

    assert window.rail.item("compatibility").severity == severity


def test_sampling_line_tells_live_silent_and_recorded(open_shell, state):
    window = open_shell().window
    state.show(make_report((make_gpu(0),)))
    asking = window.rail.sampling.text
    state.give([make_sample(0)])
    live = window.rail.sampling.text
    state.clock.advance(14)
    state.give([make_silence(0, 14.0, Liveness.SILENT)])
    silent = window.rail.sampling.text
    state.show(make_report((make_gpu(0),)), recorded=LocalText("lab", "lab"))

    assert asking == "Asking the driver…"
    assert live == "Live · every 1 s"
    assert silent == "No answer for 14 s"
    assert window.rail.sampling.text.startswith("Recorded ")


def test_language_changes_without_a_restart(open_shell, state, qtbot):
    shell = open_shell()
    window = shell.window
    state.show(make_report((make_gpu(0),)), make_compat())
    state.post(Notice("disk", Severity.BLOCKED, Message("core.disk-full-hint")))
    window.open_page("settings")

    state.update_settings(language="zh_CN")
    qtbot.waitUntil(lambda: window.rail.item("overview").text() == "概览")
    page = window.page_id
    bar = window.messages.bar("disk").text.lead
    window.open_page("overview")
    word = window.page("overview").banner.word
    state.update_settings(language="en")
    qtbot.waitUntil(lambda: window.rail.item("overview").text() == "Overview")

    assert page == "settings"
    assert bar == "请清理磁盘空间后重试。"
    assert word == "TensorFlow 已就绪"


def test_theme_changes_at_once(open_shell, state, theme):
    open_shell()

    state.update_settings(theme="dark")

    assert theme.is_dark


def test_size_and_page_are_kept(open_shell, state, qapp):
    shell = open_shell()
    shell.window.resize(1111, 777)
    shell.window.open_page("settings")

    shell.window.close_now()

    kept = json.loads(settings_file(state.workbench.places).read_text(encoding="utf-8"))
    assert kept["last_page"] == "settings"
    assert kept["window_geometry"] == shell.window.geometry_text()
    again = open_shell(FirstLook("en", "light", kept["window_geometry"], "settings")).window
    assert again.page_id == "settings"
    assert (again.width(), again.height()) != (1280, 800)


def test_window_fits_960_by_600(open_shell):
    window = open_shell().window

    assert (window.minimumWidth(), window.minimumHeight()) == (960, 600)
    window.resize(960, 600)
    assert (window.width(), window.height()) == (960, 600)


def test_first_page_survives_a_machine_without_report(open_shell, state):
    window = open_shell().window

    state.show(None)
    QApplication.processEvents()

    assert window.page("overview").isVisible()


def test_sampling_interval_is_named_as_it_is_set(open_shell, state):
    window = open_shell().window
    state.settings = replace(state.settings, sampling_interval_s=0.5)
    state.show(make_report((make_gpu(0),)))

    state.give([make_sample(0)])

    assert window.rail.sampling.text == "Live · every 0.5 s"


def _press(action: QAction) -> None:
    action.trigger()


def test_output_of_a_tool_opens_as_a_machine(open_shell, state, monkeypatch):
    window = open_shell().window
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: ("/mail/rocm-smi.json", ""))

    window.rail.chooser.output_asked.emit()

    assert ("select_machine", "/mail/rocm-smi.json") in state.calls
