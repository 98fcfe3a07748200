"""The page that makes an environment in the window, over a made-up plan and a made-up making."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from gpuconfig_app.ui.environment_making import MAKING, making_of
from gpuconfig_app.ui.pages.make_environment.plan_desk import desk_of
from gpuconfig_app.ui.pages.make_environment_page import MakeEnvironmentPage
from gpuconfig_app.ui.widgets.verdict_banner import VerdictBanner
from tests.ui.environment_plans import (
    make_lines,
    make_plan,
)


class Window:
    """The page in the window over a fake state.

    Args:
        state: Whose desk and making tests fill.
    """

    def __init__(self, state, shell) -> None:
        self.state, self.shell = state, shell
        self.desk, self.making = desk_of(state), making_of(state)
        self.desk.plan, self.desk.choices, self.desk.is_thorough = make_plan(), make_plan(), True
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
