from __future__ import annotations

import pytest

from gpuconfig_app.core.gpu import GpuState, Vendor
from gpuconfig_app.hardware.pci import bus_tells_all, gpu_of, scan_pci, state_of
from tests.unit.hardware.layouts import lay_out


def put_card(root, bus_id, vendor, device, cls="0x030000", *, driver=None, status=None, board=("0x1043", "0x889f")):
    """Lay out one device as sysfs shows it."""
    folder = root / bus_id
    files = {"vendor": vendor, "device": device, "class": cls}
    if board:
        files |= {"subsystem_vendor": board[0], "subsystem_device": board[1]}
    if status:
        files["power/runtime_status"] = status
    lay_out(folder, {name: f"{text}\n" for name, text in files.items()})
    if driver:
        (folder / "driver").symlink_to(f"../../../../bus/pci/drivers/{driver}")
    return folder


def test_card_is_read_with_ids_driver_and_sleep(tmp_path):
    put_card(tmp_path, "0000:01:00.0", "0x10DE", "0x28E0", driver="nvidia", status="suspended")

    (card,) = scan_pci(tmp_path)

    assert (card.bus_id, card.vendor, card.pci_id) == ("00000000:01:00.0", Vendor.NVIDIA, "10de:28e0")
    assert (card.subsystem_id, card.driver, card.is_asleep) == ("1043:889f", "nvidia", True)


def test_cards_come_in_bus_order_with_domains(tmp_path):
    for bus_id in ("000f:01:00.0", "0000:c1:00.0", "0000:0a:00.0"):
        put_card(tmp_path, bus_id, "0x10de", "0x2330", "0x030200")

    assert [card.bus_id for card in scan_pci(tmp_path)] == ["00000000:0a:00.0", "00000000:c1:00.0", "0000000f:01:00.0"]


@pytest.mark.parametrize(
    ("vendor", "cls"),
    [
        ("0x10de", "0x040300"),  # a card's sound device
        ("0x10de", "0x068000"),  # NVSwitch
        ("0x19e5", "0x030000"),  # Huawei's server management graphics
        ("0x8086", "0x120000"),  # Intel's NPU
        ("0x1a03", "0x030000"),  # ASPEED server graphics
        ("0x1d94", "0x060400"),  # bridge of a Hygon processor
        ("", "0x030000"),
        ("0x10de", "rubbish"),
    ],
)
def test_what_cannot_compute_is_no_card(tmp_path, vendor, cls):
    put_card(tmp_path, "0000:01:00.0", vendor, "0x1234", cls)

    assert scan_pci(tmp_path) == ()


@pytest.mark.parametrize(
    ("vendor", "cls", "maker"),
    [
        ("0x19e5", "0x120000", Vendor.HUAWEI),
        ("0x1d94", "0x038000", Vendor.HYGON),
        ("0x1002", "0x120000", Vendor.AMD),
        ("0x8086", "0x038000", Vendor.INTEL),
    ],
)
def test_accelerators_of_other_makers(tmp_path, vendor, cls, maker):
    put_card(tmp_path, "0000:c1:00.0", vendor, "0xd802", cls)

    assert scan_pci(tmp_path)[0].vendor is maker


def test_virtual_function_is_not_a_second_card(tmp_path):
    put_card(tmp_path, "0000:01:00.0", "0x10de", "0x2330", "0x030200")
    lay_out(put_card(tmp_path, "0000:01:00.4", "0x10de", "0x2330", "0x030200"), {"physfn/": ""})

    assert len(scan_pci(tmp_path)) == 1


def test_no_bus_is_not_known_rather_than_empty(tmp_path):
    assert scan_pci(tmp_path / "missing") is None
    assert scan_pci(tmp_path) == ()


def test_graphics_of_the_processor_share_memory(tmp_path):
    put_card(tmp_path, "0000:00:02.0", "0x8086", "0xa7a0", driver="i915")
    put_card(tmp_path, "0000:03:00.0", "0x8086", "0xe20b", driver="xe")

    processor, card = scan_pci(tmp_path)

    assert (processor.is_integrated, card.is_integrated) == (True, False)


@pytest.mark.parametrize(
    ("driver", "status", "has_backend", "state", "sentence"),
    [
        (None, None, True, GpuState.DRIVER_MISSING, "host.no-driver-bound"),
        ("nouveau", None, True, GpuState.DRIVER_MISSING, "host.bound-to-nouveau"),
        ("vfio-pci", None, True, GpuState.DRIVER_MISSING, "host.bound-to-vfio"),
        ("simpledrm", None, True, GpuState.DRIVER_MISSING, "host.driver-cannot-compute"),
        ("nvidia", "suspended", True, GpuState.ASLEEP, "host.card-asleep"),
        ("nvidia", "active", True, GpuState.FAILED, "host.driver-without-library"),
        ("nvidia", "active", False, GpuState.READY, "host.vendor-not-read"),
    ],
)
def test_state_of_a_card_nobody_listed(tmp_path, driver, status, has_backend, state, sentence):
    put_card(tmp_path, "0000:01:00.0", "0x10de", "0x2684", driver=driver, status=status)
    (card,) = scan_pci(tmp_path)

    found, reason = state_of(card, has_backend=has_backend)

    assert (found, reason.id) == (state, sentence)


def test_card_seen_on_the_bus_invents_nothing(tmp_path):
    put_card(tmp_path, "0000:01:00.0", "0x10de", "0x2684", driver="nouveau", board=None)
    (card,) = scan_pci(tmp_path)

    gpu = gpu_of(card, 3, *state_of(card, has_backend=True))

    assert (gpu.index, gpu.name, gpu.memory_total_bytes, gpu.compute_capability) == (3, None, None, None)
    assert gpu.bound_driver == "nouveau"
    assert gpu.absent["memory_total_bytes"].id == "host.bound-to-nouveau"


@pytest.mark.parametrize(
    ("files", "answer"),
    [
        ({}, True),
        ({"dev/dxg": ""}, False),
        ({"etc/nv_tegra_release": "# R36"}, False),
        ({"proc/device-tree/model": "NVIDIA Jetson AGX Orin\0"}, False),
    ],
)
def test_in_wsl_and_on_jetson_the_bus_does_not_tell_all(tmp_path, files, answer):
    assert bus_tells_all(lay_out(tmp_path, files)) is answer
