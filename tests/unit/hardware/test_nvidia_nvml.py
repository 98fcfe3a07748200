"""The guarded call, finding the library, and what the kernel tells."""

from __future__ import annotations

import threading

import pytest

from gpuconfig_app.hardware.nvidia_kernel import is_suspended, read_kernel_driver
from gpuconfig_app.hardware.nvidia_nvml import (
    DRIVER_TOO_OLD,
    FAILED,
    NOT_SUPPORTED,
    Trouble,
    ask,
    load_from_known_folders,
    read_library_version,
)
from gpuconfig_app.hardware.nvidia_processes import ProcessNames
from gpuconfig_app.hardware.time_limit import answer_within, answers_within
from tests.native.build import build_stand_in
from tests.native.child import BUILD, copy_profile, run_child


def failing(error):
    def call(*_):
        raise error

    return call


def test_a_function_the_binding_does_not_have_is_not_supported() -> None:
    assert ask("nvmlDeviceGetSomethingOfNextYear", int) == Trouble(
        NOT_SUPPORTED, "nvmlDeviceGetSomethingOfNextYear is not in this version of the binding"
    )


def test_every_number_the_library_may_answer_is_a_trouble(monkeypatch) -> None:
    import pynvml

    for number in (*range(1, 40), 999, 123456):
        monkeypatch.setattr(pynvml, "nvmlDeviceGetCount", failing(pynvml.NVMLError(number)))
        assert isinstance(ask("nvmlDeviceGetCount", int), Trouble)


def test_the_bindings_own_mismatch_error_means_an_old_driver(monkeypatch) -> None:
    import pynvml

    monkeypatch.setattr(pynvml, "nvmlDeviceGetCount", failing(pynvml.NVMLLibraryMismatchError("x")))

    assert ask("nvmlDeviceGetCount", int) == Trouble(DRIVER_TOO_OLD, "nvmlDeviceGetCount")


@pytest.mark.parametrize(
    "error", [UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x"), TypeError(), OSError(), ValueError()]
)
def test_an_unreadable_answer_is_a_trouble(monkeypatch, error) -> None:
    import pynvml

    monkeypatch.setattr(pynvml, "nvmlDeviceGetCount", failing(error))

    answer = ask("nvmlDeviceGetCount", int)

    assert isinstance(answer, Trouble)
    assert answer.code == FAILED


def test_the_library_is_found_where_the_frozen_start_hid_it(tmp_path) -> None:
    profile = copy_profile(tmp_path, "1x4090")
    folder = build_stand_in(BUILD)
    script = f"""
os.environ["LD_LIBRARY_PATH_ORIG"] = {str(folder)!r}
import subprocess
inner = "from gpuconfig_app.hardware.nvidia_nvml import open_library; import sys; sys.exit(open_library() is not None)"
environment = {{k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}}
give(subprocess.run([sys.executable, "-c", inner], env=environment).returncode)
"""

    assert run_child(script, profile) == 0


def test_folders_without_a_usable_library_are_passed_over(tmp_path) -> None:
    (tmp_path / "libnvidia-ml.so.1").write_text("not a library")

    assert load_from_known_folders(["", str(tmp_path / "nothing"), str(tmp_path)]) is False


def test_the_loaded_librarys_version_is_in_its_file_name(tmp_path) -> None:
    maps = tmp_path / "maps"
    maps.write_text("7f1 r-xp 0 08:01 42 /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.470.57.02\n")

    assert read_library_version(maps) == "470.57.02"
    assert read_library_version(tmp_path / "nothing") is None
    maps.write_text("7f1 r-xp 0 08:01 42 /tmp/libnvidia-ml.so.1\n")
    assert read_library_version(maps) is None


@pytest.mark.parametrize(
    ("line", "version", "is_open"),
    [
        ("NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.57.02  Tue Jul 13 16:14:05 UTC 2021", "470.57.02", False),
        ("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.126.09  Release Build", "580.126.09", True),
        ("NVRM version: NVIDIA UNIX aarch64 Kernel Module  595.84  Release Build", "595.84", False),
        ("something else", None, None),
    ],
)
def test_the_kernel_module_tells_version_and_flavour(tmp_path, line, version, is_open) -> None:
    folder = tmp_path / "proc/driver/nvidia"
    (folder / "gpus" / "0000:0a:00.0").mkdir(parents=True)
    (folder / "gpus" / "0000:01:00.0").mkdir()
    (folder / "version").write_text(f"{line}\nGCC version:  gcc version 12.2.0\n")

    kernel = read_kernel_driver(tmp_path)

    assert (kernel.version, kernel.is_open) == (version, is_open)
    assert kernel.card_bus_ids == ("00000000:01:00.0", "00000000:0a:00.0")


def test_without_a_module_the_kernel_tells_nothing(tmp_path) -> None:
    kernel = read_kernel_driver(tmp_path)

    assert (kernel.version, kernel.is_open, kernel.card_bus_ids) == (None, None, None)


def test_only_a_suspended_card_sleeps(tmp_path) -> None:
    status = tmp_path / "sys/bus/pci/devices/0000:01:00.0/power/runtime_status"
    status.parent.mkdir(parents=True)
    status.write_text("suspended\n")

    assert is_suspended("00000000:01:00.0", tmp_path)
    status.write_text("active\n")
    assert not is_suspended("0000:01:00.0", tmp_path)
    assert not is_suspended("0000:77:00.0", tmp_path)


def test_names_of_processes_are_looked_up_once_while_they_live() -> None:
    import os

    names = ProcessNames()

    first = names.of({os.getpid(), 2**31 - 1})
    second = names.of({os.getpid()})

    assert first[os.getpid()][0].startswith("python") or "pytest" in first[os.getpid()][0]
    assert first[2**31 - 1] == (None, None)
    assert second[os.getpid()] is first[os.getpid()]
    assert names.of(set()) == {}


def test_waiting_ends_at_the_limit_and_the_answer_may_still_come() -> None:
    gate = threading.Event()

    pending = answer_within(0.01, lambda: gate.wait(20), "test-gate")
    before = pending.is_done
    gate.set()

    assert before is False
    assert pending.wait(20)
    assert pending.result() is True


def test_one_limit_counts_for_all_together() -> None:
    gate = threading.Event()

    answers = answers_within(0.05, [lambda: 1, lambda: gate.wait(20), lambda: 3], "test-many")
    done = [answer.is_done for answer in answers]
    gate.set()

    assert done == [True, False, True]
    assert [answers[0].result(), answers[2].result()] == [1, 3]
    assert answers[1].wait(20)


def test_an_error_reaches_the_one_who_waits() -> None:
    pending = answer_within(20, lambda: 1 // 0, "test-error")

    with pytest.raises(ZeroDivisionError):
        pending.result()
