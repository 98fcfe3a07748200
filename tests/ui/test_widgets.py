"""The small parts: what they show, what keys do, what screen readers hear, and that both themes paint them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget

from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.ui.models.machine_rows import MachineRows
from gpuconfig_app.ui.theme import DARK, LIGHT
from gpuconfig_app.ui.widgets.buttons import PRIMARY, Button, square_button
from gpuconfig_app.ui.widgets.command_line import COPIED_MS, CommandLine, CopyButton
from gpuconfig_app.ui.widgets.finding_card import FindingCard, FindingLink, FindingShown
from gpuconfig_app.ui.widgets.focus_ring import FocusRing
from gpuconfig_app.ui.widgets.key_values import KeyValues
from gpuconfig_app.ui.widgets.labels import ElidedLabel
from gpuconfig_app.ui.widgets.metric_strip import Metric, MetricStrip
from gpuconfig_app.ui.widgets.release_strip import ReleaseShown, ReleaseStrip
from gpuconfig_app.ui.widgets.segmented import SegmentedControl
from gpuconfig_app.ui.widgets.settings_row import SettingsRow
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge, severity_color
from gpuconfig_app.ui.widgets.spinner import Spinner
from gpuconfig_app.ui.widgets.switch import Switch
from gpuconfig_app.ui.widgets.verdict_banner import VerdictBanner
from tests.ui.fakes_ui import make_gpu, make_report

BADGES = (
    "good", "note", "warning", "blocked", "neutral", "idle", "stale", "loading", "recorded", "to_do", "restart",
    "silent", "try",
)  # fmt: skip
CAUSE = FindingShown(
    "blocked",
    "Not ready · main cause",
    "An older cuDNN is loaded first",
    "Convolutions fail.",
    fix_title="Fix: leave the folder out",
    commands=("unset LD_LIBRARY_PATH",),
    changes="Nothing is installed.",
)


def _focus_by_key(widget: QWidget) -> None:
    QApplication.processEvents()
    widget.clearFocus()
    widget.setFocus(Qt.FocusReason.TabFocusReason)


def _colors(widget: QWidget) -> set[str]:
    image = widget.grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


# --- buttons and focus


def test_keyboard_focus_draws_a_ring_outside_the_button(show, qtbot):
    button = show(Button("Go", PRIMARY))

    _focus_by_key(button)

    ring = button.window().findChild(FocusRing)
    assert ring.isVisible()
    assert ring.geometry() == button.geometry().adjusted(-4, -4, 4, 4)


def test_mouse_focus_draws_none(show, qtbot):
    button = show(Button("Go"))

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    button.setFocus(Qt.FocusReason.MouseFocusReason)

    ring = button.window().findChild(FocusRing)
    assert ring is None or not ring.isVisible()


def test_ring_goes_with_the_focus_and_follows_the_button(show, qtbot):
    button = show(Button("Go"))
    _focus_by_key(button)
    ring = button.window().findChild(FocusRing)
    button.move(button.pos() + QPoint(0, 30))
    followed = ring.geometry().top() == button.geometry().top() - 4

    button.clearFocus()

    assert followed
    assert not ring.isVisible()


def test_ring_scrolls_with_its_page(theme, qtbot):
    area, content, button = QScrollArea(), QWidget(), Button("Go")
    qtbot.addWidget(area)
    QVBoxLayout(content).addWidget(button)
    area.setWidget(content)
    area.show()
    area.activateWindow()

    _focus_by_key(button)

    assert content.findChild(FocusRing).parentWidget() is content


def test_button_calls_without_arguments(show, qtbot):
    pressed = []
    button = show(Button("Go", on_click=lambda: pressed.append(True)))

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    assert pressed == [True]


def test_icon_of_a_button_follows_the_theme(show, theme):
    button = show(Button("Go", icon_name="copy"))
    before = button.icon().cacheKey()

    theme.choose(DARK)

    assert button.icon().cacheKey() != before


def test_square_button_has_a_name(show):
    button = show(square_button("x", "Close"))

    assert button.accessibleName() == button.toolTip() == "Close"


def test_copy_button_says_copied_for_two_seconds(show, qtbot):
    button = show(CopyButton("pip install", kind=PRIMARY))

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    after = (button.text(), button.property("kind"))
    with qtbot.waitSignal(button._timer.timeout, timeout=COPIED_MS + 2000):
        pass

    assert QGuiApplication.clipboard().text() == "pip install"
    assert after == ("Copied", "outlined")
    assert (button.text(), button.property("kind")) == ("Copy", PRIMARY)


def test_long_command_is_shortened_in_the_middle_and_copied_whole(show, qtbot):
    command = "pip install " + "package " * 60
    line = show(CommandLine(command))
    line.window().resize(300, 100)

    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)

    assert QGuiApplication.clipboard().text() == command
    assert line.findChild(ElidedLabel).toolTip() == command


# --- badges


@pytest.mark.parametrize("name", [LIGHT, DARK])
@pytest.mark.parametrize("severity", BADGES)
def test_badge_shows_icon_word_and_color(show, theme, severity, name):
    theme.choose(name)
    badge = show(SeverityBadge(severity, "Word"))

    shown = _colors(badge)

    assert severity_color(theme, severity, "bg").name() in shown
    assert severity_color(theme, severity, "border").name() in shown
    assert badge.accessibleName() == "Word"


def test_plain_badge_has_no_box(show, theme):
    badge = show(SeverityBadge("good", "Fits", is_boxed=False))

    assert theme.color("good.bg").name() not in _colors(badge)


def test_badge_grows_with_its_word(show):
    badge = show(SeverityBadge("good", "Fits"))
    before = badge.sizeHint().width()

    badge.show_state("blocked", "Does not fit at all")

    assert badge.sizeHint().width() > before
    assert (badge.severity, badge.text) == ("blocked", "Does not fit at all")


# --- choices


def test_segments_move_by_keys_and_mouse(show, qtbot):
    control = show(SegmentedControl([("a", "One"), ("b", "Two"), ("c", "Three")]))
    chosen = []
    control.chosen.connect(chosen.append)

    qtbot.keyClick(control, Qt.Key.Key_Right)
    qtbot.keyClick(control, Qt.Key.Key_Left)
    qtbot.keyClick(control, Qt.Key.Key_Left)
    qtbot.mouseClick(control, Qt.MouseButton.LeftButton, pos=QPoint(control.width() - 6, 10))

    assert chosen == ["b", "a", "c"]
    assert control.value == "c"


def test_setting_a_segment_makes_no_signal(show, qtbot):
    control = show(SegmentedControl([("a", "One"), ("b", "Two")]))

    with qtbot.assertNotEmitted(control.chosen):
        control.set_value("b")
        control.set_value("unknown")

    assert control.value == "b"
    assert control.accessibleDescription() == "Two"


def test_switch_toggles_by_space(show, qtbot, theme):
    switch = show(Switch("Wake cards"))
    off = _colors(switch)

    qtbot.keyClick(switch, Qt.Key.Key_Space)

    assert switch.isChecked()
    assert theme.color("accent").name() in _colors(switch) - off


def test_settings_row_names_its_control(show):
    row = show(SettingsRow("Interval", "Between two looks", SegmentedControl([("a", "One")])))

    assert row.findChild(SegmentedControl).accessibleName() == "Interval"
    assert row.matches("LOOKS")
    assert not row.matches("heat")


# --- findings


def test_main_cause_has_the_filled_button(show):
    card = show(FindingCard(CAUSE, is_primary=True))

    kinds = [button.property("kind") for button in card.findChildren(CopyButton)]

    assert kinds == [PRIMARY]
    assert card.accessibleName() == "Not ready · main cause. An older cuDNN is loaded first"


def test_further_finding_folds_to_one_line(show, qtbot):
    card = show(FindingCard(CAUSE, is_folded=True))
    folded = card.sizeHint().height()

    qtbot.mouseClick(card._toggle, Qt.MouseButton.LeftButton)

    assert folded == 44
    assert not card.is_folded
    assert card.sizeHint().height() > folded
    assert [button.property("kind") for button in card.findChildren(CopyButton)] == ["outlined"]


def test_edge_has_the_color_of_the_severity(show, theme):
    card = show(FindingCard(CAUSE, is_primary=True))
    image = card.grab().toImage()

    assert image.pixelColor(1, image.height() // 2).name() == theme.color("blocked.fg").name()


def test_links_of_a_finding_are_called(show, qtbot):
    followed = []
    shown = FindingShown("note", "Note", "Title", "Text", links=(FindingLink("Source", lambda: followed.append(1)),))
    card = show(FindingCard(shown))
    link = next(button for button in card.findChildren(Button) if button.text() == "Source")

    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)

    assert followed == [1]


# --- releases


@pytest.fixture
def strip(show):
    made = show(ReleaseStrip())
    made.show_releases(
        [
            ReleaseShown("2.17", "note", "Works, with a note", "needs NumPy 1"),
            ReleaseShown("2.18", "good", "Works"),
            ReleaseShown("2.19", "good", "Works"),
            ReleaseShown("2.20", "good", "Works", is_installed=True),
            ReleaseShown("2.21", "good", "Works"),
        ]
    )
    return made


def test_neighbours_with_the_same_verdict_share_a_bar(strip):
    assert [len(group) for group in strip.groups] == [1, 4]


def test_arrow_keys_read_the_releases(strip, qtbot):
    first = strip.accessibleDescription()
    qtbot.keyClick(strip, Qt.Key.Key_Home)

    assert first == "TensorFlow 2.20: Works."
    assert strip.accessibleDescription() == "TensorFlow 2.17: Works, with a note. needs NumPy 1"


def test_enter_and_press_choose_a_release(strip, qtbot):
    chosen = []
    strip.release_chosen.connect(chosen.append)

    qtbot.keyClick(strip, Qt.Key.Key_Return)
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(3, 10))

    assert chosen == ["2.20", "2.17"]


def test_empty_strip_paints_nothing_and_takes_keys(show, qtbot):
    empty = show(ReleaseStrip())

    qtbot.keyClick(empty, Qt.Key.Key_Right)

    assert empty.releases == ()


# --- the rest


def test_banner_is_named_by_word_and_sentence(show):
    banner = show(VerdictBanner())

    banner.show_verdict("blocked", "Not ready", "An older cuDNN is loaded first.", "meta")

    assert banner.accessibleName() == "Not ready. An older cuDNN is loaded first."
    assert banner.severity == "blocked"


@pytest.mark.parametrize("severity", ["good", "note", "warning", "blocked", "neutral"])
def test_banner_takes_the_colors_of_its_severity(show, theme, severity):
    banner = show(VerdictBanner())

    banner.show_verdict(severity, "Word", "Sentence")

    image = banner.grab().toImage()
    assert image.pixelColor(image.width() // 2, 6).name() == theme.color(f"{severity}.bg").name()


def test_tiles_are_read_out(show):
    strip = show(MetricStrip())

    strip.show_metrics([Metric("Memory", "431", "GiB", "of 640"), Metric("Power", "4.6", "kW")])

    assert strip.accessibleName() == "Memory 431 GiB of 640, Power 4.6 kW"


def test_facts_are_replaced(show):
    values = show(KeyValues())
    values.show_rows([("Processor", "EPYC", ""), ("Driver", "580", "runs CUDA up to 13.0")])

    values.show_rows([("Processor", "Xeon", "")])

    assert values.rows == (("Processor", "Xeon", ""),)
    shown = [label.text() for label in values.findChildren(ElidedLabel) if label.isVisibleTo(values)]
    assert shown == ["Xeon"]


def test_rows_of_a_machine(theme, state):
    rows = {
        row.label: (row.value, row.remark) for row in MachineRows(state).rows(make_report((make_gpu(), make_gpu(1))))
    }

    assert rows["Processor"] == ("Threadripper PRO 5965WX, 24 cores", "")
    assert rows["Memory"] == ("128 GiB, 96 GiB free", "")
    assert rows["Disk"] == ("2 TB NVMe, 1.21 TB free", "")
    assert rows["System"] == ("Ubuntu 24.04 LTS, kernel 6.8.0", "")
    assert rows["Driver"] == ("580.126.09", "runs CUDA up to 13.0")
    assert rows["GPU link"] == ("PCIe 4.0, no NVLink", "")


def test_unknown_facts_are_left_out(theme, state):
    labels = [row.label for row in MachineRows(state).rows(SystemReport())]

    assert labels == ["System"]


def test_elided_label_tells_all_in_its_tool_tip(show):
    label = show(ElidedLabel("/very/long/path" * 20))
    label.window().resize(200, 60)

    assert label.toolTip() == label.text()
    label.setText("short")
    assert label.toolTip() == ""


def test_spinner_appears_only_after_a_while(show, qtbot):
    spinner = show(Spinner())
    spinner.start()
    at_once = spinner.is_turning

    qtbot.waitUntil(lambda: spinner.is_turning, timeout=3000)
    spinner.stop()

    assert not at_once
    assert not spinner.is_turning
