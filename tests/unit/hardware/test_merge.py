from __future__ import annotations

import pytest

from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import BackendState, BackendStatus
from gpuconfig_app.hardware.backend import BackendResult
from gpuconfig_app.hardware.merge import merge_cards
from gpuconfig_app.hardware.pci import PciCard

FIRST, SECOND, PROCESSOR = "00000000:01:00.0", "00000000:41:00.0", "00000000:00:02.0"


def on_bus(bus_id=FIRST, driver="nvidia", vendor=Vendor.NVIDIA, **changes):
    known = {"pci_id": "10de:2684", "subsystem_id": "1043:889f"}
    return PciCard(bus_id=bus_id, vendor=vendor, driver=driver, **(known | changes))


def answer(*gpus, state=BackendState.READY, code=None):
    reason = Message("hardware.failed", {"detail": "x"}) if code else None
    return BackendResult(status=BackendStatus(vendor=Vendor.NVIDIA, state=state, code=code, reason=reason), gpus=gpus)


def listed(index=0, bus_id=FIRST, **changes):
    return Gpu(index=index, vendor=Vendor.NVIDIA, pci_bus_id=bus_id, **changes)


def test_listed_card_appears_once_and_gains_what_only_the_bus_tells():
    gpu = listed(bus_id="00000000:01:00.0".upper(), absent={"pci_id": Message("x.y"), "uuid": Message("x.z")})

    (found,) = merge_cards([answer(gpu)], [on_bus()])

    assert (found.pci_id, found.pci_subsystem_id, found.bound_driver) == ("10de:2684", "1043:889f", "nvidia")
    assert set(found.absent) == {"uuid"}


def test_what_the_driver_told_is_not_overwritten():
    (found,) = merge_cards([answer(listed(pci_id="10de:2685"))], [on_bus()])

    assert found.pci_id == "10de:2685"


def test_second_card_on_nouveau_is_shown_with_its_state_and_next_index():
    cards = [on_bus(FIRST, "nouveau"), on_bus(SECOND)]

    found = merge_cards([answer(listed(0, SECOND))], cards)

    assert [(gpu.pci_bus_id, gpu.index, gpu.state) for gpu in found] == [
        (FIRST, 1, GpuState.DRIVER_MISSING),
        (SECOND, 0, GpuState.READY),
    ]


def test_graphics_of_the_processor_come_last():
    cards = [on_bus(PROCESSOR, "i915", Vendor.INTEL, is_integrated=True), on_bus()]

    found = merge_cards([answer(listed())], cards)

    assert [gpu.vendor for gpu in found] == [Vendor.NVIDIA, Vendor.INTEL]
    assert found[1].state_reason == Message("host.vendor-not-read")


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("no_answer", GpuState.NO_ANSWER),
        ("no_permission", GpuState.NO_PERMISSION),
        ("gpu_lost", GpuState.LOST),
        ("driver_library_mismatch", GpuState.FAILED),
        ("library_not_found", GpuState.DRIVER_MISSING),
    ],
)
def test_trouble_of_the_driver_is_the_state_of_its_cards(code, state):
    (found,) = merge_cards([answer(state=BackendState.FAILED, code=code)], [on_bus()])

    assert found.state is state
    assert found.state_reason == Message("hardware.failed", {"detail": "x"})


def test_nouveau_is_named_even_when_the_driver_failed_too():
    result = answer(state=BackendState.DRIVER_MISSING, code="driver_not_loaded")

    (found,) = merge_cards([result], [on_bus(driver="nouveau")])

    assert found.state_reason == Message("host.bound-to-nouveau")


def test_container_without_access_is_told_from_a_missing_driver():
    result = answer(state=BackendState.DRIVER_MISSING, code="library_not_found")

    (found,) = merge_cards([result], [on_bus()], is_container=True)

    assert found.state_reason == Message("host.container-without-gpu")


def test_card_without_an_address_is_not_doubled():
    """WSL and old nvidia-smi give cards whose place on the bus is unknown."""
    found = merge_cards([answer(listed(bus_id=None))], [on_bus()])

    assert len(found) == 1


def test_no_bus_leaves_the_drivers_list_as_it_is():
    found = merge_cards([answer(listed(0, FIRST), listed(1, SECOND))], [])

    assert [gpu.index for gpu in found] == [0, 1]


def test_seventy_two_cards_keep_their_order():
    addresses = [f"{number:08x}:01:00.0" for number in range(72)]
    gpus = [listed(index, bus_id) for index, bus_id in enumerate(addresses)]

    found = merge_cards([answer(*reversed(gpus))], [on_bus(bus_id) for bus_id in addresses])

    assert [gpu.index for gpu in found] == list(range(72))


def test_two_makers_that_number_alike_get_numbers_of_their_own():
    amd = BackendStatus(vendor=Vendor.AMD, state=BackendState.READY)
    cards = tuple(Gpu(index=index, vendor=Vendor.AMD, pci_bus_id=f"00000000:8{index}:00.0") for index in range(2))

    found = merge_cards([answer(listed()), BackendResult(status=amd, gpus=cards)], [on_bus()])

    assert [(gpu.index, gpu.vendor) for gpu in found] == [(0, Vendor.NVIDIA), (1, Vendor.AMD), (2, Vendor.AMD)]


def test_one_maker_alone_keeps_its_numbers():
    nobody = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.NOT_PRESENT)
    amd = BackendStatus(vendor=Vendor.AMD, state=BackendState.READY)
    gpu = Gpu(index=0, vendor=Vendor.AMD, pci_bus_id=SECOND)

    (found,) = merge_cards([BackendResult(status=nobody), BackendResult(status=amd, gpus=(gpu,))], [])

    assert found.index == 0
