"""What an error log means, with the facts of a machine that is open already, and its lines for showing them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gpuconfig_app.compat.log_doctor import explain
from gpuconfig_app.compat.log_reading import LogPiece, LogText, read_log, read_log_file
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.log_report import LogReport
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.workbench.log_lines import LogLines


@dataclass(frozen=True)
class ExplainedLog:
    """The answer with the log it is about.

    Attributes:
        report: What was found.
        lines: The log itself.
    """

    report: LogReport
    lines: LogLines


@dataclass(frozen=True)
class _WatchedLog(LogText):
    """A log whose pieces are seen by somebody else on their way."""

    watch: Callable[[LogPiece], None]

    def pieces(self) -> Iterator[LogPiece]:
        """Give the text piece by piece."""
        for piece in super().pieces():
            self.watch(piece)
            yield piece


def explain_log(
    log: bytes,
    report: SystemReport | None = None,
    environment: PythonEnvironment | None = None,
    control: JobControl | None = None,
) -> ExplainedLog:
    """Say what a log means.

    Args:
        log: Of any encoding, packed by gzip or not.
        report: The machine the log is from; None when it is from elsewhere.
        environment: The Python it is from, None when that is not known.
        control: Told how far it is; ends it early.

    Raises:
        UnusableFileError: It is too large, empty or no text.
        JobCancelledError: The user ended it.
    """
    text = read_log(log)
    lines = LogLines()
    done = 0

    def watch(piece: LogPiece) -> None:
        nonlocal done
        lines.add(piece)
        if control is not None:
            control.report(done / max(len(text.data), 1), Message("explain.searching", {"line": piece.first_line}))
        done += len(piece.text) * (2 if text.encoding.startswith("utf-16") else 1)

    found = explain(_WatchedLog(text.data, text.encoding, watch), report, environment, control)
    return ExplainedLog(replace(found, line_count=lines.count), lines)


def explain_again(
    explained: ExplainedLog,
    report: SystemReport | None,
    environment: PythonEnvironment | None,
    control: JobControl | None = None,
) -> ExplainedLog:
    """Say what the same log means with the facts of another machine, or of none.

    Raises:
        JobCancelledError: The user ended it.
    """
    found = explain_log(bytes(explained.lines.data), report, environment, control)
    return replace(found, report=replace(found.report, encoding=explained.report.encoding))


def read_log_of(path: Path, control: JobControl | None = None) -> bytes:
    """Give the bytes of a log file.

    Raises:
        UnusableFileError: It is not there, no file, too large, or cannot be read.
    """
    if control is not None:
        control.report(None, Message("explain.reading"))
    if path.exists() and not path.is_file():
        raise UnusableFileError(Message("explain.no-file", {"path": str(path)}), Message("explain.no-file-hint"))
    return read_log_file(path)
