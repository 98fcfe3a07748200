"""What ``explain`` says as a whole: ranking, consequences, harmless lines, what is not known, size, cancelling."""

from __future__ import annotations

import resource
import time

import pytest

from gpuconfig_app.compat.log_doctor import MOST_UNEXPLAINED, explain
from gpuconfig_app.compat.log_reading import MOST_BYTES, read_log
from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.log_report import LogRole
from tests.unit.compat.logs import ask, public_cases

MISMATCH = """\
NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.
E cuda_driver.cc:271] failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected
Failed to initialize NVML: Driver/library version mismatch
Num GPUs Available:  0
"""


def test_cause_comes_first_and_consequences_last():
    report = ask(MISMATCH)

    assert report.findings[0].finding.code == "DRIVER_LIBRARY_MISMATCH"
    assert report.findings[0].role is LogRole.MAIN
    assert {item.role for item in report.findings[1:]} == {LogRole.CONSEQUENCE}
    assert {item.consequence_of for item in report.findings[1:]} == {"DRIVER_LIBRARY_MISMATCH"}


def test_lines_are_told_with_their_numbers():
    report = ask("first\n\n" + MISMATCH)

    assert [line.number for line in report.findings[0].lines] == [5]
    assert report.findings[0].lines[0].text == "Failed to initialize NVML: Driver/library version mismatch"


def test_two_independent_troubles_are_both_told():
    report = ask(
        "AttributeError: _ARRAY_API not found\nmodprobe: ERROR: could not insert 'nvidia': Key was rejected by service"
    )

    assert {item.finding.code for item in report.findings if item.consequence_of is None} == {
        "SECURE_BOOT_MODULE_REJECTED",
        "NUMPY2_WITH_OLD_TF",
    }


def test_what_blocks_comes_before_a_remark():
    report = ask(
        "TensorFlow was not built with CUDA kernel binaries compatible with compute capability 9.0.\n"
        "ResourceExhaustedError: OOM when allocating tensor with shape[9,9] on device:GPU:0 by allocator GPU_0_bfc"
    )

    assert report.primary.code == "GPU_OUT_OF_MEMORY"
    assert [item.role for item in report.findings] == [LogRole.MAIN, LogRole.FURTHER]


def test_harmless_lines_are_named_beside_a_finding():
    report = ask("TF-TRT Warning: Could not find TensorRT\nAttributeError: _ARRAY_API not found")

    assert report.primary.code == "NUMPY2_WITH_OLD_TF"
    assert [(item.id, item.lines[0].number) for item in report.harmless] == [("tensorrt-missing", 1)]


def test_only_harmless_lines_are_healthy():
    report = ask("TF-TRT Warning: Could not find TensorRT")

    assert report.primary.code == "OK_BENIGN_LINES"
    assert report.is_known


def test_training_that_runs_shows_nothing_wrong():
    report = ask("Epoch 1/5\n1875/1875 [=====] - 4s 2ms/step - loss: 0.29 - accuracy: 0.91\nEpoch 2/5")

    assert report.primary.code == "NOTHING_WRONG_SEEN"
    assert report.primary.severity is Severity.GOOD
    assert not report.findings


@pytest.mark.parametrize(
    "log",
    [
        "Traceback (most recent call last):\n  File 'x.py', line 3\nZeroDivisionError: division by zero",
        "F tensorflow/core/x.cc:1] Check failed: something never seen before",
        "错误：发生了没有人见过的事情",
        "TF-TRT Warning: Could not find TensorRT\nRuntimeError: the frobnicator could not be frobnicated",
    ],
)
def test_what_is_not_known_is_called_so(log):
    report = ask(log)

    assert report.primary.code == "UNKNOWN_ERROR"
    assert not report.is_known
    assert report.unexplained
    assert report.primary.severity is Severity.WARNING
    assert len(report.primary.fixes) >= 3


def test_of_many_unexplained_lines_first_and_last_are_shown():
    report = ask("\n".join(f"Error number {number} of an odd kind" for number in range(1000)))

    assert len(report.unexplained) == MOST_UNEXPLAINED
    assert report.unexplained[0].text == "Error number 0 of an odd kind"
    assert report.unexplained[-1].text == "Error number 999 of an odd kind"
    assert report.unexplained[-1].number == 1000


def test_lines_of_no_error_are_no_trouble():
    assert ask("build finished: 0 errors, failed=0").primary.code == "NOTHING_WRONG_SEEN"


def test_a_log_is_not_taken_for_a_template():
    """Braces and percent signs of a log stay what they are."""
    report = ask("{gpu_name} %s {0} Could not load dynamic library 'libcusolver.so.11'; dlerror: {x}")

    assert report.primary.code == "CUDA_LIBRARIES_INCOMPLETE"
    assert "libcusolver.so.11" in report.primary.text.en


def test_search_can_be_ended():
    control = JobControl()
    control.cancel()

    with pytest.raises(JobCancelledError):
        explain(read_log(b"anything\n" * 1000), control=control)


def _progress() -> bytes:
    return b"".join(
        b"%d/1875 [=======>......] - ETA: 3s - loss: 0.%d - accuracy: 0.9%d\n" % (n, n, n) for n in range(2000)
    )


FILLERS = {
    "progress": _progress,
    "one line": lambda: b"x" * 65_536,
    "known lines": lambda: b"Unable to register cuDNN factory: Attempting to register factory for plugin cuDNN\n",
    "half-known lines": lambda: (
        b"Loaded runtime CuDNN library: gpu nan driver version python tensorflow error: failed\n"
    ),
    "Chinese": lambda: "第一轮训练正常进行，显卡温度正常。\n".encode("gb18030"),
}


@pytest.mark.parametrize("filler", FILLERS, ids=str)
def test_fifty_megabytes_take_bounded_time_and_memory(filler):
    """Five megabytes here, so that the suite stays quick; time and memory grow with the size at most."""
    size = MOST_BYTES // 10
    case = next(case for case in public_cases() if case.id == "P-A11").log.encode()
    part = FILLERS[filler]()
    data = (part * (size // len(part)))[: size - len(case) - 1] + b"\n" + case
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    started = time.perf_counter()
    report = explain(read_log(data))

    assert report.primary.code == "CUDNN_SHADOWED"
    assert time.perf_counter() - started < 60
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


@pytest.mark.nightly
@pytest.mark.parametrize("filler", FILLERS, ids=str)
def test_fifty_megabytes_in_full(filler):
    case = next(case for case in public_cases() if case.id == "P-A11").log.encode()
    part = FILLERS[filler]()
    data = (part * (MOST_BYTES // len(part)))[: MOST_BYTES - len(case) - 1] + b"\n" + case

    started = time.perf_counter()

    assert explain(read_log(data)).primary.code == "CUDNN_SHADOWED"
    assert time.perf_counter() - started < 300
