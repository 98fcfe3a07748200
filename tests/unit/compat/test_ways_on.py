"""Ways on, step by step, on recorded machines and on what may be read of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.way_steps_windows import proposed_memory_bytes
from gpuconfig_app.compat.ways_on import find_ways, has_ways
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target_facts import (
    ContainerEngine,
    ContainerImage,
    EngineState,
    TargetFacts,
    WindowsFacts,
    Wsl,
    WslDistribution,
    WslState,
)
from gpuconfig_app.core.units import GIB
from gpuconfig_app.core.way_on import StepAction, StepState, Way, WayConfidence, WaysOn, WayStep
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.knowledge.identify import fill_from_catalogue

MACHINES = Path(__file__).resolve().parents[2] / "machines"
IMAGE = "nvcr.io/nvidia/tensorflow:25.02-tf2-py3"
READY_WSL = Wsl(state=WslState.READY, version="2.6.1.0", default_version=2)
ON = WindowsFacts(
    build=22631, has_virtualization=True, has_vm_platform=True, has_wsl_feature=True, is_restart_pending=False
)
PODMAN = ContainerEngine(name="podman", state=EngineState.READY, has_cdi=False)
DOCKER = ContainerEngine(name="docker", state=EngineState.READY, version="27.3.1", storage="/var/lib/docker")


def machine(name: str, **changes: object) -> SystemReport:
    return replace(fill_from_catalogue(load_machine(MACHINES / name).report), **changes)


def ways_of(report: SystemReport, proven: frozenset[str] = frozenset(), number: int = 0) -> WaysOn | None:
    environment = report.environments[number] if report.environments else None
    return find_ways(report, check(report, CheckOptions(environment=environment)), proven)


def way(report: SystemReport, name: str, **more: object) -> Way:
    return next(item for item in ways_of(report, **more).ways if item.id == name)


def step(report: SystemReport, way_name: str, name: str, **more: object) -> WayStep:
    return next(item for item in way(report, way_name, **more).steps if item.id == name)


def windows(wsl: Wsl | None = READY_WSL, facts: WindowsFacts = ON, **changes: object) -> SystemReport:
    return machine("windows-native", targets=TargetFacts(wsl=wsl, windows=facts), **changes)


def blackwell(*engines: ContainerEngine, toolkit: str | None = None, **changes: object) -> SystemReport:
    facts = TargetFacts(engines=engines, toolkit_version=toolkit)
    return machine("rtx5090-stock-wheels", targets=facts, **changes)


# --- which ways ----------------------------------------------------------------------------------------------------


def test_windows_leads_to_wsl_first():
    found = ways_of(machine("windows-native"))

    assert found.code == "WINDOWS_NATIVE_NO_GPU_BUILD"
    assert found.page_title.en == "TensorFlow on Windows, by WSL2"
    assert [(item.id, item.confidence) for item in found.ways] == [
        ("wsl2", WayConfidence.KNOWN_TO_WORK),
        ("windows-210", WayConfidence.KNOWN_TO_WORK),
        ("directml", WayConfidence.NOT_PROVEN),
        ("processor", WayConfidence.CPU_ONLY),
    ]
    assert "Editing PATH" in [text.en for text in found.will_not_help]


def test_an_rtx_50_leads_to_the_container_first():
    found = ways_of(machine("rtx5090-stock-wheels"))

    assert found.page_title.en == "Ways on for RTX 5090"
    assert [(item.id, item.confidence) for item in found.ways] == [
        ("container", WayConfidence.KNOWN_TO_WORK),
        ("try-221", WayConfidence.NOT_PROVEN),
        ("other-card", WayConfidence.NATIVE),
    ]
    assert "Waiting at the first start of TensorFlow 2.20.0" in [text.en for text in found.will_not_help]


def test_where_waiting_does_help_it_is_not_called_vain():
    found = ways_of(machine("rtx5090-newest-release"))

    assert found is not None
    assert not any("Waiting" in text.en for text in found.will_not_help)


def test_an_rtx_50_on_windows_needs_both():
    report = machine("windows-native", gpus=machine("rtx5090-stock-wheels").gpus)

    found = ways_of(report)

    assert [item.id for item in found.ways] == ["wsl2-container", "other-card", "processor"]
    assert step(report, "wsl2-container", "windows-driver").needs.en.startswith("570 or later")


def test_64_bit_arm_leads_to_nvidias_container_and_promises_nothing():
    found = ways_of(machine("gb10-dgx-spark"))

    assert [(item.id, item.confidence) for item in found.ways] == [("container-arm", WayConfidence.NOT_PROVEN)]


@pytest.mark.parametrize(
    "name", ["healthy-1x4090", "no-gpu", "card-without-driver", "driver-too-old", "gtx1080ti-new-cudnn", "wsl2"]
)
def test_elsewhere_the_fixes_are_all_there_is_to_say(name):
    report = machine(name)
    environment = report.environments[0]

    assert ways_of(report) is None
    assert not has_ways(report, check(report, CheckOptions(environment=environment)))


def test_from_within_a_container_no_container_is_offered():
    report = machine("rtx5090-stock-wheels")
    os = replace(report.host.os, container="docker")

    found = ways_of(replace(report, host=replace(report.host, os=os)))

    assert [item.id for item in found.ways] == ["try-221", "other-card"]


def test_a_ready_python_in_wsl_has_no_ways():
    assert ways_of(machine("windows-with-wsl"), number=1) is None


# --- the steps to WSL2 ---------------------------------------------------------------------------------------------


def states(report: SystemReport, name: str = "wsl2", **more: object) -> dict[str, str]:
    return {item.id: item.state.value for item in way(report, name, **more).steps}


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
    assert found.next_step.shell == "powershell"
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


# --- the steps to a container --------------------------------------------------------------------------------------


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


# --- the second way ------------------------------------------------------------------------------------------------


def test_xla_that_is_on_has_to_go_first():
    report = blackwell(DOCKER)
    on = replace(report.host, variables={"TF_XLA_FLAGS": "--tf_xla_auto_jit=2"})

    assert states(report, "try-221")["xla"] == "done"
    assert states(replace(report, host=on), "try-221")["xla"] == "todo"


def test_the_new_environment_is_made_beside_the_old_one():
    report = blackwell(DOCKER)
    report = replace(report, environments=report.environments[:1])

    found = way(report, "try-221")

    assert [item.state.value for item in found.steps] == ["todo", "info", "done", "waiting"]
    assert '"tensorflow[and-cuda]==2.21.0"' in found.steps[0].commands[1]


# --- texts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["windows-native", "windows-with-wsl", "rtx5090-stock-wheels", "gb10-dgx-spark"])
def test_no_text_or_command_has_a_gap(name):
    found = ways_of(machine(name))
    for item in found.ways:
        for text in (item.title, item.summary, *(part for one in item.steps for part in _texts(one))):
            assert "{" not in text.en
            assert "{" not in text.zh_cn
        assert not any("{" in command for one in item.steps for command in one.commands)


def _texts(one: WayStep):
    return [text for text in (one.name, one.needs, one.changes, one.explanation) if text is not None]
