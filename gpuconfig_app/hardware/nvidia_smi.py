"""What ``nvidia-smi -q -x`` tells, schemas 10 to 13 and the changed words of the 610 drivers.

Used when NVML can't be loaded, and for answers recorded elsewhere. Tags that a schema does not have are reasons, not
faults; new tags are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, ParseError  # nosec: only types, parsing is defusedxml's

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from gpuconfig_app.core.gpu import Gpu, GpuProcess, MigInstance, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.core.system import BackendState, BackendStatus, DriverInfo
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware import nvidia_smi_words as words
from gpuconfig_app.hardware.backend import BackendResult, normal_bus_id
from gpuconfig_app.hardware.nvidia_card import pcie_link
from gpuconfig_app.hardware.nvidia_mig import derive_profile
from gpuconfig_app.hardware.readings import DeviceReadings

SOURCE = "nvidia-smi"
_MIB = 1024**2
_ROOT = "nvidia_smi_log"
# Old and new place of the same thing; the first that holds a value counts.
_POWER = ("gpu_power_readings", "power_readings")
_THROTTLE = ("clocks_event_reasons", "clocks_throttle_reasons")
_THROTTLE_WORDS = {
    "sw_power_cap": "power_cap",
    "hw_slowdown": "hw_slowdown",
    "sync_boost": "sync_boost",
    "sw_thermal_slowdown": "sw_thermal",
    "hw_thermal_slowdown": "hw_thermal",
    "hw_power_brake_slowdown": "hw_power_brake",
}


def parse_nvidia_smi_xml(text: str) -> BackendResult:
    """Read the whole answer; unreadable text gives a failed status, never an exception.

    Of an answer that was cut off, the cards that are there whole are read.
    """
    root = _parse(text)
    return unreadable(text) if root is None else result_of_tree(root)


def result_of_tree(root: Element) -> BackendResult:
    """Read the cards and versions of a tree."""
    gpus = tuple(_gpu(index, element) for index, element in enumerate(root.findall("gpu")))
    versions = {
        "version": words.version(root.findtext("kmd_version"), root.findtext("driver_version")),
        "cuda_version": words.version(root.findtext("cuda_umd_version"), root.findtext("cuda_version")),
    }
    return BackendResult(status=status_of(gpus), gpus=gpus, driver=driver_of(versions))


def parse_nvidia_smi_readings(text: str) -> tuple[DeviceReadings, ...]:
    """Read the live readings in the same answer, one for each card in it; none when it is unreadable."""
    root = _parse(text)
    return () if root is None else readings_of_tree(root)


def readings_of_tree(root: Element) -> tuple[DeviceReadings, ...]:
    """Read the live readings of a tree."""
    return tuple(_readings(element) for element in root.findall("gpu"))


def status_of(gpus: Sequence[Gpu]) -> BackendStatus:
    """Give the status of an answer that could be read."""
    if gpus:
        return BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.READY, source=SOURCE)
    return reasons.not_present(SOURCE)


def driver_of(versions: dict[str, str | Message]) -> DriverInfo:
    """Make the driver's record of versions or their reasons."""
    found = {name: value for name, value in versions.items() if isinstance(value, str)}
    absent = dict.fromkeys(("kernel_version", "is_open_kernel_module"), reasons.NOT_IN_NVIDIA_SMI)
    absent |= {name: value for name, value in versions.items() if isinstance(value, Message)}
    return DriverInfo(
        vendor=Vendor.NVIDIA,
        version=found.get("version"),
        cuda_version=found.get("cuda_version"),
        absent=absent,
    )


def unreadable(text: str) -> BackendResult:
    """Give the result of an answer that is no answer."""
    first_line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return BackendResult(
        status=BackendStatus(
            vendor=Vendor.NVIDIA,
            state=BackendState.FAILED,
            code="failed",
            reason=Message("hardware.nvidia-smi-unreadable", {"detail": first_line[:200]}),
            source=SOURCE,
        )
    )


def _parse(text: str) -> Element | None:
    """Parse the last document of a text: warnings of the tool may stand before it, a prompt after it."""
    start = text.rfind(f"<{_ROOT}")
    if start < 0:
        return None
    document = text[start:]
    end = document.find(f"</{_ROOT}>")
    if end >= 0:
        return _tree(document[: end + len(_ROOT) + 3])
    whole = document.rfind("</gpu>")
    return _tree(f"{document[: whole + len('</gpu>')]}</{_ROOT}>") if whole >= 0 else None


def _tree(document: str) -> Element | None:
    try:
        root: Element = fromstring(document)
    except (ParseError, DefusedXmlException, ValueError, RecursionError):
        return None
    return root if root.tag == _ROOT else None


def _gpu(index: int, element: Element) -> Gpu:
    got = words.Collected()
    _put_identity(got, element)
    got.put_memory(
        {
            "memory_total_bytes": element.findtext("fb_memory_usage/total"),
            "memory_used_bytes": element.findtext("fb_memory_usage/used"),
            "memory_free_bytes": element.findtext("fb_memory_usage/free"),
            "memory_reserved_bytes": element.findtext("fb_memory_usage/reserved"),
        },
        knows_reserved=True,
    )
    _put_modes(got, element)
    _put_limits(got, element)
    slices = element.findall("mig_devices/mig_device")
    instances = tuple(_mig_instance(number, one) for number, one in enumerate(slices))
    got.found["mig_instances"] = instances
    by_instance = {one.gpu_instance_id: one.index for one in instances if one.gpu_instance_id is not None}
    if element.find("processes") is not None:
        found = tuple(_process(one, by_instance) for one in element.findall("processes/process_info"))
        got.found["processes"] = tuple(process for process in found if process is not None)
    return got.gpu(index)


def _put_identity(got: words.Collected, element: Element) -> None:
    got.put_name(element.findtext("product_name"))
    for name, tag in (("uuid", "uuid"), ("serial", "serial"), ("architecture", "product_architecture")):
        got.put(name, words.value_of(element.findtext(tag)))
    bus_id = words.value_of(element.findtext("pci/pci_bus_id") or element.get("id"))
    got.put("pci_bus_id", bus_id if isinstance(bus_id, Message) else normal_bus_id(bus_id))
    got.put("pci_id", words.pci_pair(element.findtext("pci/pci_device_id")))
    got.put("pci_subsystem_id", words.pci_pair(element.findtext("pci/pci_sub_system_id")))
    links = {
        "generation": words.whole(element.findtext("pci/pci_gpu_link_info/pcie_gen/current_link_gen")),
        "max_generation": words.whole(element.findtext("pci/pci_gpu_link_info/pcie_gen/max_link_gen")),
        "width": _width(element.findtext("pci/pci_gpu_link_info/link_widths/current_link_width")),
        "max_width": _width(element.findtext("pci/pci_gpu_link_info/link_widths/max_link_width")),
    }
    told = {name: value for name, value in links.items() if isinstance(value, int)}
    if told:
        got.put("pcie", pcie_link(told))


def _put_modes(got: words.Collected, element: Element) -> None:
    got.put("persistence_enabled", words.switch(element.findtext("persistence_mode")))
    got.put("display_active", words.switch(element.findtext("display_active")))
    got.put("ecc_enabled", words.switch(element.findtext("ecc_mode/current_ecc")))
    got.put("mig_enabled", words.switch(element.findtext("mig_mode/current_mig")))
    got.put("compute_mode", words.word(element.findtext("compute_mode"), words.COMPUTE_MODES))
    model = words.word(element.findtext("driver_model/current_dm"), words.DRIVER_MODELS)
    got.put("driver_model", reasons.ONLY_ON_WINDOWS if model == reasons.NOT_SUPPORTED else model)


def _put_limits(got: words.Collected, element: Element) -> None:
    tags = {
        "power_limit_w": ("current_power_limit", "power_limit", "enforced_power_limit"),
        "power_limit_default_w": ("default_power_limit",),
        "power_limit_min_w": ("min_power_limit",),
        "power_limit_max_w": ("max_power_limit",),
    }
    for name, places in tags.items():
        got.put(name, _first_amount(element, [f"{part}/{tag}" for part in _POWER for tag in places]))
    for name, tag in (("slowdown", "slow"), ("shutdown", "max")):
        got.put(f"temperature_{name}_c", words.whole(element.findtext(f"temperature/gpu_temp_{tag}_threshold")))


def _readings(element: Element) -> DeviceReadings:
    found: dict[Metric, float | Message] = {
        Metric.UTILIZATION_PCT: words.amount(element.findtext("utilization/gpu_util")),
        Metric.MEMORY_UTILIZATION_PCT: words.amount(element.findtext("utilization/memory_util")),
        Metric.MEMORY_USED_BYTES: words.memory(element.findtext("fb_memory_usage/used")),
        Metric.TEMPERATURE_C: words.amount(element.findtext("temperature/gpu_temp")),
        Metric.MEMORY_TEMPERATURE_C: words.amount(element.findtext("temperature/memory_temp")),
        Metric.POWER_W: _first_amount(
            element,
            [f"{part}/{tag}" for part in _POWER for tag in ("power_draw", "instant_power_draw", "average_power_draw")],
        ),
        Metric.FAN_PCT: words.amount(element.findtext("fan_speed")),
        Metric.CLOCK_SM_MHZ: words.amount(element.findtext("clocks/sm_clock")),
        Metric.CLOCK_MEMORY_MHZ: words.amount(element.findtext("clocks/mem_clock")),
        Metric.PCIE_TX_BYTES_S: words.amount(element.findtext("pci/tx_util")),
        Metric.PCIE_RX_BYTES_S: words.amount(element.findtext("pci/rx_util")),
        Metric.ENCODER_PCT: words.amount(element.findtext("utilization/encoder_util")),
        Metric.DECODER_PCT: words.amount(element.findtext("utilization/decoder_util")),
    }
    is_cut = words.switch(element.findtext("mig_mode/current_mig")) is True
    absent = {metric: value for metric, value in found.items() if isinstance(value, Message)}
    is_shared = words.shares_memory(element.findtext("product_name"))
    if is_shared and absent.get(Metric.MEMORY_USED_BYTES) == reasons.NOT_SUPPORTED:
        absent[Metric.MEMORY_USED_BYTES] = reasons.MEMORY_SHARED
    if is_cut:
        absent |= {
            metric: reasons.MIG_NOT_FOR_WHOLE_CARD
            for metric in (
                Metric.UTILIZATION_PCT,
                Metric.MEMORY_UTILIZATION_PCT,
                Metric.ENCODER_PCT,
                Metric.DECODER_PCT,
            )
            if metric in absent
        }
    values = {metric: value for metric, value in found.items() if not isinstance(value, Message)}
    return DeviceReadings(values=values, absent=absent, throttle_reasons=_throttle(element))


def _throttle(element: Element) -> tuple[str, ...] | None:
    for part in _THROTTLE:
        listed = element.find(part)
        if listed is not None:
            active = {one.tag.split("_reason_", 1)[-1] for one in listed if (one.text or "").strip() == "Active"}
            return tuple(word for tag, word in _THROTTLE_WORDS.items() if tag in active)
    return None


def _mig_instance(number: int, element: Element) -> MigInstance:
    total, used = (words.memory(element.findtext(f"fb_memory_usage/{tag}")) for tag in ("total", "used"))
    processors = words.whole(element.findtext("device_attributes/shared/multiprocessor_count"))
    uuid = words.value_of(element.findtext("uuid"))
    index = _or_none(words.whole(element.findtext("index")))
    return MigInstance(
        index=number if index is None else index,
        uuid=uuid if isinstance(uuid, str) else None,
        profile=_profile(element, _or_none(total)),
        gpu_instance_id=_or_none(words.whole(element.findtext("gpu_instance_id"))),
        compute_instance_id=_or_none(words.whole(element.findtext("compute_instance_id"))),
        memory_total_bytes=_or_none(total),
        memory_used_bytes=_or_none(used),
        sm_count=_or_none(processors),
    )


def _profile(element: Element, total_bytes: int | None) -> str | None:
    """Give the slice's name where the schema tells its parts; newer ones do, none tells the name itself."""
    slices = _or_none(words.whole(element.findtext("device_attributes/gpu_instance_slice_count")))
    compute = _or_none(words.whole(element.findtext("device_attributes/compute_instance_slice_count")))
    if slices is None or total_bytes is None:
        return None
    return derive_profile(slices, compute or slices, total_bytes // _MIB)


def _process(element: Element, by_instance: dict[int, int]) -> GpuProcess | None:
    pid = words.whole(element.findtext("pid"))
    if isinstance(pid, Message):
        return None
    name = words.value_of(element.findtext("process_name"))
    instance = _or_none(words.whole(element.findtext("gpu_instance_id")))
    return GpuProcess(
        pid=pid,
        kind=words.PROCESS_KINDS.get((element.findtext("type") or "").strip(), "compute"),
        name=name if isinstance(name, str) else None,
        memory_used_bytes=_or_none(words.memory(element.findtext("used_memory"))),
        mig_index=None if instance is None else by_instance.get(instance),
    )


def _first_amount(element: Element, paths: Sequence[str]) -> float | Message:
    answers = [words.amount(element.findtext(path)) for path in paths if element.find(path) is not None]
    numbers = [answer for answer in answers if not isinstance(answer, Message)]
    return numbers[0] if numbers else (answers[0] if answers else reasons.NOT_IN_NVIDIA_SMI)


def _width(raw: str | None) -> int | Message:
    return words.whole(raw.replace("x", "") if raw else raw)


def _or_none(value: int | Message) -> int | None:
    return None if isinstance(value, Message) else value
