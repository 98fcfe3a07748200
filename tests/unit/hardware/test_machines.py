"""The recorded machines themselves: each can be read, is what its recipe makes, and says nothing personal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gpuconfig_app.core.finding import Outcome, Verdict
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Metric
from gpuconfig_app.hardware.readings import REASONED_FIELDS
from gpuconfig_app.hardware.recorded import MachineOrigin, load_machine, machine_folders, shipped_machines
from tests.machines.make_machines import all_recipes, write_expected, write_recipe

FOLDERS = machine_folders(Path(__file__).resolve().parents[2] / "machines")
EVERY = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_there_are_enough_and_all_have_a_recipe():
    assert len(FOLDERS) >= 16
    assert {folder.name for folder in FOLDERS} == {recipe.name for recipe in all_recipes()}
    assert {folder.name for folder in shipped_machines()} == {item.name for item in all_recipes() if item.is_shipped}


@pytest.mark.parametrize("recipe", all_recipes(), ids=lambda recipe: recipe.name)
def test_recipe_gives_what_lies_here_byte_for_byte(recipe, tmp_path):
    write_recipe(recipe, tmp_path)
    write_expected(recipe, tmp_path)

    here = next(folder for folder in FOLDERS if folder.name == recipe.name)
    assert _bytes(tmp_path / recipe.name) == _bytes(here)


@pytest.mark.parametrize("folder", shipped_machines(), ids=lambda folder: folder.name)
def test_shipped_machine_equals_the_one_of_the_tests(folder):
    twin = next(other for other in FOLDERS if other.name == folder.name)

    assert _bytes(folder) == {name: raw for name, raw in _bytes(twin).items() if name != "expected.json"}


@EVERY
def test_machine_is_consistent(folder):
    machine = load_machine(folder)
    report = machine.report

    assert machine.title.en
    assert re.search(r"[\u4e00-\u9fff]", machine.title.zh_cn)
    assert machine.origin is not MachineOrigin.RECORDED
    assert (machine.source is None) == (machine.origin is MachineOrigin.CONSTRUCTED)
    assert [gpu.index for gpu in report.gpus] == list(range(len(report.gpus)))
    assert sum(environment.is_current for environment in report.environments) == 1
    assert report.host.host_name is None
    for gpu in report.gpus:
        is_unread = gpu.state_reason == Message("host.vendor-not-read")
        assert (gpu.state is GpuState.READY) == (gpu.state_reason is None or is_unread)
        for field, reason in gpu.absent.items():
            assert getattr(gpu, field, None) in (None, ()), f"{field} is there although {reason.id}"


@EVERY
def test_every_missing_reading_has_a_reason(folder):
    for gpu in load_machine(folder).report.gpus:
        assert not [name for name in REASONED_FIELDS if getattr(gpu, name) is None and name not in gpu.absent]


@EVERY
def test_memory_of_cards_adds_up(folder):
    for gpu in load_machine(folder).report.gpus:
        parts = (gpu.memory_used_bytes, gpu.memory_free_bytes, gpu.memory_total_bytes)
        if None not in parts:
            rest = gpu.memory_total_bytes - gpu.memory_used_bytes - gpu.memory_free_bytes
            assert 0 <= rest <= (gpu.memory_reserved_bytes or 0) + 4 * 2**20


@EVERY
def test_telemetry_fits_the_cards(folder):
    machine = load_machine(folder)
    gpus = {str(gpu.index): gpu for gpu in machine.report.gpus}

    for sample in machine.samples:
        gpu = gpus[sample.key.device]
        used = sample.values.get(Metric.MEMORY_USED_BYTES)
        assert used is None or gpu.memory_total_bytes is None or used <= gpu.memory_total_bytes
        power = sample.values.get(Metric.POWER_W)
        assert power is None or gpu.power_limit_w is None or power <= gpu.power_limit_w * 1.05
        assert 0 <= sample.values.get(Metric.UTILIZATION_PCT, 0) <= 100
        assert not set(sample.values) & set(sample.absent)
    if machine.samples:
        assert 59 <= machine.samples[-1].monotonic_s - machine.samples[0].monotonic_s <= 120


def test_every_healthy_card_of_a_known_kind_has_telemetry():
    silent = {
        folder.name
        for folder in FOLDERS
        if not (folder / "telemetry.jsonl").exists()
        and any(gpu.state is GpuState.READY and gpu.vendor == "nvidia" for gpu in load_machine(folder).report.gpus)
    }

    assert silent == {"jetson-agx-orin"}  # NVML answers next to nothing there


def test_card_is_lost_half_way():
    machine = load_machine(next(folder for folder in FOLDERS if folder.name == "gpu-lost-halfway"))
    lost = [sample for sample in machine.samples if sample.error is not None]

    assert {sample.key.device for sample in lost} == {"1"}
    assert lost[0].monotonic_s == 55.0
    assert not any(sample.values for sample in lost)


@EVERY
def test_expectation_uses_known_words(folder):
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))

    assert Verdict(expected["verdict"])
    assert Outcome(expected["outcome"])
    assert expected["why"]
    assert expected["primary_code"] is None or re.fullmatch(r"[A-Z][A-Z0-9_]+", expected["primary_code"])


@EVERY
def test_machine_holds_nothing_personal(folder):
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()))

    assert not re.search(r"/home/|/Users/|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}:\d", text)
    assert "00000000-0000-4000-8000" not in text
