from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.cli.main import main
from gpuconfig_app.cli.output import ExitCode
from gpuconfig_app.core.disk_speed import DiskSpeed

# One grey dot: header, size 1 × 1, 24 bits.
BITMAP = b"BM" + struct.pack("<IHHIIiiHHIIiiII", 58, 0, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4)


def write_dots(folder: Path) -> Path:
    """Write two classes of the smallest pictures."""
    for name in ("cats", "dogs"):
        folder.joinpath(name).mkdir(parents=True)
        for number in range(20):
            folder.joinpath(name, f"{number}.bmp").write_bytes(BITMAP)
    return folder


@pytest.fixture
def run(capsys):
    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments, lambda: None)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def test_plan_tells_what_would_need_less_memory(run, tmp_path):
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({"model": "resnet50", "batch_size": 4096}), encoding="utf-8")
    arguments = ("plan", "--template", "image_classification", "--answers", str(answers))
    arguments += ("--machine", "training-2x4090")

    code, out, err = run(*arguments, "--json")
    shown = run(*arguments)[1]

    plan = json.loads(out)
    assert code == ExitCode.BLOCKED, err
    assert plan["is_memory_tight"]
    first = plan["measures"][0]
    assert first["id"] == "accumulation"
    assert first["change"]["requests.accumulation_steps"] > 1
    assert first["message"]["zh_cn"]
    assert first["message"]["en"] in shown
    assert first["price"]["en"] in shown


def test_plan_reads_a_little_of_the_data_unless_told_not_to(run, tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr("gpuconfig_app.cli.plan.with_disk_speed", lambda facts: read.append(facts.path) or facts)
    data = write_dots(tmp_path / "pets")
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({"model": "small_cnn", "data": str(data)}), encoding="utf-8")
    arguments = ("plan", "--template", "image_classification", "--answers", str(answers))

    assert run(*arguments, "--no-disk-check", "--json")[2] == ""
    assert run(*arguments, "--machine", "training-2x4090", "--json")[2] == ""
    assert read == []
    assert run(*arguments, "--json")[2] == ""
    assert read == [str(data)]


@pytest.mark.parametrize(("is_from_cache", "words"), [(False, "87 MiB a second"), (True, "may have come from memory")])
def test_plan_tells_how_fast_the_data_came(run, tmp_path, monkeypatch, is_from_cache: bool, words: str):
    speed = DiskSpeed(read_bytes_per_s=91e6, files_per_s=800.0, readers=8, is_from_cache=is_from_cache)
    monkeypatch.setattr("gpuconfig_app.cli.plan.with_disk_speed", lambda facts: replace(facts, disk_speed=speed))
    data = write_dots(tmp_path / "pets")
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({"model": "small_cnn", "data": str(data)}), encoding="utf-8")
    arguments = ("plan", "--template", "image_classification", "--answers", str(answers))

    assert words in run(*arguments)[1]
    assert json.loads(run(*arguments, "--json")[1])["disk_speed"]["files_per_s"] == 800.0
