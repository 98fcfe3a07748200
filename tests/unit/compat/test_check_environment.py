"""The verdict on Python environments that lack something or hold the wrong thing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.finding import Outcome, Verdict
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import EnvironmentKind
from tests.unit.compat.machines import (
    all_text,
    answer,
    card,
    machine,
    python,
    verdict_of,
    with_variables,
)


def test_tensorflow_without_its_cuda_libraries_does_not_blame_the_driver():
    environment = python()
    packages = {name: version for name, version in environment.packages.items() if not name.startswith("nvidia-")}
    found = verdict_of(machine(), replace(environment, packages=packages))

    assert answer(found) == ("blocked", "cpu_only", "CUDA_RUNTIME_MISSING")
    assert found.primary is not None
    assert '"tensorflow[and-cuda]==2.21.0"' in found.primary.fixes[0].commands[1]
    assert "install the nvidia driver" not in all_text(found)
    assert "tensorrt" not in all_text(found)


def test_release_that_misses_the_wheels_beside_it():
    environment = replace(python("2.16.1"), nvidia_library_folders=("/opt/anna/lib/cudnn", "/opt/anna/lib/cublas"))
    found = verdict_of(machine(), environment)

    assert answer(found) == ("blocked", "cpu_only", "CUDA_WHEELS_NOT_ON_LOADER_PATH")
    mended = with_variables(machine(), LD_LIBRARY_PATH="/opt/anna/lib/cudnn:/opt/anna/lib/cublas/")
    assert verdict_of(mended, environment).verdict is Verdict.READY


def test_older_cudnn_on_the_loader_path_wins():
    report = with_variables(machine(), LD_LIBRARY_PATH="/usr/local/cuda/lib64")
    libraries = {"libcudnn.so.9": "/usr/local/cuda/lib64/libcudnn.so.9.1.0"}
    report = replace(report, host=replace(report.host, libraries=replace(report.host.libraries, libraries=libraries)))
    found = verdict_of(report)

    assert answer(found) == ("blocked", "gpu_fails", "CUDNN_SHADOWED")
    assert found.primary is not None
    assert found.primary.fixes[0].commands == ("unset LD_LIBRARY_PATH",)
    assert "9.1.0" in found.primary.text.en
    assert "9.10.2.21" in found.primary.text.en


def test_cudnn_in_a_system_folder_that_is_not_on_the_path_does_no_harm():
    report = machine()
    libraries = {"libcudnn.so.9": "/usr/lib/x86_64-linux-gnu/libcudnn.so.9.1.0"}
    report = replace(report, host=replace(report.host, libraries=replace(report.host.libraries, libraries=libraries)))

    assert verdict_of(report).verdict is Verdict.READY


def test_pascal_with_a_cudnn_that_dropped_it_gets_a_pin():
    found = verdict_of(machine(card("GTX 1080 Ti", "6.1")), python(packages={"nvidia-cudnn-cu12": "9.28.0.42"}))

    assert answer(found) == ("blocked", "gpu_fails", "CUDNN_DROPPED_ARCH")
    assert found.primary is not None
    assert found.primary.fixes[0].commands == (
        '/opt/anna/bin/python -m pip install "nvidia-cudnn-cu12==9.10.2.21"',
    )  # fmt: skip


def test_volta_with_an_older_cudnn_is_ready():
    assert verdict_of(machine(card("Tesla V100", "7.0"))).verdict is Verdict.READY


@pytest.mark.parametrize(
    ("release", "package", "version", "code"),
    [
        ("2.17.1", "numpy", "2.0.0", "NUMPY2_WITH_OLD_TF"),
        ("2.19.1", "protobuf", "6.30.0", "PROTOBUF_TOO_NEW"),
        ("2.15.1", "keras", "3.3.3", "KERAS3_VS_KERAS2"),
        ("2.17.1", "keras", "2.15.0", "KERAS3_VS_KERAS2"),
    ],
)
def test_packages_that_break_the_import_are_not_a_gpu_fault(release, package, version, code):
    found = verdict_of(machine(), python(release, packages={package: version}))

    assert answer(found) == ("blocked", "import_fails", code)
    assert found.primary is not None
    assert "driver" not in found.primary.text.en


def test_package_outside_its_bounds_is_a_matter_for_the_proof():
    found = verdict_of(machine(), python("2.18.1", packages={"numpy": "2.3.0"}))

    assert answer(found) == ("unknown", "unknown", "PACKAGE_OUTSIDE_BOUNDS")


def test_hidden_cards_are_not_a_driver_fault():
    found = verdict_of(with_variables(machine(), CUDA_VISIBLE_DEVICES="1"))

    assert answer(found) == ("blocked", "cpu_only", "VISIBLE_DEVICES_EXCLUDES_ALL")
    assert found.primary is not None
    assert found.primary.fixes[0].commands == ("unset CUDA_VISIBLE_DEVICES",)


def test_missing_tensorflow_gets_the_exact_commands():
    found = verdict_of(machine(), python(None))

    assert answer(found) == ("blocked", "import_fails", "NO_TENSORFLOW")
    assert found.tensorflow == "2.21.0"
    assert found.primary is not None
    assert found.primary.fixes[0].commands == (
        '/opt/anna/bin/python -m pip install "tensorflow[and-cuda]==2.21.0"',
    )  # fmt: skip


def test_missing_tensorflow_in_a_system_python_gets_an_environment_first():
    system = replace(python(None), kind=EnvironmentKind.SYSTEM, executable="/usr/bin/python3")
    found = verdict_of(machine(), system)

    assert found.primary is not None
    assert found.primary.fixes[0].commands[0] == "/usr/bin/python3 -m venv ~/tensorflow-2.21.0"


def test_missing_tensorflow_on_pascal_comes_with_the_pin():
    found = verdict_of(machine(card("GTX 1080", "6.1")), python(None))

    assert found.primary is not None
    assert '"nvidia-cudnn-cu12==9.10.2.21"' in found.primary.fixes[0].commands[1]


def test_missing_tensorflow_on_blackwell_is_not_answered_with_the_stock_wheel():
    found = verdict_of(machine(card("RTX 5090", "12.0")), python(None))

    assert answer(found) == ("blocked", "import_fails", "NO_TENSORFLOW")
    assert found.primary is not None
    assert found.primary.fixes[0].leads_to == "container"


def test_python_without_a_wheel():
    found = verdict_of(machine(), python(None, version="3.14.0"))

    assert answer(found) == ("blocked", "cannot_install", "PYTHON_NOT_SUPPORTED")
    assert "upgrade pip" not in all_text(found)
    assert found.primary is not None
    assert any("3.12" in command for fix in found.primary.fixes for command in fix.commands)


def test_older_python_gets_the_newest_release_for_it():
    found = verdict_of(machine(), python(None, version="3.9.2"))

    assert found.tensorflow == "2.20.0"


def test_no_environment_at_all():
    found = check(machine(), CheckOptions())

    assert answer(found) == ("blocked", "import_fails", "NO_SUITABLE_ENVIRONMENT")


def test_other_release_is_judged_in_a_fresh_environment():
    found = verdict_of(machine(), python("2.21.0"), tensorflow="2.17")

    assert found.tensorflow == "2.17.1"
    assert found.verdict is Verdict.READY_WITH_NOTES
    assert [item.code for item in found.findings] == ["NUMPY_1_NEEDED"]


def test_own_build_is_unknown():
    found = verdict_of(machine(), python("2.17.1", packages={"tensorflow": "2.17.0+nv25.2"}))

    assert answer(found) == ("unknown", "unknown", "TENSORFLOW_BUILD_NOT_LISTED")


def test_an_environment_with_a_problem_is_never_ready():
    broken = replace(python(), problem=Message("host.environment-without-packages"))
    assert answer(verdict_of(machine(), broken)) == ("blocked", "import_fails", "ENVIRONMENT_UNUSABLE")


def test_a_broken_environment_decides_on_a_machine_without_a_card_too_and_is_not_installed_into():
    broken = replace(python(packages={}), executable="", problem=Message("host.environment-without-packages"))
    found = verdict_of(replace(machine(), gpus=(), drivers=()), broken)

    assert answer(found) == ("blocked", "import_fails", "ENVIRONMENT_UNUSABLE")
    assert not any(
        command.startswith("''") for item in found.findings for fix in item.fixes for command in fix.commands
    )


def test_of_a_release_in_no_table_only_the_release_is_called_unknown():
    found = verdict_of(machine(), tensorflow="9.9")

    assert answer(found) == ("unknown", "unknown", "FACTS_MISSING")
    assert found.primary is not None
    named = [item.id for item in found.primary.evidence]
    assert named[0] == "compat.unproven-release"
    assert "compat.unproven-driver" not in named
    assert "compat.unproven-python" not in named


def test_there_is_no_wheel_for_another_interpreter():
    found = verdict_of(machine(), replace(python(), implementation="PyPy"))

    assert answer(found) == ("blocked", "cannot_install", "PYTHON_NOT_SUPPORTED")
    assert found.primary is not None
    assert "PyPy 3.11.9" in found.primary.text.en


@pytest.mark.parametrize("name", ["numpy", "keras", "protobuf"])
def test_a_package_tensorflow_needs_must_be_there(name):
    environment = python()
    packages = {key: version for key, version in environment.packages.items() if key != name}
    found = verdict_of(machine(), replace(environment, packages=packages))

    assert answer(found) == ("blocked", "import_fails", "PACKAGE_MISSING")
    assert found.primary is not None
    assert name in found.primary.text.en


@pytest.mark.parametrize("name", ["tensorflow-cpu", "tensorflow-intel", "tensorflow-cpu-aws", "tf-nightly-cpu"])
def test_each_package_without_gpu_support_is_seen_as_tensorflow(name):
    environment = python()
    packages = {key: version for key, version in environment.packages.items() if key != "tensorflow"}
    environment = replace(environment, packages={**packages, name: "2.21.0"})
    found = verdict_of(machine(), environment)

    assert environment.tensorflow_version == "2.21.0"
    assert (found.verdict, found.outcome) == (Verdict.BLOCKED, Outcome.CPU_ONLY)
    assert found.primary is not None
    assert name in found.primary.text.en


@pytest.mark.parametrize("name", ["tensorflow-cpu", "tf-nightly"])
def test_two_tensorflows_over_each_other_are_not_ready(name):
    found = verdict_of(machine(), python(packages={name: "2.21.0"}))

    assert answer(found) == ("unknown", "unknown", "TENSORFLOW_TWICE")
    assert found.primary is not None
    assert name in found.primary.text.en


def test_what_cannot_be_installed_is_not_ready():
    bare = replace(python(None), python_version="3.11.9")

    assert answer(verdict_of(machine(), bare, tensorflow="2.15.0"))[2] == "AND_CUDA_NOT_INSTALLABLE"
    assert answer(verdict_of(machine(), bare, tensorflow="2.16.1"))[2] == "CUDA_WHEELS_NOT_ON_LOADER_PATH"
    assert verdict_of(machine(), bare, tensorflow="2.21.99").verdict is Verdict.UNKNOWN
    assert verdict_of(machine(), bare, tensorflow="2.15.1").verdict is Verdict.READY_WITH_NOTES


def test_a_release_that_brings_its_libraries_is_not_said_to_need_the_systems():
    environment = python()
    packages = {name: version for name, version in environment.packages.items() if "cublas" not in name}
    found = verdict_of(machine(), replace(environment, packages=packages))

    assert found.primary is not None
    assert [fix.text.en.split(" ", 1)[0] for fix in found.primary.fixes] == ["Complete"]


def test_best_release_is_made_with_a_python_that_is_here():
    old_card = machine(card("NVIDIA GeForce GTX 980", "5.2"))
    here = replace(python(None, "3.10.12"), executable="/usr/bin/python3.10", kind=EnvironmentKind.SYSTEM)
    found = verdict_of(replace(old_card, environments=(here,)), python("2.21.0", "3.13.1"))
    none = verdict_of(old_card, python("2.21.0", "3.13.1"))

    assert found.primary.fixes[0].commands[0] == "/usr/bin/python3.10 -m venv ~/tensorflow-2.16.2"
    assert none.primary.fixes[0].commands[0] == "uv venv --python 3.11 ~/tensorflow-2.16.2"
