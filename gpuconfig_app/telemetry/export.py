"""Samples as rows for other programs: CSV cells with one column per metric, or a JSON object.

Used by ``gpuconfig monitor`` and by the window's export. A missing reading is an empty cell or an absent key, never 0.
"""

from __future__ import annotations

from datetime import UTC, datetime

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.sample import Metric, Sample

ROW_SCHEMA = 1
CSV_COLUMNS = ("time", "machine", "device", "liveness", *(metric.value for metric in Metric), "throttle_reasons")


def sample_row(sample: Sample) -> tuple[str, ...]:
    """Give one sample as CSV cells in the order of ``CSV_COLUMNS``.

    The time is UTC in ISO 8601; metrics are in the unit of their column's name; throttle reasons are joined by a
    space, ``none`` when the clocks are not held down and empty when that is not known.
    """
    reasons = sample.throttle_reasons
    throttle = "" if reasons is None else " ".join(reasons) or "none"
    values = [_number(sample.values.get(metric)) for metric in Metric]
    return (_time(sample), sample.key.machine, sample.key.device, sample.liveness.value, *values, throttle)


def sample_json(sample: Sample) -> dict[str, JsonValue]:
    """Give one sample as a JSON object with a schema number.

    ``absent`` holds the sentence id of the reason of each metric that could not be read.
    """
    row: dict[str, JsonValue] = {
        "schema": ROW_SCHEMA,
        "time": _time(sample),
        "taken_at": round(sample.taken_at, 6),
        "machine": sample.key.machine,
        "device": sample.key.device,
        "liveness": sample.liveness.value,
        "values": {metric.value: value for metric, value in sample.values.items()},
        "absent": {metric.value: reason.id for metric, reason in sample.absent.items()},
    }
    if sample.throttle_reasons is not None:
        row["throttle_reasons"] = list(sample.throttle_reasons)
    if sample.processes is not None:
        row["processes"] = [
            {"pid": process.pid, "kind": process.kind, "memory_used_bytes": process.memory_used_bytes}
            for process in sample.processes
        ]
    if sample.error is not None:
        row["error"] = {"id": sample.error.id, "params": dict(sample.error.params)}
    return row


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if float(value).is_integer() else f"{value:.6g}"


def _time(sample: Sample) -> str:
    moment = datetime.fromtimestamp(sample.taken_at, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
