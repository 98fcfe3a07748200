"""The long text of ``nvidia-smi -q`` as the tree that ``nvidia-smi -q -x`` gives, so that one reader reads both.

Sections are told by their indentation. Only what the reader of the tree looks at is translated; the rest keeps a tag of
its label and is ignored there.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement  # nosec: nothing is parsed here

_HEAD = re.compile(r"^[ \t]{0,40}=+ ?NVSMI LOG ?=+[ \t]*$", re.MULTILINE)
_LINE = re.compile(r"^(?P<indent> *)(?P<label>\S.*?)(?:\s+:(?:\s+(?P<value>.*))?)?$")
_CARD = re.compile(r"GPU (?P<bus>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7])")
_REASONS = ("clocks_event_reasons", "clocks_throttle_reasons")
_MOST_LINES = 200_000
_MOST_CHARACTERS = 2_000

# Tag of the tree by section and label; "" is any section.
_TAGS = {
    ("", "gpu_uuid"): "uuid",
    ("", "mig_uuid"): "uuid",
    ("", "serial_number"): "serial",
    ("mig_mode", "current"): "current_mig",
    ("driver_model", "current"): "current_dm",
    ("ecc_mode", "current"): "current_ecc",
    ("pci", "bus_id"): "pci_bus_id",
    ("pci", "device_id"): "pci_device_id",
    ("pci", "sub_system_id"): "pci_sub_system_id",
    ("pci", "gpu_link_info"): "pci_gpu_link_info",
    ("pci", "tx_throughput"): "tx_util",
    ("pci", "rx_throughput"): "rx_util",
    ("pci_gpu_link_info", "pcie_generation"): "pcie_gen",
    ("pci_gpu_link_info", "link_width"): "link_widths",
    ("pcie_gen", "max"): "max_link_gen",
    ("pcie_gen", "current"): "current_link_gen",
    ("link_widths", "max"): "max_link_width",
    ("link_widths", "current"): "current_link_width",
    ("utilization", "gpu"): "gpu_util",
    ("utilization", "memory"): "memory_util",
    ("utilization", "encoder"): "encoder_util",
    ("utilization", "decoder"): "decoder_util",
    ("temperature", "gpu_current_temp"): "gpu_temp",
    ("temperature", "gpu_shutdown_temp"): "gpu_temp_max_threshold",
    ("temperature", "gpu_slowdown_temp"): "gpu_temp_slow_threshold",
    ("temperature", "memory_current_temp"): "memory_temp",
    ("gpu_power_readings", "instantaneous_power_draw"): "instant_power_draw",
    ("clocks", "sm"): "sm_clock",
    ("clocks", "memory"): "mem_clock",
    ("process_info", "process_id"): "pid",
    ("process_info", "name"): "process_name",
    ("process_info", "used_gpu_memory"): "used_memory",
}


def is_query_text(text: str) -> bool:
    """Whether the text holds an answer of ``nvidia-smi -q``."""
    return _HEAD.search(text) is not None


def tree_of_query_text(text: str) -> Element:
    """Give the tree of the last answer in a text; an empty one when there is none."""
    root = Element("nvidia_smi_log")
    heads = list(_HEAD.finditer(text))
    if not heads:
        return root
    reader = _Reader(root)
    for line in text[heads[-1].end() :].splitlines()[:_MOST_LINES]:
        found = _LINE.match(line.expandtabs(4).rstrip()) if len(line) <= _MOST_CHARACTERS else None
        if found and not reader.take(len(found["indent"]), found["label"], found["value"]):
            break
    return root


class _Reader:
    """Builds the tree line by line."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self._open: list[tuple[int, Element]] = [(-1, root)]
        self._instance: str | None = None

    def take(self, indent: int, label: str, value: str | None) -> bool:
        """Take one line; False when the answer is over."""
        while len(self._open) > 1 and self._open[-1][0] >= indent:
            self._open.pop()
        parent = self._open[-1][1]
        if indent == 0:
            return self._take_outer(label, value)
        if any(element.tag == "processes" for _, element in self._open):
            self._take_process(label, value)
            return True
        reasons = next((element for _, element in self._open if element.tag in _REASONS), None)
        child = _add(reasons if reasons is not None else parent, label, value)
        self._open.append((indent, child))
        return True

    def _take_outer(self, label: str, value: str | None) -> bool:
        card = _CARD.fullmatch(label)
        if card:
            element = SubElement(self._root, "gpu", {"id": card["bus"]})
            self._open.append((0, element))
            return True
        if value is None:
            return False
        _add(self._root, label, value)
        return True

    def _take_process(self, label: str, value: str | None) -> None:
        """A process begins with its number; the slice it runs on is told before."""
        processes = next(element for _, element in self._open if element.tag == "processes")
        tag = _tag_of(label)
        if tag == "gpu_instance_id":
            self._instance = value
        elif tag == "process_id":
            _add(SubElement(processes, "process_info"), label, value)
            _add(processes[-1], "GPU instance ID", self._instance)
        elif len(processes):
            _add(processes[-1], label, value)


def _add(parent: Element, label: str, value: str | None) -> Element:
    """Put a labelled value or section below its parent; slices get the folder that they have in the tree."""
    tag = _tag_of(label)
    if parent.tag == "gpu" and tag == "mig_device":
        found = parent.find("mig_devices")
        return SubElement(found if found is not None else SubElement(parent, "mig_devices"), tag)
    child = SubElement(parent, _TAGS.get((parent.tag, tag)) or _TAGS.get(("", tag), tag))
    child.text = value
    return child


def _tag_of(label: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_") or "unnamed"
