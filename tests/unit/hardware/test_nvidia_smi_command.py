"""The command-line tool where NVML can't be loaded: found, run, and its refusals understood."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gpuconfig_app.core.system import BackendState
from gpuconfig_app.hardware import nvidia_nvml
from gpuconfig_app.hardware.backend import DetectOptions
from gpuconfig_app.hardware.nvidia import NvidiaBackend
from gpuconfig_app.hardware.nvidia_nvml import LIBRARY_NOT_FOUND, Trouble
from gpuconfig_app.hardware.nvidia_smi_command import ask_nvidia_smi, find_nvidia_smi
from tests.fakes import write_program

DATA = Path(__file__).resolve().parents[2] / "data" / "nvidia_smi"
SAYS = "import sys\nsys.stdout.write({text!r})\nsys.exit({code})\n"


def tool_that_says(folder, text, code=0):
    return write_program(folder, "nvidia-smi", SAYS.format(text=text, code=code))


def test_it_is_found_on_the_path(tmp_path) -> None:
    tool = tool_that_says(tmp_path, "")

    assert find_nvidia_smi(str(tmp_path)) == tool


def test_its_document_is_read(tmp_path) -> None:
    text = (DATA / "quadro-p2000-v12.xml").read_text(encoding="utf-8")

    result = ask_nvidia_smi(20, tool_that_says(tmp_path, text))

    assert result is not None
    assert result.gpus[0].name == "Quadro P2000"
    assert result.status.source == "nvidia-smi"


@pytest.mark.parametrize(
    ("said", "state", "code"),
    [
        ("Failed to initialize NVML: Driver/library version mismatch", BackendState.FAILED, "driver_library_mismatch"),
        (
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest …",
            BackendState.DRIVER_MISSING,
            "driver_not_loaded",
        ),
        ("Failed to initialize NVML: Insufficient Permissions", BackendState.FAILED, "no_permission"),
        ("No devices were found", BackendState.NOT_PRESENT, None),
        (
            "Unable to determine the device handle for GPU0000:01:00.0: GPU is lost. Reboot the system to recover",
            BackendState.FAILED,
            "gpu_lost",
        ),
        ("Segmentation fault", BackendState.FAILED, "failed"),
    ],
)
def test_its_refusals_have_codes(tmp_path, said, state, code) -> None:
    result = ask_nvidia_smi(20, tool_that_says(tmp_path, said, code=9))

    assert result is not None
    assert (result.status.state, result.status.code) == (state, code)
    assert result.status.reason is not None


def test_a_tool_that_hangs_is_ended(tmp_path) -> None:
    tool = write_program(tmp_path, "nvidia-smi", "import threading\nthreading.Event().wait(60)\n")

    result = ask_nvidia_smi(0.3, tool)

    assert result is not None
    assert (result.status.state, result.status.code) == (BackendState.FAILED, "no_answer")


def test_it_is_asked_when_the_library_is_not_found(tmp_path, monkeypatch) -> None:
    tool_that_says(tmp_path, (DATA / "rtx-4000-sff-ada-v13.xml").read_text(encoding="utf-8"))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(nvidia_nvml, "open_library", lambda: Trouble(LIBRARY_NOT_FOUND))

    result = NvidiaBackend(root=tmp_path).detect(DetectOptions())

    assert result.gpus[0].name == "NVIDIA RTX 4000 SFF Ada Generation"
    assert (result.status.state, result.status.source) == (BackendState.READY, "nvidia-smi")


def test_it_is_not_asked_while_a_card_sleeps(tmp_path, monkeypatch) -> None:
    tool_that_says(tmp_path, (DATA / "rtx-4000-sff-ada-v13.xml").read_text(encoding="utf-8"))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(nvidia_nvml, "open_library", lambda: Trouble(LIBRARY_NOT_FOUND))
    ids = ("0000:01:00.0", "0000:02:00.0")

    result = NvidiaBackend(root=tmp_path).detect(DetectOptions(pci_bus_ids=ids, sleeping_bus_ids=frozenset(ids[:1])))

    assert result.gpus == ()
    assert (result.status.state, result.status.code) == (BackendState.DRIVER_MISSING, "library_not_found")


def test_a_missing_library_is_no_card_when_the_bus_has_none(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(nvidia_nvml, "open_library", lambda: Trouble(LIBRARY_NOT_FOUND))
    monkeypatch.setenv("PATH", str(tmp_path))

    status = NvidiaBackend(root=tmp_path).detect(DetectOptions(pci_bus_ids=())).status

    assert (status.state, status.code) == (BackendState.NOT_PRESENT, None)
