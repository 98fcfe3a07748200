"""Reads the columns of a table in the user's Python, by ``resources/probes/read_table.py``.

What the columns can be used for is decided in ``dataset``.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Mapping
from pathlib import Path

from gpuconfig_app.command import end_process_tree, start_process
from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.errors import StorageError, UnusableFileError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.resources import resource_path

logger = logging.getLogger(__name__)
TIME_LIMIT_S = 120.0
_LOOK_EVERY_S = 0.05
_MOST_BYTES = 64 * 1024**2


def read_table_columns(
    table: Path,
    python: str,
    control: JobControl,
    variables: Mapping[str, str] | None = None,
    clock: Clock | None = None,
) -> str:
    """Give what the probe wrote, as JSON lines; also when it failed or ended half-way.

    Args:
        table: The file.
        python: Interpreter to start.
        control: Cancelling ends the process at once.
        variables: Complete environment of the process; None takes the one of this program.

    Raises:
        CommandError: That Python can't be started.
        UnusableFileError: It did not answer within ``TIME_LIMIT_S``.
        StorageError: There is no room for the answer.
        JobCancelledError: The user ended it.
    """
    time_source = clock or SystemClock()
    try:
        with tempfile.TemporaryDirectory(prefix="gpuconfig-table-", ignore_cleanup_errors=True) as folder:
            answer = Path(folder) / "columns.jsonl"
            probe = resource_path("probes", "read_table.py")
            words = [python, str(probe), "--table", str(table.absolute()), "--out", str(answer)]
            process = start_process(words, cwd=Path(folder), environment=variables)
            end = time_source.monotonic() + TIME_LIMIT_S
            try:
                while process.poll() is None:
                    if time_source.monotonic() >= end:
                        raise UnusableFileError(Message("dataset.probe-slow", {"limit_s": TIME_LIMIT_S}))
                    if control.wait_cancelled(_LOOK_EVERY_S):
                        control.check()
            finally:
                if process.poll() is None:
                    end_process_tree(process.pid, grace_s=0.0)
                    process.wait()
            return _read(answer)
    except OSError as error:
        raise StorageError(Message("runner.proof-no-room", {"detail": str(error)})) from error


def _read(answer: Path) -> str:
    if not answer.exists():
        return ""
    with answer.open("rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8", errors="replace")
