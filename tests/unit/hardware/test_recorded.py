from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.core.system import HostInfo, OsFamily, OsInfo, SystemReport
from gpuconfig_app.hardware.recorded import (
    MachineOrigin,
    find_machine,
    load_machine,
    machine_folders,
    read_title,
    shipped_machines,
)
from gpuconfig_app.hardware.recorder import record_machine
from tests.unit.hardware.layouts import lay_out

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "machine_schema_1"
TITLE = LocalText("A box", "一台机器")
REPORT = SystemReport(
    machine_id="this-1234",
    taken_at=1763000000.0,
    host=HostInfo(os=OsInfo(family=OsFamily.LINUX, name="Ubuntu 24.04.3 LTS")),
    gpus=(Gpu(index=0, vendor=Vendor.NVIDIA, name="NVIDIA GeForce RTX 4090", memory_total_bytes=24564 * 2**20),),
)


def sample(second, **changes):
    known = {
        "key": DeviceKey("this-1234", "0"), "taken_at": 1763000000.0 + second, "monotonic_s": 500.0 + second,
        "values": {Metric.UTILIZATION_PCT: 97.0, Metric.POWER_W: 401.25},
    }  # fmt: skip
    return Sample(**(known | changes))


@pytest.fixture
def folder(tmp_path):
    return record_machine(REPORT, [sample(0), sample(1)], tmp_path / "my-box", TITLE)


def refused(folder):
    with pytest.raises(UnusableFileError) as caught:
        load_machine(folder)
    return caught.value.message.id


def test_machine_comes_back_under_its_folders_name(folder):
    machine = load_machine(folder)

    assert (machine.name, machine.report.machine_id, machine.report.recorded_from) == ("my-box", "my-box", "my-box")
    assert machine.title == TITLE
    assert machine.origin is MachineOrigin.RECORDED
    assert [replace(gpu, absent={}) for gpu in machine.report.gpus] == list(REPORT.gpus)
    assert machine.report.gpus[0].absent["power_limit_w"] == Message("host.not-recorded")
    assert read_title(folder) == TITLE


def test_samples_are_relative_and_belong_to_the_recorded_machine(folder):
    first, second = load_machine(folder).samples

    assert (first.monotonic_s, second.monotonic_s) == (0.0, 1.0)
    assert second.taken_at == 1763000001.0
    assert second.key == DeviceKey("my-box", "0")
    assert second.values == {Metric.UTILIZATION_PCT: 97.0, Metric.POWER_W: 401.25}


def test_everything_a_sample_can_say_survives(tmp_path):
    lost = sample(
        2, values={}, liveness=Liveness.LOST, error=Message("hardware.gpu-lost"), throttle_reasons=None, processes=None
    )
    odd = sample(
        1, absent={Metric.FAN_PCT: Message("hardware.not-supported")}, throttle_reasons=("power_cap",), processes=()
    )
    folder = record_machine(REPORT, [lost, odd, sample(0)], tmp_path / "odd", TITLE)

    first, second, third = load_machine(folder).samples

    assert first.throttle_reasons is None
    assert (second.absent, second.throttle_reasons, second.processes) == (odd.absent, ("power_cap",), ())
    assert (third.liveness, third.error, third.values) == (Liveness.LOST, Message("hardware.gpu-lost"), {})


def test_machine_without_telemetry(tmp_path):
    folder = record_machine(REPORT, [], tmp_path / "box", TITLE)

    assert not (folder / "telemetry.jsonl").exists()
    assert load_machine(folder).samples == ()


def test_path_of_the_file_is_as_good_as_the_folder(folder):
    assert load_machine(folder / "machine.json").name == "my-box"


def test_schema_1_can_still_be_read():
    """The golden folder was written by the first version with schema 1 and is never written again."""
    machine = load_machine(GOLDEN)

    assert machine.title.en == "Golden machine of schema 1"
    assert machine.origin is MachineOrigin.CONSTRUCTED
    assert machine.report.gpus[0].compute_capability == "8.9"
    assert machine.report.gpus[0].absent["ecc_enabled"] == Message("hardware.not-supported")
    assert machine.report.environments[0].packages["tensorflow"] == "2.21.0"
    assert machine.report.host.disks[0].free_bytes == 1185410973696
    assert machine.samples[-1].liveness is Liveness.LOST


def test_keys_of_a_later_version_are_kept(folder):
    data = json.loads((folder / "machine.json").read_text())
    data["report"]["gpus"][0]["antigravity_g"] = 3
    (folder / "machine.json").write_text(json.dumps(data))

    assert load_machine(folder).report.gpus[0].extra == {"antigravity_g": 3}


def test_unknown_metric_of_a_later_version_is_left_out(folder):
    with (folder / "telemetry.jsonl").open("a") as file:
        file.write('{"t":2,"device":"0","values":{"antigravity_g":3,"power_w":4}}\n\n')

    assert load_machine(folder).samples[-1].values == {Metric.POWER_W: 4.0}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "core.not-json"),
        ("{", "core.not-json"),
        ("[]", "core.other-kind"),
        ('{"document": "settings", "schema": 1}', "core.other-kind"),
        ('{"document": "machine"}', "core.no-schema"),
        ('{"document": "machine", "schema": 99}', "core.newer-schema"),
        ('{"document": "machine", "schema": 1}', "core.wrong-value"),
        ('{"document": "machine", "schema": 1, "title": "x", "report": {}}', "core.wrong-value"),
        ("[" * 200_000, "core.not-json"),
    ],
)
def test_broken_machine_is_refused_with_a_sentence(folder, text, sentence):
    (folder / "machine.json").write_text(text)

    assert refused(folder) == sentence


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (("report", "gpus", 0, "vendor"), "nobody", "core.wrong-value"),
        (("report", "gpus", 0, "memory_total_bytes"), "lots", "core.wrong-value"),
        (("report", "gpus", 0, "power_limit_w"), float("nan"), "core.not-json"),
        (("report", "gpus", 0, "name"), "\ud800", "core.not-json"),
        (("report", "host"), [], "core.wrong-value"),
    ],
)
def test_wrong_value_is_refused(folder, place, value, sentence):
    data = json.loads((folder / "machine.json").read_text())
    inner = data
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    (folder / "machine.json").write_text(json.dumps(data))

    assert refused(folder) == sentence


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("rubbish", "host.recording-line-broken"),
        ("[]", "host.recording-line-broken"),
        ('{"t":NaN,"device":"0"}', "host.recording-line-broken"),
        ('{"t":0,"device":"0","values":{"power_w":Infinity}}', "host.recording-line-broken"),
        ('{"t":"soon","device":"0"}', "core.wrong-value"),
        ('{"t":0}', "core.wrong-value"),
        ('{"t":0,"device":"0","values":{"power_w":"much"}}', "core.wrong-value"),
        ('{"t":0,"device":"0","liveness":"undead"}', "core.wrong-value"),
    ],
)
def test_broken_line_is_refused(folder, line, sentence):
    with (folder / "telemetry.jsonl").open("a") as file:
        file.write(line + "\n")

    assert refused(folder) == sentence


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        ('{"document":"machine","schema":1}', "core.other-kind"),
        ('{"document":"telemetry","schema":2}', "core.newer-schema"),
        ('{"document":"telemetry","schema":true}', "core.no-schema"),
    ],
)
def test_strange_head_of_telemetry_is_refused(folder, head, sentence):
    (folder / "telemetry.jsonl").write_text(head + "\n")

    assert refused(folder) == sentence


def test_folder_without_the_file_is_no_machine(tmp_path):
    assert refused(tmp_path) == "host.not-a-machine"
    assert refused(tmp_path / "missing") == "host.not-a-machine"


@pytest.mark.parametrize("name", ["machine.json", "telemetry.jsonl"])
def test_link_to_another_file_is_not_followed(folder, tmp_path, name):
    secret = tmp_path / "secret"
    (folder / name).rename(secret)
    (folder / name).symlink_to(secret)

    assert refused(folder) == "host.machine-file-leads-elsewhere"


@pytest.mark.parametrize("name", ["machine.json", "telemetry.jsonl"])
def test_pipe_in_place_of_a_file_does_not_hang(folder, name):
    (folder / name).unlink()
    os.mkfifo(folder / name)

    assert refused(folder) == "host.machine-file-leads-elsewhere"


def test_too_large_file_is_not_read(folder):
    with (folder / "machine.json").open("r+b") as file:
        file.truncate(9 * 1024**2)

    assert refused(folder) == "core.file-too-large"


def test_recording_that_is_no_text(folder):
    (folder / "machine.json").write_bytes(b"\xff\xfe\x00\x01")

    assert refused(folder) == "core.not-text"


def test_too_many_cards_are_refused(folder):
    data = json.loads((folder / "machine.json").read_text())
    data["report"]["gpus"] = data["report"]["gpus"] * 1025
    (folder / "machine.json").write_text(json.dumps(data))

    assert refused(folder) == "host.machine-too-many"


def test_folder_cannot_pretend_to_be_this_machine(folder):
    data = json.loads((folder / "machine.json").read_text())
    data["report"] |= {"machine_id": "this", "recorded_from": None}
    (folder / "machine.json").write_text(json.dumps(data))

    machine = load_machine(folder)

    assert machine.report.recorded_from == "my-box"
    assert machine.report.machine_id == "my-box"


def test_title_loses_what_could_rewrite_a_terminal(folder):
    data = json.loads((folder / "machine.json").read_text())
    data["title"]["en"] = "nice\x1b[2J\u202eboxes"
    (folder / "machine.json").write_text(json.dumps(data))

    assert load_machine(folder).title.en == "nice[2Jboxes"


def test_folder_name_with_strange_signs_gives_a_plain_name(folder, tmp_path):
    strange = folder.rename(tmp_path / 'a "b"; 机器 $(x)')

    assert load_machine(strange).name == "a-b-机器-x"


def test_shipped_machines_are_found_by_name():
    names = [path.name for path in shipped_machines()]

    assert len(names) >= 6
    assert find_machine("no-gpu").name == "no-gpu"
    assert {"training-2x4090", "8xh100", "16xh100", "rtx5090-stock-wheels", "windows-native", "no-gpu"} <= set(names)


def test_machine_is_found_by_path_and_in_further_folders(folder):
    assert find_machine(str(folder)) == folder
    assert find_machine(str(folder / "machine.json")) == folder
    assert find_machine("my-box", [folder.parent]) == folder
    assert machine_folders(folder.parent) == (folder,)


@pytest.mark.parametrize("name", ["no-such-machine", "../resources", "", "/", "a\0b"])
def test_unknown_name_lists_the_known_ones(name):
    with pytest.raises(UnusableFileError) as caught:
        find_machine(name)

    assert caught.value.message.id == "host.machine-not-found"
    assert "no-gpu" in str(caught.value.hint.params["names"])


def test_folder_beside_the_machines_is_not_one(tmp_path):
    lay_out(tmp_path, {"notes/readme.txt": ""})

    assert machine_folders(tmp_path) == ()
    assert machine_folders(tmp_path / "missing") == ()
