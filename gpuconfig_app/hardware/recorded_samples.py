"""Samples of a recorded machine as JSON lines, times relative to the first one.

The first line is a head with kind and schema; every other line is one sample. Used by ``recorded`` and ``recorder``
only; a live recording of the Monitor page is the work of ``telemetry``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gpuconfig_app.core.codec import decode, encode
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.privacy import Redaction, redact
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample

KIND = "telemetry"
SCHEMA = 1
# A day of one sample a second on sixteen cards is 1.4 million; a recording is a stretch, not an archive.
SAMPLE_LIMIT = 1_000_000


def dump_samples(samples: Sequence[Sample], how: Redaction) -> str:
    """Write samples without anything personal: head line, then one line each in order of time."""
    lines = [json.dumps({"document": KIND, "schema": SCHEMA})]
    ordered = sorted(samples, key=lambda sample: (sample.monotonic_s, sample.key))
    start = ordered[0].monotonic_s if ordered else 0.0
    lines += [
        json.dumps(_sample_to_json(redacted_sample(sample, how), start), ensure_ascii=False, separators=(",", ":"))
        for sample in ordered
    ]
    return "\n".join(lines) + "\n"


def redacted_sample(sample: Sample, how: Redaction) -> Sample:
    """Give a sample whose sentences and processes hold nothing personal; the key keeps only the device."""
    return Sample(
        key=DeviceKey("", sample.key.device),
        taken_at=sample.taken_at,
        monotonic_s=sample.monotonic_s,
        values=sample.values,
        absent=redact(sample.absent, how),
        throttle_reasons=sample.throttle_reasons,
        processes=None if sample.processes is None else tuple(redact(item, how) for item in sample.processes),
        liveness=sample.liveness,
        error=redact(sample.error, how),
    )


def load_samples(text: str, machine: str, taken_at: float) -> tuple[Sample, ...]:
    """Read what ``dump_samples`` wrote.

    Args:
        text: Whole file.
        machine: Goes into every key.
        taken_at: Wall time of the first sample, in seconds since the epoch.

    Raises:
        UnusableFileError: A line is broken, the head is missing or of another kind, or there are too many lines.
    """
    lines = text.splitlines()
    if not lines:
        return ()
    _check_head(_parse(lines[0], 1))
    if len(lines) > SAMPLE_LIMIT:
        raise UnusableFileError(Message("host.recording-too-long", {"limit": SAMPLE_LIMIT}))
    return tuple(_read_lines(lines[1:], machine, taken_at))


def _read_lines(lines: Iterable[str], machine: str, taken_at: float) -> Iterable[Sample]:
    for number, line in enumerate(lines, start=2):
        if line.strip():
            yield _sample_from_json(_parse(line, number), number, machine, taken_at)


def _parse(line: str, number: int) -> dict[str, JsonValue]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnusableFileError(Message("host.recording-line-broken", {"line": number})) from error
    if not isinstance(data, dict):
        raise UnusableFileError(Message("host.recording-line-broken", {"line": number}))
    return data


def _check_head(head: Mapping[str, JsonValue]) -> None:
    if head.get("document") != KIND:
        raise UnusableFileError(Message("core.other-kind", {"expected": KIND}))
    schema = head.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise UnusableFileError(Message("core.no-schema", {"expected": KIND}))
    if schema > SCHEMA:
        raise UnusableFileError(Message("core.newer-schema", {"found": schema, "known": SCHEMA}))


def _sample_to_json(sample: Sample, start: float) -> dict[str, JsonValue]:
    line: dict[str, JsonValue] = {
        "t": round(sample.monotonic_s - start, 3),
        "device": sample.key.device,
        "values": {metric.value: _short(value) for metric, value in sample.values.items()},
    }
    if sample.absent:
        line["absent"] = encode(sample.absent)
    if sample.throttle_reasons is not None:
        line["throttle"] = list(sample.throttle_reasons)
    if sample.processes is not None:
        line["processes"] = encode(sample.processes)
    if sample.liveness is not Liveness.LIVE:
        line["liveness"] = sample.liveness.value
    if sample.error is not None:
        line["error"] = encode(sample.error)
    return line


def _short(value: float) -> int | float:
    return int(value) if float(value).is_integer() else round(value, 3)


def _sample_from_json(data: Mapping[str, JsonValue], number: int, machine: str, taken_at: float) -> Sample:
    where = f"line {number}"
    offset = decode(float, data.get("t"), f"{where}.t")
    values = decode(dict[str, float], data.get("values", {}), f"{where}.values")
    if not math.isfinite(offset) or not all(math.isfinite(value) for value in values.values()):
        raise UnusableFileError(Message("host.recording-line-broken", {"line": number}))
    known = {metric.value for metric in Metric}
    processes = _optional(tuple[GpuProcess, ...], data, "processes", where)
    throttle = _optional(tuple[str, ...], data, "throttle", where)
    absent = decode(dict[str, Message], data.get("absent", {}), f"{where}.absent")
    return Sample(
        key=DeviceKey(machine, decode(str, data.get("device"), f"{where}.device")),
        taken_at=taken_at + offset,
        monotonic_s=offset,
        values={Metric(name): value for name, value in values.items() if name in known},
        absent={Metric(name): reason for name, reason in absent.items() if name in known},
        throttle_reasons=throttle,
        processes=processes,
        liveness=decode(Liveness, data.get("liveness", Liveness.LIVE.value), f"{where}.liveness"),
        error=_optional(Message, data, "error", where),
    )


def _optional(kind: Any, data: Mapping[str, JsonValue], name: str, where: str) -> Any:  # Any: type forms
    return decode(kind, data[name], f"{where}.{name}") if data.get(name) is not None else None
