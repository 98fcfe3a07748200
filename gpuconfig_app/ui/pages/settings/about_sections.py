"""Sections that inform: privacy, files, about."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, QUrl, qVersion
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from gpuconfig_app import __version__
from gpuconfig_app.storage.measured_runs import count_measured_runs, forget_measured_runs, measured_folder
from gpuconfig_app.ui.pages.settings.section import Section
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge

if TYPE_CHECKING:
    from gpuconfig_app.ui.state import AppState

COUNT, FORGET = "measured-count", "measured-forget"

# So long a second press forgets for good.
_SURE_FOR_MS = 8000


class PrivacySection(Section):
    """What leaves the machine: nothing by itself."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__("privacy", "shield", title, parent)
        self.add_row(
            self.tr("Nothing is sent"),
            self.tr("The program works offline. It makes no connection by itself and counts nothing."),
            SeverityBadge("good", self.tr("Offline")),
        )
        self.add_row(
            self.tr("Recorded machines and summaries"),
            self.tr(
                "Leave out serial numbers, user and host names and addresses; card ids become pseudonyms, "
                "your home folder becomes ~."
            ),
        )


class FilesSection(Section):
    """Where the program keeps its files."""

    def __init__(self, state: AppState, title: str, parent: QWidget | None = None) -> None:
        super().__init__("files", "folder", title, parent)
        places = state.workbench.places
        rows = (
            (self.tr("Runs"), self.tr("Test runs and trainings with their logs"), places.runs),
            (self.tr("Log"), self.tr("What went wrong, for a report"), places.logs),
            (self.tr("Settings"), self.tr("One file, read at the start"), places.settings),
        )
        for name, remark, folder in rows:
            button = Button(self.tr("Open"), icon_name="folder-open", scale="small")
            button.setAccessibleName(self.tr("Open {name}").format(name=name))
            button.setToolTip(str(folder))
            button.clicked.connect(lambda *_, shown=folder: _open_folder(shown))
            self.add_row(name, remark, button)
        self._state = state
        self._is_sure, self._count = False, 0
        self._forget = Button(self.tr("Forget"), icon_name="trash-2", scale="small", on_click=self._forget_measured)
        self._forget.setObjectName("forget_measured")
        self._forget.setAccessibleName(self.tr("Forget what runs measured"))
        self._forget.setToolTip(str(measured_folder(places)))
        self.add_row(
            self.tr("Measurements"),
            self.tr("What runs on this machine measured; plans use it instead of the estimate"),
            self._forget,
        )
        self._doubt = QTimer(self)
        self._doubt.setSingleShot(True)
        self._doubt.setInterval(_SURE_FOR_MS)
        self._doubt.timeout.connect(self._ask_first)
        self._forget.setEnabled(False)
        self._ask_first()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask_first()

    def _ask_first(self) -> None:
        """Nothing is forgotten at the first press; with nothing to forget there is nothing to press."""
        self._is_sure = False
        self._forget.setText(self.tr("Forget"))
        places = self._state.workbench.places
        self._state.background.run(COUNT, lambda _: count_measured_runs(places), self._take_count, self._failed)

    def _take_count(self, count: int) -> None:
        self._count = count
        self._forget.setEnabled(count > 0)

    def _forget_measured(self) -> None:
        if not self._is_sure:
            self._is_sure = True
            self._doubt.start()
            self._forget.setText(self.tr("Forget {n} for good").format(n=self._count))
            return
        self._is_sure = False
        self._doubt.stop()
        self._forget.setEnabled(False)
        places = self._state.workbench.places
        self._state.background.cancel(COUNT)
        self._state.background.run(FORGET, lambda _: forget_measured_runs(places), self._forgotten, self._failed)

    def _forgotten(self, count: int) -> None:
        self._forget.setText(self.tr("Forgotten: {n}").format(n=count))

    def _failed(self, error: Exception) -> None:
        self._state.post_error("forget-measured", error)


class AboutSection(Section):
    """Version, licences."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__("about", "info", title, parent)
        versions = self.tr("Python {python}, Qt {qt}").format(python=platform.python_version(), qt=qVersion())
        self.add_row(f"GPUConfig {__version__}", versions)
        self.add_row(
            self.tr("Licences"),
            self.tr("GPUConfig: Apache-2.0. Qt: LGPL. Icons: Lucide, ISC. Fall-back face: Noto Sans SC, OFL."),
        )


def _open_folder(folder: Path) -> None:
    """Show a folder, or the nearest one above it that exists, in the file manager."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(place)))
