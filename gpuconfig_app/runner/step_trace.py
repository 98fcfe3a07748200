"""Traces a training step in the user's Python (``resources/probes/trace_step.py``), whatever the model does there.

The user's code runs in that process only. It has the folder the program was started in, no input, and nobody reads what
it prints; the last lines are kept for the case that the process dies.
"""

from __future__ import annotations

import json
import logging
import re
import signal
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gpuconfig_app.command import Process, end_process_tree, start_process, user_environment
from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.errors import CommandError, GpuConfigError, StorageError, UnusableFileError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.layer_table import LayerTable, read_layer_table
from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.core.model_memory import NotPossibleError
from gpuconfig_app.core.step_graph import StepGraph, read_step_graph
from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.resources import resource_path
from gpuconfig_app.runner.script_log import read_last_lines

logger = logging.getLogger(__name__)
# A deep network is traced in half a minute on a slow processor; a first import of TensorFlow takes as long from a disk.
USUAL_LIMIT_S = 900.0
LOOK_EVERY_S = 0.1
MOST_PRINTED_BYTES = 256 * 1024**2
MOST_ANSWER_BYTES = 1024**3
LOG_LINES = 200
_LAST_LINES = 3
# Printed by every start of TensorFlow on a machine without a GPU, which is what the process is shown.
_HARMLESS = re.compile(r"absl::InitializeLog|cudart_stub|cuda_platform|computation.placer|oneDNN|^[IW]\d{4} ")
# Windows' codes for what is a signal elsewhere.
_WINDOWS_CRASH = 0xC0000000

# What the probe says although nothing is wrong with the model: it can't be answered with this Python or machine.
NOT_POSSIBLE = frozenset(
    {
        "memory", "no-keras", "no-tensorflow", "old-keras", "old-tensorflow", "other-backend", "step-fails",
        "tensorflow-fails",
    }
)  # fmt: skip

Record = Mapping[str, Any]  # Any: a line of JSON before it is checked


@dataclass(frozen=True, kw_only=True)
class TraceRequest:
    """What is traced.

    Attributes:
        model: A Keras file, ``MODULE:FUNCTION`` or ``FILE.py:FUNCTION``, seen from ``folder``.
        batches: Each is traced, in this order.
        input_shapes: Sizes the model leaves open, as the user wrote them.
        gpu_layout: Compute capability of the card, for which TensorFlow lays out convolutions; None leaves that out.
        folder: Working folder of the process, first on its ``sys.path``.
        variables: Complete environment of the process; None takes the one of this program.
        time_limit_s: After it the whole process tree is ended.
    """

    python: str
    model: str
    batches: tuple[int, ...]
    precision: Precision = Precision.FLOAT32
    optimizer: Optimizer = Optimizer.ADAM
    jit: bool = False
    input_shapes: tuple[str, ...] = ()
    gpu_layout: str | None = None
    folder: Path
    variables: Mapping[str, str] | None = None
    time_limit_s: float = USUAL_LIMIT_S
    probe: Path = field(default_factory=lambda: resource_path("probes", "trace_step.py"))


@dataclass(frozen=True, kw_only=True)
class StepTrace:
    """What the probe told.

    Attributes:
        graphs: In the order of the request; later ones may be missing, all of them where only the layers are known.
        laid_out: The same steps as TensorFlow lays them out for the card, where it could tell.
        recurrent: Kinds of layers that only a GPU's own kernels compute, ``LSTM`` and ``GRU``.
        policy: Of the model itself, None when it has no weights.
        notes: What was left out or taken otherwise.
        layers: In the place of graphs, when the model was opened and its step could not be traced.
        why_not: Why it could not.
    """

    graphs: tuple[StepGraph, ...]
    laid_out: tuple[StepGraph, ...] = ()
    recurrent: tuple[str, ...] = ()
    policy: str | None = None
    python: str = ""
    notes: tuple[Message, ...] = ()
    layers: LayerTable | None = None
    why_not: Message | None = None


def trace_step(request: TraceRequest, control: JobControl | None = None, clock: Clock | None = None) -> StepTrace:
    """Trace every batch; give the layers alone when the model was opened and not even the first could be traced.

    Args:
        control: Cancelling ends the process at once.

    Raises:
        UnusableFileError: The model can't be read, imported or built; the sentence says what and where.
        NotPossibleError: That Python can't trace, or the process was ended, crashed or took too long.
        StorageError: There is no room for the probe's answers.
        JobCancelledError: The user ended it.
    """
    steering = control or JobControl()
    try:
        with tempfile.TemporaryDirectory(prefix="gpuconfig-step-", ignore_cleanup_errors=True) as folder:
            answers, log = Path(folder) / "step.jsonl", Path(folder) / "step.log"
            answers.touch()
            run = _Run(request, answers, log, steering, clock or SystemClock())
            try:
                exit_code = run.to_its_end()
                return _read(request, answers, log, exit_code)
            except (NotPossibleError, UnusableFileError) as error:
                return _layers_only(answers, error)
    except OSError as error:
        raise StorageError(Message("runner.proof-no-room", {"detail": str(error)})) from error


class _Run:
    """One process of the probe."""

    def __init__(self, request: TraceRequest, answers: Path, log: Path, control: JobControl, clock: Clock) -> None:
        self._request = request
        self._answers = answers
        self._log = log
        self._control = control
        self._clock = clock
        self._seen = 0
        self._stage = ""

    def to_its_end(self) -> int:
        """Wait for the process and give its exit code; it may be ended once the first batch is traced."""
        with self._log.open("wb") as out:
            process = self._start(out.fileno())
        try:
            self._wait(process)
        finally:
            if process.poll() is None:
                end_process_tree(process.pid, grace_s=0.0)
                process.wait()
        return process.returncode

    def _start(self, errors: int) -> Process[bytes]:
        request = self._request
        words = [request.python, str(request.probe), "--out", str(self._answers), "--model", request.model]
        words += ["--path", str(request.folder)]
        words += [word for batch in request.batches for word in ("--batch", str(batch))]
        words += ["--precision", request.precision.value, "--optimizer", request.optimizer.value]
        words += [word for shape in request.input_shapes for word in ("--input-shape", shape)]
        words += ["--gpu-layout", request.gpu_layout] if request.gpu_layout is not None else []
        words += ["--time-limit", str(request.time_limit_s + 5.0)]
        words += ["--jit"] if request.jit else []
        base = user_environment() if request.variables is None else request.variables
        environment = {**base, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"}
        try:
            return start_process(words, cwd=request.folder, environment=environment, stderr=errors)
        except CommandError as error:
            detail = str(error.message.params.get("detail", ""))
            raise NotPossibleError(
                Message("memory.python-not-started", {"path": request.python, "detail": detail})
            ) from error

    def _wait(self, process: Process[bytes]) -> None:
        limit_s = self._request.time_limit_s
        end = self._clock.monotonic() + limit_s
        self._control.report(None, Message("memory.stage-tensorflow"))
        while process.poll() is None:
            self._tell()
            if self._clock.monotonic() >= end:
                logger.warning("tracing %s reached its limit of %s s", self._request.model, limit_s)
                if any(record.get("record") == "graph" for record in _records(self._answers)):
                    return
                raise NotPossibleError(Message(f"memory.too-slow-{self._stage or 'tensorflow'}", {"limit_s": limit_s}))
            if self._log.stat().st_size > MOST_PRINTED_BYTES:
                raise NotPossibleError(Message("memory.floods", {"size_bytes": MOST_PRINTED_BYTES}))
            if self._control.wait_cancelled(LOOK_EVERY_S):
                self._control.check()

    def _tell(self) -> None:
        """Pass on how far the probe is, as far as it was not told yet."""
        size = self._answers.stat().st_size
        if size == self._seen:
            return
        self._seen = size
        begun = [record for record in _records(self._answers) if record.get("record") == "begin"]
        stage = _stage_of(begun[-1]) if begun else ""
        if not begun or (stage == self._stage and stage != "trace"):
            return
        self._stage = stage
        batch = begun[-1].get("batch")
        values: dict[str, MessageValue] = {"batch": batch} if isinstance(batch, int) else {}
        self._control.report(None, Message(f"memory.stage-{stage}", values))


def _read(request: TraceRequest, answers: Path, log: Path, exit_code: int) -> StepTrace:
    """Make an answer of what the probe wrote, or say why there is none."""
    records = tuple(_records(answers))
    every = tuple(read_step_graph(dict(record)) for record in records if record.get("record") == "graph")
    graphs = tuple(graph for graph in every if not graph.layout)
    refused = next((record for record in records if record.get("record") == "error"), None)
    if not graphs and refused is not None:
        raise _refusal(refused, request)
    if not graphs:
        raise _death(records, log, exit_code)
    if len(graphs) != len(request.batches):
        logger.warning("%s of %s batches of %s were traced", len(graphs), len(request.batches), request.model)
    laid_out = tuple(graph for graph in every if graph.layout)
    return replace(_facts_of(records), graphs=graphs, laid_out=laid_out)


def _layers_only(answers: Path, error: GpuConfigError) -> StepTrace:
    """Give the layers in the place of the steps that could not be traced; without any the error stands."""
    records = tuple(_records(answers))
    table = next((read_layer_table(dict(record)) for record in records if record.get("record") == "layers"), None)
    if table is None:
        raise error
    logger.warning("only the layers are known: %s", error.message)
    return replace(_facts_of(records), layers=table, why_not=error.message)


def _facts_of(records: Sequence[Record]) -> StepTrace:
    """Give what was told of the model, without any step."""
    facts = next((record for record in records if record.get("record") == "facts"), {})
    policy, recurrent = facts.get("policy"), facts.get("recurrent")
    return StepTrace(
        graphs=(),
        recurrent=tuple(str(item) for item in recurrent) if isinstance(recurrent, list) else (),
        policy=policy if isinstance(policy, str) else None,
        python=str(facts.get("python", "")),
        notes=tuple(
            Message(f"memory.note-{record.get('kind')}", _values(record))
            for record in records
            if record.get("record") == "note"
        ),
    )


def _refusal(record: Record, request: TraceRequest) -> GpuConfigError:
    kind = str(record.get("kind", ""))
    message = Message(f"memory.error-{kind}", {**_values(record), "python": request.python})
    return NotPossibleError(message) if kind in NOT_POSSIBLE else UnusableFileError(message)


def _values(record: Record) -> dict[str, MessageValue]:
    return {
        key: value
        for key, value in record.items()
        if key not in {"record", "kind"} and isinstance(value, str | int | float)
    }


def _death(records: Iterable[Record], log: Path, exit_code: int) -> NotPossibleError:
    """Say how a process ended that gave no answer."""
    words = _last_words([line.strip() for line in read_last_lines(log, LOG_LINES)]) or "-"
    begun = [record for record in records if record.get("record") == "begin"]
    stage = _stage_of(begun[-1]) if begun else "tensorflow"
    logger.warning("the tracing process ended with %s at %s: %s", exit_code, stage, words)
    name = _signal_name(exit_code)
    if name == "SIGKILL":  # nobody here sends it; the system does when memory runs out
        return NotPossibleError(Message("memory.killed"))
    if name is not None:
        return NotPossibleError(Message(f"memory.crashed-{stage}", {"name": name, "detail": words}))
    return NotPossibleError(Message(f"memory.ended-{stage}", {"code": exit_code, "detail": words}))


def _last_words(lines: Sequence[str]) -> str:
    """Give the lines that tell most: Python's own of a crash with the innermost place, else the last ones."""
    for number, line in enumerate(lines):
        if line.startswith("Fatal Python error"):
            place = next((other for other in lines[number:] if other.startswith("File ")), "")
            told = [other for other in lines[:number] if other and not _HARMLESS.search(other)][-1:]
            return " / ".join(part for part in (*told, line, place) if part)
    return " / ".join([line for line in lines if line and not _HARMLESS.search(line)][-_LAST_LINES:])


def _signal_name(code: int) -> str | None:
    if code >= _WINDOWS_CRASH:
        return f"0x{code:08X}"
    if code >= 0:
        return None
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _stage_of(record: Record) -> str:
    stage = record.get("stage")
    return stage if stage in ("tensorflow", "model", "trace") else "tensorflow"


def _records(answers: Path) -> Iterable[Record]:
    """Read the lines; a last one that was cut off is left out."""
    if answers.stat().st_size > MOST_ANSWER_BYTES:
        return
    with answers.open("rb") as file:
        for line in file:
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                yield record
