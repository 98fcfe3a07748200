"""What ``nvidia-smi --query-gpu=… --format=csv`` tells: one row for each card, columns as asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpuconfig_app.core.gpu import Gpu, ValueOrigin
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware import nvidia_smi_words as words
from gpuconfig_app.hardware.backend import BackendResult, normal_bus_id
from gpuconfig_app.hardware.nvidia_card import pcie_link
from gpuconfig_app.hardware.nvidia_smi import driver_of, status_of, unreadable
from gpuconfig_app.hardware.nvidia_smi_columns import ColumnTable, Row, read_tables, split_line
from gpuconfig_app.hardware.readings import DeviceReadings

_MEMORY = {
    "memory_total_bytes": "memory.total",
    "memory_used_bytes": "memory.used",
    "memory_free_bytes": "memory.free",
    "memory_reserved_bytes": "memory.reserved",
}
_LIMITS = {
    "power_limit_w": "power.limit",
    "power_limit_default_w": "power.default_limit",
    "power_limit_min_w": "power.min_limit",
    "power_limit_max_w": "power.max_limit",
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
_PRODUCT = re.compile(r"(?:NVIDIA|GeForce|Quadro|Tesla|TITAN|GRID) \S", re.IGNORECASE)
_UUID = re.compile(r"GPU-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_BUS_ID = re.compile(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", re.IGNORECASE)
_DRIVER = re.compile(r"\d{3}\.\d{2,3}(?:\.\d{2})?")
_CAPABILITY = re.compile(r"\d{1,2}\.\d")
_OWN_COLUMNS = frozenset({
    *_MEMORY.values(), *_LIMITS.values(), *_READINGS.values(), "driver_version", "kmd_version", "compute_cap", "pstate",
    "pci.bus_id", "mig.mode.current", "driver_model.current",
})  # fmt: skip
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


def parse_bare_rows(text: str) -> BackendResult | None:
    """Read rows without a heading: only what tells by itself what it is (name, UUID, address, driver's version).

    Returns:
        None when no row names a card.
    """
    gpus: list[Gpu] = []
    version: str | None = None
    for line in text.splitlines():
        cells = split_line(line, ",")
        if not (_PRODUCT.match(cells[0]) if len(cells) == 1 else any(_says_card(cell) for cell in cells)):
            continue
        got = words.Collected()
        for cell in cells:
            _put_bare(got, cell)
            version = version or (cell if _DRIVER.fullmatch(cell) else None)
        if "name" in got.found or "uuid" in got.found:
            for name in (*_MEMORY, "power_limit_w"):
                got.absent[name] = Message("hardware.column-without-heading")
            gpus.append(got.gpu(len(gpus)))
    if not gpus:
        return None
    versions = {"version": version or reasons.NOT_IN_NVIDIA_SMI, "cuda_version": reasons.NOT_IN_NVIDIA_SMI}
    return BackendResult(status=status_of(gpus), gpus=tuple(gpus), driver=driver_of(versions))


def _says_card(cell: str) -> bool:
    return _PRODUCT.match(cell) is not None or _UUID.fullmatch(cell) is not None


def _put_bare(got: words.Collected, cell: str) -> None:
    if _PRODUCT.match(cell):
        got.put_name(cell)
    elif _UUID.fullmatch(cell):
        got.put("uuid", cell)
    elif _BUS_ID.fullmatch(cell):
        got.put("pci_bus_id", normal_bus_id(cell))


def _rows(text: str, columns: Sequence[str] | None) -> Sequence[Row] | None:
    """Give the rows of the last table of cards; None when there is none."""
    tables = [table for table in read_tables(text, columns) if not table.is_of_processes]
    tables = [table for table in tables if columns is not None or _is_of_cards(table)]
    return tables[-1].rows if tables else None


def _is_of_cards(table: ColumnTable) -> bool:
    """Whether a table is nvidia-smi's: other tables have names and indexes too."""
    return not _OWN_COLUMNS.isdisjoint(table.columns) or any(_PRODUCT.match(row.get("name", "")) for row in table.rows)


def _gpu(number: int, row: Row) -> Gpu:
    got = words.Collected()
    index = words.whole(row.get("index"))
    if "name" in row:
        got.put_name(row["name"])
    got.put("uuid", words.value_of(row.get("uuid")))
    bus_id = words.value_of(row.get("pci.bus_id"))
    got.put("pci_bus_id", bus_id if isinstance(bus_id, Message) else normal_bus_id(bus_id))
    got.put("pci_id", words.pci_pair(row.get("pci.device_id")))
    got.put("pci_subsystem_id", words.pci_pair(row.get("pci.sub_device_id")))
    got.put("serial", words.value_of(row.get("serial")))
    _put_capability(got, words.value_of(row.get("compute_cap")))
    asked = {name: row[column] for name, column in _MEMORY.items() if column in row}
    got.put_memory(asked, knows_reserved="memory_reserved_bytes" in asked)
    got.put("driver_model", words.word(row.get("driver_model.current"), words.DRIVER_MODELS))
    got.put("display_active", words.switch(row.get("display_active")))
    got.put("persistence_enabled", words.switch(row.get("persistence_mode")))
    got.put("compute_mode", words.word(row.get("compute_mode"), words.COMPUTE_MODES))
    got.put("mig_enabled", words.switch(row.get("mig.mode.current")))
    if got.found.get("mig_enabled"):
        got.absent["mig_instances"] = reasons.NOT_IN_NVIDIA_SMI
    got.put("ecc_enabled", words.switch(row.get("ecc.mode.current")))
    for name, column in _LIMITS.items():
        got.put(name, words.positive(row.get(column)))
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


def _put_capability(got: words.Collected, value: str | Message) -> None:
    if isinstance(value, str) and not _CAPABILITY.fullmatch(value):
        value = Message("hardware.reading-failed", {"detail": value[:80]})
    got.put("compute_capability", value)
    if isinstance(value, str):
        got.found["compute_capability_origin"] = ValueOrigin.CARD


def _readings(row: Row) -> DeviceReadings:
    answers: dict[Metric, float | Message] = {
        metric: words.memory(row[column]) if metric is Metric.MEMORY_USED_BYTES else words.amount(row[column])
        for metric, column in _READINGS.items()
        if column in row
    }
    absent = {metric: answer for metric, answer in answers.items() if isinstance(answer, Message)}
    is_shared = words.shares_memory(row.get("name"))
    if is_shared and absent.get(Metric.MEMORY_USED_BYTES) == reasons.NOT_SUPPORTED:
        absent[Metric.MEMORY_USED_BYTES] = reasons.MEMORY_SHARED
    if words.switch(row.get("mig.mode.current")) is True:
        absent |= {metric: reasons.MIG_NOT_FOR_WHOLE_CARD for metric in _MIG_SILENT if metric in absent}
    values = {metric: answer for metric, answer in answers.items() if not isinstance(answer, Message)}
    return DeviceReadings(values=values, absent=absent)
