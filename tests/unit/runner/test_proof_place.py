"""The proof in a WSL distribution and in a container, behind stand-ins that run the probe for real."""

from __future__ import annotations

import json
import re
import sys
import threading
from pathlib import Path

import pytest

from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.proof import FailureKind, Proof, ProofResult, ProofStage
from gpuconfig_app.runner.proof import ProofRequest, run_proof
from gpuconfig_app.runner.proof_place import ContainerPlace, ProofPlace, WslPlace
from tests.unit.runner.pretended_tensorflow import pretended_variables
from tests.unit.stand_ins import Answer, StandIn, put_on_path

IMAGE = "nvcr.io/nvidia/tensorflow:25.02-tf2-py3"
TOOLKIT_MISSING = 'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].\n'


def docker(tmp_path: Path, words: str, run: Answer | None = None, image_id: str = "sha256:aa11") -> StandIn:
    """A docker whose containers see a TensorFlow that does what the words say."""
    variables = {key: pretended_variables(tmp_path, words)[key] for key in ("PYTHONPATH", "PRETENDED")}
    inside = Answer(runs=0, image=IMAGE, environment=variables)
    info = {"ServerVersion": "27.3.1", "Runtimes": {"nvidia": {}}, "DockerRootDir": "/var/lib/docker"}
    answers = {
        "run": run or inside,
        "rm": Answer(),
        "info": Answer(out=json.dumps(info)),
        "images": Answer(out=f"{IMAGE}\t14.2GB\t{image_id}\n"),
    }
    return put_on_path(tmp_path / "bin", "docker", answers)


def in_docker(program: StandIn, **changes: object) -> ContainerPlace:
    known = {"engine": "docker", "image": IMAGE, "python": "python3", "program": str(program.path)}
    return ContainerPlace(**(known | {"devices": ("--gpus", "all")} | changes))


def prove(place: ProofPlace, control: JobControl | None = None, limit_s: float = 60.0) -> Proof:
    return run_proof(ProofRequest(python="target", place=place, time_limit_s=limit_s), control)


def wsl(tmp_path: Path, kill: Answer | None = None) -> StandIn:
    return put_on_path(
        tmp_path / "bin",
        "wsl.exe",
        {"-d Ubuntu --exec sh": kill or Answer(runs=3), "-d Ubuntu --exec env": Answer(runs=3)},
    )


def in_wsl(tmp_path: Path, program: StandIn, words: str, **changes: object) -> WslPlace:
    variables = {key: pretended_variables(tmp_path, words)[key] for key in ("PYTHONPATH", "PRETENDED")}
    known = {"distribution": "Ubuntu", "python": sys.executable, "variables": variables, "program": str(program.path)}
    return WslPlace(**(known | {"see": lambda path: path} | changes))


# --- a container ---------------------------------------------------------------------------------------------------


def test_a_gpu_in_a_container_is_proven(tmp_path):
    program = docker(tmp_path, "gpus=1")

    proof = prove(in_docker(program))

    assert proof.result is ProofResult.PROVEN, proof.words
    assert proof.xla_failure is None
    assert proof.executable == "target"
    assert [step.stage for step in proof.steps] == [ProofStage.MATMUL, ProofStage.CONVOLUTION, ProofStage.XLA]


def test_the_container_is_new_nameless_to_the_network_and_fetches_nothing(tmp_path):
    program = docker(tmp_path, "gpus=1")

    prove(in_docker(program))

    first = program.calls[0]
    assert first[:3] == ["run", "--rm", "--pull=never"]
    assert first[first.index("--network") + 1] == "none"
    assert first[first.index("--gpus") + 1] == "all"
    assert first[first.index("--name") + 1].startswith("gpuconfig-proof-")
    assert "--privileged" not in first
    inner = first[first.index(IMAGE) + 1 :]
    assert inner[:3] == ["python3", "/gpuconfig/prove_gpu.py", "--out"]
    names = [call[call.index("--name") + 1] for call in program.calls if call[0] == "run"]
    assert len(set(names)) == len(names) == 2  # one for the plain steps, one for XLA


def test_only_the_folder_of_the_proof_is_shared(tmp_path):
    program = docker(tmp_path, "gpus=1")

    prove(in_docker(program))

    mounts = [word for word in program.calls[0] if word.startswith("type=bind")]
    assert len(mounts) == 1
    assert mounts[0].endswith(",target=/gpuconfig")
    assert not any(word in {"-v", "--volume"} for word in program.calls[0])


def test_who_is_root_in_there_may_write_the_answers(tmp_path):
    place = in_docker(docker(tmp_path, "gpus=1"))
    (tmp_path / "folder").mkdir()
    shared = place.prepare(tmp_path / "folder")

    place.command(shared / "1.jsonl", [])

    assert (shared / "1.jsonl").stat().st_mode & 0o666 == 0o666
    assert (shared / "prove_gpu.py").stat().st_mode & 0o044 == 0o044


def test_cancelling_removes_the_container_by_its_name(tmp_path):
    program = docker(tmp_path, "import-hangs")
    control = JobControl(lambda _, message: control.cancel() if message.id == "runner.proof-import" else None)

    with pytest.raises(JobCancelledError):
        prove(in_docker(program), control)

    run, remove = program.calls
    assert remove == ["rm", "--force", run[run.index("--name") + 1]]


def test_the_time_limit_removes_it_too(tmp_path):
    program = docker(tmp_path, "import-hangs")

    proof = prove(in_docker(program), limit_s=1.5)

    assert proof.failure.kind is FailureKind.TIMED_OUT
    assert [call[0] for call in program.calls] == ["run", "rm"]


def test_a_container_that_ended_by_itself_needs_no_removal(tmp_path):
    program = docker(tmp_path, "gpus=0")

    prove(in_docker(program))

    assert [call[0] for call in program.calls] == ["run"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(err=TOOLKIT_MISSING, code=125), "could not select device driver"),
        (Answer(err="docker: Error response from daemon: No such image: x:1\n", code=125), "No such image"),
        (Answer(crashes=True), ""),
    ],
)
def test_a_container_that_does_not_start_is_a_failed_proof_in_its_words(tmp_path, answer, words):
    proof = prove(in_docker(docker(tmp_path, "", answer)))

    assert proof.result is ProofResult.FAILED
    assert proof.failure.stage is ProofStage.START
    assert words in proof.failure.words


def test_an_engine_that_is_gone_is_a_failed_proof(tmp_path):
    place = in_docker(StandIn(tmp_path / "none", tmp_path / "none"))

    assert prove(place).failure.kind is FailureKind.NOT_STARTED


def test_an_abort_in_a_container_is_seen_as_one(tmp_path):
    proof = prove(in_docker(docker(tmp_path, "import-aborts")))

    assert (proof.failure.stage, proof.result) == (ProofStage.IMPORT, ProofResult.FAILED)


def test_apptainer_runs_in_the_image_file_and_needs_no_name(tmp_path):
    place = ContainerPlace(
        engine="apptainer", image="/data/tf.sif", python="python3", program="apptainer", devices=("--nv",)
    )
    (tmp_path / "folder").mkdir()
    shared = place.prepare(tmp_path / "folder")

    words, _ = place.command(shared / "1.jsonl", ["--part", "main"])
    place.end(None)

    assert words[:4] == ["apptainer", "exec", "--nv", "--bind"]
    assert words[4] == f"{shared}:/gpuconfig"
    assert words[words.index("/data/tf.sif") + 1 :][:3] == ["python3", "/gpuconfig/prove_gpu.py", "--out"]


def test_a_gpu_under_apptainer_is_proven(tmp_path):
    variables = {key: pretended_variables(tmp_path, "gpus=1")[key] for key in ("PYTHONPATH", "PRETENDED")}
    inside = Answer(runs=0, image="/data/tf.sif", environment=variables)
    program = put_on_path(tmp_path / "bin", "apptainer", {"exec": inside})

    proof = prove(in_docker(program, engine="apptainer", image="/data/tf.sif", devices=("--nv",)))

    assert proof.result is ProofResult.PROVEN, proof.words
    assert [call[:2] for call in program.calls] == [["exec", "--nv"], ["exec", "--nv"]]


# --- WSL -----------------------------------------------------------------------------------------------------------


def test_a_gpu_in_a_distribution_is_proven(tmp_path):
    program = wsl(tmp_path)

    proof = prove(in_wsl(tmp_path, program, "gpus=1"))

    assert proof.result is ProofResult.PROVEN, proof.words
    first = program.calls[0]
    assert first[:4] == ["-d", "Ubuntu", "--exec", "env"]
    assert "PRETENDED=gpus=1" in first
    assert "TF_CPP_MIN_LOG_LEVEL=0" in first


def test_settings_of_keras_are_no_variables(tmp_path):
    place = in_wsl(tmp_path, wsl(tmp_path), "", variables={"keras.json:backend": "jax", "XLA_FLAGS": "--x"})

    words, _ = place.command(tmp_path / "1.jsonl", [])

    assert "XLA_FLAGS=--x" in words
    assert not any("keras.json" in word for word in words)


def test_paths_are_named_as_the_distribution_sees_them(tmp_path):
    place = WslPlace(distribution="Ubuntu", python="/usr/bin/python3", see=lambda path: f"/mnt/c{path}")

    words, environment = place.command(tmp_path / "1.jsonl", ["--part", "xla"])

    assert f"/mnt/c{tmp_path}/prove_gpu.py" in words
    assert words[words.index("--out") + 1] == f"/mnt/c{tmp_path}/1.jsonl"
    assert environment["WSL_UTF8"] == "1"


def test_a_distribution_without_drives_is_a_failed_proof_with_the_reason(tmp_path):
    proof = prove(in_wsl(tmp_path, wsl(tmp_path), "gpus=1", see=None, drives=None))

    assert proof.failure.kind is FailureKind.NOT_STARTED
    assert "automount" in proof.failure.words


def test_cancelling_ends_the_probe_by_its_own_number(tmp_path):
    program = wsl(tmp_path, Answer())
    control = JobControl(lambda _, message: control.cancel() if message.id == "runner.proof-import" else None)

    with pytest.raises(JobCancelledError):
        prove(in_wsl(tmp_path, program, "import-hangs"), control)

    words = [call[-1] for call in program.calls if "sh" in call]
    assert len(words) == 1
    assert re.fullmatch(r"kill -9 \d+", words[0])


@pytest.mark.parametrize(
    "words",
    ["WslRegisterDistribution failed with error: 0x80370102\n", "Error code: Wsl/Service/WSL_E_DISTRO_NOT_FOUND\n"],
)
def test_a_distribution_that_does_not_start_is_a_failed_proof_in_its_words(tmp_path, words):
    program = put_on_path(tmp_path / "bin", "wsl.exe", {"-d": Answer(err=words, code=255)})

    proof = prove(in_wsl(tmp_path, program, "gpus=1"))

    assert proof.failure.stage is ProofStage.START
    assert words.strip() in proof.failure.words


def test_an_end_that_fails_is_nobodys_trouble(tmp_path):
    place = in_wsl(tmp_path, StandIn(tmp_path / "none", tmp_path / "none"), "")

    place.end(42)

    assert threading.active_count() >= 1
