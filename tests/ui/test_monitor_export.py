"""Readings taken elsewhere: what the CSV holds, and a write that fails is told."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel

from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.monitor_export import MonitorExport, readings_csv
from tests.ui.fakes_ui import NOW
from tests.ui.graphs import fall_silent, fill


@pytest.fixture
def export(state, qtbot):
    page = QLabel("page")
    qtbot.addWidget(page)
    made = MonitorExport(state, page)
    qtbot.addWidget(made.button)
    return made


@pytest.fixture
def posted(state):
    heard = []
    state.notice_posted.connect(heard.append)
    state.background.failed.connect(state.post_error)
    return heard


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_one_row_a_reading_with_time_device_metric_and_value():
    history = History()
    fill(history, 0, [1000.0, 1001.0], {1000.0: 40.0, 1001.0: 0.0}.__getitem__)
    fill(history, 1, [1000.5], lambda _: 12_884_901_888.0, Metric.MEMORY_USED_BYTES)

    rows = table(readings_csv(history, NOW - 1000.0))

    assert [(row["device"], row["metric"], row["value"]) for row in rows] == [
        ("0", "utilization_pct", "40"),
        ("0", "utilization_pct", "0"),
        ("1", "memory_used_bytes", "1.28849019e+10"),
    ]
    assert datetime.fromisoformat(rows[0]["time"]).timestamp() == pytest.approx(NOW)


def test_gap_is_left_out_and_never_written_as_zero():
    history = History()
    fill(history, 0, [1000.0])
    fall_silent(history, 0, 1001.0)
    fill(history, 0, [1002.0])

    rows = table(readings_csv(history, 0.0))

    assert [row["value"] for row in rows] == ["50", "50"]
    assert "nan" not in readings_csv(history, 0.0)


def test_no_readings_give_only_the_heads():
    assert readings_csv(History(), 0.0) == "time,device,metric,value\n"


def test_file_is_written_and_told(state, export, posted, tmp_path):
    fill(state.sampling.history, 0, [1000.0])
    path = tmp_path / "readings.csv"

    export.save_csv(path)
    state.background.finish("export")

    assert len(table(path.read_text(encoding="utf-8"))) == 1
    assert [notice.severity for notice in posted] == [Severity.GOOD]
    assert str(path) in state.text(posted[0].message)


def test_failing_write_is_told_with_its_place(state, export, posted, tmp_path):
    (tmp_path / "folder.csv").mkdir()

    export.save_csv(tmp_path / "folder.csv")
    state.background.finish("export")

    assert [notice.severity for notice in posted] == [Severity.BLOCKED]
    assert "folder.csv" in state.text(posted[0].message)


def test_picture_is_written(state, export, posted, tmp_path):
    path = tmp_path / "page.png"

    export.save_png(path)
    state.background.finish("export")

    assert not QImage(str(path)).isNull()
    assert [notice.severity for notice in posted] == [Severity.GOOD]


def test_failing_picture_is_told(state, export, posted, tmp_path):
    export.save_png(tmp_path / "nowhere" / "page.png")
    state.background.finish("export")

    assert [notice.severity for notice in posted] == [Severity.BLOCKED]


def test_menu_offers_both(export, monkeypatch, tmp_path, state):
    chosen = {"CSV": tmp_path / "a.csv", "PNG": tmp_path / "b.png"}
    monkeypatch.setattr(
        "gpuconfig_app.ui.monitor_export.QFileDialog.getSaveFileName",
        lambda _parent, _title, _name, kinds: (str(chosen[kinds[:3]]), kinds),
    )

    for action in export.button.menu().actions():
        action.trigger()
        state.background.finish("export")

    assert all(Path(path).exists() for path in chosen.values())


def test_cancelled_dialog_writes_nothing(export, monkeypatch, state):
    monkeypatch.setattr("gpuconfig_app.ui.monitor_export.QFileDialog.getSaveFileName", lambda *_: ("", ""))

    for action in export.button.menu().actions():
        action.trigger()

    assert state.background.asked == []
