"""``gpuconfig check --prove``: exit codes and output, with real child processes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from gpuconfig_app.cli.main import main
from gpuconfig_app.cli.output import ExitCode
from tests.unit.runner.pretended_tensorflow import write_tensorflow


@pytest.fixture
def prove(capsys, tmp_path, monkeypatch):
    def run(words: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setenv("PYTHONPATH", str(write_tensorflow(tmp_path)))
        monkeypatch.setenv("PRETENDED", words)
        code = main(["check", "--prove", "--python", sys.executable, *arguments], lambda: None)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def test_a_good_proof_is_in_the_document(prove):
    code, out, err = prove("gpus=1", "--json")

    report = json.loads(out)
    assert code in (ExitCode.GOOD, ExitCode.RESERVATIONS), err
    assert report["proven"] == "true"
    assert report["proof"]["result"] == "proven"
    assert [step["device"].rsplit(":", 2)[-2:] for step in report["proof"]["steps"]] == [["GPU", "0"]] * 3


def test_a_good_proof_in_sentences(prove):
    _, out, _ = prove("gpus=1")

    assert "proven on the GPU" in out
    assert "GPU 0: NVIDIA GeForce RTX 4090, compute capability 8.9" in out
    assert "convolution: ran on GPU:0" in out
    assert "not proven" not in out


def test_a_failed_proof_names_the_step_and_the_words(prove):
    code, out, _ = prove("matmul-raises")

    assert code in (ExitCode.RESERVATIONS, ExitCode.BLOCKED)
    assert "matrix product: failed (RuntimeError: CUDA_ERROR_INVALID_PTX" in out


def test_an_import_that_aborts_is_no_traceback_of_ours(prove):
    code, out, err = prove("import-aborts", "--json")

    assert code == ExitCode.BLOCKED
    assert json.loads(out)["proof"]["failure"]["signal"] == "SIGABRT"
    assert "Traceback" not in err


def test_a_hang_is_ended_by_the_given_limit(prove):
    code, out, _ = prove("import-hangs", "--json", "--time-limit", "2")

    assert code == ExitCode.BLOCKED
    assert json.loads(out)["proof"]["failure"]["kind"] == "timed_out"


@pytest.mark.parametrize(
    "more",
    [
        ("--machine", "training-2x4090"),
        ("--machine", "none"),
        ("--assume", "driver=470.10"),
        ("--time-limit", "0"),
    ],
)
def test_what_cannot_be_tried_is_wrong_usage(prove, more):
    code, _, err = prove("gpus=1", *more)

    assert code == ExitCode.USAGE
    assert err.startswith("gpuconfig: ")


def test_the_real_tensorflow_without_gpu_is_cpu_only(capsys, tensorflow_python: Path, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")

    code = main(["check", "--prove", "--json", "--python", str(tensorflow_python)], lambda: None)

    report = json.loads(capsys.readouterr().out)
    assert report["proof"]["result"] == "no_gpu"
    assert report["proven"] == "false"
    assert report["verdict"] in ("cpu_only", "blocked")
    assert code in (ExitCode.RESERVATIONS, ExitCode.BLOCKED)


def test_another_release_than_the_installed_one_cannot_be_proven(capsys, tensorflow_python: Path):
    arguments = ["check", "--prove", "--python", str(tensorflow_python), "--tensorflow", "2.10"]

    assert main(arguments, lambda: None) == ExitCode.USAGE
    assert "2.10" in capsys.readouterr().err
