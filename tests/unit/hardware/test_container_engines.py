"""Container engines by what stand-ins for their programs answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpuconfig_app.core.target_facts import EngineState
from gpuconfig_app.hardware import container_engines
from gpuconfig_app.hardware.container_engines import (
    EngineSources,
    read_engines,
    read_image_id,
    read_toolkit_version,
)
from tests.unit.stand_ins import Answer, put_on_path

DOCKER = {
    "ServerVersion": "27.3.1",
    "Runtimes": {"io.containerd.runc.v2": {"path": "runc"}, "runc": {"path": "runc"}},
    "DockerRootDir": "/var/lib/docker",
    "SecurityOptions": ["name=apparmor", "name=seccomp,profile=builtin"],
    "CDISpecDirs": ["/etc/cdi", "/var/run/cdi"],
    "ClientInfo": {"Version": "27.3.1"},
}
# As docker 28 answers without a daemon: the document is there, what is wrong stands on the error channel.
NO_SERVER = {"ServerVersion": "", "Runtimes": None, "SecurityOptions": None, "ClientInfo": {"Version": "28.2.2"}}
PODMAN = {
    "host": {"security": {"rootless": True}},
    "store": {"graphRoot": "/home/li/.local/share/containers/storage"},
    "version": {"Version": "5.2.5"},
}
IMAGES = (
    "nvcr.io/nvidia/tensorflow:25.02-tf2-py3\t14.2GB\tsha256:aa11\nubuntu:24.04\t78.1MB\tsha256:bb22\n"
    "<none>:<none>\t3GB\tsha256:cc33\nregistry.corp.example:5000/team/tf-train:7\t9.99 GB\tsha256:dd44\n"
    "tensorflow/tensorflow:latest-gpu\todd\t\n"
)
NO_DAEMON = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n"
NO_PERMISSION = (
    "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "
    '"http://%2Fvar%2Frun%2Fdocker.sock/v1.47/info": dial unix /var/run/docker.sock: connect: permission denied\n'
)


def sources(tmp_path: Path) -> EngineSources:
    return EngineSources(root=tmp_path / "root", path=str(tmp_path / "bin"))


def docker(tmp_path: Path, info: Answer, images: str = IMAGES):
    rows = {"info": info, "images": Answer(out=images)}
    program = put_on_path(tmp_path / "bin", "docker", rows)
    engines = read_engines(sources(tmp_path))
    assert len(engines) == 1
    return engines[0], program


def told(**changes: object) -> Answer:
    return Answer(out=json.dumps(DOCKER | changes))


def test_a_machine_without_engines_has_none(tmp_path):
    assert read_engines(sources(tmp_path)) == ()
    assert read_toolkit_version(sources(tmp_path)) is None


def test_docker_without_nvidia(tmp_path):
    engine, program = docker(tmp_path, told())

    assert (engine.name, engine.state, engine.version) == ("docker", EngineState.READY, "27.3.1")
    assert engine.has_nvidia_runtime is False
    assert engine.sees_gpu is False
    assert engine.is_rootless is False
    assert engine.storage == "/var/lib/docker"
    assert all(call[0] in {"info", "images"} for call in program.calls)


def test_images_that_may_hold_tensorflow(tmp_path):
    engine, _ = docker(tmp_path, told())

    assert [(image.name, image.size_bytes, image.id) for image in engine.images] == [
        ("nvcr.io/nvidia/tensorflow:25.02-tf2-py3", 14_200_000_000, "sha256:aa11"),
        ("registry.corp.example:5000/team/tf-train:7", 9_990_000_000, "sha256:dd44"),
        ("tensorflow/tensorflow:latest-gpu", None, None),
    ]


def test_the_content_of_one_image(tmp_path):
    _, program = docker(tmp_path, told(), images="own/train:1\t3GB\tsha256:ee55\n")

    assert read_image_id("docker", "own/train:1", sources(tmp_path)) == "sha256:ee55"
    assert program.calls[-1][-1] == "own/train:1"
    assert read_image_id("podman", "own/train:1", sources(tmp_path)) is None


def test_the_content_of_an_image_file_is_told_by_size_and_time(tmp_path):
    file = tmp_path / "tf.sif"
    file.write_bytes(b"x" * 10)
    first = read_image_id("apptainer", str(file))
    file.write_bytes(b"x" * 11)

    assert first is not None
    assert read_image_id("apptainer", str(file)) != first
    assert read_image_id("apptainer", str(tmp_path / "none.sif")) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"Runtimes": {"runc": {}, "nvidia": {"path": "nvidia-container-runtime"}}},
        {"DiscoveredDevices": [{"Source": "cdi", "ID": "nvidia.com/gpu=all"}]},
    ],
)
def test_docker_that_passes_on_the_gpu(tmp_path, changes):
    assert docker(tmp_path, told(**changes))[0].sees_gpu is True


def test_a_description_of_the_cards_counts_where_docker_reads_it(tmp_path):
    (tmp_path / "root/etc/cdi").mkdir(parents=True)
    (tmp_path / "root/etc/cdi/nvidia.yaml").touch()

    assert docker(tmp_path, told())[0].has_cdi is True
    assert docker(tmp_path, told(CDISpecDirs=None))[0].has_cdi is False


def test_rootless_docker_and_docker_from_a_snap(tmp_path):
    assert docker(tmp_path, told(SecurityOptions=["name=rootless"]))[0].is_rootless is True
    assert docker(tmp_path, told(DockerRootDir="/var/snap/docker/common/var-lib-docker"))[0].is_snap is True


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (Answer(out=json.dumps(NO_SERVER), err=NO_DAEMON, code=1), EngineState.NO_DAEMON),
        (Answer(out=json.dumps(NO_SERVER), err=NO_PERMISSION, code=1), EngineState.NO_PERMISSION),
        (Answer(out=json.dumps(NO_SERVER | {"ServerErrors": [NO_PERMISSION]})), EngineState.NO_PERMISSION),
        (Answer(err="error during connect: this error may indicate that the docker daemon is not running\n", code=1),
         EngineState.NO_DAEMON),
        (Answer(out="[[[", err="template parsing error\n", code=64), EngineState.FAILED),
        (Answer(crashes=True), EngineState.FAILED),
    ],
)  # fmt: skip
def test_docker_that_does_not_answer_well(tmp_path, answer, state):
    engine, _ = docker(tmp_path, answer)

    assert engine.state is state
    assert engine.sees_gpu is None
    assert engine.images == ()


@pytest.mark.parametrize(
    "odd",
    [
        [], 7, {"host": 3}, {"Runtimes": ["nvidia"]}, {"SecurityOptions": "rootless"}, {"ClientInfo": []},
        {"ServerErrors": 5}, {"DiscoveredDevices": {"a": 1}}, {"ServerVersion": 27},
    ],
)  # fmt: skip
def test_an_odd_document_is_no_crash(tmp_path, odd):
    engine, _ = docker(tmp_path, Answer(out=json.dumps(odd)))

    assert engine.name in {"docker", "podman"}
    assert engine.sees_gpu is not True


def test_the_words_of_a_refusal_are_kept(tmp_path):
    engine, _ = docker(tmp_path, Answer(out=json.dumps(NO_SERVER), err=NO_PERMISSION, code=1))

    assert engine.version == "28.2.2"
    assert "permission denied" in engine.words


def test_an_engine_that_hangs_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(container_engines, "INFO_LIMIT_S", 0.5)

    assert docker(tmp_path, Answer(hangs=True))[0].state is EngineState.NO_ANSWER


def test_podman(tmp_path):
    rows = {"info": Answer(out=json.dumps(PODMAN)), "images": Answer(out=IMAGES)}
    put_on_path(tmp_path / "bin", "podman", rows)

    (engine,) = read_engines(sources(tmp_path))

    assert (engine.name, engine.state, engine.version, engine.is_rootless) == (
        "podman", EngineState.READY, "5.2.5", True,
    )  # fmt: skip
    assert engine.sees_gpu is False


def test_podman_finds_the_gpu_by_the_toolkits_list(tmp_path):
    put_on_path(tmp_path / "bin", "podman", {"info": Answer(out=json.dumps(PODMAN)), "images": Answer()})
    rows = {
        "cdi list": Answer(out="nvidia.com/gpu=0\nnvidia.com/gpu=all\n", err='level=info msg="Found 2 CDI devices"\n'),
        "--version": Answer(out="NVIDIA Container Toolkit CLI version 1.17.8\ncommit: f202b80a\n"),
    }
    put_on_path(tmp_path / "bin", "nvidia-ctk", rows)

    (engine,) = read_engines(sources(tmp_path))

    assert engine.sees_gpu is True
    assert read_toolkit_version(sources(tmp_path)) == "1.17.8"


def test_podman_under_dockers_name_is_podman_and_told_once(tmp_path):
    rows = {"info": Answer(out=json.dumps(PODMAN)), "images": Answer()}
    put_on_path(tmp_path / "bin", "docker", rows)
    alone = read_engines(sources(tmp_path))
    put_on_path(tmp_path / "bin", "podman", rows)
    both = read_engines(sources(tmp_path))

    assert [engine.name for engine in alone] == ["podman"]
    assert [engine.name for engine in both] == ["podman"]


@pytest.mark.parametrize("name", ["apptainer", "singularity"])
def test_apptainer_needs_nothing_of_nvidias(tmp_path, name):
    put_on_path(tmp_path / "bin", name, {"--version": Answer(out=f"{name} version 1.3.4\n")})

    (engine,) = read_engines(sources(tmp_path))

    assert (engine.name, engine.version, engine.sees_gpu) == ("apptainer", "1.3.4", True)


def test_a_broken_apptainer_is_a_failed_one(tmp_path):
    put_on_path(tmp_path / "bin", "apptainer", {"--version": Answer(err="FATAL: no\n", code=255)})

    assert read_engines(sources(tmp_path))[0].state is EngineState.FAILED
