"""A log explained with the machine that is open: facts, lines, progress, cancelling, files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.compat.log_reading import MOST_BYTES
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.workbench.explain_log import explain_again, explain_log, read_log_of
from tests.unit.compat.logs import recorded

ILLEGAL = b"Epoch 1/2\r\nIllegal instruction (core dumped)\r\n"


def test_machine_tells_causes_apart() -> None:
    alone = explain_log(ILLEGAL)
    here = explain_log(ILLEGAL, *recorded("healthy-1x4090"))

    assert (alone.report.primary.code, alone.report.has_machine) == ("CPU_LACKS_AVX", False)
    assert (here.report.primary.code, here.report.has_machine) == ("CPU_LACKS_INSTRUCTION", True)


def test_lines_come_with_the_answer() -> None:
    explained = explain_log(ILLEGAL)

    assert explained.report.line_count == explained.lines.count == 2
    assert explained.lines.line(2) == "Illegal instruction (core dumped)"


def test_same_log_is_explained_again_for_another_machine() -> None:
    first = explain_log(ILLEGAL.decode().encode("utf-16"))

    again = explain_again(first, *recorded("healthy-1x4090"))

    assert again.report.primary.code == "CPU_LACKS_INSTRUCTION"
    assert again.report.encoding == first.report.encoding == "utf-16-le"
    assert bytes(again.lines.data) == bytes(first.lines.data)


def test_progress_is_told_and_never_goes_back() -> None:
    told: list[tuple[float | None, Message]] = []
    control = JobControl(lambda share, message: told.append((share, message)))

    explain_log(b"a line that says nothing at all\n" * 100_000, control=control)

    shares = [share for share, _ in told if share is not None]
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] < 1
    assert told[-1][1].params["line"]


def test_cancelled_job_ends() -> None:
    control = JobControl()
    control.cancel()

    with pytest.raises(JobCancelledError):
        explain_log(b"anything\n", control=control)


def test_folder_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(UnusableFileError) as caught:
        read_log_of(tmp_path)

    assert caught.value.message.id == "explain.no-file"


def test_file_that_is_not_there_and_one_that_is_too_large(tmp_path: Path) -> None:
    large = tmp_path / "large.log"
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)

    for path in (tmp_path / "absent.log", large):
        with pytest.raises(UnusableFileError):
            read_log_of(path)


def test_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(ILLEGAL)

    assert read_log_of(path, JobControl()) == ILLEGAL
