"""What people paste: the table of plain ``nvidia-smi``, with ``-L`` and ``--version`` if they are there too.

The table cuts names off, so a name that ends in dots is no name; ``-L`` has the whole one. When the text holds several
tables, the last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from gpuconfig_app.core.gpu import Gpu, GpuProcess, GpuState, MigInstance
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware import nvidia_smi_words as words
from gpuconfig_app.hardware.backend import BackendResult, normal_bus_id
from gpuconfig_app.hardware.nvidia_smi import driver_of, status_of, unreadable
from gpuconfig_app.hardware.readings import DeviceReadings

# Drivers from 610 write "KMD Version" and "CUDA UMD Version"; the newer words are looked for first.
_VERSIONS = {
    "version": (r"KMD version\s*:\s*([\d.]+)", r"Driver version\s*:\s*([\d.]+)"),
    "cuda_version": (r"CUDA UMD version\s*:\s*([\d.]+)", r"CUDA version\s*:\s*([\d.]+)"),
}
_BUS_ID = r"[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7]"
_CARD = re.compile(
    rf"\|\s*(?P<index>\d+)\s+(?P<name>\S.*?)\s+(?P<mode>On|Off|WDDM|TCC|MCDM|N/A)\s*\|"
    rf"\s*(?P<bus>{_BUS_ID}|N/A)\s+(?P<display>On|Off|N/A)\s*\|\s*(?P<ecc>\S+)\s*\|"
)
_STATE = re.compile(
    r"\|\s*(?P<fan>\S+)\s+(?P<temperature>\S+)\s+(?P<perf>P\d+|N/A|ERR!)\s+(?P<power>\S+)\s*/\s*(?P<limit>\S+?)\s*\|"
    r"\s*(?P<memory>[^|]*?)\s*\|\s*(?P<use>\S+)\s+(?P<mode>\S.*?)\s*\|"
)
_MIG_MODE = re.compile(r"\|\s*\|\s*\|\s*(?P<mode>Enabled\*?|Disabled\*?|N/A)\s*\|")
_MIG_ROW = re.compile(
    r"\|\s*(?P<card>\d+)\s+(?P<gi>\d+)\s+(?P<ci>\d+)\s+(?P<index>\d+)\s*\|"
    r"\s*(?P<used>[^/|]+?)\s*/\s*(?P<total>[^|]+?)\s*\|\s*(?P<sms>\d+|N/A)\s"
)
_PROCESS = re.compile(
    r"\|\s*(?P<card>\d+)\s+(?:(?P<gi>\d+|N/A)\s+(?P<ci>\d+|N/A)\s+)?(?P<pid>\d+)\s+(?P<kind>C\+G|M\+C|C|G)\s+"
    r"(?P<name>\S.*?)\s+(?P<memory>\d+MiB|N/A|Not Supported|\[N/A\])\s*\|"
)
_LISTED = re.compile(r"\s*GPU (?P<index>\d{1,4}): (?P<name>.+?) \(UUID: (?P<uuid>GPU-[0-9a-f-]+)\)")
_LISTED_SLICE = re.compile(r"\s*MIG (?P<profile>\S+)\s+Device\s+(?P<index>\d{1,4}): \(UUID: (?P<uuid>MIG-[^)]+)\)")
_TABLE_HEAD = re.compile(r"\|\s{0,40}NVIDIA-SMI \d")
# No line of the table is longer; what is, would only cost time.
_MOST_CHARACTERS = 500
_PROCESS_HEAD = re.compile(r"\|\s*(?:Processes:|(?:Compute )?[Pp]rocesses:)")
_MIG_HEAD = re.compile(r"\|\s*MIG devices:")
_CUT_OFF = ("...", "…")
# A single reading may fail on a good card (a fan, a power sensor); three of four say that the card does not answer.
_ERROR, _MOST_ERRORS = "ERR!", 3


@dataclass
class _Card:
    """One card's row and what belongs to it."""

    index: int
    got: words.Collected = field(default_factory=words.Collected)
    readings: dict[Metric, float | Message] = field(default_factory=dict)
    slices: list[MigInstance] = field(default_factory=list)
    processes: list[GpuProcess] = field(default_factory=list)


def parse_nvidia_smi_text(text: str) -> BackendResult:
    """Read the cards; text without a table gives a failed status."""
    cards = _cards(text)
    if not cards and not _TABLE_HEAD.search(text):
        return unreadable(text)
    table = _last_table(text)
    has_processes = any(_PROCESS_HEAD.match(line) for line in table)
    if not any(_MIG_HEAD.match(line) for line in table):
        for card in cards:
            if card.got.found.get("mig_enabled") and not card.slices:
                card.got.absent["mig_instances"] = reasons.NOT_IN_NVIDIA_SMI
    gpus = tuple(_gpu(card, has_processes=has_processes) for card in cards)
    versions = {name: _version(text, patterns) for name, patterns in _VERSIONS.items()}
    return BackendResult(status=status_of(gpus), gpus=gpus, driver=driver_of(versions))


def parse_nvidia_smi_text_readings(text: str) -> tuple[DeviceReadings, ...]:
    """Read the live readings of the same table."""
    return tuple(_device_readings(card) for card in _cards(text))


def _cards(text: str) -> list[_Card]:
    cards: dict[int, _Card] = {}
    names = _listed(text)
    current: _Card | None = None
    for line in _last_table(text):
        found = _CARD.match(line)
        if found:
            current = cards[int(found["index"])] = _Card(int(found["index"]))
            _put_first_line(current, found, names)
            continue
        state = _STATE.match(line) if current is not None and not current.readings else None
        if current is not None and state:
            _put_second_line(current, state)
            continue
        _put_other_line(cards, current, line, names)
    return [cards[index] for index in sorted(cards)] or _listed_cards(names)


def _listed_cards(names: Mapping[int | tuple[int, int], Mapping[str, str]]) -> list[_Card]:
    """Give the cards of ``nvidia-smi -L`` when there is no table: names, identifiers and slices."""
    cards: dict[int, _Card] = {}
    for key, listed in names.items():
        if isinstance(key, int):
            cards[key] = _Card(key)
            cards[key].got.put_name(listed["name"])
            cards[key].got.put("uuid", listed["uuid"])
        elif key[0] in cards:
            cards[key[0]].got.found["mig_enabled"] = True
            cards[key[0]].slices.append(MigInstance(index=key[1], uuid=listed["uuid"], profile=listed["profile"]))
    return [cards[index] for index in sorted(cards)]


def _put_other_line(
    cards: dict[int, _Card], current: _Card | None, line: str, names: dict[int | tuple[int, int], dict[str, str]]
) -> None:
    mode = _MIG_MODE.match(line)
    if mode and current is not None and "mig_enabled" not in current.got.found:
        current.got.put("mig_enabled", words.switch(mode["mode"].rstrip("*")))
        return
    found = _MIG_ROW.match(line)
    if found and int(found["card"]) in cards:
        cards[int(found["card"])].slices.append(_slice(found, names))
        return
    found = _PROCESS.match(line)
    if found and int(found["card"]) in cards:
        cards[int(found["card"])].processes.append(_process(found, cards[int(found["card"])].slices))


def _put_first_line(card: _Card, found: re.Match[str], names: dict[int | tuple[int, int], dict[str, str]]) -> None:
    got, listed = card.got, names.get(card.index, {})
    name = listed.get("name", found["name"])
    if name.endswith(_CUT_OFF):
        got.put("name", Message("hardware.name-cut-off", {"shown": name}))
    else:
        got.put_name(name)
    if "uuid" in listed:
        got.put("uuid", listed["uuid"])
    # A Jetson's card is part of the processor and stands on no bus.
    got.put("pci_bus_id", reasons.NOT_SUPPORTED if found["bus"] == "N/A" else normal_bus_id(found["bus"]))
    got.put("display_active", words.switch(found["display"]))
    if found["mode"].lower() in words.DRIVER_MODELS:
        got.put("driver_model", words.word(found["mode"], words.DRIVER_MODELS))
    else:
        got.put("persistence_enabled", words.switch(found["mode"]))
        got.put("driver_model", reasons.ONLY_ON_WINDOWS)
    # The column counts errors; a number or "On" therefore means that ECC is on.
    counts = found["ecc"].isdigit() or found["ecc"] == "On"
    got.put("ecc_enabled", True if counts else words.switch(found["ecc"]))


def _put_second_line(card: _Card, found: re.Match[str]) -> None:
    got = card.got
    used, slash, total = found["memory"].partition("/")
    got.put_memory(
        {"memory_total_bytes": total if slash else found["memory"], "memory_used_bytes": used}, knows_reserved=False
    )
    got.put("power_limit_w", words.positive(found["limit"]))
    got.put("compute_mode", words.word(found["mode"], words.COMPUTE_MODES))
    if [found[name] for name in ("temperature", "perf", "power", "use")].count(_ERROR) >= _MOST_ERRORS:
        got.put("state", GpuState.FAILED)
        got.found["state_reason"] = Message("hardware.card-answers-errors")  # put() takes a message for an absence
    card.readings = {
        Metric.UTILIZATION_PCT: words.amount(found["use"]),
        Metric.MEMORY_USED_BYTES: reasons.MEMORY_SHARED if got.found.get("memory_is_shared") else words.memory(used),
        Metric.TEMPERATURE_C: words.amount(found["temperature"]),
        Metric.POWER_W: words.amount(found["power"]),
        Metric.FAN_PCT: words.amount(found["fan"]),
    }


def _slice(found: re.Match[str], names: dict[int | tuple[int, int], dict[str, str]]) -> MigInstance:
    listed = names.get((int(found["card"]), int(found["index"])), {})
    return MigInstance(
        index=int(found["index"]),
        uuid=listed.get("uuid"),
        profile=listed.get("profile"),
        gpu_instance_id=int(found["gi"]),
        compute_instance_id=int(found["ci"]),
        memory_total_bytes=_or_none(words.memory(found["total"])),
        memory_used_bytes=_or_none(words.memory(found["used"])),
        sm_count=_or_none(words.whole(found["sms"])),
    )


def _process(found: re.Match[str], slices: Iterable[MigInstance]) -> GpuProcess:
    instance = found["gi"]
    name = words.value_of(found["name"])
    return GpuProcess(
        pid=int(found["pid"]),
        kind=words.PROCESS_KINDS[found["kind"]],
        name=name if isinstance(name, str) else None,
        memory_used_bytes=_or_none(words.memory(found["memory"])),
        mig_index=next((one.index for one in slices if str(one.gpu_instance_id) == instance), None),
    )


def _listed(text: str) -> dict[int | tuple[int, int], dict[str, str]]:
    """Give what ``nvidia-smi -L`` tells, by card or by (card, slice)."""
    found: dict[int | tuple[int, int], dict[str, str]] = {}
    card = -1
    for line in text.splitlines():
        if len(line) > _MOST_CHARACTERS:
            continue
        one = _LISTED.match(line)
        if one:
            card = int(one["index"])
            found[card] = {"name": one["name"], "uuid": one["uuid"]}
        one = _LISTED_SLICE.match(line)
        if one:
            found[card, int(one["index"])] = {"profile": one["profile"], "uuid": one["uuid"]}
    return found


def _or_none(value: int | Message) -> int | None:
    return None if isinstance(value, Message) else value


def _last_table(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines() if len(line) <= _MOST_CHARACTERS]
    heads = [number for number, line in enumerate(lines) if _TABLE_HEAD.match(line)]
    return lines[heads[-1] :] if heads else lines


def _version(text: str, patterns: Iterable[str]) -> str | Message:
    for pattern in patterns:
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            return found.group(1)
    return reasons.NOT_IN_NVIDIA_SMI


def _gpu(card: _Card, *, has_processes: bool) -> Gpu:
    gpu = card.got.gpu(card.index)
    if not has_processes:
        return replace(
            gpu,
            mig_instances=tuple(card.slices),
            absent={**gpu.absent, "processes": Message("hardware.process-list-missing")},
        )
    absent = {name: why for name, why in gpu.absent.items() if name != "processes"}
    processes = tuple(card.processes)
    if any(process.memory_used_bytes is None for process in processes):
        absent["processes.memory_used_bytes"] = (
            reasons.WDDM_PROCESS_MEMORY if gpu.driver_model is not None else reasons.NOT_TOLD
        )
    return replace(gpu, mig_instances=tuple(card.slices), processes=processes, absent=absent)


def _device_readings(card: _Card) -> DeviceReadings:
    absent = {metric: answer for metric, answer in card.readings.items() if isinstance(answer, Message)}
    if card.got.found.get("mig_enabled") and Metric.UTILIZATION_PCT in absent:
        absent[Metric.UTILIZATION_PCT] = reasons.MIG_NOT_FOR_WHOLE_CARD
    values = {metric: answer for metric, answer in card.readings.items() if not isinstance(answer, Message)}
    return DeviceReadings(values=values, absent=absent)
