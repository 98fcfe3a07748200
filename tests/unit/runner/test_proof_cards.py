"""Which card is which: TensorFlow gives no UUID, so CUDA itself is asked, here a stand-in written in C."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gpuconfig_app.core.proof import ProofResult
from gpuconfig_app.runner.proof import ProofRequest, run_proof
from tests.native.build import FLAGS, HERE, compiler
from tests.unit.runner.pretended_tensorflow import pretended_variables


@pytest.fixture(scope="module")
def cuda(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with a ``libcuda.so.1`` that has a small card before two big ones."""
    folder = tmp_path_factory.mktemp("cuda")
    flags = [flag for flag in FLAGS if flag != "-fvisibility=hidden"]
    source = HERE / "cuda" / "stand_in_cuda.c"
    subprocess.run([compiler(), *flags, "-o", folder / "libcuda.so.1", source], check=True)
    return folder


def prove(folder: Path, cuda: Path, words: str, **more: str):
    variables = pretended_variables(folder, words, {"LD_LIBRARY_PATH": str(cuda), **more})
    return run_proof(ProofRequest(python=sys.executable, variables=variables))


def test_a_card_that_tensorflow_leaves_out_shifts_nothing(tmp_path: Path, cuda: Path) -> None:
    """TensorFlow numbers the two big cards 0 and 1, CUDA 1 and 2."""
    proof = prove(tmp_path, cuda, "gpus=2")

    assert [gpu.pci_bus_id for gpu in proof.gpus] == ["00000000:0b:00.0", "00000000:0c:00.0"]
    assert proof.gpus[0].uuid == "10111213-1415-1617-1819-1a1b1c1d1e1f"
    assert proof.driver_words is None


def test_the_loaded_library_is_named_with_its_path(tmp_path: Path, cuda: Path) -> None:
    proof = prove(tmp_path, cuda, "gpus=2")

    assert str(cuda / "libcuda.so.1") in [library.path for library in proof.libraries]


def test_a_driver_that_refuses_is_quoted(tmp_path: Path, cuda: Path) -> None:
    proof = prove(tmp_path, cuda, "gpus=0", STAND_IN_CUDA="no-device")

    assert proof.result is ProofResult.NO_GPU
    assert proof.driver_words == "cuInit: CUDA_ERROR_NO_DEVICE"
    assert "libcuda.so.1" not in [library.name for library in proof.libraries if library.error]
