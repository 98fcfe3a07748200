"""The facts beside a log: what the machine tells, what the log itself tells, and what can be reckoned from it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gpuconfig_app.compat.conditions import Facts, FactValue
from gpuconfig_app.compat.driver_ways import NEED, driver_need
from gpuconfig_app.compat.facts_view import facts_of_card, machine_facts
from gpuconfig_app.compat.log_signs import Seen, Sign, facts_of_signs
from gpuconfig_app.compat.subject import make_subject, newest_stable
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.versions import ComputeCapability, compare_versions, is_below
from gpuconfig_app.knowledge.cuda_drivers import CudaTable, load_cuda_table
from gpuconfig_app.knowledge.identify import fill_from_catalogue
from gpuconfig_app.knowledge.rocm import is_rocm_target
from gpuconfig_app.knowledge.tensorflow_releases import find_release

_USUAL_PLATFORM = "linux-x86_64"
_USUAL_PYTHON = "python3"
_FACTS_OF_A_SYSTEM = ("os.family", "os.is_wsl", "os.architecture", "host.is_jetson", "gpu.is_blackwell")
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,6})?) ?([KMGT])", re.IGNORECASE)
_MEBIBYTES: Mapping[str, float] = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 * 1024}
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,6})?")


def machine_views(report: SystemReport | None, environment: PythonEnvironment | None) -> tuple[Facts, ...]:
    """Give the facts of the machine, once for each of its NVIDIA cards; one empty view without a machine."""
    if report is None:
        return ({},)
    table = load_cuda_table()
    report = fill_from_catalogue(report)
    subject = make_subject(report, environment)
    machine = machine_facts(subject, table)
    machine["tf.installed"] = subject.tensorflow if subject.is_installed else None
    machine["host.is_hybrid"] = _is_hybrid(report.gpus)
    cards = [gpu for gpu in report.gpus if gpu.vendor is Vendor.NVIDIA]
    return tuple(facts_of_card(machine, subject, gpu, table) for gpu in cards) or (machine,)


def with_log(views: Sequence[Facts], signs: Sequence[Sign], seen: Mapping[str, Seen]) -> tuple[Facts, ...]:
    """Give the views together with what the log tells; a machine that was given knows better than its log."""
    told = facts_of_signs(signs, seen)
    log = log_facts(seen)
    table = load_cuda_table()
    return tuple(_completed({**told, **_known(view)}, log, table) for view in views)


def is_of_other_machine(views: Sequence[Facts], signs: Sequence[Sign], seen: Mapping[str, Seen]) -> bool:
    """Whether a log tells of another system than the machine it was given with: Windows paths and a Linux machine."""
    told = facts_of_signs(signs, seen)
    return any(
        name in told and all(view.get(name) not in {None, told[name]} for view in views) for name in _FACTS_OF_A_SYSTEM
    )


def log_facts(seen: Mapping[str, Seen]) -> dict[str, FactValue]:
    """Give what stands in the log itself as ``log.<name>``: the first value of each name, and what follows from it."""
    facts: dict[str, FactValue] = {}
    for item in seen.values():
        for values in item.values:
            for name, value in values.items():
                facts.setdefault(f"log.{name}", value.strip().rstrip("."))
    for name in ("log.cudnn_loaded", "log.cudnn_built"):
        facts[name] = _dotted(facts.get(name))
    facts.update(_cudnn_facts(facts))
    facts["log.capability"] = facts.get("log.capability") or _capability_of_target(facts.get("log.sm"))
    facts["log.timing_ratio"] = _timing_ratio(facts)
    facts["log.rate_ratio"] = _rate_ratio(facts)
    facts["log.module_is_of_other_kernel"] = _is_of_other_kernel(seen, facts.get("log.running_kernel"))
    facts["log.wanted_mib"] = _mebibytes(facts.get("log.wanted"))
    facts["log.memory_share"] = _largest_share(seen)
    facts["log.protobuf_is_older"] = _is_older(facts.get("log.runtime"), facts.get("log.gencode"))
    facts["log.is_mismatched"] = _differ(facts.get("log.driver_library"), facts.get("log.driver_kernel"))
    return facts


def usual_facts() -> dict[str, FactValue]:
    """Give what texts and commands are filled with where nothing is known: the usual Python, the newest release."""
    newest = newest_stable(_USUAL_PLATFORM)
    return {
        "env.python": _USUAL_PYTHON,
        "choice.fitting": newest.newest if newest else None,
        "choice.newest": newest.newest if newest else None,
        "choice.with_new_python": newest.newest if newest else None,
        "choice.new_python": newest.python[-2] if newest and len(newest.python) > 1 else None,
        "os.is_wsl": False,
        "os.is_container": False,
        "os.architecture": "x86_64",
        "gpus.has_blackwell": False,
        "gpus.has_dropped_by_cudnn": False,
        "gpus.is_legacy": False,
    }


def _completed(facts: dict[str, FactValue], log: Facts, table: CudaTable) -> Facts:
    """Add the log's facts, and as ``case.`` what is best known of release, card and driver."""
    tensorflow = log.get("log.tensorflow") or facts.get("tf.installed")
    driver = log.get("log.driver") or log.get("log.driver_library") or facts.get("driver.version")
    release = find_release(str(tensorflow), _platform(facts)) if tensorflow else None
    cuda = (release.cuda or release.cuda_major) if release else None
    is_windows = facts.get("os.family") == "windows" or facts.get("os.is_wsl") is True
    level = table.level_of_driver(str(driver), is_windows) if driver else None
    target = log.get("log.gfx") or facts.get("other.target")
    capability = log.get("log.capability") or facts.get("gpu.capability")
    return {
        **facts,
        **log,
        "case.tensorflow": tensorflow,
        "case.capability": capability,
        NEED: _need(facts, capability),
        "case.driver": driver,
        "case.cuda": cuda,
        "case.driver_is_older": is_below(level, cuda) if level and cuda else None,
        "case.python": log.get("log.python") or facts.get("env.python_series"),
        "other.target": target,
        "other.target_is_listed": is_rocm_target(str(target)) if target else None,
    }


def _need(facts: Facts, capability: FactValue) -> FactValue:
    """Give the modules the cards take: of the machine's, else of the card in the log."""
    if facts.get(NEED) is not None or not isinstance(capability, str):
        return facts.get(NEED)
    try:
        return driver_need((ComputeCapability(capability),))
    except ValueError:
        return None


def _known(view: Facts) -> dict[str, FactValue]:
    return {name: value for name, value in view.items() if value is not None}


def _platform(facts: Facts) -> str:
    return str(facts.get("os.platform") or _USUAL_PLATFORM)


def _is_hybrid(gpus: Sequence[Gpu]) -> bool | None:
    """Whether an NVIDIA card stands beside the graphics of the processor; None when no card is known."""
    if not gpus:
        return None
    return any(gpu.vendor is Vendor.NVIDIA for gpu in gpus) and any(
        gpu.vendor in {Vendor.INTEL, Vendor.AMD} for gpu in gpus
    )


def _cudnn_facts(facts: Facts) -> dict[str, FactValue]:
    loaded, built = facts.get("log.cudnn_loaded"), facts.get("log.cudnn_built")
    if not isinstance(loaded, str) or not isinstance(built, str):
        return {}
    same = loaded.split(".")[0] == built.split(".")[0]
    return {"log.cudnn_has_same_major": same, "log.cudnn_is_older": is_below(loaded, built)}


def _dotted(value: FactValue) -> FactValue:
    """Give ``6.0.21`` of ``6021``, as older releases write a version of cuDNN."""
    if not isinstance(value, str) or not value.isdigit():
        return value
    number = int(value)
    return f"{number // 1000}.{number % 1000 // 100}.{number % 100}"


def _capability_of_target(target: FactValue) -> str | None:
    """Give ``12.0`` of ``120``; the last digit is the minor number."""
    if not isinstance(target, str) or len(target) < 2:
        return None
    return f"{target[:-1]}.{target[-1]}"


def _timing_ratio(facts: Facts) -> float | None:
    """Give how much longer several cards take than one; None when the log doesn't say both in one unit."""
    many, one = _number(facts.get("log.time_many")), _number(facts.get("log.time_one"))
    unit_many, unit_one = str(facts.get("log.unit_many"))[:1], str(facts.get("log.unit_one"))[:1]
    if not many or not one or unit_many.lower() != unit_one.lower():
        return None
    return round(many / one, 2)


def _rate_ratio(facts: Facts) -> float | None:
    """Give how much longer several cards take for the same, from what each does in a second."""
    many, one = _number(facts.get("log.rate_many")), _number(facts.get("log.rate_one"))
    return round(one / many, 2) if many and one else None


def _is_of_other_kernel(seen: Mapping[str, Seen], running: FactValue) -> bool | None:
    """Whether none of the kernels DKMS built the driver for is the running one; None when the log lacks either."""
    built = {item.get("module_kernel") for item in seen["says-dkms"].values} if "says-dkms" in seen else set()
    return running not in built if built and running else None


def _largest_share(seen: Mapping[str, Seen]) -> float | None:
    """Give the largest part of a card's memory that a table of nvidia-smi shows as used."""
    shares = []
    for values in seen["smi-memory"].values if "smi-memory" in seen else ():
        used, total = _number(values.get("memory_used")), _number(values.get("memory_total"))
        if used is not None and total:
            shares.append(round(used / total, 3))
    return max(shares, default=None)


def _number(value: FactValue) -> float | None:
    found = _NUMBER.search(value.replace(",", "")) if isinstance(value, str) else None
    return float(found.group()) if found else None


def _mebibytes(text: FactValue) -> float | None:
    """Read a size as TensorFlow writes it, ``7.92G`` or ``190.31MiB``, into MiB."""
    found = _SIZE.search(text) if isinstance(text, str) else None
    return round(float(found.group(1)) * _MEBIBYTES[found.group(2).upper()], 2) if found else None


def _is_older(one: FactValue, other: FactValue) -> bool | None:
    return is_below(one, other) if isinstance(one, str) and isinstance(other, str) else None


def _differ(one: FactValue, other: FactValue) -> bool | None:
    if not isinstance(one, str) or not isinstance(other, str):
        return None
    order = compare_versions(one, other)
    return None if order is None else order != 0
