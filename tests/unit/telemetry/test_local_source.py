from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.gpu import Gpu, GpuProcess, GpuState, MigInstance, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric
from gpuconfig_app.core.system import BackendState, BackendStatus, SystemReport
from gpuconfig_app.hardware.readings import DeviceReadings
from gpuconfig_app.telemetry.sources.local import LocalSource
from tests.fakes import FakeClock

CARD = DeviceKey("this", "0")
SLICE = DeviceKey("this", "0/1")
TROUBLE = Message("hardware.driver-not-loaded")


class FakeReader:
    """A driver as the source sees it; counts what it is asked."""

    def __init__(self) -> None:
        self.trouble: Message | None = None
        self.opened = 0
        self.asked: list[tuple[int, bool]] = []
        self.fast = DeviceReadings(values={Metric.POWER_W: 100.0}, throttle_reasons=())
        self.slow = DeviceReadings(values={Metric.PCIE_TX_BYTES_S: 5.0}, processes=(GpuProcess(pid=1),))

    def open(self, bus_ids: object) -> Message | None:
        self.opened += 1
        return self.trouble

    def read_fast(self, index: int) -> DeviceReadings:
        self.asked.append((index, False))
        return self.fast

    def read_slow(self, index: int) -> DeviceReadings:
        self.asked.append((index, True))
        return self.slow


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def card(index: int = 0, **values: object) -> Gpu:
    return Gpu(index=index, vendor=Vendor.NVIDIA, pci_bus_id=f"00000000:0{index + 1}:00.0", **values)


def report(*gpus: Gpu, **values: object) -> SystemReport:
    return SystemReport(machine_id="this", gpus=gpus, **values)


def put_to_sleep(root: Path, *, is_asleep: bool, index: int = 0) -> None:
    folder = root / "sys/bus/pci/devices" / f"0000:0{index + 1}:00.0" / "power"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "runtime_status").write_text("suspended\n" if is_asleep else "active\n")


def test_readings_become_samples_with_key_and_times(reader, clock, tmp_path) -> None:
    source = LocalSource(report(card(0), card(1)), reader=reader, clock=clock, root=tmp_path)
    assert source.open() is None

    sample = source.read(DeviceKey("this", "1"), is_slow=False)

    assert reader.asked == [(1, False)]
    assert sample.key == DeviceKey("this", "1")
    assert sample.taken_at == clock.now()
    assert sample.monotonic_s == clock.monotonic()
    assert sample.values == {Metric.POWER_W: 100.0}
    assert source.read(CARD, is_slow=True).processes == (GpuProcess(pid=1),)


def test_keys_are_known_before_the_driver_answers(reader, tmp_path) -> None:
    slices = (MigInstance(index=0), MigInstance(index=1))
    source = LocalSource(report(card(0, mig_instances=slices), card(1)), reader=reader, root=tmp_path)

    keys = source.keys()

    assert [key.device for key in keys] == ["0", "0/0", "0/1", "1"]
    assert reader.opened == 0


def test_a_sleeping_card_is_not_woken_and_the_driver_not_even_started(reader, tmp_path) -> None:
    put_to_sleep(tmp_path, is_asleep=True)
    source = LocalSource(report(card()), reader=reader, root=tmp_path)

    assert source.open() is None
    fast, slow = source.read(CARD, is_slow=False), source.read(CARD, is_slow=True)

    assert (fast.liveness, slow.liveness) == (Liveness.ASLEEP, Liveness.ASLEEP)
    assert fast.values == {}
    assert reader.opened == 0
    assert reader.asked == []


def test_a_card_that_wakes_up_is_read(reader, tmp_path) -> None:
    put_to_sleep(tmp_path, is_asleep=True)
    source = LocalSource(report(card()), reader=reader, root=tmp_path)
    source.open()
    source.read(CARD, is_slow=False)
    put_to_sleep(tmp_path, is_asleep=False)

    assert source.read(CARD, is_slow=False).liveness is Liveness.LIVE
    assert reader.opened == 1


def test_a_sleeping_card_is_woken_when_the_user_wants_it(reader, tmp_path) -> None:
    put_to_sleep(tmp_path, is_asleep=True)
    source = LocalSource(report(card()), reader=reader, root=tmp_path, wakes_sleeping_gpus=True)
    source.open()

    assert source.read(CARD, is_slow=False).liveness is Liveness.LIVE


def test_a_driver_that_can_not_be_started_is_tried_again(reader, tmp_path) -> None:
    reader.trouble = TROUBLE
    source = LocalSource(report(card()), reader=reader, root=tmp_path)
    source.open()
    lost = source.read(CARD, is_slow=False)
    reader.trouble = None

    assert (lost.liveness, lost.error) == (Liveness.LOST, TROUBLE)
    assert source.read(CARD, is_slow=False).liveness is Liveness.LIVE
    source.read(CARD, is_slow=False)
    assert reader.opened == 3


def test_a_slice_comes_with_its_card_and_costs_no_call(reader, clock, tmp_path) -> None:
    part = DeviceReadings(values={Metric.MEMORY_USED_BYTES: 7.0})
    reader.fast = DeviceReadings(values={Metric.POWER_W: 1.0}, slices={1: part})
    source = LocalSource(
        report(card(0, mig_instances=(MigInstance(index=1),))), reader=reader, clock=clock, root=tmp_path
    )
    assert source.read(SLICE, is_slow=False).liveness is Liveness.WAITING
    source.read(CARD, is_slow=False)
    asked = len(reader.asked)

    assert source.read(SLICE, is_slow=False).values == {Metric.MEMORY_USED_BYTES: 7.0}
    assert len(reader.asked) == asked

    reader.fast = DeviceReadings(liveness=Liveness.LOST, error=TROUBLE)
    source.read(CARD, is_slow=False)
    gone = source.read(SLICE, is_slow=False)
    assert (gone.liveness, gone.values) == (Liveness.LOST, {})


def test_a_slice_of_a_card_that_hangs_is_silent(reader, clock, tmp_path) -> None:
    gpu = card(0, mig_instances=(MigInstance(index=1),))
    source = LocalSource(report(gpu), reader=reader, clock=clock, root=tmp_path)
    seen = []

    def hang(index: int) -> DeviceReadings:
        clock.advance(4.0)
        seen.append(source.read(SLICE, is_slow=False).liveness)
        return DeviceReadings()

    reader.read_fast = hang
    source.read(CARD, is_slow=False)

    assert seen == [Liveness.SILENT]


@pytest.mark.parametrize(
    ("machine", "reason"),
    [
        (report(), "telemetry.no-devices"),
        (report(Gpu(index=0, vendor=Vendor.AMD)), "telemetry.vendor-not-read"),
        (
            report(card(0, state=GpuState.DRIVER_MISSING, state_reason=Message("hardware.driver-missing"))),
            "hardware.driver-missing",
        ),
        (
            report(
                backends=(
                    BackendStatus(
                        vendor=Vendor.NVIDIA,
                        state=BackendState.NOT_PRESENT,
                        reason=Message("hardware.no-nvidia-card"),
                    ),
                )
            ),
            "hardware.no-nvidia-card",
        ),
    ],
)
def test_no_card_to_read_gives_the_reason_and_asks_no_driver(machine, reason, reader, tmp_path) -> None:
    source = LocalSource(machine, reader=reader, root=tmp_path)

    assert source.open().id == reason
    assert source.keys() == ()
    assert reader.opened == 0


@pytest.mark.parametrize(
    ("gpu", "is_read"),
    [
        (Gpu(index=1, vendor=Vendor.AMD, pci_bus_id="00000000:07:00.0"), True),
        (Gpu(index=1, vendor=Vendor.AMD, pci_bus_id="00000000:07:00.0", memory_is_shared=True), False),
        (Gpu(index=1, vendor=Vendor.AMD), False),
        (Gpu(index=1, vendor=Vendor.INTEL, pci_bus_id="00000000:03:00.0"), True),
        (Gpu(index=1, vendor=Vendor.HUAWEI), True),
        (Gpu(index=1, vendor=Vendor.HYGON, state_reason=Message("host.vendor-not-read")), False),
        (Gpu(index=1, vendor=Vendor.HYGON, state=GpuState.DRIVER_MISSING), False),
        (Gpu(index=1, vendor=Vendor.OTHER, pci_bus_id="00000000:09:00.0"), False),
    ],
)
def test_cards_of_other_makers_are_read_where_they_can_be(gpu, is_read, reader, tmp_path) -> None:
    source = LocalSource(report(card(0), gpu), reader=reader, root=tmp_path)

    assert (source.keys()[1:] == (DeviceKey("this", "1"),)) is is_read


def test_makers_do_not_share_what_they_open(reader, tmp_path) -> None:
    reader.trouble = TROUBLE
    folder = tmp_path / "sys/bus/pci/devices/0000:07:00.0"
    folder.mkdir(parents=True)
    (folder / "gpu_busy_percent").write_text("42\n")
    (tmp_path / "amdgpu").mkdir()
    (folder / "driver").symlink_to(tmp_path / "amdgpu")
    amd = Gpu(index=1, vendor=Vendor.AMD, pci_bus_id="00000000:07:00.0")
    source = LocalSource(report(card(0), amd), reader=reader, root=tmp_path)
    assert source.open() is None

    nvidia, other = source.read(CARD, is_slow=False), source.read(DeviceKey("this", "1"), is_slow=False)

    assert (nvidia.liveness, nvidia.error) == (Liveness.LOST, TROUBLE)
    assert other.values == {Metric.UTILIZATION_PCT: 42}
    assert other.absent[Metric.MEMORY_USED_BYTES].id == "hardware.not-told-by-kernel"


def test_a_sleeping_amd_card_is_not_touched(reader, tmp_path) -> None:
    amd = Gpu(index=0, vendor=Vendor.AMD, pci_bus_id="00000000:01:00.0")
    put_to_sleep(tmp_path, is_asleep=True)
    source = LocalSource(report(amd), reader=reader, root=tmp_path)

    assert source.open() is None
    assert source.read(CARD, is_slow=False).liveness is Liveness.ASLEEP
