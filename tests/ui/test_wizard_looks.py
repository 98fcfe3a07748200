"""How the steps look and are reached: nothing cut, nothing nameless, Tab in the order of the page, no stray windows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from typing_extensions import override

from gpuconfig_app.ui.wizard.steps import STEPS, Step
from tests.ui.clicker import Clicker, write_pictures, write_table
from tests.ui.page_audit import cut_texts, nameless_controls, tab_round, unreached_controls
from tests.ui.real_window import machine_folder

LOOKS = (("dark", "zh_CN"), ("light", "en"))


class ShownWindows(QObject):
    """Notes every window that opens; keep it as event filter of the application while something is done."""

    def __init__(self, app: QApplication, allowed: QWidget) -> None:
        super().__init__()
        self.app = app
        self.allowed = allowed
        self.seen: list[str] = []

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow()
        if is_shown and watched is not self.allowed:
            self.seen.append(f"{type(watched).__name__} {watched.objectName()}")
        return False

    def __enter__(self) -> ShownWindows:
        self.app.installEventFilter(self)
        return self

    def __exit__(self, *_: object) -> None:
        self.app.removeEventFilter(self)


@pytest.fixture
def clicker(qapp) -> Iterator[Clicker]:
    made = Clicker("training-2x4090", (960, 600))
    yield made
    made.close()


def give(clicker: Clicker, template: str, folder: Path) -> None:
    """Choose a task and its data, and go through all steps once."""
    clicker.choose_task(template)
    clicker.next()
    clicker.give_data(
        write_pictures(
            folder / "pictures", ("ants", "bees", "cats", "dogs", "eels", "fish", "goats", "a very long name")
        )
        if template == "image_classification"
        else write_table(folder / "table.csv")
    )
    clicker.walk_to(Step.SCRIPT)
    clicker.wait_for_script()


@pytest.mark.parametrize("template", ["image_classification", "tabular"])
@pytest.mark.parametrize("machine", ["training-2x4090", "no-gpu", "2-unlike-cards"])
def test_every_step_fits_the_smallest_window_in_every_look(clicker, template, machine, tmp_path):
    clicker.real.open_machine(machine_folder(machine))
    give(clicker, template, tmp_path)
    problems: list[str] = []

    for theme, language in LOOKS:
        clicker.real.choose_look(theme, language)
        for step in STEPS:
            clicker.draft.go_to(step)
            clicker.wait_for_plan_or_problem()
            for more in clicker.visible(f"more_{step.value}"):
                more.click()
            clicker.wait_for_plan_or_problem()
            where = f"{step} {language}: "
            problems += [where + text for text in cut_texts(clicker.real.window)]
            problems += [where + "no name: " + text for text in nameless_controls(clicker.real.window)]

    assert not problems, "\n".join(problems)


def test_no_step_opens_a_window_of_its_own(clicker, qapp, tmp_path):
    with ShownWindows(qapp, clicker.real.window) as windows:
        give(clicker, "image_classification", tmp_path)
        clicker.real.choose_look("light", "zh_CN")
        clicker.draft.go_to(Step.TASK)
        clicker.choose_task("tabular")
        clicker.click("next")

    assert windows.seen == []


def test_tab_reaches_every_control_of_every_step_before_the_footer(clicker, tmp_path):
    give(clicker, "tabular", tmp_path)
    problems: list[str] = []

    for step in STEPS:
        clicker.draft.go_to(step)
        clicker.wait_for_plan_or_problem()
        # the field inside a number box hands its focus to the box
        unreached = [text for text in unreached_controls(clicker.real.window) if " in _Number" not in text]
        problems += [f"{step}: {text}" for text in unreached]
        names = [control.objectName() for control in tab_round(clicker.real.window)]
        footer = [names.index(name) for name in ("start_over", "next") if name in names]
        inside = [place for place, name in enumerate(names) if name.startswith(("answer_", "batch_", "way_", "gpu_"))]
        if footer and inside and max(inside) > min(footer):
            problems.append(f"{step}: the footer comes before {names[max(inside)]}")

    assert not problems, "\n".join(problems)


def test_the_keyboard_stays_on_the_page_when_its_step_goes(clicker):
    clicker.find("template_image_classification").setFocus(Qt.FocusReason.TabFocusReason)

    clicker.press(Qt.Key.Key_Return)
    clicker.press(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)

    assert clicker.draft.step is Step.TASK
    focused = QApplication.focusWidget()
    assert focused is not None
    assert focused.objectName() == "stepper"  # it says which step this is


def test_the_page_is_no_higher_than_the_step_that_is_shown(clicker, tmp_path):
    give(clicker, "image_classification", tmp_path)
    clicker.real.window.resize(1280, 1000)

    clicker.draft.go_to(Step.TASK)
    clicker.wait_for_plan_or_problem()

    bars = [bar for bar in clicker.page.findChildren(QWidget, "qt_scrollarea_vcontainer") if bar.isVisible()]
    assert not bars
    assert clicker.find("next", QPushButton).isEnabled()
