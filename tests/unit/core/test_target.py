"""Targets by their names."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.target import Target, TargetKind, is_target_name, parse_target


def wsl(distribution: str, python: str = "") -> Target:
    return Target(kind=TargetKind.WSL, distribution=distribution, python=python)


def container(engine: str, image: str, python: str = "python3") -> Target:
    return Target(kind=TargetKind.CONTAINER, engine=engine, image=image, python=python)


NAMES = {
    "/home/li/.venv/bin/python": Target(python="/home/li/.venv/bin/python"),
    "wsl:Ubuntu-24.04": wsl("Ubuntu-24.04"),
    "wsl:我的 Ubuntu:/home/li/a b/bin/python": wsl("我的 Ubuntu", "/home/li/a b/bin/python"),
    "docker:tensorflow/tensorflow:2.16.1-gpu": container("docker", "tensorflow/tensorflow:2.16.1-gpu"),
    "docker:reg.example:5000/a/tf:7:/opt/bin/python": container("docker", "reg.example:5000/a/tf:7", "/opt/bin/python"),
    "podman:tf": container("podman", "tf"),
    "podman:tf@sha256:0123abcd": container("podman", "tf@sha256:0123abcd"),
    "apptainer:/data/tf.sif": container("apptainer", "/data/tf.sif"),
    "apptainer:/data/tf.sif:/usr/bin/python3": container("apptainer", "/data/tf.sif", "/usr/bin/python3"),
    "apptainer:docker://nvcr.io/x:1": container("apptainer", "docker://nvcr.io/x:1"),
}


@pytest.mark.parametrize(("name", "target"), NAMES.items())
def test_name_and_target_are_one_and_the_same(name, target):
    assert parse_target(name) == target
    assert target.name == name


def test_the_kind_may_be_written_in_any_case():
    assert parse_target(" WSL:Ubuntu ") == wsl("Ubuntu")


@pytest.mark.parametrize(
    "text", ["C:\\Python312\\python.exe", "C:/Python/python.exe", "/x/docker:y", "docker", "python"]
)
def test_paths_of_this_machine_are_no_targets(text):
    assert not is_target_name(text)
    assert parse_target(text) == Target(python=text)


@pytest.mark.parametrize("text", ["wsl:", "docker:", "wsl::/usr/bin/python3", "docker:--privileged", "docker:a\nb"])
def test_what_names_nothing_is_refused_with_a_way_on(text):
    with pytest.raises(UsageError) as caught:
        parse_target(text)

    assert caught.value.message.id == "targets.bad-name"
    assert caught.value.hint is not None
