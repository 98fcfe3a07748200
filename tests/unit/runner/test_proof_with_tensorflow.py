"""The proof with the real TensorFlow on a machine without a GPU, and with environments that were broken on purpose."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gpuconfig_app.core.proof import FailureKind, Proof, ProofResult, ProofStage
from gpuconfig_app.runner.proof import ProofRequest, run_proof


@pytest.fixture(scope="module")
def proof(tensorflow_python: Path) -> Proof:
    """One run for all that look at it; the cards are hidden, should the machine have any."""
    variables = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1"}
    return run_proof(ProofRequest(python=str(tensorflow_python), variables=variables))


def test_it_says_that_no_gpu_took_part(proof: Proof) -> None:
    assert proof.result is ProofResult.NO_GPU
    assert proof.gpus == ()
    assert proof.tensorflow_version is not None
    assert proof.packages["tensorflow"] == proof.tensorflow_version


def test_tensorflow_itself_computes_on_the_processor(proof: Proof) -> None:
    assert [(step.stage, step.gpu_index, step.is_good) for step in proof.steps] == [
        (ProofStage.MATMUL, None, True),
        (ProofStage.CONVOLUTION, None, True),
    ]
    assert all(step.device.endswith("device:CPU:0") for step in proof.steps)


def test_its_own_library_is_found_in_memory(proof: Proof) -> None:
    paths = [library.path for library in proof.libraries if library.name.startswith("libtensorflow")]

    assert paths
    assert all(Path(path).exists() for path in paths)


def test_a_library_that_shadows_the_environment_s_own_is_seen(tensorflow_python: Path, tmp_path: Path) -> None:
    """An empty NumPy in front of the real one: TensorFlow's import fails, and Python's words say on what."""
    (tmp_path / "numpy.py").write_text("", encoding="utf-8")
    variables = {**os.environ, "PYTHONPATH": str(tmp_path), "CUDA_VISIBLE_DEVICES": "-1"}

    proof = run_proof(ProofRequest(python=str(tensorflow_python), variables=variables))

    assert (proof.failure.kind, proof.failure.stage) == (FailureKind.ERROR, ProofStage.IMPORT)
    assert "numpy" in proof.failure.words
    assert proof.variables["PYTHONPATH"] == str(tmp_path)
