"""``find_ways()``: what leads on from a machine on which TensorFlow does not use the GPU, step by step.

A pure function of facts; what is done already, what waits for a restart and what is to do is judged for each step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from gpuconfig_app.compat import way_steps_container as container
from gpuconfig_app.compat import way_steps_python as python
from gpuconfig_app.compat import way_steps_windows as windows
from gpuconfig_app.compat.gpu_facts import capability_of
from gpuconfig_app.compat.subject import newest_stable, platform_of
from gpuconfig_app.compat.way_situation import Situation
from gpuconfig_app.core.finding import CompatReport, Finding, Verdict
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.system import OsFamily, SystemReport
from gpuconfig_app.core.versions import ComputeCapability
from gpuconfig_app.core.way_on import Way, WaysOn, WayStep
from gpuconfig_app.knowledge.table import first_source
from gpuconfig_app.knowledge.ways_on import Vain, WayRow, load_ways

_BLACKWELL = ComputeCapability("10.0")
_BLOCKING = frozenset({Verdict.BLOCKED, Verdict.CPU_ONLY, Verdict.UNKNOWN})
_NO_WINDOWS_BUILD = "WINDOWS_NATIVE_NO_GPU_BUILD"
# Causes on a Blackwell card that another target or release cures; a missing driver is none of them.
_NO_CODE = frozenset({"WHEEL_LACKS_ARCH_FATAL", "WHEEL_LACKS_ARCH_SLOW_FIRST_START", "NO_TENSORFLOW"})
_ARM_WITHOUT_GPU = "AARCH64_WHEEL_IS_CPU_ONLY"
_WITH_IMAGE = frozenset({"container", "container-arm", "wsl2-container"})

# What judges each step, by its id in the table.
Step = Callable[[Situation, tuple[WayStep, ...]], WayStep]
STEPS: Mapping[str, Step] = {
    "windows": windows.windows_step,
    "virtualization": windows.virtualization_step,
    "windows-driver": windows.windows_driver_step,
    "wsl": windows.wsl_step,
    "distribution": windows.distribution_step,
    "memory": windows.memory_step,
    "environment": python.environment_step,
    "proof": python.proof_step,
    "driver": container.driver_step,
    "engine": container.engine_step,
    "toolkit": container.toolkit_step,
    "disk": container.disk_step,
    "image": container.image_step,
    "start": container.start_step,
    "container-proof": container.container_proof_step,
    "environment-221": python.environment_221_step,
    "first-start": python.first_start_step,
    "xla": python.xla_step,
    "local-proof": python.local_proof_step,
    "cards": python.cards_step,
    "environment-210": python.environment_210_step,
    "script": python.script_step,
}


def has_ways(report: SystemReport, compat: CompatReport) -> bool:
    """Whether there are ways on that are worth asking for targets; cheap."""
    return bool(_ways_for(report, compat))


def find_ways(report: SystemReport, compat: CompatReport, proven: frozenset[str] = frozenset()) -> WaysOn | None:
    """Give the ways on, the best first; None where the findings' own fixes are all there is to say.

    Args:
        report: The machine; with ``targets`` each step is checked, without them many are not known.
        compat: Its verdict in the environment that is looked at.
        proven: Names (``PythonEnvironment.executable``) of environments for which a proof stands.

    Raises:
        UnusableFileError: A fact table cannot be used.
    """
    names = _ways_for(report, compat)
    if not names or compat.primary is None:
        return None
    now = _situation(report, compat, proven)
    rows = [now.table.way(name) for name in names]
    lead = rows[0]
    return WaysOn(
        code=compat.primary.code,
        title=compat.primary.title,
        text=compat.primary.text,
        page_title=(lead.page_title or lead.title).filled(now.values),
        ways=tuple(_way(now, row) for row in rows),
        will_not_help=_vain(now, names),
        source=compat.primary.source,
    )


def _ways_for(report: SystemReport, compat: CompatReport) -> tuple[str, ...]:
    if compat.verdict not in _BLOCKING or compat.primary is None:
        return ()
    card = _blackwell_card(report)
    family = report.host.os.family
    codes = _deciding_codes(compat)
    if family is OsFamily.WINDOWS:
        return _ways_for_windows(codes, has_blackwell=card is not None)
    if family is not OsFamily.LINUX:
        return ()
    is_inside = report.host.os.container is not None  # no container is started from within one
    if _ARM_WITHOUT_GPU in codes:
        return () if is_inside else ("container-arm",)
    if card is not None and codes & _NO_CODE:
        return ("try-221", "other-card") if is_inside else ("container", "try-221", "other-card")
    return ()


def _ways_for_windows(codes: frozenset[str], *, has_blackwell: bool) -> tuple[str, ...]:
    """Give the ways of a Python on Windows, and of one in WSL whose release has no code for the card."""
    is_native = _NO_WINDOWS_BUILD in codes
    if has_blackwell and (is_native or codes & _NO_CODE):
        return ("wsl2-container", "other-card", "processor") if is_native else ("wsl2-container", "other-card")
    return ("wsl2", "windows-210", "directml", "processor") if is_native else ()


def _deciding_codes(compat: CompatReport) -> frozenset[str]:
    primary: Finding | None = compat.primary
    return frozenset({primary.code} if primary is not None else ()) | frozenset(
        finding.code for finding in compat.findings if finding.code == _NO_WINDOWS_BUILD
    )


def _blackwell_card(report: SystemReport) -> Gpu | None:
    cards = (gpu for gpu in report.gpus if gpu.vendor is Vendor.NVIDIA)
    return next((gpu for gpu in cards if (capability_of(gpu) or ComputeCapability("0.0")) >= _BLACKWELL), None)


def _situation(report: SystemReport, compat: CompatReport, proven: frozenset[str]) -> Situation:
    table = load_ways()
    image = table.offered_image
    card = _blackwell_card(report) or next((gpu for gpu in report.gpus if gpu.vendor is Vendor.NVIDIA), None)
    newest = newest_stable(platform_of(report.host.os))
    values = {
        "card": _short_name(card),
        "capability": str(capability_of(card)) if card is not None and capability_of(card) is not None else "?",
        "image": image.name,
        "image_tensorflow": image.tensorflow.rsplit(".", 1)[0],
        "tensorflow": compat.tensorflow or "TensorFlow",
        "newest": newest.newest if newest is not None else "",
    }
    return Situation(report=report, compat=compat, proven=proven, table=table, image=image, card=card, values=values)


def _short_name(card: Gpu | None) -> str:
    name = (card.name if card is not None else None) or "GPU"
    return name.removeprefix("NVIDIA ").removeprefix("GeForce ")


def _way(now: Situation, row: WayRow) -> Way:
    here = replace(now, needs_image=row.id in _WITH_IMAGE)
    steps: tuple[WayStep, ...] = ()
    for name in row.steps:
        steps = (*steps, STEPS[name](here, steps))
    return Way(
        id=row.id,
        title=row.title.filled(now.values),
        summary=row.summary.filled(now.values),
        confidence=row.confidence,
        leads_to=row.leads_to,
        is_main=row.is_main,
        steps=steps,
        source=first_source(row),
    )


def _vain(now: Situation, names: tuple[str, ...]) -> tuple[LocalText, ...]:
    return tuple(row.text.filled(now.values) for row in now.table.vain if names[0] in row.ways and _is_true(now, row))


def _is_true(now: Situation, row: Vain) -> bool:
    code = now.compat.primary.code if now.compat.primary is not None else ""
    return not row.codes or code in row.codes
