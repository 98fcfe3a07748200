"""What ``nvidia-smi --query-gpu=… --format=csv`` tells: one row for each card, columns as asked for."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence

from gpuconfig_app.core.gpu import Gpu, ValueOrigin
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware import nvidia_smi_words as words
from gpuconfig_app.hardware.backend import BackendResult, normal_bus_id
from gpuconfig_app.hardware.nvidia_card import pcie_link
from gpuconfig_app.hardware.nvidia_smi import driver_of, status_of, unreadable
from gpuconfig_app.hardware.readings import DeviceReadings

Row = Mapping[str, str]

_MEMORY = {
    "memory_total_bytes": "memory.total",
    "memory_used_bytes": "memory.used",
    "memory_free_bytes": "memory.free",
    "memory_reserved_bytes": "memory.reserved",
}
_READINGS = {
    Metric.UTILIZATION_PCT: "utilization.gpu",
    Metric.MEMORY_UTILIZATION_PCT: "utilization.memory",
    Metric.MEMORY_USED_BYTES: "memory.used",
    Metric.TEMPERATURE_C: "temperature.gpu",
    Metric.MEMORY_TEMPERATURE_C: "temperature.memory",
    Metric.POWER_W: "power.draw",
    Metric.FAN_PCT: "fan.speed",
    Metric.CLOCK_SM_MHZ: "clocks.current.sm",
    Metric.CLOCK_MEMORY_MHZ: "clocks.current.memory",
    Metric.ENCODER_PCT: "utilization.encoder",
    Metric.DECODER_PCT: "utilization.decoder",
}
_MIG_SILENT = (Metric.UTILIZATION_PCT, Metric.MEMORY_UTILIZATION_PCT, Metric.ENCODER_PCT, Metric.DECODER_PCT)


def parse_nvidia_smi_csv(text: str, columns: Sequence[str] | None = None) -> BackendResult:
    """Read the cards.

    Args:
        columns: Names of the columns, when the answer has no head (``noheader``).
    """
    rows = _rows(text, columns)
    if rows is None:
        return unreadable(text)
    gpus = tuple(_gpu(number, row) for number, row in enumerate(rows))
    first: Row = rows[0] if rows else {}
    versions: dict[str, str | Message] = {
        "version": words.version(first.get("kmd_version"), first.get("driver_version")),
        "cuda_version": reasons.NOT_IN_NVIDIA_SMI,
    }
    return BackendResult(status=status_of(gpus), gpus=gpus, driver=driver_of(versions))


def parse_nvidia_smi_csv_readings(text: str, columns: Sequence[str] | None = None) -> tuple[DeviceReadings, ...]:
    """Read the live readings of the same answer; only metrics that have a column are in it."""
    return tuple(_readings(row) for row in _rows(text, columns) or ())


def _rows(text: str, columns: Sequence[str] | None) -> list[Row] | None:
    """Give the rows by column name without unit; None when this is no such table."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("$", "#"))]
    cells = [[cell.strip() for cell in row] for row in csv.reader(lines, skipinitialspace=True)]
    if columns is None:
        if not cells or not any("." in name or name in ("name", "uuid", "index") for name in cells[0]):
            return None
        columns, cells = [name.partition(" [")[0] for name in cells[0]], cells[1:]
    wanted = len(columns)
    return [dict(zip(columns, row, strict=True)) for row in cells if len(row) == wanted]


def _gpu(number: int, row: Row) -> Gpu:
    got = words.Collected()
    index = words.whole(row.get("index"))
    if "name" in row:
        got.put_name(row["name"])
    got.put("uuid", words.value_of(row.get("uuid")))
    bus_id = words.value_of(row.get("pci.bus_id"))
    got.put("pci_bus_id", bus_id if isinstance(bus_id, Message) else normal_bus_id(bus_id))
    capability = words.value_of(row.get("compute_cap"))
    got.put("compute_capability", capability)
    if not isinstance(capability, Message):
        got.found["compute_capability_origin"] = ValueOrigin.CARD
    asked = {name: row[column] for name, column in _MEMORY.items() if column in row}
    got.put_memory(asked, knows_reserved="memory_reserved_bytes" in asked)
    got.put("driver_model", words.word(row.get("driver_model.current"), words.DRIVER_MODELS))
    got.put("display_active", words.switch(row.get("display_active")))
    got.put("persistence_enabled", words.switch(row.get("persistence_mode")))
    got.put("compute_mode", words.word(row.get("compute_mode"), words.COMPUTE_MODES))
    got.put("mig_enabled", words.switch(row.get("mig.mode.current")))
    got.put("ecc_enabled", words.switch(row.get("ecc.mode.current")))
    got.put("power_limit_w", words.amount(row.get("power.limit")))
    links = {
        "generation": words.whole(row.get("pcie.link.gen.current")),
        "max_generation": words.whole(row.get("pcie.link.gen.max")),
        "width": words.whole(row.get("pcie.link.width.current")),
        "max_width": words.whole(row.get("pcie.link.width.max")),
    }
    told = {name: value for name, value in links.items() if isinstance(value, int)}
    if told:
        got.put("pcie", pcie_link(told))
    return got.gpu(number if isinstance(index, Message) else index)


def _readings(row: Row) -> DeviceReadings:
    answers = {metric: words.amount(row[column]) for metric, column in _READINGS.items() if column in row}
    absent = {metric: answer for metric, answer in answers.items() if isinstance(answer, Message)}
    if absent.get(Metric.MEMORY_USED_BYTES) == reasons.NOT_SUPPORTED:
        absent[Metric.MEMORY_USED_BYTES] = reasons.MEMORY_SHARED
    if words.switch(row.get("mig.mode.current")) is True:
        absent |= {metric: reasons.MIG_NOT_FOR_WHOLE_CARD for metric in _MIG_SILENT if metric in absent}
    values = {metric: answer for metric, answer in answers.items() if not isinstance(answer, Message)}
    return DeviceReadings(values=values, absent=absent)
