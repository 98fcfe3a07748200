from __future__ import annotations

import json

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.telemetry.export import CSV_COLUMNS, sample_json, sample_row

SAMPLE = Sample(
    key=DeviceKey("this", "0/1"),
    taken_at=1_800_000_000.25,
    monotonic_s=5.0,
    values={Metric.UTILIZATION_PCT: 0.0, Metric.MEMORY_USED_BYTES: 85_899_345_920.0, Metric.POWER_W: 250.125},
    absent={Metric.FAN_PCT: Message("telemetry.not-recorded")},
    throttle_reasons=(),
    processes=(GpuProcess(pid=7, name="secret", user="somebody"),),
)


def test_a_missing_reading_is_an_empty_cell_and_zero_is_zero() -> None:
    row = dict(zip(CSV_COLUMNS, sample_row(SAMPLE), strict=True))

    assert row["time"] == "2027-01-15T08:00:00.250Z"
    assert row["device"] == "0/1"
    assert row["utilization_pct"] == "0"
    assert row["memory_used_bytes"] == "85899345920"
    assert row["power_w"] == "250.125"
    assert row["fan_pct"] == ""
    assert row["throttle_reasons"] == "none"


def test_json_holds_a_schema_reasons_and_nobody_s_name() -> None:
    row = sample_json(SAMPLE)

    assert row["schema"] == 1
    assert row["absent"] == {"fan_pct": "telemetry.not-recorded"}
    assert row["processes"] == [{"pid": 7, "kind": "compute", "memory_used_bytes": None}]
    assert "secret" not in json.dumps(row)
    assert "somebody" not in json.dumps(row)


def test_a_lost_device_has_its_reason() -> None:
    lost = Sample(
        key=SAMPLE.key, taken_at=0.0, monotonic_s=0.0, liveness=Liveness.LOST, error=Message("x.y", {"detail": "z"})
    )

    assert sample_json(lost)["error"] == {"id": "x.y", "params": {"detail": "z"}}
    assert sample_row(lost)[CSV_COLUMNS.index("liveness")] == "lost"
    assert sample_row(lost)[-1] == ""
