"""``--machine FILE``: what an administrator was sent by mail, through every command that takes a machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpuconfig_app.cli.main import main
from gpuconfig_app.cli.output import ExitCode
from gpuconfig_app.hardware.recorded import load_machine

DATA = Path(__file__).resolve().parents[2] / "data"


@pytest.fixture
def run(capsys):
    def run_command(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments, lambda: 0)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run_command


def verdict_of(run, name: str, *arguments: str):
    code, out, _ = run("check", "--json", "--machine", str(DATA / name), *arguments)
    report = json.loads(out)
    primary = report["primary"]["code"] if report["primary"] else None
    return code, report["verdict"], report["outcome"], primary, {item["code"] for item in report["findings"]}


@pytest.mark.parametrize(
    ("name", "verdict", "outcome", "primary"),
    [
        ("nvidia_smi/rtx-4000-sff-ada-v13.xml", "ready_with_notes", "native", None),
        ("nvidia_smi/a100-sxm4-mig-v12.xml", "ready_with_notes", "native", "MIG_ONE_INSTANCE_PER_PROCESS"),
        ("nvidia_smi/unnamed-gtx-1660-ti.xml", "blocked", "cpu_only", "DRIVER_TOO_OLD"),
        ("nvidia_smi/quadro-p2000-v12.xml", "blocked", "gpu_fails", "CUDNN_DROPPED_ARCH"),
        ("nvidia_smi/h100-mig.txt", "ready_with_notes", "jit_at_first_start", "MIG_ONE_INSTANCE_PER_PROCESS"),
        ("nvidia_smi/h100-mig_idle.csv", "unknown", "unknown", "MIG_SLICES_NOT_TOLD"),
        ("nvidia_smi/windows-rtx-2080-super.txt", "blocked", "cpu_only", "WINDOWS_NATIVE_NO_GPU_BUILD"),
        ("nvidia_smi/gb10.txt", "blocked", "cpu_only", "AARCH64_WHEEL_IS_CPU_ONLY"),
        ("nvidia_smi/windows_wddm_old_table.txt", "blocked", "cpu_only", "WINDOWS_NATIVE_NO_GPU_BUILD"),
        ("vendor_tools/rocm-smi_6.1.2_rx6700xt.json", "blocked", "cpu_only", "ROCM_ARCH_UNSUPPORTED"),
        ("vendor_tools/rocm-smi_6.0.2_4xmi100.json", "blocked", "cpu_only", "AMD_NEEDS_ROCM_BUILD"),
        ("vendor_tools/npu-smi_24_910B3.txt", "cpu_only", "cpu_only", "ASCEND_NEEDS_TF_ADAPTER"),
        ("vendor_tools/hy-smi_8cards.txt", "cpu_only", "cpu_only", "HYGON_NEEDS_VENDOR_WHEEL"),
    ],
)
def test_verdict_for_a_machine_that_is_only_known_by_its_cards(run, name, verdict, outcome, primary):
    _, found, how, code, codes = verdict_of(run, name)

    assert (found, how, code) == (verdict, outcome, primary)
    assert "ORDINARY_MACHINE_ASSUMED" in codes


def test_card_that_is_not_known_is_never_ready(run, tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("GPU 0: NVIDIA GeForce RTX 4090 (UUID: GPU-11111111-2222-3333-4444-555555555555)\n")

    _, verdict, _, _, _ = verdict_of(run, str(path))

    assert verdict == "unknown"  # the driver is not told


def test_what_is_known_better_can_be_assumed(run):
    code, verdict, _, primary, _ = verdict_of(run, "nvidia_smi/rtx-4000-sff-ada-v13.xml", "--assume", "arch=aarch64")

    assert (verdict, primary, code) == ("blocked", "AARCH64_WHEEL_IS_CPU_ONLY", ExitCode.BLOCKED)


@pytest.mark.parametrize(
    ("said", "primary"),
    [
        ("Failed to initialize NVML: Driver/library version mismatch\n", "DRIVER_LIBRARY_MISMATCH"),
        ("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", "NO_DRIVER"),
        ("bash: nvidia-smi: command not found\n", "NO_DRIVER"),
        ("Unable to determine the device handle for GPU 0000:02:00.0: GPU is lost.\n", "GPU_LOST"),
    ],
)
def test_driver_that_did_not_answer_is_the_cause(run, tmp_path, said, primary):
    path = tmp_path / "said.txt"
    path.write_text(said)

    _, verdict, _, code, _ = verdict_of(run, str(path))

    assert (verdict, code) == ("blocked", primary)


def test_survey_names_cards_and_what_is_not_known(run):
    code, out, _ = run("survey", "--machine", str(DATA / "vendor_tools" / "rocm-smi_6.0.2_4xmi100.json"))

    assert code == ExitCode.GOOD
    assert out.count("Instinct MI100") == 4
    assert "CUDA" not in out
    assert "Only what rocm-smi printed is known" in out


def test_memory_that_is_the_systems_is_named_shared(run):
    _, out, _ = run("survey", "--machine", str(DATA / "nvidia_smi" / "gb10.txt"))

    assert "NVIDIA GB10 · 122 GiB shared with the system" in out or "121.7 GiB shared with the system" in out


def test_survey_can_be_recorded_and_opened_again(run, tmp_path):
    folder = tmp_path / "from-mail"

    run("survey", "--machine", str(DATA / "nvidia_smi" / "gb10.txt"), "--record", str(folder))

    machine = load_machine(folder)
    assert machine.report.is_cards_alone
    assert machine.report.gpus[0].name == "NVIDIA GB10"
    assert machine.report.gpus[0].memory_is_shared
    assert machine.samples


def test_monitor_shows_the_one_look_there_is(run):
    code, out, _ = run(
        "monitor", "--once", "--json", "--machine", str(DATA / "nvidia_smi" / "rtx-4000-sff-ada-v13.xml")
    )

    assert code == ExitCode.GOOD
    assert json.loads(out)["values"]["temperature_c"] == 38


def test_plan_uses_the_cards(run, tmp_path):
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({"model": "small_cnn", "image_size": 32, "epochs": 1}))

    code, out, _ = run(
        "plan", "--template", "image_classification", "--answers", str(answers), "--machine",
        str(DATA / "nvidia_smi" / "h100-mig.txt"),
    )  # fmt: skip

    assert code in (ExitCode.GOOD, ExitCode.RESERVATIONS)
    assert "MIG slice 0" in out


def test_other_files_are_one_sentence(run, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("to do: buy a GPU\n")

    code, out, err = run("check", "--machine", str(path))

    assert code == ExitCode.USAGE
    assert out == ""
    assert "nvidia-smi" in err
    assert "Traceback" not in err


def test_survey_that_was_sent_as_json_is_a_machine(run, tmp_path):
    _, out, _ = run("survey", "--machine", "training-2x4090", "--json")
    path = tmp_path / "server.json"
    path.write_text(out, encoding="utf-8")

    code, shown, _ = run("check", "--json", "--machine", str(path))

    assert code == ExitCode.GOOD
    assert json.loads(shown)["verdict"] == "ready"


def test_document_of_a_recorded_machine_under_another_name_is_a_machine(run, tmp_path):
    path = tmp_path / "wsl.json"
    path.write_bytes((DATA.parent / "machines" / "wsl2" / "machine.json").read_bytes())

    code, out, _ = run("survey", "--json", "--machine", str(path))

    report = json.loads(out)
    assert code == ExitCode.GOOD
    assert (report["recorded_from"], report["host"]["os"]["wsl_version"]) == ("wsl", 2)


@pytest.mark.parametrize(
    "text", ['{"machine_id": ', '{"machine_id": 5}', '{"machine_id": "x", "gpus": 7}', '{"a": "machine_id"}']
)
def test_broken_survey_is_one_sentence(run, tmp_path, text):
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="utf-8")

    code, _, err = run("survey", "--machine", str(path))

    assert code == ExitCode.USAGE
    assert "Traceback" not in err
