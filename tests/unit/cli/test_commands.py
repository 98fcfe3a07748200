"""Commands as a script sees them: JSON with a schema, exit codes, one sentence on stderr, never a traceback."""

from __future__ import annotations

import errno
import io
import json
import struct

import pytest

from gpuconfig_app.cli.main import main
from gpuconfig_app.cli.output import ExitCode

# One grey dot: header, size 1 × 1, 24 bits.
BITMAP = b"BM" + struct.pack("<IHHIIiiHHIIiiII", 58, 0, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4)


def window() -> None:
    raise AssertionError("no command but the self-test opens the window")


@pytest.fixture
def run(capsys):
    def run_command(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments, window)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run_command


def test_survey_of_a_recorded_machine_is_json_with_schema(run):
    code, out, _ = run("survey", "--machine", "training-2x4090", "--json")

    report = json.loads(out)
    assert code == ExitCode.GOOD
    assert report["schema"] == 1
    assert [gpu["name"] for gpu in report["gpus"]] == ["NVIDIA GeForce RTX 4090"] * 2
    assert report["recorded_from"] == "training-2x4090"


def test_survey_says_that_a_machine_is_recorded(run):
    _, out, _ = run("survey", "--machine", "training-2x4090")

    assert "Recorded machine: training-2x4090" in out


def test_survey_of_this_machine_never_fails(run):
    code, out, _ = run("survey", "--json")

    assert code == ExitCode.GOOD
    assert json.loads(out)["host"]["os"]["family"] in ("linux", "windows", "macos")


def test_recorded_survey_opens_again(run, tmp_path):
    folder = tmp_path / "my machine"

    run("survey", "--machine", "training-2x4090", "--record", str(folder))
    code, out, _ = run("survey", "--machine", str(folder), "--json")

    assert code == ExitCode.GOOD
    assert len(json.loads(out)["gpus"]) == 2


@pytest.mark.parametrize(
    ("machine", "verdict", "code"),
    [
        ("training-2x4090", "ready", ExitCode.GOOD),
        ("windows-native", "blocked", ExitCode.BLOCKED),
        ("rtx5090-stock-wheels", "blocked", ExitCode.BLOCKED),
        ("no-gpu", "cpu_only", ExitCode.RESERVATIONS),
    ],
)
def test_check_exits_with_its_verdict(run, machine, verdict, code):
    exit_code, out, _ = run("check", "--machine", machine, "--json")

    report = json.loads(out)
    assert report["verdict"] == verdict
    assert exit_code == code
    assert report["schema"] == 1
    assert report["proven"] == "false"
    if verdict == "blocked":
        assert report["primary"]["fix"]["text"]["en"]
        assert report["primary"]["code"] == report["findings"][0]["code"]


def test_check_of_all_releases_gives_a_verdict_for_each(run):
    _, out, _ = run("check", "--machine", "training-2x4090", "--all-releases", "--json")

    releases = json.loads(out)["releases"]
    assert {"2.10", "2.16", "2.21"} <= {release["series"] for release in releases}
    assert sum(release["is_best"] for release in releases) == 1


def test_machine_of_assumptions_alone(run):
    arguments = ["check", "--machine", "none", "--json"]
    for pair in (
        "os=linux",
        "os_version=22.04",
        "arch=x86_64",
        "glibc=2.35",
        "driver=550.90.07",
        "python=3.11",
        "gpu=NVIDIA GeForce RTX 4090:8.9",
        "tensorflow=2.17.0",
        "cuda_libs=pip",
        "numpy=1.26.4",
    ):
        arguments += ["--assume", pair]

    code, out, err = run(*arguments)

    assert json.loads(out)["verdict"] in ("ready", "ready_with_notes"), err
    assert code in (ExitCode.GOOD, ExitCode.RESERVATIONS)


@pytest.mark.parametrize(("driver", "is_said"), [("527.41", True), ("581.57", False)])
def test_verdict_that_rests_on_inference_says_so(run, driver, is_said):
    """A Windows driver between two floors that NVIDIA's tables name."""
    pairs = ("gpu=RTX 4070", "wsl=2", f"driver={driver}", "python=3.11", "tensorflow=2.18")
    _, out, _ = run("check", "--machine", "none", *(word for pair in pairs for word in ("--assume", pair)))

    assert ("How sure" in out) == is_said


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--assume", "colour=red"),
        ("check", "--machine", "/no/such/machine"),
        ("check", "--python", "/no/such/python"),
        ("nonsense",),
        ("plan", "--template", "no_such_template", "--answers", "x.json"),
        ("templates", "no_such_template"),
        ("monitor", "--interval", "0"),
        ("run", "/no/such/bundle"),
        ("run", "x" * 5000),
        ("check", "--python", "x" * 5000),
        ("check", "--python", "~nobody-is-called-so/python"),
        ("check", "--machine", "x" * 5000),
        ("explain", "x" * 5000),
        ("explain", "~nobody-is-called-so/log"),
        ("survey", "--machine", "training-2x4090", "--record", "x" * 5000),
        ("survey", "--machine", "training-2x4090", "--record", "/proc/no/such"),
    ],
)
def test_wrong_usage_and_unreadable_input_is_one_sentence_and_exit_code_3(run, arguments):
    code, _, err = run(*arguments)

    assert code == ExitCode.USAGE
    assert err.startswith("gpuconfig: ")
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) <= 4


def test_recorded_machine_of_a_stranger_that_is_broken_is_one_sentence(run, tmp_path):
    (tmp_path / "machine.json").write_text('{"kind": "machine", "schema": 1, "document": []}', encoding="utf-8")

    code, _, err = run("check", "--machine", str(tmp_path))

    assert code == ExitCode.USAGE
    assert "Traceback" not in err


def test_help_is_there_in_chinese(run, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")

    code, _, err = run("check", "--assume", "colour=red")

    assert code == ExitCode.USAGE
    assert any("\u4e00" <= letter <= "\u9fff" for letter in err)


def test_templates_are_listed_with_their_questions(run):
    _, listed, _ = run("templates", "--json")
    _, one, _ = run("templates", "tabular")

    assert {"image_classification", "tabular"} <= {item["id"] for item in json.loads(listed)["templates"]}
    assert "epochs" in one


def test_plan_gives_every_choice_with_a_reason_in_both_languages(run, tmp_path):
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({"model": "resnet50", "epochs": 3}), encoding="utf-8")

    code, out, err = run(
        "plan",
        "--template",
        "image_classification",
        "--answers",
        str(answers),
        "--machine",
        "training-2x4090",
        "--json",
    )

    plan = json.loads(out)
    assert code in (ExitCode.GOOD, ExitCode.RESERVATIONS), err
    assert plan["workload"]["model_id"] == "resnet50"
    assert plan["memory"]["total"]["low"] <= plan["memory"]["total"]["expected"] <= plan["memory"]["total"]["high"]
    for choice in plan["choices"]:
        assert choice["reason"]["en"]
        assert choice["reason"]["zh_cn"]


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
    data = tmp_path / "pets"
    for name in ("cats", "dogs"):
        data.joinpath(name).mkdir(parents=True)
        for number in range(20):
            data.joinpath(name, f"{number}.bmp").write_bytes(BITMAP)
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({"model": "small_cnn", "data": str(data)}), encoding="utf-8")
    arguments = ("plan", "--template", "image_classification", "--answers", str(answers))

    assert run(*arguments, "--no-disk-check", "--json")[2] == ""
    assert run(*arguments, "--machine", "training-2x4090", "--json")[2] == ""
    assert read == []
    assert run(*arguments, "--json")[2] == ""
    assert read == [str(data)]


def test_devices_in_the_answers_are_insisted_on(run, tmp_path):
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({"devices": [1]}), encoding="utf-8")

    _, out, err = run(
        "plan",
        "--template",
        "image_classification",
        "--answers",
        str(answers),
        "--machine",
        "training-2x4090",
        "--json",
    )

    assert [device["index"] for device in json.loads(out)["devices"]] == [1], err


def test_generate_writes_a_bundle_once(run, tmp_path):
    answers = tmp_path / "answers.json"
    answers.write_text("{}", encoding="utf-8")
    out_folder = tmp_path / "my bundle"
    arguments = [
        "generate",
        "--template",
        "image_classification",
        "--answers",
        str(answers),
        "--machine",
        "training-2x4090",
    ]
    arguments += ["--out", str(out_folder)]

    first, _, err = run(*arguments)
    written = (out_folder / "train.py").read_bytes()
    second, _, refusal = run(*arguments)
    third, _, _ = run(*arguments, "--overwrite")

    assert first in (ExitCode.GOOD, ExitCode.RESERVATIONS), err
    assert second == ExitCode.USAGE
    assert "train.py" in refusal
    assert third == first
    assert (out_folder / "train.py").read_bytes() == written


def test_monitor_reads_each_device_once(run):
    code, out, _ = run("monitor", "--machine", "training-2x4090", "--once", "--json")

    lines = [json.loads(line) for line in out.splitlines()]
    assert code == ExitCode.GOOD
    assert sorted(line["device"] for line in lines) == ["0", "1"]
    assert all(line["values"] for line in lines)


def test_monitor_without_a_device_says_so(run):
    code, _, err = run("monitor", "--machine", "no-gpu", "--once")

    assert code == ExitCode.BLOCKED
    assert "no device to monitor" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--tensorflow", "abc", "--machine", "none"),
        ("check", "--tensorflow", "", "--machine", "no-gpu"),
        ("check", "--python", "/usr/bin/python3", "--machine", "none"),
        ("check", "--machine", "a/" * 5000),
        ("survey", "--machine", "no-gpu", "--record", ""),
        ("generate", "--template", "tabular", "--answers", "a.json", "--machine", "no-gpu", "--out", ""),
        ("monitor", "--machine", "8xh100", "--duration", "0"),
        ("monitor", "--machine", "8xh100", "--duration", "nan"),
        ("run", "/nowhere", "--time-limit", "-1"),
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_values_that_mean_nothing_are_refused_with_one_sentence(run, arguments):
    code, out, err = run(*arguments)

    assert code == ExitCode.USAGE
    assert out == ""
    assert err.startswith("gpuconfig: ")
    assert "itself went wrong" not in err


def test_a_strangers_names_do_not_steer_the_terminal(run, tmp_path):
    folder = tmp_path / "evil"
    run("survey", "--machine", "training-2x4090", "--record", str(folder))
    path = folder / "machine.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["report"]["gpus"][0]["name"] = "RTX\x1b]0;pwned\x07\x1b[2J \u202e4090\x9b31m"
    path.write_text(json.dumps(document), encoding="utf-8")

    for command in ("survey", "check"):
        _, out, _ = run(command, "--machine", str(folder))
        assert "pwned" in out
        assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(out)


def test_a_full_disk_behind_the_output_is_one_sentence(run, monkeypatch):
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("sys.stdout", Full())
    code, _, err = run("survey", "--machine", "no-gpu")

    assert code == ExitCode.USAGE
    assert "disk is full" in err


def test_yes_is_no_card_index(run, tmp_path):
    path = tmp_path / "answers.json"
    path.write_text('{"devices": [true]}', encoding="utf-8")
    code, _, err = run(
        "plan", "--template", "image_classification", "--answers", str(path), "--machine", "training-2x4090"
    )

    assert code == ExitCode.USAGE
    assert "devices" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nonsense",), "没有 'nonsense' 这个命令"),
        (("env", "create"), "缺少 DIR"),
        (("env", "create", "--index-url"), "--index-url 后面需要一个值"),
        (("check", "--bogus"), "无法识别：--bogus"),
        (("check", "--time-limit", "x"), "--time-limit 需要一个数字"),
    ],
)
def test_wrong_usage_is_told_in_the_users_language_on_one_line(run, monkeypatch, arguments, words):
    monkeypatch.setenv("LANGUAGE", "zh_CN")

    code, out, err = run(*arguments)

    assert (code, out) == (ExitCode.USAGE, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_closed_error_output_does_not_change_the_exit_code(run, monkeypatch):
    class Closed(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr("sys.stderr", Closed())

    assert main(("nonsense",), window) == ExitCode.USAGE


def test_json_loses_nothing_where_the_output_knows_ascii_only(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii"))

    main(("check", "--machine", "no-gpu", "--json"), window)

    assert "显卡" in json.loads(raw.getvalue())["primary"]["text"]["zh_cn"]
