"""Starts the proof (``resources/probes/prove_gpu.py``) in the user's Python and waits for it, whatever becomes of it.

The steps of XLA run in a process of their own, because XLA may abort it; and after a process that ended on one card the
next one goes on with the card after it.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.command import STDOUT, Process, end_process_tree, start_process
from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.errors import CommandError, StorageError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.proof import Proof, ProofStage
from gpuconfig_app.runner.proof_outcome import judge_proof, needs_xla
from gpuconfig_app.runner.proof_place import LocalPlace, ProofPlace
from gpuconfig_app.runner.proof_records import PartEnd, ProofPart, next_gpu, read_part
from gpuconfig_app.runner.script_log import read_last_lines

logger = logging.getLogger(__name__)
# A first start reads gigabytes of libraries from the disk; where the driver compiles all kernels it takes half an hour.
USUAL_LIMIT_S = 600.0
COMPILING_LIMIT_S = 2700.0
LOOK_EVERY_S = 0.1
MOST_STARTS = 8
LOG_LINES = 400
_PROGRESS = {
    ProofStage.START: (0.02, Message("runner.proof-start")),
    ProofStage.IMPORT: (0.05, Message("runner.proof-import")),
    ProofStage.DEVICES: (0.4, Message("runner.proof-devices")),
    ProofStage.MATMUL: (0.5, Message("runner.proof-matmul")),
    ProofStage.CONVOLUTION: (0.6, Message("runner.proof-convolution")),
    ProofStage.XLA: (0.9, Message("runner.proof-xla")),
}


@dataclass(frozen=True, kw_only=True)
class ProofRequest:
    """What is tried.

    Attributes:
        python: Interpreter to start, or the name of the target it is in.
        variables: Complete environment of the process; None takes the one of this program.
        time_limit_s: For each process; after it the whole process tree is ended.
        place: Where it is started; None for this machine.
    """

    python: str
    variables: Mapping[str, str] | None = None
    time_limit_s: float = USUAL_LIMIT_S
    place: ProofPlace | None = None


def run_proof(request: ProofRequest, control: JobControl | None = None, clock: Clock | None = None) -> Proof:
    """Try TensorFlow on every GPU and say what happened; takes as long as TensorFlow needs to start, twice.

    Args:
        control: Cancelling ends the process at once.

    Returns:
        A proof without fingerprint. A Python that can't be started is a failed proof, not an error.

    Raises:
        StorageError: There is no room for the probe's answers.
        JobCancelledError: The user ended it.
    """
    steering, time_source = control or JobControl(), clock or SystemClock()
    started = time_source.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="gpuconfig-proof-", ignore_cleanup_errors=True) as folder:
            run = _Run(request, Path(folder), steering, time_source)
            main = run.parts("main")
            xla = run.parts("xla") if needs_xla(main) else ()
    except OSError as error:
        raise StorageError(Message("runner.proof-no-room", {"detail": str(error)})) from error
    duration_s = time_source.monotonic() - started
    return judge_proof(request.python, main, xla, taken_at=time_source.now(), duration_s=duration_s)


class _Run:
    """The processes of one proof, one after the other."""

    def __init__(self, request: ProofRequest, folder: Path, control: JobControl, clock: Clock) -> None:
        self._request = request
        self._place = request.place or LocalPlace(request.python, request.variables)
        self._folder = folder
        self._shared = self._place.prepare(folder)
        self._control = control
        self._clock = clock
        self._count = 0

    def parts(self, name: str) -> tuple[ProofPart, ...]:
        """Run a part to its end, going on behind a card that ended the process."""
        found: list[ProofPart] = []
        first: int | None = 0
        while first is not None and len(found) < MOST_STARTS:
            part = self._run(name, first)
            found.append(part)
            first = next_gpu(part)
        return tuple(found)

    def _run(self, name: str, first: int) -> ProofPart:
        self._count += 1
        answers, log = self._shared / f"{self._count}.jsonl", self._folder / f"{self._count}.log"
        try:
            with log.open("wb") as out:
                process = self._start(name, first, answers, out.fileno())
        except CommandError as error:
            return ProofPart(end=PartEnd(error=str(error.message.params.get("detail", ""))))
        end: PartEnd | None = None
        try:
            end = self._wait(process, answers)
        finally:
            self._close(process, answers, end)
        return read_part(answers, read_last_lines(log, LOG_LINES), end)

    def _close(self, process: Process[bytes], answers: Path, end: PartEnd | None) -> None:
        """End what has not ended by itself, here and in the place it was started in."""
        if process.poll() is None:
            end_process_tree(process.pid, grace_s=0.0)
            process.wait()
        if end is None or end.exit_code is None:
            self._place.end(_pid_of(read_part(answers, (), PartEnd())))

    def _start(self, name: str, first: int, answers: Path, out: int) -> Process[bytes]:
        limit_s = self._request.time_limit_s + 5.0
        arguments = ["--part", name, "--first", str(first), "--time-limit", str(limit_s)]
        words, environment = self._place.command(answers, arguments)
        return start_process(words, cwd=self._folder, environment=environment, stdout=out, stderr=STDOUT)

    def _wait(self, process: Process[bytes], answers: Path) -> PartEnd:
        limit_s = self._request.time_limit_s
        end = self._clock.monotonic() + limit_s
        shown: ProofStage | None = None
        while process.poll() is None:
            shown = self._report(answers, shown)
            if self._clock.monotonic() >= end:
                logger.warning("proof in %s reached its limit of %s s", self._request.python, limit_s)
                end_process_tree(process.pid, grace_s=0.0)
                return PartEnd(limit_s=limit_s)
            if self._control.wait_cancelled(LOOK_EVERY_S):
                end_process_tree(process.pid, grace_s=0.0)
                self._control.check()
        return PartEnd(exit_code=process.returncode)

    def _report(self, answers: Path, shown: ProofStage | None) -> ProofStage:
        part = read_part(answers, (), PartEnd())
        stage = part.stage
        if stage is not shown:
            share, message = _PROGRESS[stage]
            self._control.report(share, message)
        return stage


def _pid_of(part: ProofPart) -> int | None:
    """Give the probe's own number where it runs, None when it did not get as far."""
    pid = next((answer.get("pid") for answer in part.of("facts")), None)
    return pid if isinstance(pid, int) and pid > 1 else None
