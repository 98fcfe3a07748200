"""The wizard in the real window, used as a person does: by what is seen, never past a disabled control."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QSpinBox, QWidget

from gpuconfig_app.ui.pages.new_script_page import NewScriptPage
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.code_view import LogView
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.steps import STEPS, Step
from tests.ui.real_window import RealWindow, machine_folder, settle, wait_until


class Clicker:
    """Finds what is seen on the page and uses it.

    Args:
        machine: Recorded machine by name.
    """

    def __init__(self, machine: str, size: tuple[int, int] = (1280, 800)) -> None:
        self.real = RealWindow(machine_folder(machine), size)
        self.real.window.activateWindow()
        self.real.open_page("new_script")

    @property
    def state(self) -> AppState:
        return self.real.state

    @property
    def page(self) -> NewScriptPage:
        page = self.real.window.page("new_script")
        assert isinstance(page, NewScriptPage)
        return page

    @property
    def draft(self) -> WizardDraft:
        draft = self.state.drafts["wizard"]
        assert isinstance(draft, WizardDraft)
        return draft

    def wait(self, claim: Callable[[], bool], otherwise: str = "it did not happen") -> None:
        wait_until(claim, otherwise)
        settle()

    def find(self, name: str, kind: type[QWidget] = QWidget) -> Any:
        """Give the visible control of that name."""
        found = self.visible(name, kind)
        assert len(found) == 1, f"{name}: {len(found)} visible"
        return found[0]

    def visible(self, name: str, kind: type[QWidget] = QWidget) -> list[QWidget]:
        return [item for item in self.real.window.findChildren(kind, name) if item.isVisible()]

    def click(self, name: str) -> None:
        control = self.find(name)
        assert control.isEnabled(), f"{name} is disabled"
        QTest.mouseClick(control, Qt.MouseButton.LeftButton)
        settle()

    def choose_task(self, template_id: str) -> None:
        self.click(f"template_{template_id}")
        self.wait_for_plan_or_problem()

    def next(self) -> None:
        before = STEPS.index(self.draft.step)
        self.wait(lambda: self.find("next", QPushButton).isEnabled(), f"no way on from {self.draft.step}")
        self.click("next")
        self.wait(lambda: STEPS.index(self.draft.step) == before + 1)

    def walk_to(self, step: Step) -> None:
        while self.draft.step is not step:
            self.next()
        self.wait_for_plan_or_problem()

    def wait_for_plan(self) -> None:
        self.wait(lambda: not self.is_planning() and self.draft.plan is not None, "no plan")

    def wait_for_plan_or_problem(self) -> None:
        self.wait(lambda: not self.is_planning(), "the plan is never ready")

    def is_planning(self) -> bool:
        busy = self.state.background.is_busy
        return self.draft.desk.is_waiting or busy("wizard-plan") or busy("wizard-ways")

    def wait_for_script(self) -> str:
        self.wait(lambda: self.draft.bundle is not None, "no script")
        assert self.draft.bundle is not None
        return self.draft.bundle.file("train.py").content

    def give_data(self, path: Path) -> None:
        self.type_into("data_path", str(path))
        self.wait(lambda: not self.draft.is_scanning, "the scan never ends")
        self.wait_for_plan_or_problem()

    def type_into(self, name: str, text: str) -> None:
        line = self.find(name, QLineEdit)
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)
        settle()

    def choose(self, question: str, value: str) -> None:
        box = self.find(f"answer_{question}", QComboBox)
        row = box.findData(value)
        assert row >= 0, value
        box.setCurrentIndex(row)
        box.activated.emit(row)
        self.wait_for_plan_or_problem()

    def enter_number(self, question: str, text: str) -> None:
        box = self.find(f"answer_{question}", QSpinBox)
        box.setFocus()
        box.selectAll()
        if text:
            QTest.keyClicks(box, text)
        else:
            QTest.keyClick(box, Qt.Key.Key_Delete)
        QTest.keyClick(box, Qt.Key.Key_Return)
        self.wait_for_plan_or_problem()

    def texts(self) -> str:
        """Everything that is written on the page."""
        labels = [item.text() for item in self.page.findChildren(QLabel) if item.isVisible()]
        buttons = [item.text() for item in self.page.findChildren(QPushButton) if item.isVisible()]
        return "\n".join([*labels, *buttons])

    def find_log(self) -> str:
        """What the test run printed so far."""
        log = self.page.findChild(LogView)
        return log.toPlainText() if log is not None else ""

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key where the focus is."""
        focused = self.real.window.focusWidget()
        QTest.keyClick(focused if focused is not None else self.page, key, modifier)
        settle()

    def close(self) -> None:
        self.real.close()


def write_pictures(folder: Path, classes: tuple[str, ...] = ("cats", "dogs"), count: int = 12) -> Path:
    """Write grey pictures of 8 by 8 into class folders."""
    for name in classes:
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number in range(count):
            (folder / name / f"{number:03}.bmp").write_bytes(bitmap(8, number + 20 * classes.index(name)))
    return folder


def write_table(path: Path, rows: int = 240) -> Path:
    """Write a table with numbers, a category and a class to predict."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["length", "weight", "colour", "kind"])
        for row in range(rows):
            writer.writerow([row * 0.5, 100 - row * 0.25, ("red", "green")[row % 2], ("a", "b", "c")[row % 3]])
    return path


def bitmap(side: int, shade: int) -> bytes:
    """A grey BMP picture, 24 bits."""
    row = bytes([shade * 5 % 256] * 3 * side)
    body = row * side
    head = b"BM" + (54 + len(body)).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    info = (40).to_bytes(4, "little") + side.to_bytes(4, "little") * 2 + (1).to_bytes(2, "little")
    info += (24).to_bytes(2, "little") + bytes(4) + len(body).to_bytes(4, "little") + bytes(16)
    return head + info + body
