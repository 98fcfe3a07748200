"""What ``check()`` says: findings, requirements and the verdict over them.

A finding's text comes from its rule's row in both languages, already filled with the values found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.proof import Proof
from gpuconfig_app.core.record import Record, path_text, public_text


class Severity(StrEnum):
    """How much a finding matters; order is from worst to best."""

    BLOCKED = "blocked"
    WARNING = "warning"
    NOTE = "note"
    GOOD = "good"
    NEUTRAL = "neutral"


class Verdict(StrEnum):
    """Answer to "will TensorFlow use this GPU?"."""

    READY = "ready"
    READY_WITH_NOTES = "ready_with_notes"
    CPU_ONLY = "cpu_only"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """What would happen when TensorFlow is started."""

    NATIVE = "native"
    JIT_AT_FIRST_START = "jit_at_first_start"
    GPU_FAILS = "gpu_fails"
    CPU_ONLY = "cpu_only"
    IMPORT_FAILS = "import_fails"
    CANNOT_INSTALL = "cannot_install"
    UNKNOWN = "unknown"


class Confidence(StrEnum):
    """How sure a statement is: measured or stated by the vendor, inferred, or guessed."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Proven(StrEnum):
    """Whether a real test on the GPU stands behind the verdict; ``stale`` when the machine changed since."""

    TRUE = "true"
    FALSE = "false"
    STALE = "stale"


@dataclass(frozen=True, kw_only=True)
class Source(Record):
    """Where a fact comes from.

    Attributes:
        title: Document and section.
        address: Public address, None for own measurements.
        checked_on: ISO date.
    """

    title: str = public_text("")
    address: str | None = public_text()
    checked_on: str = public_text("")


@dataclass(frozen=True, kw_only=True)
class Fix(Record):
    """One way out.

    Attributes:
        text: What to do, in one or two sentences.
        commands: Lines to copy, in order; empty when there is nothing to type.
        shell: ``sh``, ``powershell`` or ``python``.
        changes: What the commands change on the system.
        leads_to: Kind of target the way leads to (``wsl``, ``container``, ``local``), None when it stays.
    """

    text: LocalText
    commands: tuple[str, ...] = field(default=(), metadata={"privacy": "public"})
    shell: str = public_text("sh")
    changes: LocalText | None = None
    leads_to: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class Finding(Record):
    """One thing that was found.

    Attributes:
        code: UPPER_SNAKE, stable.
        evidence: What was seen that makes it true, one short statement each.
        gpu_indexes: Cards it is about; empty when it is about the machine.
        fixes: Best first.
        outcome: What it leads to when it decides, None for remarks.
    """

    code: str = public_text("")
    severity: Severity
    title: LocalText
    text: LocalText
    evidence: tuple[Message, ...] = ()
    gpu_indexes: tuple[int, ...] = ()
    fixes: tuple[Fix, ...] = ()
    source: Source = Source()
    confidence: Confidence = Confidence.HIGH
    outcome: Outcome | None = None


@dataclass(frozen=True, kw_only=True)
class Requirement(Record):
    """One row of "needed beside found".

    Attributes:
        id: ``driver``, ``cuda_libraries``, ``cudnn``, ``machine_code``, ``python``, ``glibc``, ``processor``, ``disk``,
            ``toolkit`` …
        needs: None when nothing is needed.
        found: None when it could not be found out.
        severity: GOOD fits, BLOCKED or WARNING does not, NEUTRAL is not needed or not known.
        verdict: The word beside it, as a message id without params (``compat.requirement.fits`` …).
    """

    id: str = public_text("")
    needs: Message | None = None
    found: Message | None = None
    severity: Severity
    verdict: Message
    source: Source | None = None


@dataclass(frozen=True, kw_only=True)
class ReleaseVerdict(Record):
    """Verdict of one TensorFlow release on this machine in a fresh environment.

    Attributes:
        release: ``2.21.0``.
        series: ``2.21``.
        reason: Short, for the release strip.
    """

    release: str = public_text("")
    series: str = public_text("")
    verdict: Verdict
    outcome: Outcome
    confidence: Confidence
    is_installed: bool = False
    is_best: bool = False
    reason: LocalText | None = None
    primary_code: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class CompatReport(Record):
    """The answer of ``check()``.

    Attributes:
        primary: The one cause that decides; None when nothing stands in the way.
        findings: All, worst first, the primary one included.
        python: Interpreter judged; None when no environment was chosen.
        variables_of: Whose environment variables were used: ``user``, ``recorded``, ``none``.
        gpu_indexes: Cards TensorFlow would use.
        proven_at: When the proof was taken, None without one.
        proof: The newest proof of this Python, also a failed or a stale one; None when there is none.
    """

    verdict: Verdict
    outcome: Outcome
    confidence: Confidence
    proven: Proven = Proven.FALSE
    primary: Finding | None = None
    findings: tuple[Finding, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    releases: tuple[ReleaseVerdict, ...] = ()
    tensorflow: str | None = public_text()
    python: str | None = path_text()
    python_version: str | None = public_text()
    gpu_indexes: tuple[int, ...] = ()
    headline: LocalText | None = None
    variables_of: str = public_text("user")
    proven_at: float | None = None
    proof: Proof | None = None
