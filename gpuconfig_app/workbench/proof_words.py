"""The findings a proof gives rise to, in both languages, with TensorFlow's own words as what was seen."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

from gpuconfig_app.core.finding import Confidence, Finding, Fix, Severity, Source
from gpuconfig_app.core.messages import Language, LocalText, Message, MessageValue
from gpuconfig_app.core.proof import FailureKind, Proof, ProofFailure, ProofLibrary, ProofStage
from gpuconfig_app.core.target import parse_target
from gpuconfig_app.core.versions import is_at_least
from gpuconfig_app.workbench.text import Texts

FAILED = "PROOF_FAILED"
XLA_FAILED = "PROOF_XLA_FAILED"
GPU_FULL = "PROOF_GPU_FULL"
CARDS_MISSING = "PROOF_CARDS_MISSING"
STALE = "PROOF_STALE"
_MOST_LINES = 6
# First release with the extra that brings the CUDA libraries.
_FIRST_AND_CUDA = "2.14"
BEFORE_GPU = frozenset({ProofStage.START, ProofStage.IMPORT})


class ProofWords:
    """Findings about one proof.

    Args:
        texts: All sentences.
        proof: What came out.
    """

    def __init__(self, texts: Texts, proof: Proof) -> None:
        self._texts = texts
        self._proof = proof

    def failed(self, failure: ProofFailure) -> Finding:
        """A step failed, and with it every training would."""
        stage = self._stage(failure.stage)
        kind = failure.kind.value.replace("_", "-")
        return self._finding(
            FAILED,
            Severity.BLOCKED,
            self._say("workbench.proof-failed-title", {"stage": stage}),
            self._say(f"workbench.proof-failed-{kind}", self._values(failure)),
            evidence=self._seen(failure),
            fixes=(self._way_on(failure),),
            failure=failure,
        )

    def no_gpu(self) -> Finding:
        """TensorFlow works and lists no GPU."""
        proof = self._proof
        missing = [library for library in proof.libraries if library.error]
        seen = [Message("workbench.proof-saw-library", {"name": one.name, "words": one.error or ""}) for one in missing]
        if proof.driver_words and proof.is_cuda_build is not False:
            seen.append(Message("workbench.proof-saw-driver", {"words": proof.driver_words}))
        if proof.is_cuda_build is False:
            seen.append(Message("workbench.proof-saw-no-cuda-build"))
        seen += [Message("workbench.proof-saw-words", {"words": line}) for line in proof.words[-3:]]
        return self._finding(
            FAILED,
            Severity.BLOCKED,
            self._say("workbench.proof-no-gpu-title"),
            self._say("workbench.proof-no-gpu", {"version": proof.tensorflow_version or "?"}),
            evidence=tuple(seen),
            fixes=(self._way_to_a_gpu(missing),),
        )

    def one_card_failed(self, failure: ProofFailure) -> Finding:
        """A step failed on one card, while another card was good."""
        good = self._proof.good_gpus
        uuids = [f"GPU-{gpu.uuid}" for gpu in good if gpu.uuid is not None]
        shown = ",".join(uuids) if len(uuids) == len(good) else ",".join(str(gpu.index) for gpu in good)
        return self._finding(
            FAILED,
            Severity.WARNING,
            self._say("workbench.proof-one-card-title", self._values(failure) | {"stage": self._stage(failure.stage)}),
            self._say("workbench.proof-one-card", self._values(failure)),
            evidence=self._seen(failure),
            fixes=(
                Fix(
                    text=self._say("workbench.proof-fix-leave-out", self._values(failure)),
                    commands=(f"export CUDA_VISIBLE_DEVICES={shown}",),
                ),
            ),
            failure=failure,
        )

    def xla_failed(self, failure: ProofFailure) -> Finding:
        """The plain steps were good, only XLA fails."""
        return self._finding(
            XLA_FAILED,
            Severity.WARNING,
            self._say("workbench.proof-xla-title"),
            self._say("workbench.proof-xla"),
            evidence=self._seen(failure),
            fixes=(Fix(text=self._say("workbench.proof-fix-xla")),),
            failure=failure,
        )

    def gpu_full(self, failure: ProofFailure) -> Finding:
        """The card had no memory left, which says nothing about TensorFlow."""
        return self._finding(
            GPU_FULL,
            Severity.WARNING,
            self._say("workbench.proof-full-title"),
            self._say("workbench.proof-full"),
            evidence=self._seen(failure),
            fixes=(Fix(text=self._say("workbench.proof-fix-full"), commands=("nvidia-smi",)),),
            failure=failure,
        )

    def cards_missing(self, listed: int, expected: int) -> Finding:
        """TensorFlow lists fewer cards than it should."""
        gpus = self._proof.gpus
        seen = tuple(Message("workbench.proof-saw-gpu", {"index": gpu.index, "name": gpu.name or "?"}) for gpu in gpus)
        values: Mapping[str, MessageValue] = {"listed": listed, "expected": expected}
        return self._finding(
            CARDS_MISSING,
            Severity.WARNING,
            self._say("workbench.proof-cards-title", values),
            self._say("workbench.proof-cards", values),
            evidence=seen,
        )

    def stale(self, changed: Sequence[str]) -> Finding:
        """The proof is of a machine that has changed since."""
        return self._finding(
            STALE,
            Severity.NEUTRAL,
            self._say("workbench.proof-stale-title"),
            self._say("workbench.proof-stale"),
            evidence=tuple(Message(f"workbench.proof-changed-{name}") for name in changed),
            fixes=(Fix(text=self._say("workbench.proof-fix-again")),),
        )

    def proven_headline(self) -> LocalText:
        """Say on what TensorFlow really computed."""
        counts = Counter(gpu.name or f"GPU:{gpu.index}" for gpu in self._proof.gpus)
        cards = ", ".join(f"{count}× {name}" if count > 1 else name for name, count in counts.items())
        version = self._proof.tensorflow_version or "?"
        return self._say("workbench.proof-headline", {"version": version, "cards": cards})

    def _way_to_a_gpu(self, missing: Sequence[ProofLibrary]) -> Fix:
        """Complete the CUDA libraries where only those are missing; without a driver they would not help."""
        proof = self._proof
        version = proof.packages.get("tensorflow")
        has_extra = version is not None and is_at_least(version, _FIRST_AND_CUDA)
        lacks_driver = any(library.name.startswith("libcuda.") for library in missing)
        if not missing or lacks_driver or not has_extra:
            return Fix(text=self._say("workbench.proof-fix-driver"), commands=("nvidia-smi",))
        python = parse_target(proof.executable).python
        install = f'{shlex.quote(python)} -m pip install "tensorflow[and-cuda]=={version}"'
        text, changes = self._say("workbench.proof-fix-libraries"), self._say("workbench.proof-fix-libraries-changes")
        return Fix(text=text, commands=(install,), changes=changes)

    def _way_on(self, failure: ProofFailure) -> Fix:
        if failure.stage in BEFORE_GPU:
            return Fix(text=self._say("workbench.proof-fix-environment"))
        if failure.kind is FailureKind.TIMED_OUT:
            return Fix(text=self._say("workbench.proof-fix-hang"))
        return Fix(text=self._say("workbench.proof-fix-step"))

    def _seen(self, failure: ProofFailure) -> tuple[Message, ...]:
        seen = []
        if failure.gpu_index is not None:
            name = next((gpu.name for gpu in self._proof.gpus if gpu.index == failure.gpu_index), None)
            seen.append(Message("workbench.proof-saw-gpu", {"index": failure.gpu_index, "name": name or "?"}))
        if failure.signal is not None:
            seen.append(Message("workbench.proof-saw-signal", {"signal": failure.signal}))
        lines = [line for line in failure.words.splitlines() if line.strip()]
        return (*seen, *(Message("workbench.proof-saw-words", {"words": line}) for line in lines[:_MOST_LINES]))

    def _values(self, failure: ProofFailure) -> dict[str, MessageValue | LocalText]:
        values: dict[str, MessageValue | LocalText] = {
            "gpu": failure.gpu_index if failure.gpu_index is not None else "?",
            "code": failure.exit_code if failure.exit_code is not None else "?",
            "limit_s": failure.limit_s or 0.0,
        }
        return values

    def _stage(self, stage: ProofStage) -> LocalText:
        return self._say(f"workbench.proof-stage-{stage.value}")

    def _say(self, name: str, values: Mapping[str, MessageValue | LocalText] | None = None) -> LocalText:
        return LocalText(en=self._in(name, values, Language.ENGLISH), zh_cn=self._in(name, values, Language.CHINESE))

    def _in(self, name: str, values: Mapping[str, MessageValue | LocalText] | None, language: Language) -> str:
        plain = {
            key: value.in_language(language) if isinstance(value, LocalText) else value
            for key, value in (values or {}).items()
        }
        return self._texts.render(Message(name, plain), language)

    def _finding(
        self,
        code: str,
        severity: Severity,
        title: LocalText,
        text: LocalText,
        *,
        evidence: tuple[Message, ...] = (),
        fixes: tuple[Fix, ...] = (),
        failure: ProofFailure | None = None,
    ) -> Finding:
        is_certain = failure is None or failure.kind is not FailureKind.TIMED_OUT
        return Finding(
            code=code,
            severity=severity,
            title=title,
            text=text,
            evidence=evidence,
            fixes=fixes,
            source=Source(title="GPUConfig: tried on this machine"),
            confidence=Confidence.HIGH if is_certain else Confidence.MEDIUM,
        )
