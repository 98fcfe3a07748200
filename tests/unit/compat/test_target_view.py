"""The same machine as Windows, as Linux in WSL and as a container see it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.target_view import report_in_target, settled
from gpuconfig_app.core.finding import Verdict
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target import parse_target
from gpuconfig_app.hardware.recorded import load_machine

MACHINES = Path(__file__).resolve().parents[2] / "machines"


def machine(name: str) -> SystemReport:
    return load_machine(MACHINES / name).report


def image(name: str = "docker:own/tf:1", **packages: str) -> PythonEnvironment:
    target = parse_target(name)
    return PythonEnvironment(executable=target.name, prefix="own/tf:1", target=target, packages=packages)


def test_tensorflow_in_wsl_is_ready_where_windows_is_blocked():
    report = machine("windows-with-wsl")
    native, inside = report.environments

    assert check(report, CheckOptions(environment=native)).primary.code == "WINDOWS_NATIVE_NO_GPU_BUILD"
    assert check(report, CheckOptions(environment=inside)).verdict is Verdict.READY


def test_a_distribution_nobody_has_looked_into_is_never_ready():
    report = replace(machine("windows-with-wsl"), hosts_inside=None)

    found = check(report, CheckOptions(environment=report.environments[1]))

    assert found.verdict is not Verdict.READY
    assert found.primary.code != "WINDOWS_NATIVE_NO_GPU_BUILD"


def test_wsl1_is_known_as_such_from_outside():
    report = machine("windows-with-wsl")
    old = replace(report.targets.wsl.distributions[0], version=1)
    wsl = replace(report.targets.wsl, distributions=(old,))
    report = replace(report, targets=replace(report.targets, wsl=wsl), hosts_inside=None)

    assert check(report, CheckOptions(environment=report.environments[1])).primary.code == "WSL1_NO_GPU"


def test_the_driver_of_windows_is_what_counts_inside():
    report = machine("windows-with-wsl")
    old = replace(
        report, drivers=(replace(report.drivers[0], version="452.06", kernel_version="452.06", cuda_version="11.0"),)
    )

    assert check(old, CheckOptions(environment=old.environments[1])).primary.code == "DRIVER_TOO_OLD"


def test_an_image_nobody_has_looked_into_is_unknown_and_never_ready():
    found = check(machine("healthy-1x4090"), CheckOptions(environment=image()))

    assert found.verdict is Verdict.UNKNOWN
    assert found.primary.code == "IMAGE_NOT_LOOKED_INTO"
    assert found.tensorflow is None
    assert found.primary.fixes


def test_the_stock_wheels_table_says_nothing_about_nvidias_own_build():
    found = check(machine("rtx5090-stock-wheels"), CheckOptions(environment=image(tensorflow="2.17.0+nv25.02")))

    assert (found.verdict, found.primary.code) == (Verdict.UNKNOWN, "TENSORFLOW_BUILD_NOT_LISTED")


@pytest.mark.parametrize(("name", "code"), [("no-gpu", "NO_GPU"), ("card-with-nouveau", "NOUVEAU_BOUND")])
def test_what_the_machine_lacks_no_image_brings(name, code):
    found = check(machine(name), CheckOptions(environment=image()))

    assert found.verdict in {Verdict.BLOCKED, Verdict.CPU_ONLY}
    assert found.primary.code == code


def test_variables_and_libraries_of_the_machine_do_not_reach_into_an_image():
    report = machine("cudnn-shadowed")

    seen = report_in_target(report, image()).host

    assert report.host.libraries.libraries
    assert not seen.libraries.libraries
    assert not seen.variables
    assert seen.libraries.libcuda == report.host.libraries.libcuda


def test_all_releases_of_an_image_are_not_asked_for():
    assert check(machine("healthy-1x4090"), CheckOptions(environment=image(), all_releases=True)).releases == ()


def test_a_python_of_the_machine_sees_the_machine():
    report = machine("healthy-1x4090")

    assert report_in_target(report, report.environments[0]) is report
    assert report_in_target(report, None) is report


def test_commands_name_the_python_as_inside():
    report = machine("windows-with-wsl")
    inside = replace(report.environments[1], packages={"tensorflow": "2.21.0", "numpy": "1.20.0"})

    found = check(report, CheckOptions(environment=inside))

    commands = [line for item in found.findings for fix in item.fixes for line in fix.commands]
    assert any(line.startswith("~/tensorflow/bin/python -m pip") for line in commands)
    assert not any("wsl:" in line for line in commands)
    assert found.python == inside.executable


def test_settled_is_linux_with_its_own_memory_and_paths():
    report = machine("windows-with-wsl")

    seen, python = settled(report, report.environments[1])

    assert seen.host.os.family.value == "linux"
    assert seen.host.memory.total_bytes == report.hosts_inside["Ubuntu-22.04"].memory.total_bytes
    assert (python.executable, python.target) == ("~/tensorflow/bin/python", None)
    assert settled(report, report.environments[0]) == (report, report.environments[0])
    assert settled(report, None) == (report, None)
