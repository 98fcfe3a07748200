"""Compatibility over recorded machines: the cause first, its ways out, needed beside found, releases, sources."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from gpuconfig_app.core.finding import Proven, Verdict
from gpuconfig_app.ui.pages.compatibility_page import CompatibilityPage
from gpuconfig_app.ui.question import Question
from gpuconfig_app.ui.state import CHECK
from gpuconfig_app.ui.widgets.buttons import PRIMARY, Button
from gpuconfig_app.ui.widgets.command_line import CommandLine
from gpuconfig_app.ui.widgets.finding_card import FindingCard
from gpuconfig_app.ui.widgets.ways_card import WaysCard
from tests.ui.fakes_ui import FakeState, make_compat, make_environments, make_gpu, make_report
from tests.ui.verdicts import show


@pytest.fixture
def page(state: FakeState, qtbot):
    made = CompatibilityPage(state)
    qtbot.addWidget(made)
    made.resize(1104, 800)
    made.show()
    return made


def cards(page: CompatibilityPage) -> list[FindingCard]:
    return [item for item in page._findings.cards if isinstance(item, FindingCard)]


def ways(page: CompatibilityPage) -> WaysCard | None:
    return next((item for item in page._findings.cards if isinstance(item, WaysCard)), None)


# --- what is shown first


def test_before_the_verdict_it_says_that_it_looks(page):
    assert page._findings.banner.isVisible()
    assert page._findings.banner.word == "Looking…"
    assert not page._table_card.isVisible()
    assert not page._releases.isVisible()


def test_ready_machine_has_a_banner_and_no_cause(page, state, judged):
    show(state, judged("training-2x4090"))

    assert (page._findings.banner.severity, page._findings.banner.word) == ("good", "Should be ready for TensorFlow")
    assert cards(page) == []
    assert ways(page) is None


def test_proven_machine_is_ready(page, state):
    state.show(make_report((make_gpu(),)), make_compat(proven=Proven.TRUE))

    assert page._findings.banner.word == "Ready for TensorFlow"


@pytest.mark.parametrize(
    ("machine", "title", "mark"),
    [
        ("rtx5090-stock-wheels", "TensorFlow 2.20.0 cannot run on this card", "blocked"),
        ("windows-native", "No TensorFlow after 2.10 uses a GPU on native Windows", "blocked"),
        ("cudnn-shadowed", "An older cuDNN is loaded first", "blocked"),
        ("driver-library-mismatch", "Driver library and kernel module differ", "blocked"),
        ("no-gpu", "No GPU in this machine", "warning"),
    ],
)
def test_main_cause_comes_first_and_alone_has_the_filled_button(page, state, judged, machine, title, mark):
    marks = []
    page.attention_changed.connect(marks.append)
    show(state, judged(machine))

    first, *others = cards(page)
    filled = [item for item in page.findChildren(Button) if item.property("kind") == PRIMARY and item.isVisible()]

    assert first.shown.title == title
    assert not first.is_folded
    assert all(card.is_folded for card in others)
    assert len(filled) <= 1
    assert not page._findings.banner.isVisible()
    assert marks[-1] == mark


def test_further_findings_are_folded_to_one_line_each(page, state, judged):
    show(state, judged("driver-library-mismatch"))

    others = cards(page)[1:]

    assert [card.shown.title for card in others] == [
        "CUDA 11.2 is not installed on the system",
        "The first start is slow on this card",
        "Driver branch R470 got its last corrections in 2024",
    ]
    assert {card.sizeHint().height() for card in others} == {44}


def test_note_beside_a_good_verdict_stays_folded(page, state, judged):
    show(state, judged("2-unlike-cards"))

    assert page._findings.banner.word == "Ready, with a note"
    assert cards(page)[0].shown.title == "The cards are unlike"
    assert all(card.is_folded for card in cards(page))


def test_machine_that_is_well_marks_nothing(page, state, judged):
    marks = []
    page.attention_changed.connect(marks.append)

    show(state, judged("training-2x4090"))

    assert marks[-1] == ""


# --- ways out


def test_first_command_is_copied_whole(page, state, judged, qtbot):
    compat = show(state, judged("rtx5090-stock-wheels"))
    line = cards(page)[0].findChild(CommandLine)

    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)

    assert compat.primary is not None
    assert QGuiApplication.clipboard().text() == compat.primary.fixes[0].commands[0]


def test_other_ways_are_numbered_and_their_commands_copied(page, state, judged, qtbot):
    compat = show(state, judged("rtx5090-stock-wheels"))
    assert compat.primary is not None
    commands = [command for fix in compat.primary.fixes[1:] for command in fix.commands]

    lines = ways(page).findChildren(CommandLine)
    for line in lines:
        qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)

    assert [line.accessibleName() for line in lines] == commands
    assert QGuiApplication.clipboard().text() == commands[-1]
    assert all(line.button.property("kind") != PRIMARY for line in lines)


def test_single_way_needs_no_second_card(page, state, judged):
    compat = show(state, judged("visible-devices-hide-the-card"))

    assert compat.primary is not None
    assert len(compat.primary.fixes) == 1
    assert ways(page) is None


# --- sources


def test_source_of_the_main_cause_is_shown_with_what_was_seen(page, state, judged):
    compat = show(state, judged("rtx5090-stock-wheels"))
    shown = page._side.shown

    assert compat.primary is not None
    assert shown.subject == "TensorFlow 2.20.0 cannot run on this card"
    assert "Compute capability: 12.0" in shown.seen
    assert shown.title == compat.primary.source.title
    assert shown.checked.startswith("Checked on 2026-")


def test_selected_row_shows_its_own_source_in_full(page, state, judged):
    show(state, judged("cpu-only-wheel"))

    page._table.choose("cuda_libraries")

    shown = page._side.shown
    assert shown.subject.startswith("CUDA libraries")
    assert "nvidia-nccl-cu12" in shown.seen[0]
    assert "…" not in shown.seen[0]
    assert "wheel" in shown.title


def test_well_machine_begins_with_the_first_row(page, state, judged):
    show(state, judged("training-2x4090"))

    assert page._table.currentIndex().row() == 0
    assert page._side.shown.subject.startswith("GPU driver")


def test_selected_row_survives_another_check(page, state, judged):
    judgement = judged("training-2x4090")
    show(state, judgement)
    page._table.choose("python")

    state.compat_changed.emit(judgement[2])

    assert page._side.shown.subject.startswith("Python")


def test_what_the_machine_itself_says_has_no_document(page, state, judged):
    show(state, judged("training-2x4090"))

    page._table.choose("disk")

    assert page._side.shown.title == ""
    assert page._side.shown.seen[0].endswith("free")


def test_link_of_a_finding_shows_its_source(page, state, judged, qtbot):
    show(state, judged("driver-library-mismatch"))
    other = cards(page)[1]

    other.shown.links[0].on_click()

    assert page._side.shown.subject == other.shown.title


# --- releases


def test_releases_are_those_of_the_check(page, state, judged):
    compat = show(state, judged("rtx5090-stock-wheels"))
    strip = page._releases.strip

    assert [item.name for item in strip.releases] == [item.series for item in compat.releases]
    assert [len(group) for group in strip.groups] == [11, 3]
    assert [item.name for item in strip.releases if item.is_installed] == ["2.20"]


def test_press_on_a_release_judges_it(page, state, judged):
    show(state, judged("training-2x4090"))
    asked = []

    for series in ("2.18", "2.21"):
        page._releases.strip.release_chosen.emit(series)
        asked.append(state.question.tensorflow)

    assert asked == ["2.18.1", None]
    assert state.calls.count(("check", None)) == 2


def test_choice_of_the_release_judges_it_and_stays(page, state, judged):
    judgement = judged("training-2x4090")
    show(state, judgement)
    row = page._choice.versions.findData("2.16.2")

    page._choice.versions.setCurrentIndex(row)
    page._choice.versions.activated.emit(row)
    state.compat_changed.emit(judgement[2])

    assert state.question == Question("2.16.2")
    assert page._choice.versions.currentData() == "2.16.2"
    assert page._choice.versions.itemText(0) == "TensorFlow 2.21.0, installed"


def test_other_machine_begins_with_what_is_installed(page, state, judged):
    show(state, judged("training-2x4090"))
    page._choose_release("2.16.2")

    show(state, judged("cudnn-shadowed"))

    assert page._choice.versions.currentIndex() == 0


def test_all_reasons_are_shown_on_demand(page, state, judged, qtbot):
    compat = show(state, judged("rtx5090-stock-wheels"))
    before = page._releases.reasons
    button = page.findChild(Button, "all_reasons")

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    shown = page._releases.reasons
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    assert before == page._releases.reasons == ()
    assert len(shown) == len(compat.releases)
    assert all(shown)
    assert "in the chosen environment" in shown[[item.series for item in reversed(compat.releases)].index("2.20")]


# --- choice of the environment, busy, narrow


def test_environment_is_chosen_from_the_list(page, state):
    report = make_report((make_gpu(),))
    state.show(report, make_compat(), environment=report.environments[0])
    names = [page._choice.environments.itemText(row) for row in range(page._choice.environments.count())]

    page._choice.environments.activated.emit(2)

    assert len(names) == len(make_environments())
    assert "Python 3.12.8" in names[0]
    assert page._choice.environments.currentData() == report.environments[0].executable
    assert ("select_python", report.environments[2].executable) in state.calls


def test_no_environment_says_so(page, state):
    state.show(make_report((make_gpu(),), environments=()), make_compat(Verdict.UNKNOWN))

    assert page._choice.environments.currentText() == "No Python environment found"
    assert not page._choice.environments.isEnabled()
    assert page._choice.versions.itemText(0) == "What is installed: none"
    assert page._findings.banner.word == "A test must decide"
    assert page._findings.banner.severity == "neutral"


def test_check_again_waits_for_the_one_under_way(page, state, judged, qtbot):
    show(state, judged("training-2x4090"))
    state.background.busy.add(CHECK)
    state.busy_changed.emit(CHECK, True)
    during = (page._again.isEnabled(), page._when.text())

    state.background.busy.clear()
    state.busy_changed.emit(CHECK, False)
    qtbot.mouseClick(page._again, Qt.MouseButton.LeftButton)

    assert during == (False, "Checking…")
    assert page._when.text().startswith("Checked ")
    assert ("refresh", None) in state.calls


def test_other_verdict_replaces_everything_of_the_former(page, state, judged, qapp):
    show(state, judged("rtx5090-stock-wheels"))
    show(state, judged("training-2x4090"))
    qapp.processEvents()

    assert cards(page) == []
    assert [item for item in page.findChildren(FindingCard) if item.isVisible()] == []


def test_source_fills_the_height_beside_the_table(page, state, judged, qapp):
    show(state, judged("training-2x4090"))
    qapp.processEvents()

    side, table = page._side.geometry(), page._table_card.geometry()
    assert side.bottom() == pytest.approx(table.bottom(), abs=2)
    assert page._proof_place.y() == table.y()
    assert page._proof_place.geometry().bottom() < side.top()
    assert page._proof_place.x() == side.x() > table.right()


def test_source_goes_below_the_table_where_it_is_narrow(state, qtbot, judged, qapp):
    page = CompatibilityPage(state)
    qtbot.addWidget(page)
    page.resize(784, 600)
    page.show()
    show(state, judged("training-2x4090"))
    qapp.processEvents()

    assert page.is_narrow
    assert page._side.y() > page._table_card.y()
    assert page._side.width() == page._table_card.width()


def test_blocked_machine_leads_to_all_its_ways(page, state, judged):
    show(state, judged("windows-native"))
    card = cards(page)[0]

    link = next(item for item in card.findChildren(Button) if item.text() == "All ways, step by step")
    link.click()

    assert state.calls[-1] == ("navigate", ("ways_on", {}))


def test_cause_with_nothing_more_to_say_has_no_further_page(page, state, judged):
    show(state, judged("cudnn-shadowed"))

    assert all(item.text() != "All ways, step by step" for item in page.findChildren(Button))
