"""``gpuconfig explain`` as a script sees it: exit codes, JSON, standard input, a machine, both languages."""

from __future__ import annotations

import io
import json
import sys
from types import SimpleNamespace

import pytest

from gpuconfig_app.cli.main import main
from gpuconfig_app.cli.output import ExitCode

MISMATCH = "Failed to initialize NVML: Driver/library version mismatch\nNum GPUs Available:  0\n"


def window() -> None:
    raise AssertionError("explain opens no window")


@pytest.fixture
def explain(capsys, tmp_path):
    def run(log: str | bytes, *arguments: str) -> tuple[int, str, str]:
        path = tmp_path / "error log.txt"
        path.write_bytes(log if isinstance(log, bytes) else log.encode())
        code = main(["explain", str(path), *arguments], window)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


@pytest.mark.parametrize(
    ("log", "code"),
    [
        ("TF-TRT Warning: Could not find TensorRT", ExitCode.GOOD),
        ("Epoch 1/5 loss: 0.3", ExitCode.GOOD),
        ("loss: nan", ExitCode.RESERVATIONS),
        ("RuntimeError: never seen before", ExitCode.RESERVATIONS),
        (MISMATCH, ExitCode.BLOCKED),
        ("", ExitCode.USAGE),
        (b"\x89PNG\r\n" + bytes(range(32)) * 99, ExitCode.USAGE),
    ],
)
def test_exit_code_tells_how_bad_it_is(explain, log, code):
    assert explain(log)[0] == code


def test_json_has_schema_findings_lines_and_fix(explain):
    code, out, _ = explain(MISMATCH, "--json")

    report = json.loads(out)
    assert code == ExitCode.BLOCKED
    assert report["schema"] == 1
    assert report["primary"]["code"] == "DRIVER_LIBRARY_MISMATCH"
    assert report["primary"]["fix"]["commands"] == ["sudo reboot"]
    assert report["findings"][0]["lines"] == [
        {"number": 1, "text": "Failed to initialize NVML: Driver/library version mismatch"}
    ]
    assert report["findings"][1]["consequence_of"] == "DRIVER_LIBRARY_MISMATCH"
    assert report["findings"][1]["finding"]["title"]["zh_cn"]
    assert report["is_known"] is True
    assert report["has_machine"] is False


def test_sentences_name_cause_line_fix_and_consequence(explain):
    _, out, _ = explain(MISMATCH)

    assert "DRIVER_LIBRARY_MISMATCH" in out
    assert "line 1: Failed to initialize NVML" in out
    assert "sudo reboot" in out
    assert "Consequence of DRIVER_LIBRARY_MISMATCH" in out
    assert "--machine this" in out


def test_chinese_is_spoken(explain, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "zh_CN")

    _, out, _ = explain(MISMATCH)

    assert "第 1 行" in out
    assert "主要原因" in out


def test_unknown_error_lists_what_to_collect(explain):
    _, out, _ = explain("RuntimeError: never seen before")

    assert "I don't know this one" in out
    assert "What to collect" in out
    assert "nvidia-smi" in out


def test_machine_tells_causes_apart(explain):
    log = "[PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]"

    windows = json.loads(explain(log, "--machine", "windows-native", "--json")[1])
    alone = json.loads(explain(log, "--json")[1])

    assert windows["primary"]["code"] == "WINDOWS_NATIVE_NO_GPU_BUILD"
    assert windows["has_machine"] is True
    assert alone["primary"]["code"] == "NO_GPU_LISTED"


def test_no_machine_is_no_machine(explain):
    assert json.loads(explain(MISMATCH, "--machine", "none", "--json")[1])["has_machine"] is False


def test_standard_input_is_read(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(MISMATCH.encode("utf-16"))))

    code = main(["explain", "-", "--json"], window)

    report = json.loads(capsys.readouterr().out)
    assert code == ExitCode.BLOCKED
    assert report["encoding"] == "utf-16-le"


@pytest.mark.parametrize("path", ["/no/such/log.txt", "/"])
def test_unreadable_file_ends_in_one_sentence(capsys, path):
    code = main(["explain", path], window)

    shown = capsys.readouterr()
    assert code == ExitCode.USAGE
    assert shown.err.startswith("gpuconfig: ")
    assert len(shown.err.splitlines()) == 1
    assert "Traceback" not in shown.err


def test_control_characters_of_a_log_do_not_steer_the_terminal(explain):
    _, out, _ = explain("\x1b]0;evil\x07\x1b[2J\x9b31mRuntimeError: \x08\x08 odd thing failed\u202e")

    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "odd thing failed" in out


def test_facts_that_told_causes_apart_are_named(explain, root):
    log = (root / "tests/data/cases/P-A11.txt").read_bytes()

    _, shown, _ = explain(log, "--machine", str(root / "tests/machines/cudnn-shadowed"))

    assert "What this machine adds:\n    - An older cuDNN stands before the right one." in shown
    assert "Ruled out by it, though the words are the same: cuDNN" in shown
