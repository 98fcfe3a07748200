"""The steps from Windows to Linux inside it, by what may be read of Windows and WSL."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.compat.way_steps_windows import proposed_memory_bytes
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target_facts import (
    Wsl,
    WslDistribution,
    WslState,
)
from gpuconfig_app.core.units import GIB
from gpuconfig_app.core.way_on import StepAction, StepState
from tests.unit.compat.ways import (
    ON,
    READY_WSL,
    machine,
    states,
    step,
    way,
    windows,
)


def test_the_recorded_windows_waits_for_a_restart():
    found = way(machine("windows-native"), "wsl2")

    assert {item.id: item.state.value for item in found.steps} == {
        "windows": "done",
        "virtualization": "done",
        "windows-driver": "done",
        "wsl": "needs_restart",
        "distribution": "waiting",
        "memory": "todo",
        "environment": "waiting",
        "proof": "waiting",
    }
    assert (found.done, found.next_step.id) == (3, "wsl")
    assert found.next_step.commands == ("shutdown /r /t 0",)
    assert (found.next_step.shell, found.next_step.action) == ("powershell", StepAction.RESTART)
    assert found.minutes_left > 10


def test_all_done_but_the_proof_and_then_that_too():
    report = machine("windows-with-wsl")
    name = report.environments[1].executable

    assert set(states(report).values()) == {"done", "todo"}
    last = step(report, "wsl2", "proof")
    assert (last.state, last.action) == (StepState.TO_DO, StepAction.PROVE)
    assert f"'{name}'" in last.commands[0]
    assert set(states(report, proven=frozenset({name})).values()) == {"done"}


@pytest.mark.parametrize(("build", "state"), [(22631, "done"), (19044, "done"), (19043, "todo"), (17763, "todo")])
def test_windows_must_be_new_enough(build, state):
    assert states(windows(facts=replace(ON, build=build)))["windows"] == state


def test_without_targets_the_build_of_the_survey_counts_and_the_rest_is_unknown():
    found = states(machine("windows-native", targets=None))

    assert (found["windows"], found["virtualization"], found["wsl"]) == ("done", "unknown", "unknown")


@pytest.mark.parametrize(
    ("facts", "wsl", "state"),
    [
        (replace(ON, has_virtualization=False), READY_WSL, "todo"),
        (replace(ON, has_virtualization=None), READY_WSL, "unknown"),
        (replace(ON, has_virtualization=None, is_hypervisor_running=True), READY_WSL, "done"),
        (replace(ON, has_virtualization=None), replace(READY_WSL, needs_virtualization=True), "todo"),
    ],
)
def test_virtualisation(facts, wsl, state):
    assert states(windows(wsl, facts))["virtualization"] == state


@pytest.mark.parametrize(
    ("wsl", "facts", "state", "command"),
    [
        (Wsl(state=WslState.ABSENT), ON, "todo", "wsl --install --no-distribution"),
        (Wsl(state=WslState.NOT_INSTALLED), ON, "todo", "wsl --install --no-distribution"),
        (Wsl(state=WslState.NO_ANSWER), ON, "unknown", "wsl --shutdown"),
        (Wsl(state=WslState.FAILED, error_code="0x80080005"), ON, "todo", "wsl --update"),
        (READY_WSL, replace(ON, has_vm_platform=False), "todo", "dism.exe /online /enable-feature"),
        (READY_WSL, replace(ON, has_vm_platform=None, has_wsl_feature=None), "done", ""),
        (replace(READY_WSL, version=None), replace(ON, has_vm_platform=None), "unknown", ""),
        (replace(READY_WSL, default_version=1), ON, "todo", "wsl --set-default-version 2"),
        (READY_WSL, replace(ON, is_restart_pending=True), "needs_restart", "shutdown /r /t 0"),
        (READY_WSL, replace(ON, is_restart_pending=True, is_hypervisor_running=True), "done", ""),
        (Wsl(state=WslState.NOT_INSTALLED), replace(ON, has_vm_platform=False, is_restart_pending=True), "todo",
         "wsl --install"),
        (None, ON, "unknown", "wsl --install"),
    ],
)  # fmt: skip
def test_the_windows_part(wsl, facts, state, command):
    found = step(windows(wsl, facts), "wsl2", "wsl")

    assert found.state.value == state
    assert " ".join(found.commands).startswith(command)


def test_a_code_of_wsl_is_shown():
    found = step(windows(Wsl(state=WslState.FAILED, error_code="0x80080005")), "wsl2", "wsl")

    assert found.found.params["code"] == "0x80080005"
    assert "0x80080005" in found.explanation.en


def with_distributions(*distributions: WslDistribution) -> SystemReport:
    return windows(replace(READY_WSL, distributions=distributions))


def test_wsl1_is_converted_by_its_quoted_name():
    found = step(with_distributions(WslDistribution(name="My Old Linux", version=1)), "wsl2", "distribution")

    assert found.state is StepState.TO_DO
    assert found.commands == ("wsl --set-version 'My Old Linux' 2",)


def test_a_helper_of_docker_is_no_distribution():
    assert states(with_distributions(WslDistribution(name="docker-desktop", version=2)))["distribution"] == "todo"


def test_a_stopped_distribution_is_there_and_what_is_in_it_is_not_known():
    problem = Message("targets.distribution-stopped", {"name": "Ubuntu"})
    report = with_distributions(WslDistribution(name="Ubuntu", version=2, is_running=False, problem=problem))

    assert states(report)["distribution"] == "done"
    environment = step(report, "wsl2", "environment")
    assert environment.state is StepState.UNKNOWN
    assert environment.commands == ("wsl -d Ubuntu --exec true",)


def test_an_environment_is_made_inside_with_the_release_for_the_card():
    report = with_distributions(WslDistribution(name="Ubuntu", version=2, is_running=True))

    found = step(report, "wsl2", "environment")

    assert (found.state, found.runs_in, found.shell) == (StepState.TO_DO, "wsl", "sh")
    assert found.tensorflow in found.commands[-1]
    assert '"tensorflow[and-cuda]==' in found.commands[-1]


def test_an_old_card_gets_an_older_release_inside():
    pascal = machine("gtx1080ti-new-cudnn").gpus
    report = replace(with_distributions(WslDistribution(name="Ubuntu", version=2, is_running=True)), gpus=pascal)

    assert step(report, "wsl2", "environment").tensorflow != "2.10.1"


def test_a_python_inside_that_does_not_serve_is_no_environment():
    report = machine("windows-with-wsl")
    inside = replace(report.environments[1], packages={"tensorflow-cpu": "2.21.0"})

    assert states(replace(report, environments=(report.environments[0], inside)))["environment"] == "todo"


@pytest.mark.parametrize(
    ("facts", "state", "command"),
    [
        (ON, "todo", 'Set-Content -Path "$HOME\\.wslconfig" -Value "[wsl2]", "memory=24GB"'),
        (replace(ON, wslconfig="C:\\Users\\li\\.wslconfig"), "todo", 'notepad "$HOME\\.wslconfig"'),
        (replace(ON, wslconfig="x", wslconfig_memory_bytes=8 * GIB), "todo", 'notepad "$HOME\\.wslconfig"'),
        (replace(ON, wslconfig="x", wslconfig_memory_bytes=24 * GIB), "done", ""),
    ],
)
def test_memory_never_overwrites_a_file_that_is_there(facts, state, command):
    found = step(windows(facts=facts), "wsl2", "memory")

    assert found.state.value == state
    assert "".join(found.commands[:1]) == command


@pytest.mark.parametrize(("total", "proposed"), [(4, 2), (8, 4), (16, 12), (32, 24), (64, 48), (128, 96), (1, 1)])
def test_proposed_memory_leaves_windows_enough(total, proposed):
    assert proposed_memory_bytes(total * GIB) == proposed * GIB


def test_an_old_driver_is_to_do():
    report = windows()
    old = replace(report.drivers[0], version="471.41", kernel_version="471.41", cuda_version="11.4")

    assert states(replace(report, drivers=(old,)))["windows-driver"] == "todo"
    assert states(replace(report, drivers=()))["windows-driver"] == "todo"
