"""Why a proof could not even begin in its target: the engine, the image or WSL said so in words of its own.

What the log doctor already knows (no NVIDIA toolkit, host driver missing) keeps its code; the rest gets one here, with
the fix from the table of ways.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuconfig_app.compat.facts_view import quoted
from gpuconfig_app.core.finding import CompatReport, Confidence, Finding, Fix, Severity
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.proof import Proof, ProofStage
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.target import Target, TargetKind
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.hardware.wsl import error_code
from gpuconfig_app.knowledge.table import first_source
from gpuconfig_app.knowledge.ways_on import load_ways
from gpuconfig_app.workbench.proof_words import FAILED
from gpuconfig_app.workbench.text import load_texts


@dataclass(frozen=True)
class _Trouble:
    """One way of not beginning.

    Attributes:
        name: Part of the ids of its sentences.
        deed: What to do, by id in the table of ways.
    """

    code: str
    name: str
    words: re.Pattern[str]
    deed: str | None
    kind: TargetKind


def _said(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_TROUBLES = (
    _Trouble(
        "CONTAINER_NO_PERMISSION",
        "permission",
        _said(r"permission denied while trying to connect|permission denied.{0,80}\.sock|got permission denied"),
        "docker-permission",
        TargetKind.CONTAINER,
    ),
    _Trouble(
        "CONTAINER_ENGINE_DOWN",
        "daemon",
        _said(r"cannot connect to the docker daemon|is the docker daemon running|failed to connect to the docker api"),
        "docker-daemon",
        TargetKind.CONTAINER,
    ),
    _Trouble(
        "CONTAINER_IMAGE_MISSING",
        "image",
        _said(r"no such image|image not known|unable to find image|could not open image|pull access denied"),
        "pull",
        TargetKind.CONTAINER,
    ),
    _Trouble(
        "CONTAINER_TOOLKIT_MISSING",
        "cdi",
        _said(r"could not select device driver|unresolvable CDI devices|nvidia\.com/gpu=all.{0,60}not found"),
        "toolkit-cdi",
        TargetKind.CONTAINER,
    ),
    _Trouble(
        "WSL_NO_VIRTUALIZATION",
        "virtualization",
        _said(r"0x80370102|enablevirtualization|WSL_E_VIRTUAL_MACHINE_PLATFORM_REQUIRED"),
        "firmware",
        TargetKind.WSL,
    ),
    _Trouble(
        "WSL_DISTRIBUTION_MISSING", "distribution", _said(r"WSL_E_DISTRO_NOT_FOUND|0x80070490"), None, TargetKind.WSL
    ),
    _Trouble("WSL_FAILED", "wsl", _said(r"\bWsl/\S+|\b0x8[0-9a-f]{7}\b"), "wsl-repair", TargetKind.WSL),
)


def with_target_trouble(compat: CompatReport, proof: Proof, environment: PythonEnvironment) -> CompatReport:
    """Name the cause when the proof did not begin and the target said why; else give the verdict as it is."""
    target, failure = environment.target, proof.failure
    if target is None or failure is None or failure.stage is not ProofStage.START or compat.primary is None:
        return compat
    if compat.primary.code != FAILED:  # the cause has a name already
        return compat
    words = "\n".join((failure.words, *proof.words))
    found = next((item for item in _TROUBLES if item.kind is target.kind and item.words.search(words)), None)
    if found is None:
        return compat
    cause = _finding(found, compat.primary, target, words)
    others = tuple(item for item in compat.findings if item is not compat.primary and item.code != FAILED)
    return replace(compat, primary=cause, findings=(cause, *others), headline=cause.title)


def _finding(trouble: _Trouble, failed: Finding, target: Target, words: str) -> Finding:
    values = {"name": target.name, "code": error_code(words) or "?"}
    fixes = failed.fixes
    source = failed.source
    has_command = trouble.name != "image" or target.engine != "apptainer"  # a file is where its owner put it
    if trouble.deed is not None and has_command:
        deed = load_ways().deed(trouble.deed)
        filled = _values(target, values)
        text = (
            deed.explanation.filled(filled) if deed.explanation else _say(f"targets.trouble-{trouble.name}-fix", values)
        )
        commands = tuple(_fill(line, filled) for line in deed.commands)
        changes = deed.changes.filled(filled) if deed.changes is not None else None
        fixes = (Fix(text=text, commands=commands, shell=deed.shell, changes=changes),)
        source = first_source(deed)
    return Finding(
        code=trouble.code,
        severity=Severity.BLOCKED,
        title=_say(f"targets.trouble-{trouble.name}-title", values),
        text=_say(f"targets.trouble-{trouble.name}", values),
        evidence=failed.evidence,
        fixes=fixes,
        source=source,
        confidence=Confidence.HIGH,
        outcome=failed.outcome,
    )


def _values(target: Target, values: Mapping[str, str]) -> dict[str, str]:
    download = format_bytes(load_ways().offered_image.download_bytes, digits=0)
    return {**values, "engine": target.engine or "docker", "image": target.image or "?", "download": download}


def _fill(line: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        line = line.replace(f"{{{name}}}", quoted(value, "sh"))
    return line


def _say(name: str, values: Mapping[str, str]) -> LocalText:
    return load_texts().both(Message(name, dict(values)))
