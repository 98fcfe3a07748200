"""Take the readings elsewhere: a CSV of what was measured, a picture of the page."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from gpuconfig_app.core.errors import StorageError
from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.storage.places import write_text
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.notice import Notice
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button


class MonitorExport:
    """The button with its two choices.

    Args:
        page: What a picture is taken of.

    Attributes:
        button: For the head of the page.
    """

    def __init__(self, state: AppState, page: QWidget) -> None:
        self._state = state
        self._page = page
        self.button = Button(QCoreApplication.translate("MonitorExport", "Export"), OUTLINED, "download")
        self.button.setObjectName("export")
        menu = QMenu(self.button)
        menu.addAction(QCoreApplication.translate("MonitorExport", "Readings as CSV…"), self._ask_csv)
        menu.addAction(QCoreApplication.translate("MonitorExport", "Picture as PNG…"), self._ask_png)
        self.button.setMenu(menu)

    def save_csv(self, path: Path) -> None:
        """Write all readings since the machine was opened."""
        history, clock = self._state.sampling.history, self._state.workbench.clock
        offset_s = clock.now() - clock.monotonic()
        self._state.background.run(
            "export", lambda _: write_text(path, readings_csv(history, offset_s)), lambda _: self._done(path)
        )

    def save_png(self, path: Path) -> None:
        """Write a picture of the page as it is shown."""
        image = self._page.grab().toImage()

        def work(_: JobControl) -> None:
            if not image.save(str(path)):
                raise StorageError(Message("core.cannot-write", {"path": str(path), "detail": "PNG"}))

        self._state.background.run("export", work, lambda _: self._done(path))

    def _ask_csv(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self._page,
            QCoreApplication.translate("MonitorExport", "Save the readings"),
            "gpu-readings.csv",
            "CSV (*.csv)",
        )
        if path:
            self.save_csv(Path(path))

    def _ask_png(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self._page,
            QCoreApplication.translate("MonitorExport", "Save the picture"),
            "gpu-monitor.png",
            "PNG (*.png)",
        )
        if path:
            self.save_png(Path(path))

    def _done(self, path: Path) -> None:
        self._state.post(Notice("export", Severity.GOOD, Message("ui.exported", {"path": str(path)})))


def readings_csv(history: History, offset_s: float) -> str:
    """Give all readings as CSV: time (ISO 8601), device, metric with its unit, value; gaps are left out.

    Args:
        offset_s: Wall time minus monotonic time.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("time", "device", "metric", "value"))
    for key in history.keys:
        for metric in Metric:
            series = history.series(key, metric)
            for moment, value in zip(series.times, series.values, strict=True):
                if value == value:  # not-a-number marks a gap
                    time = datetime.fromtimestamp(moment + offset_s).astimezone().isoformat(timespec="milliseconds")
                    writer.writerow((time, key.device, metric.value, f"{value:.9g}"))
    return buffer.getvalue()
