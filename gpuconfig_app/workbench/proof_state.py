"""What a proof does to a verdict: what was measured is stronger than what was concluded from versions and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuconfig_app.core.finding import CompatReport, Confidence, Finding, Outcome, Proven, Severity, Verdict
from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.proof import FailureKind, Proof, ProofFailure, ProofGpu, ProofResult
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.storage.proofs import changed_parts
from gpuconfig_app.workbench.proof_cause import cause_of
from gpuconfig_app.workbench.proof_words import BEFORE_GPU, FAILED, ProofWords
from gpuconfig_app.workbench.text import Texts

_UNSETTLED = "FACTS_MISSING"
_ABLE = frozenset({Verdict.READY, Verdict.READY_WITH_NOTES})
_UNABLE = frozenset({Verdict.CPU_ONLY, Verdict.BLOCKED})


@dataclass(frozen=True)
class _Fall:
    """How far a failed proof takes a verdict down."""

    verdict: Verdict
    outcome: Outcome
    severity: Severity


def with_proof(
    compat: CompatReport,
    proof: Proof,
    report: SystemReport,
    now: Mapping[str, str],
    texts: Texts,
    environment: PythonEnvironment | None = None,
) -> CompatReport:
    """Give the verdict as it stands with a proof.

    Args:
        compat: As ``check()`` gave it, without a proof.
        report: The machine, to find its cards in the proof.
        now: Fingerprint of machine and environment as they are.
        environment: The Python that was tried; its facts help to name the cause of a failure.
    """
    words = ProofWords(texts, proof)
    changed = changed_parts(proof.fingerprint, now)
    if changed:
        return _stale(compat, proof, words.stale(changed))
    known = replace(compat, proof=proof, proven_at=proof.taken_at)
    if proof.result is ProofResult.PROVEN:
        return _proven(known, proof, report, words)
    if proof.result is ProofResult.NO_GPU or proof.failure is None:
        fall = _Fall(Verdict.CPU_ONLY, Outcome.CPU_ONLY, Severity.BLOCKED)
        fallen = _fallen(known, words.no_gpu(), fall)
    else:
        fallen = _failed(known, proof, proof.failure, report, words)
    if fallen.primary is None or fallen.primary.code != FAILED or fallen.verdict not in _UNABLE:
        return fallen
    return _with_cause(fallen, fallen.primary, cause_of(proof, report, environment))


def _with_cause(compat: CompatReport, failed: Finding, cause: Finding | None) -> CompatReport:
    """Let the known cause and its fix speak first; what the proof saw is its evidence."""
    if cause is None:
        return compat
    decided = replace(cause, evidence=failed.evidence, outcome=failed.outcome)
    others = tuple(item for item in compat.findings if item is not failed and item.code != cause.code)
    findings = (decided, replace(failed, severity=Severity.NOTE, outcome=None), *others)
    return replace(compat, primary=decided, findings=findings, headline=decided.title)


def _stale(compat: CompatReport, proof: Proof, finding: Finding) -> CompatReport:
    """A proof of a machine that has changed: a good one is worth repeating, a failed one says nothing any more."""
    if proof.result is not ProofResult.PROVEN:
        return replace(compat, proof=proof)
    return replace(
        compat,
        proven=Proven.STALE,
        proven_at=proof.taken_at,
        proof=proof,
        findings=(*compat.findings, finding),
    )


def _proven(compat: CompatReport, proof: Proof, report: SystemReport, words: ProofWords) -> CompatReport:
    findings = [_demoted(item) for item in compat.findings if item.code != _UNSETTLED]
    cards = _cards_of(proof.gpus, report.gpus)
    if proof.xla_failure is not None:
        findings.insert(0, words.xla_failed(proof.xla_failure))
    missing = len(compat.gpu_indexes) - len(proof.gpus)
    if missing > 0:
        findings.insert(0, words.cards_missing(len(proof.gpus), len(compat.gpu_indexes)))
    is_settled, has_doubts = compat.verdict in _ABLE, missing > 0 or proof.xla_failure is not None
    remarks = [item for item in findings if item.severity not in {Severity.GOOD, Severity.NEUTRAL}]
    return replace(
        compat,
        verdict=Verdict.READY_WITH_NOTES if remarks else Verdict.READY,
        outcome=compat.outcome if is_settled else _outcome_of(compat),
        confidence=Confidence.HIGH,
        proven=Proven.TRUE,
        primary=findings[0] if has_doubts else compat.primary if is_settled else None,
        findings=tuple(findings),
        gpu_indexes=tuple(index for index in compat.gpu_indexes if index in cards) or cards or compat.gpu_indexes,
        headline=words.proven_headline(),
    )


def _failed(
    compat: CompatReport, proof: Proof, failure: ProofFailure, report: SystemReport, words: ProofWords
) -> CompatReport:
    if failure.kind is FailureKind.OUT_OF_MEMORY:
        return _with_remark(compat, words.gpu_full(failure))
    if proof.good_gpus and failure.gpu_index is not None:
        cards = _cards_of(proof.good_gpus, report.gpus)
        return _with_remark(replace(compat, gpu_indexes=cards or compat.gpu_indexes), words.one_card_failed(failure))
    if failure.stage in BEFORE_GPU:
        fall = _Fall(Verdict.BLOCKED, Outcome.IMPORT_FAILS, Severity.BLOCKED)
    elif failure.kind is FailureKind.TIMED_OUT and compat.outcome is Outcome.JIT_AT_FIRST_START:
        # The driver may only need more time to compile
        fall = _Fall(Verdict.UNKNOWN, Outcome.UNKNOWN, Severity.WARNING)
    else:
        fall = _Fall(Verdict.BLOCKED, Outcome.GPU_FAILS, Severity.BLOCKED)
    return _fallen(compat, words.failed(failure), fall)


def _fallen(compat: CompatReport, finding: Finding, fall: _Fall) -> CompatReport:
    """Take the verdict down; one that is down already keeps its cause, and the proof stands beside it."""
    is_worse = fall.outcome is Outcome.IMPORT_FAILS and compat.verdict is Verdict.CPU_ONLY
    if compat.verdict in _UNABLE and not is_worse:
        return replace(compat, findings=(*compat.findings, replace(finding, severity=Severity.NOTE)))
    decided = replace(finding, severity=fall.severity, outcome=fall.outcome)
    others = tuple(item for item in compat.findings if item.code != _UNSETTLED)
    return replace(
        compat,
        verdict=fall.verdict,
        outcome=fall.outcome,
        confidence=Confidence.HIGH if fall.verdict is not Verdict.UNKNOWN else Confidence.LOW,
        primary=decided,
        findings=(decided, *others),
        gpu_indexes=() if fall.verdict is not Verdict.UNKNOWN else compat.gpu_indexes,
        headline=decided.title,
    )


def _with_remark(compat: CompatReport, finding: Finding) -> CompatReport:
    """Add what was seen; "ready" becomes "with notes", everything else stays."""
    is_able = compat.verdict in _ABLE
    return replace(
        compat,
        verdict=Verdict.READY_WITH_NOTES if is_able else compat.verdict,
        primary=finding if is_able else compat.primary,
        findings=(finding, *compat.findings) if is_able else (*compat.findings, finding),
        headline=finding.title if is_able else compat.headline,
    )


def _demoted(finding: Finding) -> Finding:
    """What was thought to stand in the way did not: it becomes a warning."""
    if finding.severity is not Severity.BLOCKED:
        return finding
    return replace(finding, severity=Severity.WARNING, outcome=None)


def _outcome_of(compat: CompatReport) -> Outcome:
    """Say how TensorFlow starts where only the proof could tell that it does."""
    compiles = any(finding.outcome is Outcome.JIT_AT_FIRST_START for finding in compat.findings)
    return Outcome.JIT_AT_FIRST_START if compiles else Outcome.NATIVE


def _cards_of(proven: tuple[ProofGpu, ...], gpus: tuple[Gpu, ...]) -> tuple[int, ...]:
    """Give the survey's numbers of the proof's cards; empty when they can't be told apart."""
    found = [_card_of(item, gpus) for item in proven]
    indexes = tuple(sorted({index for index in found if index is not None}))
    return indexes if None not in found else ()


def _card_of(proven: ProofGpu, gpus: tuple[Gpu, ...]) -> int | None:
    for gpu in gpus:
        known = [gpu.uuid, *(slice_.uuid for slice_ in gpu.mig_instances)]
        if proven.uuid is not None and any(text and text.lower().endswith(proven.uuid) for text in known):
            return gpu.index
    same = [gpu.index for gpu in gpus if proven.pci_bus_id is not None and gpu.pci_bus_id == proven.pci_bus_id]
    return same[0] if same else None
