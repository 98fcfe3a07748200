from __future__ import annotations

import pytest

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.hardware import intel, live_readers
from gpuconfig_app.hardware.accelerators import CardFacts
from gpuconfig_app.hardware.live_readers import ASK_AGAIN_S, SysfsReader, ToolReader, make_reader
from gpuconfig_app.hardware.readings import FAST_METRICS
from tests.fakes import FakeClock
from tests.unit.hardware.layouts import lay_out
from tests.unit.hardware.stand_ins import put_tool
from tests.unit.hardware.test_amd import BUS, CARD, bind, card_files
from tests.unit.hardware.test_makers import ARC, HY, NPU, arc_files

WHY = Message("hardware.not-told-by-tool", {"tool": "npu-smi"})


def facts(place=None, **readings):
    card = CardFacts()
    card.put("pci_bus_id", place)
    card.readings = {Metric(name): value for name, value in readings.items()}
    return card


class FakeTool:
    """Counts how often it is asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = 0

    def __call__(self):
        self.asked += 1
        return self.answers[min(self.asked, len(self.answers)) - 1]


def test_one_answer_serves_all_cards_once():
    clock, tool = FakeClock(), FakeTool([facts(utilization_pct=1.0), facts(utilization_pct=2.0)])
    reader = ToolReader(tool, WHY, [0, 1], clock)

    first, second, again = reader.read_fast(0), reader.read_fast(1), reader.read_fast(0)

    assert tool.asked == 1
    assert (first.values, second.values) == ({Metric.UTILIZATION_PCT: 1}, {Metric.UTILIZATION_PCT: 2})
    assert set(first.absent) == set(FAST_METRICS) - {Metric.UTILIZATION_PCT}
    assert (again.values, again.absent, again.liveness) == ({}, {}, Liveness.LIVE)


def test_the_tool_is_asked_again_after_a_while_only():
    clock, tool = FakeClock(), FakeTool([facts(utilization_pct=1.0)], [facts(utilization_pct=9.0)])
    reader = ToolReader(tool, WHY, [0], clock)
    reader.read_fast(0)

    reader.read_slow(0)
    assert tool.asked == 1
    clock.advance(ASK_AGAIN_S)
    slow = reader.read_slow(0)

    assert tool.asked == 2
    assert Metric.UTILIZATION_PCT not in slow.values
    assert reader.read_fast(0).values == {Metric.UTILIZATION_PCT: 9}


def test_a_tool_that_fails_loses_its_cards_until_it_answers_again():
    clock, tool = FakeClock(), FakeTool(WHY, [facts(utilization_pct=1.0)])
    reader = ToolReader(tool, WHY, [0], clock)

    assert (reader.read_fast(0).liveness, reader.read_fast(0).error) == (Liveness.LOST, WHY)
    clock.advance(ASK_AGAIN_S)
    reader.read_slow(0)

    assert reader.read_fast(0).values == {Metric.UTILIZATION_PCT: 1}


def test_cards_are_found_by_their_address_not_by_their_place():
    tool = FakeTool([facts("00000000:02:00.0", power_w=2.0), facts("00000000:01:00.0", power_w=1.0)])
    reader = ToolReader(tool, WHY, [3, 4], FakeClock())
    reader.open({3: "00000000:01:00.0", 4: "00000000:09:00.0"})

    assert reader.read_fast(3).values == {Metric.POWER_W: 1}
    assert reader.read_fast(4).liveness is Liveness.LOST


def test_amd_card_is_read_from_its_files(tmp_path):
    lay_out(tmp_path, card_files())
    bind(tmp_path)
    reader = make_reader(Vendor.AMD, [Gpu(index=2, vendor=Vendor.AMD, pci_bus_id=BUS)], tmp_path)
    assert reader.open({2: BUS}) is None

    fast, slow = reader.read_fast(2), reader.read_slow(2)

    assert fast.values[Metric.UTILIZATION_PCT] == 37
    assert fast.absent[Metric.ENCODER_PCT].id == "hardware.not-told-by-kernel"
    assert not set(fast.values) & set(fast.absent)
    assert [process.pid for process in slow.processes] == [321]
    assert Metric.UTILIZATION_PCT not in slow.values
    (tmp_path / CARD / "driver").unlink()
    assert reader.read_fast(2).liveness is Liveness.LOST


def test_power_of_an_intel_card_is_reckoned_from_two_looks(tmp_path):
    lay_out(tmp_path, arc_files())
    bind(tmp_path, "xe", ARC)
    clock, energy = FakeClock(), iter([1000.0, 1030.0, 10.0])
    reader = SysfsReader(lambda bus_id: intel.read_card(bus_id, tmp_path), lambda bus_id: next(energy), clock)
    reader.open({0: "00000000:03:00.0"})

    assert reader.read_fast(0).absent[Metric.POWER_W].id == "hardware.needs-another-look"
    clock.advance(2.0)
    assert reader.read_fast(0).values[Metric.POWER_W] == 15
    clock.advance(2.0)
    assert Metric.POWER_W in reader.read_fast(0).absent


@pytest.mark.parametrize(("vendor", "tool", "answer"), [(Vendor.HUAWEI, "npu-smi", NPU), (Vendor.HYGON, "hy-smi", HY)])
def test_the_real_tool_on_the_path_is_asked(vendor, tool, answer, tmp_path, monkeypatch):
    put_tool(tmp_path, tool, answer)
    monkeypatch.setenv("PATH", str(tmp_path))
    count = 3 if vendor is Vendor.HUAWEI else 8
    reader = make_reader(vendor, [Gpu(index=index, vendor=vendor) for index in range(count)])

    readings = reader.read_fast(0)

    assert readings.values[Metric.POWER_W] in (113.7, 114)
    assert readings.liveness is Liveness.LIVE


@pytest.mark.parametrize("vendor", [Vendor.HUAWEI, Vendor.HYGON])
def test_a_tool_that_went_away_says_so(vendor, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(live_readers.ascend, "TOOL_PLACES", ())
    monkeypatch.setattr(live_readers.hygon, "_TOOL_PLACES", ())
    reader = make_reader(vendor, [Gpu(index=0, vendor=vendor)])

    assert reader.read_fast(0).error.id == "hardware.maker-tool-missing"


def test_other_makers_are_not_read():
    assert make_reader(Vendor.APPLE, []) is None
