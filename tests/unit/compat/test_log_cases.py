"""The public cases through the log doctor: code, first remedy and what must not be said; then the same, disturbed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from gpuconfig_app.core.finding import Severity
from tests.unit.compat.logs import Case, ask, everything_said, first_remedy, public_cases

CASES = public_cases()
TOLD_APART = [case for case in CASES if not case.needs_facts]
NAMES = {"ids": lambda case: f"{case.id}-{case.code}"}

NOISE = """\
2025-03-02 10:11:12.345678: I tensorflow/core/platform/cpu_feature_guard.cc:210] This TensorFlow binary is optimized \
to use available CPU instructions in performance-critical operations.
WARNING: All log messages before absl::InitializeLog() is called are written to stderr
E0000 00:00:1740910272.345 1 cuda_dnn.cc:8579] Unable to register cuDNN factory: Attempting to register factory for \
plugin cuDNN when one has already been registered
W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: Could not find TensorRT
/usr/lib/python3/dist-packages/x.py:1: DeprecationWarning: distutils Version classes are deprecated
"""


def _check(case: Case, report) -> None:
    assert report.primary.code == case.code
    for pattern in case.never:
        assert not re.search(pattern, everything_said(report)), pattern
    if case.first is None:
        assert report.primary.severity is Severity.GOOD
    else:
        assert re.search(case.first, first_remedy(report)), first_remedy(report)


def test_all_cases_are_there():
    assert len(CASES) == 33


@pytest.mark.parametrize("case", TOLD_APART, **NAMES)
def test_case_from_the_log_alone(case):
    _check(case, ask(case.log))


@pytest.mark.parametrize("case", CASES, **NAMES)
def test_case_with_its_environment_told_in_words(case):
    """As people write it into an issue: a few lines about the machine, then the log."""
    _check(case, ask(f"{case.environment}\n{case.log}"))


@pytest.mark.parametrize("case", [case for case in CASES if case.machine], **NAMES)
def test_case_on_a_recorded_machine(case):
    _check(case, ask(case.log, case.machine))


@pytest.mark.parametrize("case", [case for case in CASES if case.needs_facts], **NAMES)
def test_words_that_two_causes_share_are_not_decided_without_facts(case):
    report = ask(case.log)

    assert report.primary.code == "CPU_ONLY_BUILD"
    assert report.primary.severity is Severity.WARNING
    assert "--machine this" in first_remedy(report)


def _with_prefixes(log: str, prefix: str) -> str:
    return "".join(f"{prefix}{line}\n" for line in log.splitlines())


def _other_lines(log: str) -> str:
    """Other places in the source, other times: what a later release prints."""
    return re.sub(r"\.cc:\d+\]", ".cc:9999]", log).replace("tensorflow/stream_executor", "external/xla/xla/service")


MUTATIONS: dict[str, Callable[[str], str]] = {
    "amid harmless lines": lambda log: NOISE + log + NOISE,
    "docker compose": lambda log: _with_prefixes(log, "trainer-1  | 2025-03-02T10:11:12.345678901Z "),
    "slurm rank": lambda log: _with_prefixes(log, "3: "),
    "logging": lambda log: _with_prefixes(log, "2025-03-02 10:11:12,345 - root - ERROR - "),
    "journal": lambda log: _with_prefixes(log, "Mar 02 10:11:12 host1 kernel: [ 1234.567890] "),
    "kubernetes": lambda log: _with_prefixes(log, "[pod/train-0/main] "),
    "colours": lambda log: _with_prefixes(log, "\x1b[1;31m").replace("\n", "\x1b[0m\n"),
    "Windows line ends": lambda log: log.replace("\n", "\r\n"),
    "after a progress bar": lambda log: "".join(f"\r{n}/100 [===>..] - ETA: 3s" for n in range(100)) + "\n" + log,
    "other release": _other_lines,
    "upper and lower case": str.swapcase,
    "quoted in a mail": lambda log: _with_prefixes(log, "> "),
    "twice": lambda log: log + "\n" + log,
}


@pytest.mark.parametrize("case", TOLD_APART, **NAMES)
@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_case_survives_what_happens_to_logs(case, mutation):
    assert ask(MUTATIONS[mutation](case.log)).primary.code == case.code


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "latin-1"])
@pytest.mark.parametrize("case", TOLD_APART, **NAMES)
def test_case_survives_encodings(case, encoding):
    words = "Größe café\n" if encoding == "latin-1" else "第一轮训练开始，数据已读取。\n"

    assert ask((words + case.log).encode(encoding)).primary.code == case.code


@pytest.mark.parametrize("case", TOLD_APART, **NAMES)
def test_case_broken_over_lines_of_a_terminal(case):
    """Copied from a window of 120 columns, long lines come in pieces, parted at a blank."""
    import textwrap

    wrapped = "\n".join("\n".join(textwrap.wrap(line, 120)) for line in case.log.splitlines())

    assert ask(wrapped).primary.code == case.code


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("case", TOLD_APART, **NAMES)
def test_case_cut_by_a_terminal_in_the_middle_of_words(case, width):
    """As the old Windows console gives what is copied from it."""
    lines = case.log.splitlines()
    cut = [line[at : at + width] for line in lines for at in range(0, max(len(line), 1), width)]

    assert ask("\n".join(cut)).primary.code == case.code


ONE_LINE_IS_ENOUGH = [
    ("P-A01", 0), ("P-A02", 0), ("P-A04", 1), ("P-A06", 6), ("P-A07", 0), ("P-A07", 4), ("P-A08", 1), ("P-A09", 1),
    ("P-A12", 0), ("P-A12", 1), ("P-A20", 1), ("P-A26", 1), ("P-A29", 0), ("P-A30", 1),
]  # fmt: skip


@pytest.mark.parametrize(("name", "line"), ONE_LINE_IS_ENOUGH)
def test_one_line_of_a_case_is_enough(name, line):
    case = next(case for case in CASES if case.id == name)

    assert ask(case.log.splitlines()[line]).primary.code == case.code


def test_versions_in_a_mismatch_are_told():
    report = ask("libcuda reported version is: 535.171.4\nkernel reported version is: 550.54.14")

    assert report.primary.code == "DRIVER_LIBRARY_MISMATCH"
    assert "535.171.4" in report.primary.text.en
    assert "550.54.14" in report.primary.text.zh_cn


@pytest.mark.parametrize(
    ("log", "machine", "code"),
    [
        ("Illegal instruction (core dumped)", "healthy-1x4090", "CPU_LACKS_INSTRUCTION"),
        ("failed call to cuInit: CUDA_ERROR_NO_DEVICE", "no-gpu", "NO_GPU"),
        ("failed call to cuInit: CUDA_ERROR_NO_DEVICE", "card-without-driver", "DRIVER_NOT_LOADED"),
        ("Could not load dynamic library 'libcuda.so.1'", "container-without-gpu", "CONTAINER_TOOLKIT_MISSING"),
        ("Could not load dynamic library 'libcuda.so.1'", "card-without-driver", "NO_DRIVER"),
        ("Could not load dynamic library 'libcuda.so.1'", "no-gpu", "NO_GPU"),
        ("Could not find cuda drivers on your machine, GPU will not be used.", "no-gpu", "NO_GPU"),
        ("Could not find cuda drivers on your machine", "jetson-agx-orin", "JETSON_NEEDS_NVIDIA_WHEEL"),
        ("Unable to load the kernel module 'nvidia.ko'", "card-with-nouveau", "NOUVEAU_BOUND"),
        ("Unable to load the kernel module 'nvidia.ko'", "secure-boot-rejects-module", "SECURE_BOOT_MODULE_REJECTED"),
        ("no kernel image is available for execution on the device", "rtx5090-stock-wheels", "WHEEL_LACKS_ARCH_FATAL"),
        ("CUDNN_STATUS_EXECUTION_FAILED", "v100-new-cudnn", "CUDNN_DROPPED_ARCH"),
        ("CUDA-capable device(s) is/are busy or unavailable", "2xt4-exclusive-mode", "COMPUTE_MODE_EXCLUSIVE"),
        (
            "CUDA-capable device(s) is/are busy or unavailable",
            "healthy-1x4090",
            "UNSETTLED_DRIVER_OLDER_THAN_BUILD",
        ),
        ("Cannot dlopen some GPU libraries.", "cpu-only-wheel", "CUDA_RUNTIME_MISSING"),
        ("AttributeError: _ARRAY_API not found", "healthy-1x4090", "NUMPY2_WITH_OLD_MODULE"),
    ],
)
def test_facts_of_the_machine_tell_apart_what_prints_the_same(log, machine, code):
    assert ask(log, machine).primary.code == code
