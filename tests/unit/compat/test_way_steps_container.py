"""The steps to a container with TensorFlow in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.ways_on import find_ways
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.target_facts import (
    ContainerEngine,
    ContainerImage,
    EngineState,
    TargetFacts,
)
from gpuconfig_app.core.units import GIB
from gpuconfig_app.core.way_on import StepState
from tests.unit.compat.ways import (
    DOCKER,
    IMAGE,
    PODMAN,
    blackwell,
    machine,
    states,
    step,
    way,
)


def test_the_recorded_rtx_5090_lacks_the_toolkit_only():
    found = way(machine("rtx5090-stock-wheels"), "container")

    assert {item.id: item.state.value for item in found.steps} == {
        "driver": "done",
        "engine": "done",
        "toolkit": "todo",
        "disk": "done",
        "image": "todo",
        "start": "info",
        "container-proof": "waiting",
    }
    assert found.next_step.id == "toolkit"
    assert found.next_step.commands[0] == "sudo apt install nvidia-container-toolkit"


def test_all_there_and_proven():
    docker = replace(DOCKER, has_nvidia_runtime=True, images=(ContainerImage(name=IMAGE),))
    report = blackwell(docker, toolkit="1.17.8")

    assert step(report, "container", "container-proof").state is StepState.TO_DO
    assert step(report, "container", "container-proof").commands == (
        f"gpuconfig check --prove --python docker:{IMAGE}",
    )
    proven = states(report, "container", proven=frozenset({f"docker:{IMAGE}"}))
    assert set(proven.values()) == {"done", "info"}


@pytest.mark.parametrize(
    ("engine", "state", "command"),
    [
        (replace(DOCKER, state=EngineState.NO_PERMISSION), "todo", 'sudo usermod -aG docker "$USER"'),
        (replace(DOCKER, state=EngineState.NO_DAEMON), "todo", "sudo systemctl enable --now docker"),
        (replace(DOCKER, state=EngineState.NO_ANSWER), "unknown", "docker info"),
        (replace(DOCKER, state=EngineState.FAILED, words="odd\nmore"), "todo", "docker info"),
        (ContainerEngine(name="podman", state=EngineState.FAILED), "todo", "podman info"),
    ],
)
def test_an_engine_that_does_not_serve_yet(engine, state, command):
    report = blackwell(engine)
    found = step(report, "container", "engine")

    assert (found.state.value, found.commands) == (state, (command,))
    assert states(report, "container")["toolkit"] == "waiting"
    assert states(report, "container")["image"] == "waiting"


@pytest.mark.parametrize(
    ("system", "command"),
    [("ubuntu", "sudo apt install docker.io"), ("fedora", "sudo dnf install podman"), ("arch", "")],
)
def test_an_engine_is_installed_as_the_distribution_does_it(system, command):
    report = blackwell()
    report = replace(report, host=replace(report.host, os=replace(report.host.os, id=system)))

    found = step(report, "container", "engine")

    assert found.state is StepState.TO_DO
    assert "".join(found.commands[:1]) == command
    assert found.explanation is not None


@pytest.mark.parametrize(
    ("engine", "toolkit", "state", "command"),
    [
        (replace(DOCKER, has_nvidia_runtime=True), None, "done", ""),
        (replace(DOCKER, has_nvidia_runtime=False, has_cdi=True), None, "done", ""),
        (replace(DOCKER, has_nvidia_runtime=False), "1.17.8", "todo", "sudo nvidia-ctk runtime configure"),
        (replace(DOCKER, has_nvidia_runtime=False, is_rootless=True), "1.17.8", "todo", "nvidia-ctk runtime configure"),
        (replace(DOCKER, has_nvidia_runtime=False, is_snap=True), "1.17.8", "todo", "sudo snap remove docker"),
        (PODMAN, "1.17.8", "todo", "sudo nvidia-ctk cdi generate"),
        (PODMAN, None, "todo", "sudo apt install nvidia-container-toolkit"),
        (ContainerEngine(name="apptainer", state=EngineState.READY), None, "done", ""),
    ],
)  # fmt: skip
def test_the_toolkit(engine, toolkit, state, command):
    found = step(blackwell(engine, toolkit=toolkit), "container", "toolkit")

    assert found.state.value == state
    assert "".join(found.commands[:1]).startswith(command)


def test_the_engine_that_answers_is_chosen():
    podman = ContainerEngine(name="podman", state=EngineState.READY, version="5.2.5", has_cdi=True)
    report = blackwell(replace(DOCKER, state=EngineState.NO_DAEMON), podman)

    assert step(report, "container", "engine").found.params["engine"] == "podman"
    assert step(report, "container", "image").commands == (f"podman pull {IMAGE}",)
    assert step(report, "container", "start").commands[0].startswith("podman run --device nvidia.com/gpu=all")


def test_a_full_disk_is_to_do_unless_the_image_is_here():
    report = blackwell(DOCKER)
    full = tuple(replace(disk, free_bytes=2 * GIB) for disk in report.host.disks)
    report = replace(report, host=replace(report.host, disks=full))

    assert states(report, "container")["disk"] == "todo"
    here = replace(DOCKER, images=(ContainerImage(name=IMAGE),))
    assert states(replace(report, targets=TargetFacts(engines=(here,))), "container")["disk"] == "done"


def test_the_disk_is_the_one_the_engine_keeps_its_images_on():
    report = blackwell(DOCKER)
    small = replace(report.host.disks[0], mount="/var/lib/docker", free_bytes=GIB)
    report = replace(report, host=replace(report.host, disks=(*report.host.disks, small)))

    assert states(report, "container")["disk"] == "todo"


@pytest.mark.parametrize(("version", "state"), [("570.86.15", "done"), ("565.57.01", "todo")])
def test_the_driver_floor_of_the_image(version, state):
    report = blackwell(DOCKER)
    driver = replace(report.driver(Vendor.NVIDIA), version=version, kernel_version=version)
    environment = report.environments[0]
    blocked = check(report, CheckOptions(environment=environment))

    found = find_ways(replace(report, drivers=(driver,)), blocked)

    assert next(item for item in found.ways[0].steps if item.id == "driver").state.value == state


def test_what_could_not_be_read_does_not_hold_up_the_proof():
    docker = replace(DOCKER, has_nvidia_runtime=True, storage="D:\\docker", images=(ContainerImage(name=IMAGE),))
    report = machine("windows-with-wsl", gpus=machine("rtx5090-stock-wheels").gpus)
    report = replace(report, targets=replace(report.targets, engines=(docker,)))

    assert set(states(report, "wsl2-container").values()) == {"done", "todo"}
    assert step(report, "wsl2-container", "container-proof").shell == "powershell"


def test_docker_desktop_passes_on_the_gpu_by_itself():
    report = machine("windows-with-wsl", gpus=machine("rtx5090-stock-wheels").gpus)
    report = replace(report, targets=replace(report.targets, engines=(replace(DOCKER, has_nvidia_runtime=False),)))

    found = states(report, "wsl2-container")

    assert (found["toolkit"], found["image"]) == ("info", "todo")
