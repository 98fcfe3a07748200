"""What of targets leaves the machine: nothing that somebody named himself."""

from __future__ import annotations

import json

from gpuconfig_app.core.codec import encode
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.privacy import Redaction
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import HostInfo, LibraryFacts, OsFamily, OsInfo, SystemReport
from gpuconfig_app.core.target import Target, TargetKind, parse_target
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
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.hardware.recorder import record_machine

SECRETS = ("zhangwei", "acme", "wei-private", "hunter2", "10.1.2.3", "corp")


def inside(distribution: str) -> PythonEnvironment:
    target = Target(kind=TargetKind.WSL, distribution=distribution, python="/home/zhangwei/.venv/bin/python")
    return PythonEnvironment(
        executable=target.name,
        prefix="/home/zhangwei/.venv",
        name=f"train ({distribution})",
        packages={"tensorflow": "2.21.0"},
        nvidia_library_folders=("/home/zhangwei/.venv/lib/python3.12/site-packages/nvidia/cudnn/lib",),
        target=target,
    )


def image(name: str) -> PythonEnvironment:
    target = parse_target(f"docker:{name}")
    return PythonEnvironment(executable=target.name, prefix=name, name=target.name, target=target)


def report() -> SystemReport:
    wsl = Wsl(
        state=WslState.READY,
        distributions=(
            WslDistribution(name="Ubuntu-24.04", version=2, home="/home/zhangwei", is_running=True),
            WslDistribution(
                name="acme-wei-private",
                version=2,
                problem=Message("targets.distribution-failed", {"name": "acme-wei-private", "detail": "at 10.1.2.3"}),
            ),
        ),
    )
    docker = ContainerEngine(
        name="docker",
        state=EngineState.READY,
        storage="/home/zhangwei/docker",
        words="dial tcp 10.1.2.3: password=hunter2",
        images=(ContainerImage(name="tensorflow/tensorflow:2.16.1-gpu"), ContainerImage(name="reg.acme.corp/tf:1")),
    )
    host = HostInfo(
        os=OsInfo(family=OsFamily.LINUX),
        host_name="acme-box",
        libraries=LibraryFacts(libraries={"libcudnn.so.9": "/home/zhangwei/lib/libcudnn.so.9"}),
        variables={"LD_LIBRARY_PATH": "/home/zhangwei/lib:/home/zhangwei/lib64"},
    )
    return SystemReport(
        environments=(inside("Ubuntu-24.04"), inside("acme-wei-private"), image("reg.acme.corp/tf:1")),
        targets=TargetFacts(
            wsl=wsl, windows=WindowsFacts(wslconfig="C:\\Users\\zhangwei\\.wslconfig"), engines=(docker,)
        ),
        hosts_inside={"acme-wei-private": host},
    )


def recorded(tmp_path):
    how = Redaction(salt="x", home="C:\\Users\\zhangwei", user="zhangwei")
    folder = record_machine(report(), (), tmp_path / "m", LocalText("m", "m"), how=how)
    return load_machine(folder).report


def test_nothing_personal_leaves(tmp_path):
    text = json.dumps(encode(recorded(tmp_path)), ensure_ascii=False)

    assert [secret for secret in SECRETS if secret in text] == []


def test_the_user_of_linux_is_hidden_also_when_windows_knows_another_name(tmp_path):
    how = Redaction(salt="x", home="C:\\Users\\other", user="other")
    folder = record_machine(report(), (), tmp_path / "m", LocalText("m", "m"), how=how)

    environments = encode(load_machine(folder).report.environments)
    assert "zhangwei" not in json.dumps(environments)


def test_what_the_world_knows_stays_and_the_rest_is_still_told_apart(tmp_path):
    found = recorded(tmp_path)

    assert [item.name for item in found.targets.wsl.distributions] == ["Ubuntu-24.04", "distribution-1"]
    assert [item.name for item in found.targets.engines[0].images] == ["tensorflow/tensorflow:2.16.1-gpu", "image-1"]
    assert [item.executable for item in found.environments] == [
        "wsl:Ubuntu-24.04:~/.venv/bin/python",
        "wsl:distribution-1:~/.venv/bin/python",
        "docker:image-1",
    ]
    assert [item.name for item in found.environments][:2] == ["train (Ubuntu-24.04)", "train (distribution-1)"]
    assert set(found.hosts_inside) == {"distribution-1"}
    assert found.hosts_inside["distribution-1"].variables == {"LD_LIBRARY_PATH": "~/lib:~/lib64"}
    assert found.targets.distribution("distribution-1").problem.params["name"] == "distribution-1"


def test_names_still_name_their_target(tmp_path):
    found = recorded(tmp_path)

    for item in found.environments[:2]:
        assert item.target.name == item.executable
