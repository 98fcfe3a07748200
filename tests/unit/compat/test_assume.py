"""What-if questions: assumptions change a machine or make one up; nonsense is answered with what is allowed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.compat.assume import KEYS, apply_assumptions
from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.gpu import GpuState, ValueOrigin, Vendor
from gpuconfig_app.core.system import OsFamily
from tests.unit.compat.machines import FAULTS, machine, python


def _judge(pairs, report=None, environment=None) -> CompatReport:
    assumed = apply_assumptions(report, pairs, environment)
    return check(assumed.report, CheckOptions(environment=assumed.environment, tensorflow=assumed.tensorflow))


def test_nothing_said_is_an_ordinary_machine_without_gpu():
    assumed = apply_assumptions(None, [])

    assert assumed.report.host.os.family is OsFamily.LINUX
    assert assumed.report.machine_id == "none"
    assert assumed.ordinary["tensorflow"] == "2.21.0"
    assert _judge([]).verdict == "cpu_only"
    assert _judge([]).variables_of == "none"


def test_a_planned_card_gets_a_driver_that_knows_it():
    assert apply_assumptions(None, ["gpu=RTX 4090"]).ordinary["driver"] == "580.65.06"
    assert apply_assumptions(None, ["gpu=Tesla K80"]).ordinary["driver"] == "470"
    assert _judge(["gpu=RTX 4090"]).verdict == "ready"


def test_assumptions_change_only_what_they_say():
    assumed = apply_assumptions(machine(), ["driver=470.82.01"], python())

    assert assumed.environment == python()
    assert assumed.tensorflow is None
    assert assumed.ordinary == {}
    assert assumed.report.host == machine().host
    assert assumed.report.gpus == machine().gpus
    driver = assumed.report.driver(Vendor.NVIDIA)
    assert driver is not None
    assert driver.cuda_version == "11.4"
    assert _judge(["driver=470.82.01"], machine(), python()).primary is not None


def test_cards_are_replaced_and_may_repeat():
    assumed = apply_assumptions(machine(), ["gpu=RTX 3090", "gpu=RTX 3090"], python())

    assert [gpu.name for gpu in assumed.report.gpus] == ["NVIDIA GeForce RTX 3090"] * 2
    assert [gpu.index for gpu in assumed.report.gpus] == [0, 1]
    assert assumed.report.gpus[0].compute_capability_origin is ValueOrigin.ASSUMED
    assert apply_assumptions(machine(), ["gpu=none"], python()).report.gpus == ()


def test_a_card_assumed_into_a_machine_without_one_gets_a_driver_too():
    bare = FAULTS["no driver"](machine())

    assert _judge(["gpu=RTX 4090"], replace(bare, gpus=()), python()).verdict == "ready"


@pytest.mark.parametrize(
    ("text", "capability"),
    [
        ("RTX 4090", "8.9"),
        ("NVIDIA GeForce RTX 4090", "8.9"),
        ("rtx4090", "8.9"),
        ("GTX 1080 Ti", "6.1"),
        ("GTX1080Ti", "6.1"),
        ("A100 80GB", "8.0"),
        ("A100", "8.0"),
        ("H100", "9.0"),
        ("V100", "7.0"),
        ("Tesla K80", "3.7"),
        ("RTX 5090", "12.0"),
        ("RTX PRO 6000 Blackwell", "12.0"),
        ("B300", "10.3"),
        ("GB10", "12.1"),
        ("GTX 770", "3.0"),
        ("Quadro P2000", "6.1"),
        ("My own card:8.6", "8.6"),
        ("RTX 4090 : 8.9", "8.9"),
    ],
)
def test_cards_are_found_by_the_names_people_type(text, capability):
    gpu = apply_assumptions(None, [f"gpu={text}"]).report.gpus[0]

    assert (gpu.vendor, gpu.compute_capability) == (Vendor.NVIDIA, capability)
    assert gpu.state is GpuState.READY


@pytest.mark.parametrize(
    ("text", "vendor", "target"),
    [
        ("RX 7900 XTX", Vendor.AMD, "gfx1100"),
        ("Radeon RX 6700 XT:gfx1031", Vendor.AMD, "gfx1031"),
        ("Instinct MI300X", Vendor.AMD, "gfx942"),
        ("Arc A770", Vendor.INTEL, None),
        ("Ascend 910B3", Vendor.HUAWEI, None),
        ("Hygon DCU", Vendor.HYGON, None),
    ],
)
def test_cards_of_other_makers(text, vendor, target):
    gpu = apply_assumptions(None, [f"gpu={text}"]).report.gpus[0]

    assert gpu.vendor is vendor
    assert target is None or gpu.target == target
    assert gpu.compute_capability is None


@pytest.mark.parametrize(
    ("pair", "sentence", "shown"),
    [
        ("gpu", "compat.assume-not-a-pair", "keys"),
        ("driver=", "compat.assume-not-a-pair", "keys"),
        ("colour=blue", "compat.assume-unknown-key", "keys"),
        ("os=bsd", "compat.assume-unusable-value", "allowed"),
        ("cuda_libs=conda", "compat.assume-unusable-value", "allowed"),
        ("xla=maybe", "compat.assume-unusable-value", "allowed"),
        ("wsl=3", "compat.assume-unusable-value", "allowed"),
        ("arch=riscv64", "compat.assume-unusable-value", "allowed"),
        ("python=snake", "compat.assume-no-version", "example"),
        ("cuda=new", "compat.assume-no-version", "example"),
        ("driver=new", "compat.assume-no-version-or-none", "example"),
        ("gpu=Voodoo 3:99", "compat.assume-unknown-card", "bare"),
        ("gpu=Voodoo 3", "compat.assume-unknown-card", "name"),
        ("gpu=Graphics Device", "compat.assume-unknown-card", "name"),
    ],
)
def test_nonsense_is_answered_with_what_is_allowed(pair, sentence, shown):
    with pytest.raises(UsageError) as caught:
        apply_assumptions(None, [pair])

    assert caught.value.message.id == sentence
    assert caught.value.message.params[shown]


def test_only_cards_may_be_said_twice():
    with pytest.raises(UsageError) as caught:
        apply_assumptions(None, ["driver=535", "driver=550"])

    assert caught.value.message.id == "compat.assume-twice"


def test_every_key_of_the_contract_is_understood():
    values = {
        "os": "linux", "os_version": "24.04", "arch": "x86_64", "glibc": "2.35", "wsl": "none", "driver": "550.54.14",
        "gpu": "RTX 4090", "python": "3.11", "tensorflow": "2.18", "cuda_libs": "pip", "cuda": "12.5", "cudnn": "9.3.0",
        "numpy": "2.0.1", "xla": "off",
    }  # fmt: skip
    assert tuple(values) == KEYS

    found = _judge([f"{key}={value}" for key, value in values.items()])

    assert found.verdict == "ready"
    assert found.tensorflow == "2.18.1"


def test_system_libraries_and_their_cudnn():
    assert _judge(["gpu=RTX 4090", "cuda_libs=system", "cuda=12.5", "cudnn=9.3.0"]).verdict == "ready"
    old = _judge(["gpu=RTX 4090", "cuda_libs=system", "cuda=12.5", "cudnn=9.1.0"])
    assert old.primary is not None
    assert old.primary.code == "CUDNN_TOO_OLD"
    none = _judge(["gpu=RTX 4090", "cuda_libs=none"])
    assert none.primary is not None
    assert none.primary.code == "CUDA_RUNTIME_MISSING"


def test_last_windows_release_works_with_a_remark_when_all_is_there():
    pairs = ["os=windows", "gpu=RTX 3090", "tensorflow=2.10", "python=3.10", "driver=551.61"]
    found = _judge([*pairs, "cuda_libs=system", "cuda=11.2", "cudnn=8.1.1"])

    assert found.verdict == "ready_with_notes"
    assert "WINDOWS_LAST_RELEASE" in {item.code for item in found.findings}
    assert _judge(pairs).verdict == "unknown"


def test_wsl_makes_it_linux_with_a_windows_driver():
    assumed = apply_assumptions(None, ["os=windows", "wsl=2", "gpu=RTX 4070", "driver=573.76"])

    assert assumed.report.host.os.family is OsFamily.LINUX
    assert _judge(["wsl=2", "gpu=RTX 4070", "driver=573.76"]).verdict == "ready"
    assert _judge(["wsl=1", "gpu=RTX 4070"]).verdict == "blocked"


def test_xla_is_a_matter_of_the_variable():
    on = apply_assumptions(None, ["gpu=RTX 5090", "xla=on"])
    off = apply_assumptions(on.report, ["xla=off"], on.environment)

    assert on.xla is True
    assert off.xla is False
    assert "TF_XLA_FLAGS" not in off.report.host.variables


def test_tensorflow_none_is_an_empty_environment():
    assumed = apply_assumptions(machine(), ["tensorflow=none"], python())

    assert assumed.environment is not None
    assert assumed.environment.tensorflow_version is None
    assert _judge(["tensorflow=none"], machine(), python()).primary is not None


@pytest.mark.parametrize("pairs", [("tensorflow=2.14", "python=3.11"), ("tensorflow=2.15.0",)])
def test_an_extra_that_pip_cannot_install_is_not_assumed_to_be_there(pairs):
    found = _judge(["gpu=T4", *pairs])

    assert found.verdict == "blocked"
    assert found.primary is not None
    assert found.primary.code == "AND_CUDA_NOT_INSTALLABLE"


def test_an_assumed_python_holds_what_its_release_declares():
    environment = apply_assumptions(None, ["gpu=T4", "tensorflow=2.18", "numpy=2.0.2"]).environment

    assert environment is not None
    assert environment.packages["numpy"] == "2.0.2"
    assert {"keras", "protobuf"} <= environment.packages.keys()
    assert "0" not in environment.packages.values()


def test_no_glibc_is_a_system_no_wheel_fits():
    found = _judge(["gpu=T4", "glibc=none"])

    assert found.verdict == "blocked"
    assert found.primary is not None
    assert found.primary.code == "GLIBC_TOO_OLD"


def test_libraries_older_than_the_card_are_not_taken_for_proven():
    hopper = _judge(["gpu=H100", "tensorflow=2.11", "python=3.9", "cuda_libs=system"])
    ampere = _judge(["gpu=A100", "tensorflow=2.11", "python=3.9", "cuda_libs=system"])

    assert hopper.verdict == "unknown"
    assert hopper.primary is not None
    assert hopper.primary.code == "CUDA_OLDER_THAN_CARD"
    assert ampere.verdict == "ready_with_notes"


@pytest.mark.parametrize(("name", "capability"), [("RTX 4090 Laptop GPU", "8.9"), ("RTX 4090 Laptop", "8.9")])
def test_a_laptop_card_the_pci_list_names_by_order_number_is_known(name, capability):
    assert apply_assumptions(None, [f"gpu={name}"]).report.gpus[0].compute_capability == capability


@pytest.mark.parametrize("pair", ["driver=580;rm -rf /", "driver=580 open", "python=3", "tensorflow=2.21 or so"])
def test_version_with_something_beside_it_is_refused(pair):
    with pytest.raises(UsageError):
        apply_assumptions(None, [pair])


def test_linux_that_counts_in_years_and_months_is_ubuntu():
    made = apply_assumptions(None, ["os_version=24.04", "gpu=RTX 5090", "driver=none"])
    found = check(made.report, CheckOptions(environment=made.environment, tensorflow=made.tensorflow))

    assert made.report.host.os.id == "ubuntu"
    assert "sudo apt install nvidia-driver-580-open" in found.primary.fixes[0].commands
    assert apply_assumptions(None, ["os_version=13"]).report.host.os.id is None


def test_apple_chip_alone_means_macos():
    assert apply_assumptions(None, ["gpu=Apple M3"]).report.host.os.family is OsFamily.MACOS


def test_major_number_of_cudnn_means_what_pip_brings_of_it():
    made = apply_assumptions(None, ["gpu=RTX 4090", "cudnn=9", "tensorflow=2.21"])

    assert made.environment.packages["nvidia-cudnn-cu12"].count(".") > 1


def test_no_driver_and_no_card_is_a_machine_without_a_gpu():
    made = apply_assumptions(None, ["driver=none"])
    found = check(made.report, CheckOptions(environment=made.environment, tensorflow=made.tensorflow))

    assert (found.verdict.value, found.primary.code) == ("cpu_only", "NO_GPU")
