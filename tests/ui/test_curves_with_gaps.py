"""Curves whose readings stop and go on: a gap is a gap, never a line to nowhere and never a slow one."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from gpuconfig_app.core.clock import SystemClock
from gpuconfig_app.core.sample import DeviceKey, Metric
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.storage.settings import Settings
from gpuconfig_app.telemetry.sources.recorded import part_of
from gpuconfig_app.ui.live_sampling import LiveSampling
from gpuconfig_app.ui.widgets.spark_curve import SparkCurve
from gpuconfig_app.workbench.machine import OpenMachine
from tests.ui.real_window import machine_folder

WHITE = QColor("white")


def test_a_missing_reading_is_a_gap_in_the_spark_curve(qapp: QApplication) -> None:
    curve = SparkCurve(60.0)
    before, after = range(0, 21, 5), range(28, 61, 4)
    curve.set_points([*((float(at), 50.0) for at in before), (20.1, math.nan), *((float(at), 50.0) for at in after)])
    picture = QImage(60, 40, QImage.Format.Format_ARGB32)
    picture.fill(0)

    painter = QPainter(picture)
    curve.paint(painter, QRectF(0, 0, 60, 40), WHITE, WHITE)
    painter.end()

    inked = [any(QColor.fromRgba(picture.pixel(x, y)).alpha() for y in range(2, 40)) for x in range(60)]
    assert all(inked[2:19])
    assert not any(inked[22:27])
    assert all(inked[30:58])


def test_recorded_readings_leave_no_gaps_where_slow_and_fast_ones_come_apart() -> None:
    recorded = load_machine(Path(machine_folder("8xh100")))
    sampling = LiveSampling(SystemClock(), lambda sample: None)
    machine = OpenMachine(recorded.report, recorded.name, recorded.title, recorded.samples)

    sampling.open(machine, Settings())
    sampling.stop()
    now_s = time.monotonic() + 1
    live = [replace(item, monotonic_s=now_s) for item in recorded.samples if item.values][:1]
    for is_slow in (False, True):
        sampling.history.add(part_of(live[0], is_slow=is_slow))
    key = DeviceKey(recorded.report.machine_id, "0")
    series = sampling.history.series(key, Metric.UTILIZATION_PCT)
    slow = sampling.history.series(key, Metric.PCIE_TX_BYTES_S)

    assert len(series) > 10
    assert not any(math.isnan(value) for value in series.values)
    assert not any(math.isnan(value) for value in slow.values)
