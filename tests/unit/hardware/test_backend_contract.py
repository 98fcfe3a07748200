"""What every back-end in the registry promises, on whatever machine the tests run."""

from __future__ import annotations

import tomllib

import pytest

from gpuconfig_app.core.gpu import GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import BackendState
from gpuconfig_app.hardware.backend import DetectOptions, normal_bus_id
from gpuconfig_app.hardware.registry import BACKENDS
from gpuconfig_app.resources import resource_path


def sentences() -> set[str]:
    found = set()
    for name in ("hardware", "host"):
        text = resource_path("text", f"{name}.toml").read_text(encoding="utf-8")
        found |= {f"{name}.{row}" for row in tomllib.loads(text)}
    return found


def test_no_vendor_has_two_backends() -> None:
    vendors = [backend.vendor for backend in BACKENDS]

    assert len(vendors) == len(set(vendors))
    assert Vendor.NVIDIA in vendors


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.vendor.value)
@pytest.mark.parametrize("bus_ids", [None, (), ("0000:99:00.0",)], ids=["unknown", "no card", "a card"])
def test_it_answers_with_data_and_never_raises(backend, bus_ids) -> None:
    result = backend.detect(DetectOptions(pci_bus_ids=bus_ids, time_limit_s=10.0))

    assert result.status.vendor is backend.vendor
    assert result.status.state in BackendState
    if result.status.state in (BackendState.FAILED, BackendState.DRIVER_MISSING):
        assert result.status.code
        assert isinstance(result.status.reason, Message)
    reasons = [result.status.reason, *(reason for gpu in result.gpus for reason in gpu.absent.values())]
    assert {reason.id for reason in reasons if reason is not None} <= sentences()
    for gpu in result.gpus:
        assert gpu.vendor is backend.vendor
        assert (gpu.state is GpuState.READY) is (gpu.state_reason is None)


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.vendor.value)
def test_a_machine_whose_cards_all_sleep_is_left_asleep(backend) -> None:
    sleeping = frozenset({"00000000:99:00.0"})

    result = backend.detect(DetectOptions(pci_bus_ids=tuple(sleeping), sleeping_bus_ids=sleeping))

    assert {gpu.state for gpu in result.gpus} <= {GpuState.ASLEEP}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0000:01:00.0", "00000000:01:00.0"),
        ("00000000:0C:00.0", "00000000:0c:00.0"),
        ("0000000F:01:00.0", "0000000f:01:00.0"),
        ("01:00.0", "00000000:01:00.0"),
        ("10000:e1:00.0", "00010000:e1:00.0"),
        ("Nonsense", "nonsense"),
    ],
)
def test_pci_addresses_have_one_form(written, meant) -> None:
    assert normal_bus_id(written) == meant
