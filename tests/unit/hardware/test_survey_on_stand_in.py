"""The whole survey in a child process on the stand-in for NVIDIA's library, with a PCI bus laid out beside it."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.codec import decode
from gpuconfig_app.core.gpu import GpuState, Vendor
from gpuconfig_app.core.system import BackendState, SystemReport
from tests.native.child import copy_profile, run_child
from tests.unit.hardware.test_pci import put_card

SURVEY = """
from gpuconfig_app.hardware.pci import scan_pci
from gpuconfig_app.hardware.survey import SurveyOptions, SurveyParts, survey

parts = SurveyParts(
    backends=(NvidiaBackend(root=folder),), scan=lambda: scan_pci(folder / "bus"), bus_tells_all=lambda: True
)
options = SurveyOptions(variables={}, include_environments=False, driver_limit_s=LIMIT_S)
give(survey(options, parts=parts))
"""


def run(profile, limit_s=20.0) -> SystemReport:
    return decode(SystemReport, run_child(SURVEY.replace("LIMIT_S", str(limit_s)), profile))


@pytest.fixture
def bus(tmp_path):
    return tmp_path / "bus"


def test_healthy_card_beside_the_processors_graphics(tmp_path, bus):
    put_card(bus, "0000:00:02.0", "0x8086", "0xa7a0", driver="i915")
    put_card(bus, "0000:01:00.0", "0x10de", "0x2684", driver="nvidia", status="active")

    report = run(copy_profile(tmp_path, "1x4090"))

    assert [(gpu.vendor, gpu.index, gpu.state) for gpu in report.gpus] == [
        (Vendor.NVIDIA, 0, GpuState.READY),
        (Vendor.INTEL, 1, GpuState.READY),
    ]
    assert report.gpus[0].bound_driver == "nvidia"
    assert report.gpus[0].compute_capability == "8.9"
    assert report.driver(Vendor.NVIDIA).cuda_version == "13.0"


def test_mismatch_shows_the_card_with_its_cause(tmp_path, bus):
    put_card(bus, "0000:01:00.0", "0x10de", "0x2231", driver="nvidia")

    report = run(copy_profile(tmp_path, "mismatch"))

    assert report.backend(Vendor.NVIDIA).code == "driver_library_mismatch"
    assert (report.gpus[0].state, report.gpus[0].pci_id) == (GpuState.FAILED, "10de:2231")
    assert report.gpus[0].state_reason == report.backend(Vendor.NVIDIA).reason


def test_driver_that_hangs_at_the_start_leaves_host_and_card(tmp_path, bus):
    put_card(bus, "0000:01:00.0", "0x10de", "0x2684", driver="nvidia")
    profile = copy_profile(tmp_path, "1x4090", more="hang = nvmlInitWithFlags - while hang")
    (tmp_path / "hang").touch()

    report = run(profile, limit_s=0.3)

    assert (report.backend(Vendor.NVIDIA).state, report.backend(Vendor.NVIDIA).code) == (
        BackendState.FAILED,
        "no_answer",
    )
    assert report.gpus[0].state is GpuState.NO_ANSWER
    assert report.host.os.name


def test_module_that_is_not_loaded_is_told_from_nouveau(tmp_path, bus):
    put_card(bus, "0000:01:00.0", "0x10de", "0x2684", driver="nouveau")

    report = run(copy_profile(tmp_path, "not-loaded"))

    assert report.backend(Vendor.NVIDIA).state is BackendState.DRIVER_MISSING
    assert report.gpus[0].state_reason.id == "host.bound-to-nouveau"


def test_sleeping_laptop_card_is_not_woken(tmp_path, bus):
    put_card(bus, "0000:01:00.0", "0x10de", "0x28e0", driver="nvidia", status="suspended")
    calls = tmp_path / "calls"
    profile = copy_profile(tmp_path, "1x4090")

    report = decode(SystemReport, run_child(SURVEY.replace("LIMIT_S", "20.0"), profile, calls))

    assert report.gpus[0].state is GpuState.ASLEEP
    assert report.gpus[0].pci_id == "10de:28e0"
    assert not calls.exists() or not calls.read_text()
