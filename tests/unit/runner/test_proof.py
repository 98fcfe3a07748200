"""The proof as a real child process, against a TensorFlow that does what can go wrong."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.proof import FailureKind, ProofResult, ProofStage
from gpuconfig_app.resources import resource_path
from gpuconfig_app.runner.proof import ProofRequest, run_proof
from tests.fakes import ProgressLog
from tests.unit.runner.pretended_tensorflow import pretended_request, pretended_variables

PROBE = resource_path("probes", "prove_gpu.py")


def test_a_gpu_that_computes_is_proven(tmp_path: Path) -> None:
    proof = run_proof(pretended_request(tmp_path, "gpus=1"))

    assert proof.result is ProofResult.PROVEN
    assert proof.failure is None
    assert proof.xla_failure is None
    assert [step.stage for step in proof.steps] == [ProofStage.MATMUL, ProofStage.CONVOLUTION, ProofStage.XLA]
    assert all(step.is_good and step.device.endswith("device:GPU:0") for step in proof.steps)
    assert all(step.first_s is not None and step.again_s is not None for step in proof.steps)
    (gpu,) = proof.gpus
    assert (gpu.name, gpu.compute_capability, gpu.memory_peak_bytes) == ("NVIDIA GeForce RTX 4090", "8.9", 12345678)
    assert (proof.tensorflow_version, proof.cuda_version, proof.cudnn_version) == ("2.21.0", "12.5.1", "9")
    assert proof.is_cuda_build is True
    assert proof.python_version == ".".join(str(part) for part in sys.version_info[:3])
    assert proof.import_s is not None


def test_each_gpu_is_tried(tmp_path: Path) -> None:
    proof = run_proof(pretended_request(tmp_path, "gpus=3"))

    assert [(step.gpu_index, step.stage.value) for step in proof.steps] == [
        *((index, stage) for index in range(3) for stage in ("matmul", "convolution")),
        *((index, "xla") for index in range(3)),
    ]
    assert len(proof.good_gpus) == 3


def test_the_progress_names_the_steps(tmp_path: Path) -> None:
    progress = ProgressLog()

    run_proof(pretended_request(tmp_path, "import-hangs", time_limit_s=2.0), JobControl(progress))

    assert progress.ids[-1] == "runner.proof-import"


def test_no_gpu_is_no_proof_and_the_processor_is_tried_instead(tmp_path: Path) -> None:
    proof = run_proof(pretended_request(tmp_path, "gpus=0"))

    assert proof.result is ProofResult.NO_GPU
    assert [(step.gpu_index, step.is_good) for step in proof.steps] == [(None, True), (None, True)]
    assert not proof.good_gpus


def test_without_gpu_each_library_is_tried_and_the_loader_is_quoted(tmp_path: Path) -> None:
    wheel = tmp_path / "wheels" / "nvidia" / "cudnn" / "lib"
    wheel.mkdir(parents=True)
    (wheel / "libcudnn.so.9").write_text("no library at all", encoding="utf-8")
    variables = pretended_variables(tmp_path, "gpus=0")
    variables["PYTHONPATH"] += os.pathsep + str(tmp_path / "wheels")

    proof = run_proof(ProofRequest(python=sys.executable, variables=variables))

    failed = {library.name: library for library in proof.libraries if library.error}
    assert "cannot open shared object file" in failed["libcublas.so.12"].error
    assert failed["libcudnn.so.9"].path == str(wheel / "libcudnn.so.9")
    assert "too short" in failed["libcudnn.so.9"].error or "invalid ELF" in failed["libcudnn.so.9"].error


@pytest.mark.parametrize(
    ("words", "kind", "stage"),
    [
        ("import-raises", FailureKind.ERROR, ProofStage.IMPORT),
        ("import-exits", FailureKind.ERROR, ProofStage.IMPORT),
        ("import-vanishes", FailureKind.ENDED, ProofStage.IMPORT),
        ("import-aborts", FailureKind.CRASHED, ProofStage.IMPORT),
        ("devices-raises", FailureKind.ERROR, ProofStage.DEVICES),
        ("devices-aborts", FailureKind.CRASHED, ProofStage.DEVICES),
        ("matmul-raises", FailureKind.ERROR, ProofStage.MATMUL),
        ("matmul-aborts", FailureKind.CRASHED, ProofStage.MATMUL),
        ("matmul-is-full", FailureKind.OUT_OF_MEMORY, ProofStage.MATMUL),
        ("matmul-elsewhere", FailureKind.WRONG_DEVICE, ProofStage.MATMUL),
        ("convolution-wrong", FailureKind.WRONG_RESULT, ProofStage.CONVOLUTION),
        ("convolution-raises", FailureKind.ERROR, ProofStage.CONVOLUTION),
        ("gpus=0 matmul-raises", FailureKind.ERROR, ProofStage.MATMUL),
    ],
)
def test_the_step_that_fails_first_is_named(tmp_path: Path, words, kind, stage) -> None:
    proof = run_proof(pretended_request(tmp_path, words))

    assert proof.result is ProofResult.FAILED
    assert (proof.failure.kind, proof.failure.stage) == (kind, stage)
    assert not proof.good_gpus


@pytest.mark.parametrize(("words", "stage"), [("import-hangs", ProofStage.IMPORT), ("matmul-hangs", ProofStage.MATMUL)])
def test_a_hang_is_ended_by_the_limit(tmp_path: Path, words, stage) -> None:
    proof = run_proof(pretended_request(tmp_path, words, time_limit_s=2.0))

    assert (proof.failure.kind, proof.failure.stage) == (FailureKind.TIMED_OUT, stage)
    assert proof.failure.limit_s == 2.0


def test_what_an_aborting_library_said_is_kept(tmp_path: Path) -> None:
    proof = run_proof(pretended_request(tmp_path, "convolution-aborts"))

    assert proof.failure.signal == "SIGABRT"
    assert "Check failed: it is over" in proof.failure.words
    assert proof.tensorflow_version == "2.21.0"
    assert [step.stage for step in proof.steps] == [ProofStage.MATMUL]


def test_after_an_abort_on_one_card_the_others_are_still_tried(tmp_path: Path) -> None:
    proof = run_proof(pretended_request(tmp_path, "gpus=3 matmul-aborts@1"))

    assert proof.result is ProofResult.FAILED
    assert proof.failure.gpu_index == 1
    assert [gpu.index for gpu in proof.good_gpus] == [0, 2]


def test_an_error_on_one_card_leaves_the_others(tmp_path: Path) -> None:
    proof = run_proof(pretended_request(tmp_path, "gpus=2 convolution-raises@0"))

    assert (proof.failure.gpu_index, proof.failure.stage) == (0, ProofStage.CONVOLUTION)
    assert "CUDA_ERROR_INVALID_PTX" in proof.failure.words
    assert [gpu.index for gpu in proof.good_gpus] == [1]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("xla-aborts", FailureKind.CRASHED),
        ("xla-raises", FailureKind.ERROR),
        ("xla-elsewhere", FailureKind.WRONG_DEVICE),
    ],
)
def test_xla_is_judged_apart(tmp_path: Path, words, kind) -> None:
    proof = run_proof(pretended_request(tmp_path, words))

    assert proof.result is ProofResult.PROVEN
    assert (proof.xla_failure.kind, proof.xla_failure.stage) == (kind, ProofStage.XLA)


def test_xla_that_aborts_on_one_card_is_tried_on_the_next(tmp_path: Path) -> None:
    proof = run_proof(pretended_request(tmp_path, "gpus=2 xla-aborts@0"))

    assert proof.xla_failure.gpu_index == 0
    assert [(step.gpu_index, step.is_good) for step in proof.steps if step.stage is ProofStage.XLA] == [(1, True)]


def test_an_old_tensorflow_that_tells_less_is_proven_too(tmp_path: Path) -> None:
    proof = run_proof(pretended_request(tmp_path, "version=2.10.1 no-details no-memory no-build-keys"))

    assert proof.result is ProofResult.PROVEN
    assert proof.tensorflow_version == "2.10.1"
    assert (proof.gpus[0].name, proof.gpus[0].memory_peak_bytes, proof.cuda_version) == (None, None, None)


def test_python_without_tensorflow_says_so(tmp_path: Path) -> None:
    proof = run_proof(ProofRequest(python=sys.executable))

    assert proof.failure.stage is ProofStage.IMPORT
    assert "ModuleNotFoundError: No module named 'tensorflow'" in proof.failure.words


def test_python_that_is_not_there_is_a_failed_proof(tmp_path: Path) -> None:
    proof = run_proof(ProofRequest(python=str(tmp_path / "no" / "python")))

    assert (proof.failure.kind, proof.failure.stage) == (FailureKind.NOT_STARTED, ProofStage.START)


def test_cancelling_ends_the_process(tmp_path: Path) -> None:
    control = JobControl()
    timer = threading.Timer(0.5, control.cancel)
    timer.start()

    with pytest.raises(JobCancelledError):
        run_proof(pretended_request(tmp_path, "import-hangs"), control)

    timer.join()


def test_the_process_has_the_variables_it_is_given(tmp_path: Path) -> None:
    variables = pretended_variables(tmp_path, "gpus=1", {"CUDA_VISIBLE_DEVICES": "0", "TF_CPP_MIN_LOG_LEVEL": "3"})

    proof = run_proof(ProofRequest(python=sys.executable, variables=variables))

    assert proof.variables["CUDA_VISIBLE_DEVICES"] == "0"


def test_a_neighbour_of_the_probe_does_not_shadow_anything(tmp_path: Path) -> None:
    """The probe lies beside others; a user's own script does not."""
    package = tmp_path / "pretended"
    variables = pretended_variables(tmp_path, "gpus=1")
    source = (package / "tensorflow.py").read_text(encoding="utf-8")
    (package / "tensorflow.py").write_text("import sys\nassert not any('probes' in p for p in sys.path)\n" + source)

    assert run_proof(ProofRequest(python=sys.executable, variables=variables)).result is ProofResult.PROVEN


def test_the_probe_is_written_for_old_pythons() -> None:
    ast.parse(PROBE.read_text(encoding="utf-8"), feature_version=(3, 7))


def test_every_python_here_compiles_the_probe() -> None:
    code = "import sys; compile(open(sys.argv[1], encoding='utf-8').read(), 'probe', 'exec')"
    names = [name for minor in range(7, 16) if shutil.which(name := f"python3.{minor}")]
    works = [name for name in names if _run(name, "") == 0]  # a launcher may be there without its Python

    assert [name for name in works if _run(name, code) != 0] == []


def _run(name: str, code: str) -> int:
    return subprocess.run([name, "-c", code, str(PROBE)], capture_output=True, check=False).returncode
