"""A proof in the words of the window; pure functions over verdict and machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication

from gpuconfig_app.core.finding import CompatReport, Proven
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.proof import Proof, ProofResult, ProofStage, ProofStep
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.units import format_bytes, format_duration
from gpuconfig_app.ui.card_words import clock_text
from gpuconfig_app.ui.widgets.proof_card import ProofRow, ProofShown

Render = Callable[[Message | LocalText | None], str]
_COMPUTING = (ProofStage.MATMUL, ProofStage.CONVOLUTION, ProofStage.XLA)
_MOST_TIMES = 4
_MOST_LIBRARIES = 14
_MOST_QUOTED = 6


def proof_shown(compat: CompatReport, report: SystemReport, render: Render, *, is_recorded: bool) -> ProofShown:
    """Say what a proof showed, or what it would do."""
    proof = compat.proof
    reason = _reason(compat, is_recorded=is_recorded)
    question = _question(report)
    if proof is None:
        return ProofShown(
            severity="to_do",
            word=QCoreApplication.translate("ProofWords", "Not proven"),
            sentence=reason or QCoreApplication.translate("ProofWords", "TensorFlow is started in this Python, and a "
                "matrix product, a convolution and an XLA step are computed on each GPU. Takes about a minute."),
            button=QCoreApplication.translate("ProofWords", "Prove it"),
            reason=reason,
            question=question,
        )  # fmt: skip
    severity, word = _state(compat, proof)
    return ProofShown(
        severity=severity,
        word=word,
        sentence=_sentence(compat, proof, render),
        button=QCoreApplication.translate("ProofWords", "Prove it again"),
        taken=_taken(proof),
        rows=tuple(row for stage in _COMPUTING if (row := _row(stage, proof)) is not None),
        loaded=_loaded(proof),
        quoted=_quoted(proof),
        reason=reason,
        question=question,
        said=_said(proof),
    )


def _reason(compat: CompatReport, *, is_recorded: bool) -> str:
    if is_recorded:
        return QCoreApplication.translate("ProofWords", "A recorded machine cannot be proven from here.")
    if compat.python is None:
        return QCoreApplication.translate("ProofWords", "There is no Python to run the test in.")
    return ""


def _question(report: SystemReport) -> str:
    asleep = [gpu.name or f"GPU {gpu.index}" for gpu in report.gpus if gpu.state is GpuState.ASLEEP]
    if not asleep:
        return ""
    text = QCoreApplication.translate("ProofWords", "{cards} sleeps to save the battery. The test wakes it.")
    return text.format(cards=", ".join(asleep))


def _state(compat: CompatReport, proof: Proof) -> tuple[str, str]:
    if compat.proven is Proven.STALE:
        return "stale", QCoreApplication.translate("ProofWords", "Out of date")
    if compat.proven is Proven.TRUE:
        return "good", QCoreApplication.translate("ProofWords", "Proven")
    if proof.result is ProofResult.NO_GPU:
        return "warning", QCoreApplication.translate("ProofWords", "No GPU took part")
    if proof.good_gpus:
        return "warning", QCoreApplication.translate("ProofWords", "Proven in part")
    return "blocked", QCoreApplication.translate("ProofWords", "Failed")


def _sentence(compat: CompatReport, proof: Proof, render: Render) -> str:
    """Say what came out in the words of the finding, else of the headline."""
    codes = ("PROOF_STALE", "PROOF_FAILED", "PROOF_GPU_FULL", "PROOF_CARDS_MISSING", "PROOF_XLA_FAILED")
    finding = next((item for code in codes for item in compat.findings if item.code == code), None)
    if finding is not None:
        sentence = QCoreApplication.translate("ProofWords", "{title}. {text}")
        return sentence.format(title=render(finding.title), text=render(finding.text))
    if compat.proven is Proven.TRUE:
        return render(compat.headline)
    text = QCoreApplication.translate("ProofWords", "The last test is of another state of this machine: {result}.")
    return text.format(result=_state(compat, proof)[1])


def _taken(proof: Proof) -> str:
    duration = format_duration(proof.duration_s) if proof.duration_s is not None else ""
    return ", ".join(part for part in (clock_text(proof.taken_at), duration) if part)


def _row(stage: ProofStage, proof: Proof) -> ProofRow | None:
    steps = [step for step in proof.steps if step.stage is stage]
    cut_off = [item for item in (proof.failure, proof.xla_failure) if item is not None and item.stage is stage]
    if not steps and not cut_off:
        return None
    is_good = bool(steps) and all(step.is_good for step in steps) and not cut_off
    severity = "good" if is_good else "warning" if stage is ProofStage.XLA else "blocked"
    good_word = QCoreApplication.translate("ProofWords", "Ran there")
    return ProofRow(
        name=_stage_name(stage),
        time=_times(steps),
        device=", ".join(_device(step) for step in steps if step.device),
        severity=severity,
        word=good_word if is_good else QCoreApplication.translate("ProofWords", "Failed"),
    )


def _stage_name(stage: ProofStage) -> str:
    names = {
        ProofStage.MATMUL: QCoreApplication.translate("ProofWords", "Matrix product"),
        ProofStage.CONVOLUTION: QCoreApplication.translate("ProofWords", "Convolution"),
        ProofStage.XLA: QCoreApplication.translate("ProofWords", "XLA step"),
    }
    return names[stage]


def _times(steps: Sequence[ProofStep]) -> str:
    times = [step.again_s * 1000 for step in steps if step.again_s is not None]
    if not times:
        return ""
    if len(times) > _MOST_TIMES:
        return f"{min(times):.1f}–{max(times):.1f} ms"
    return ", ".join(f"{time:.1f}" for time in times) + " ms"


def _device(step: ProofStep) -> str:
    return (step.device or "").rsplit("device:", 1)[-1]


def _loaded(proof: Proof) -> tuple[tuple[str, str, str], ...]:
    rows = []
    for gpu in proof.gpus:
        if gpu.memory_peak_bytes is not None:
            label = QCoreApplication.translate("ProofWords", "Peak memory, GPU {index}").format(index=gpu.index)
            rows.append((label, format_bytes(gpu.memory_peak_bytes), ""))
    not_loaded = QCoreApplication.translate("ProofWords", "not loaded")
    for library in sorted(proof.libraries, key=lambda item: item.error is None)[:_MOST_LIBRARIES]:
        value = library.error or str(PurePath(library.path or "").parent)
        rows.append((library.name, value, not_loaded if library.error else ""))
    return tuple(rows)


def _quoted(proof: Proof) -> tuple[str, ...]:
    failures = [item.words for item in (proof.failure, proof.xla_failure) if item is not None and item.words]
    lines = [line for words in failures for line in words.splitlines() if line.strip()]
    return tuple(lines[:_MOST_QUOTED]) or (proof.words[-2:] if proof.result is ProofResult.NO_GPU else ())


def _said(proof: Proof) -> str:
    """Give all that was said of a failure, for the page that explains it; empty when nothing failed."""
    failures = [item.words for item in (proof.failure, proof.xla_failure) if item is not None and item.words]
    if not failures and proof.result is not ProofResult.NO_GPU:
        return ""
    errors = [f"{library.name}: {library.error}" for library in proof.libraries if library.error]
    own = [step.error for step in proof.steps if step.error]
    parts = (*proof.words, *errors, *own, *failures, *((proof.driver_words,) if proof.driver_words else ()))
    return "\n".join(dict.fromkeys(parts))
