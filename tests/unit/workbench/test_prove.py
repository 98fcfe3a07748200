"""From a proof to the verdict, with the real child process in between."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport, Outcome, Proven, Severity, Verdict
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.proof import FailureKind, Proof, ProofFailure, ProofGpu, ProofResult, ProofStage
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.storage.proofs import fingerprint, load_proof
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.proof_state import with_proof
from gpuconfig_app.workbench.prove import ProveOptions
from gpuconfig_app.workbench.text import load_texts
from tests.unit.runner.pretended_tensorflow import write_tensorflow


@pytest.fixture
def bench() -> Workbench:
    return Workbench()


def machine(root: Path, name: str) -> SystemReport:
    """A recorded machine, taken as if it were this one."""
    places = [root / "tests" / "machines" / name, root / "resources" / "machines" / name]
    folder = next(place for place in places if place.exists())
    return replace(load_machine(folder).report, recorded_from=None)


def python_of(report: SystemReport) -> PythonEnvironment:
    """Its environment with TensorFlow, run by the Python of the tests."""
    found = next(item for item in report.environments if item.tensorflow_version is not None)
    return replace(found, executable=sys.executable)


@pytest.fixture
def prove(bench, root, tmp_path, monkeypatch):
    def run(words: str, name: str = "healthy-1x4090", **options: object) -> CompatReport:
        monkeypatch.setenv("PYTHONPATH", str(write_tensorflow(tmp_path)))
        monkeypatch.setenv("PRETENDED", words)
        report = machine(root, name)
        return bench.prove(report, python_of(report), options=ProveOptions(**options))

    return run


def english(report: CompatReport) -> str:
    texts = load_texts()
    return "\n".join(texts.both(item).en for item in report.primary.evidence)


def test_a_ready_machine_is_proven(prove, bench) -> None:
    report = prove("gpus=1")

    assert report.verdict in {Verdict.READY, Verdict.READY_WITH_NOTES}
    assert report.proven is Proven.TRUE
    assert report.proven_at is not None
    assert "really computed on NVIDIA GeForce RTX 4090" in report.headline.en
    assert "实际完成计算" in report.headline.zh_cn


def test_the_proof_is_kept_and_counts_in_the_next_check(prove, bench, root) -> None:
    prove("gpus=1")
    report = machine(root, "healthy-1x4090")

    again = bench.check(report, python_of(report))

    assert again.proven is Proven.TRUE


def test_it_expires_when_the_driver_changes(prove, bench, root) -> None:
    prove("gpus=1")
    report = machine(root, "healthy-1x4090")
    newer = replace(report, drivers=tuple(replace(item, version="999.1") for item in report.drivers))

    stale = bench.check(newer, python_of(report))

    finding = next(item for item in stale.findings if item.code == "PROOF_STALE")
    assert stale.proven is Proven.STALE
    assert [item.id for item in finding.evidence] == ["workbench.proof-changed-driver"]
    assert finding != stale.primary


def test_a_failed_proof_of_a_former_state_says_nothing(prove, bench, root) -> None:
    prove("matmul-raises")
    report = machine(root, "healthy-1x4090")
    environment = replace(python_of(report), python_version="3.12.99")

    assert bench.check(report, environment).verdict in {Verdict.READY, Verdict.READY_WITH_NOTES}
    assert bench.check(report, python_of(report)).verdict is Verdict.BLOCKED


def test_another_release_than_the_installed_one_has_no_proof(prove, bench, root) -> None:
    prove("matmul-raises")
    report = machine(root, "healthy-1x4090")

    fresh = bench.check(report, python_of(report), tensorflow="2.18.1")

    assert fresh.proof is None
    assert fresh.verdict in {Verdict.READY, Verdict.READY_WITH_NOTES}


def test_a_fresh_installation_in_a_python_without_tensorflow_has_no_proof(bench, root) -> None:
    report = machine(root, "healthy-1x4090")
    bare = replace(python_of(report), packages={})
    assert bench.prove(report, bare).verdict is Verdict.BLOCKED

    fresh = bench.check(report, bare, tensorflow="2.21.0")

    assert fresh.verdict in {Verdict.READY, Verdict.READY_WITH_NOTES}


@pytest.mark.parametrize(
    ("words", "verdict", "outcome", "stage"),
    [
        ("gpus=0", Verdict.CPU_ONLY, Outcome.CPU_ONLY, "lists no GPU"),
        ("import-raises", Verdict.BLOCKED, Outcome.IMPORT_FAILS, "importing TensorFlow"),
        ("import-aborts", Verdict.BLOCKED, Outcome.IMPORT_FAILS, "importing TensorFlow"),
        ("matmul-raises", Verdict.BLOCKED, Outcome.GPU_FAILS, "matrix product"),
        ("convolution-aborts", Verdict.BLOCKED, Outcome.GPU_FAILS, "convolution"),
        ("convolution-elsewhere", Verdict.BLOCKED, Outcome.GPU_FAILS, "convolution"),
    ],
)
def test_ready_does_not_survive_a_failed_proof(prove, words, verdict, outcome, stage) -> None:
    report = prove(words)

    assert (report.verdict, report.outcome, report.proven) == (verdict, outcome, Proven.FALSE)
    assert report.primary.code == "PROOF_FAILED"
    assert report.primary == report.findings[0]
    assert stage in report.primary.title.en
    assert report.primary.fixes
    assert report.gpu_indexes == ()


def test_a_hang_blocks_and_names_the_limit(prove) -> None:
    report = prove("matmul-hangs", time_limit_s=2.0)

    assert report.verdict is Verdict.BLOCKED
    assert "2" in report.primary.text.en


@pytest.mark.parametrize("words", ["matmul-raises", "convolution-raises"])
def test_tensorflow_is_quoted(prove, words) -> None:
    report = prove(words)

    assert "CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed" in english(report)


def test_an_abort_names_its_signal_and_last_words(prove) -> None:
    report = prove("matmul-aborts")

    assert "SIGABRT" in english(report)
    assert "Check failed: it is over" in english(report)


def test_a_full_card_says_nothing_about_tensorflow(prove) -> None:
    report = prove("matmul-is-full")

    assert report.verdict is Verdict.READY_WITH_NOTES
    assert report.proven is Proven.FALSE
    assert report.primary.code == "PROOF_GPU_FULL"


def test_xla_alone_makes_a_remark(prove) -> None:
    report = prove("xla-aborts")

    assert report.verdict is Verdict.READY_WITH_NOTES
    assert report.proven is Proven.TRUE
    assert report.primary.code == "PROOF_XLA_FAILED"


def test_one_failing_card_of_two_is_left_out(prove) -> None:
    report = prove("gpus=2 matmul-aborts@1", "training-2x4090")

    assert report.verdict is Verdict.READY_WITH_NOTES
    assert report.proven is Proven.FALSE
    assert report.primary.title.en.startswith("GPU 1 failed")
    assert report.primary.fixes[0].commands == ("export CUDA_VISIBLE_DEVICES=0",)


def test_fewer_cards_than_promised_are_told(prove) -> None:
    report = prove("gpus=1", "training-2x4090")

    assert report.verdict is Verdict.READY_WITH_NOTES
    assert report.primary.code == "PROOF_CARDS_MISSING"


def test_what_was_blocked_by_conclusion_is_usable_when_it_is_proven(prove) -> None:
    report = prove("gpus=1", "rtx5090-stock-wheels")

    assert report.verdict is Verdict.READY_WITH_NOTES
    assert report.proven is Proven.TRUE
    assert report.primary is None
    assert all(item.severity is not Severity.BLOCKED for item in report.findings)


def test_a_blocked_machine_keeps_its_cause(prove) -> None:
    report = prove("gpus=0", "rtx5090-stock-wheels")

    assert report.verdict is Verdict.BLOCKED
    assert report.primary.code != "PROOF_FAILED"
    assert report.findings[-1].code == "PROOF_FAILED"
    assert report.findings[-1].severity is Severity.NOTE


def test_a_sleeping_card_is_asked_for_first(bench, root) -> None:
    report = machine(root, "laptop-hybrid-asleep")
    assert any(gpu.state is GpuState.ASLEEP for gpu in report.gpus)

    with pytest.raises(UsageError) as refused:
        bench.prove(report, report.environments[0])

    assert refused.value.message.id == "workbench.proof-would-wake"


def test_a_sleeping_card_is_woken_when_that_is_allowed(prove) -> None:
    assert prove("gpus=1", "laptop-hybrid-asleep", may_wake=True).proven is Proven.TRUE


def test_recorded_machines_and_missing_pythons_are_refused(bench, root) -> None:
    report = machine(root, "healthy-1x4090")

    with pytest.raises(UsageError):
        bench.prove(replace(report, recorded_from="elsewhere"), report.environments[0])
    with pytest.raises(UsageError):
        bench.prove(report, None)


def test_the_kept_proof_has_the_fingerprint_of_the_machine(prove, bench, root) -> None:
    prove("gpus=1")
    report = machine(root, "healthy-1x4090")

    assert load_proof(bench.places, sys.executable).fingerprint == fingerprint(report, python_of(report))


def test_a_first_start_that_only_takes_long_is_unknown(root) -> None:
    report = machine(root, "healthy-1x4090")
    before = CompatReport(
        verdict=Verdict.READY_WITH_NOTES, outcome=Outcome.JIT_AT_FIRST_START, confidence="high", gpu_indexes=(0,)
    )
    failure = ProofFailure(kind=FailureKind.TIMED_OUT, stage=ProofStage.MATMUL, gpu_index=0, limit_s=2700.0)
    proof = Proof(result=ProofResult.FAILED, failure=failure, gpus=(ProofGpu(index=0),))

    after = with_proof(before, proof, report, {}, load_texts())

    assert after.verdict is Verdict.UNKNOWN
    assert after.primary.severity is Severity.WARNING


def test_known_words_of_a_failed_proof_become_the_cause_with_its_fix(root) -> None:
    report = machine(root, "healthy-1x4090")
    before = CompatReport(verdict=Verdict.READY, outcome=Outcome.NATIVE, confidence="high", gpu_indexes=(0,))
    words = (
        "TypeError: Descriptors cannot be created directly.\n"
        "If this call came from a _pb2.py file, your generated code is out of date and must be regenerated with protoc."
    )
    failure = ProofFailure(kind=FailureKind.ERROR, stage=ProofStage.IMPORT, words=words)
    proof = Proof(result=ProofResult.FAILED, failure=failure)

    after = with_proof(before, proof, report, {}, load_texts(), python_of(report))

    assert (after.verdict, after.outcome) == (Verdict.BLOCKED, Outcome.IMPORT_FAILS)
    assert after.primary.code == "PROTOBUF_TOO_NEW"
    assert after.primary.fixes
    assert [item.code for item in after.findings][:2] == ["PROTOBUF_TOO_NEW", "PROOF_FAILED"]
    assert after.findings[1].severity is Severity.NOTE


def test_unknown_words_of_a_failed_proof_stay_its_own(root) -> None:
    report = machine(root, "healthy-1x4090")
    before = CompatReport(verdict=Verdict.READY, outcome=Outcome.NATIVE, confidence="high", gpu_indexes=(0,))
    failure = ProofFailure(kind=FailureKind.ERROR, stage=ProofStage.IMPORT, words="KeyError: 'gearbox'")

    after = with_proof(before, Proof(result=ProofResult.FAILED, failure=failure), report, {}, load_texts())

    assert after.primary.code == "PROOF_FAILED"


@pytest.mark.parametrize("kind", list(FailureKind))
@pytest.mark.parametrize("stage", list(ProofStage))
def test_every_failure_has_its_words_in_both_languages(root, kind, stage) -> None:
    report = machine(root, "healthy-1x4090")
    before = CompatReport(verdict=Verdict.READY, outcome=Outcome.NATIVE, confidence="high")
    proof = Proof(result=ProofResult.FAILED, failure=ProofFailure(kind=kind, stage=stage, words="said"))

    after = with_proof(before, proof, report, {}, load_texts())

    assert after.verdict is not Verdict.READY
    for text in (after.primary.title, after.primary.text, *(fix.text for fix in after.primary.fixes)):
        assert not text.en.startswith("workbench.")
        assert "{" not in text.en + text.zh_cn
