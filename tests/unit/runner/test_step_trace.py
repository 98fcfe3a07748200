"""The tracing process: what it tells, and everything that may become of it; real child processes."""

from __future__ import annotations

import ast
import os
import re
import sys
import threading
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.model_memory import NotPossibleError
from gpuconfig_app.resources import resource_path
from gpuconfig_app.runner import step_trace
from gpuconfig_app.runner.step_trace import NOT_POSSIBLE, TraceRequest, trace_step
from gpuconfig_app.workbench.text import load_texts
from tests.unit.runner.standing_probe import write_probe


@pytest.fixture
def request_of(tmp_path):
    def make(words: str = "plain", *, limit_s: float = 60.0, batches: tuple[int, ...] = (8, 32)) -> TraceRequest:
        folder = tmp_path / 'a folder\'s "name" 模型'
        folder.mkdir(exist_ok=True)
        return TraceRequest(
            python=sys.executable,
            model=f"module:{words}",
            batches=batches,
            folder=folder,
            time_limit_s=limit_s,
            probe=write_probe(tmp_path),
        )

    return make


def _refusal(request: TraceRequest, kind: type[Exception] = NotPossibleError) -> Message:
    with pytest.raises(kind) as caught:
        trace_step(request)
    return caught.value.message


def test_every_batch_is_traced_in_order(request_of) -> None:
    told = trace_step(request_of("lstm__noted"))

    assert [graph.batch for graph in told.graphs] == [8, 32]
    assert told.graphs[0].tensorflow == "2.21.0"
    assert told.recurrent == ("LSTM",)
    assert told.policy == "float32"
    assert told.notes == (Message("memory.note-loss-not-restored", {"detail": "TypeError: my_loss"}),)


def test_steps_laid_out_for_a_card_are_told_apart(request_of) -> None:
    told = trace_step(replace(request_of(), gpu_layout="8.9"))

    assert [graph.layout for graph in told.graphs] == ["", ""]
    assert [(graph.batch, graph.layout) for graph in told.laid_out] == [(8, "8.9"), (32, "8.9")]


def test_it_runs_in_the_folder_of_the_user(request_of) -> None:
    request = request_of("folder")

    told = trace_step(request)

    assert told.notes[0].params["detail"] == f"{request.folder}|{request.folder}"


def test_progress_is_told_once_for_each_stage(request_of) -> None:
    heard: list[str] = []

    trace_step(request_of(), JobControl(lambda _, message: heard.append(message.id)))

    assert heard[0] == "memory.stage-tensorflow"
    assert heard == sorted(set(heard), key=heard.index) or heard.count("memory.stage-model") <= 1


@pytest.mark.parametrize("kind", ["no-tensorflow", "old-tensorflow", "memory", "step-fails"])
def test_what_that_python_cannot_do_is_not_possible(request_of, kind: str) -> None:
    message = _refusal(request_of(f"error_{kind.replace('-', '_')}"))

    assert message.id == f"memory.error-{kind}"
    assert message.params["python"] == sys.executable
    assert message.params["version"] == "2.10.1"


@pytest.mark.parametrize("kind", ["no-module", "function-fails", "damaged-file", "open-shape"])
def test_what_the_model_lacks_is_an_unusable_input(request_of, kind: str) -> None:
    message = _refusal(request_of(f"error_{kind.replace('-', '_')}"), UnusableFileError)

    assert message.id == f"memory.error-{kind}"


@pytest.mark.parametrize("stage", ["tensorflow", "model", "trace"])
def test_a_crash_names_stage_signal_and_last_words(request_of, stage: str) -> None:
    message = _refusal(request_of(f"{stage}_aborts"))

    assert message.id == f"memory.crashed-{stage}"
    assert message.params["name"] == "SIGABRT"
    assert "check failed: it is over" in str(message.params["detail"])


def test_a_crash_in_native_code_names_the_line_that_called_it(request_of) -> None:
    message = _refusal(request_of("model_segfaults"))

    assert message.id == "memory.crashed-model"
    assert message.params["name"] == "SIGSEGV"
    assert str(message.params["detail"]).startswith("Fatal Python error: Segmentation fault / File ")


@pytest.mark.parametrize("stage", ["tensorflow", "model", "trace"])
def test_an_end_without_an_answer_names_the_code(request_of, stage: str) -> None:
    message = _refusal(request_of(f"{stage}_exits"))

    assert message.id == f"memory.ended-{stage}"
    assert message.params == {"code": 7, "detail": "I leave"}


def test_a_kill_from_outside_is_taken_for_want_of_memory(request_of) -> None:
    assert _refusal(request_of("model_killed")).id == "memory.killed"


@pytest.mark.parametrize("stage", ["tensorflow", "model", "trace"])
def test_a_hang_ends_with_the_limit(request_of, stage: str) -> None:
    message = _refusal(request_of(f"{stage}_hangs", limit_s=1.5))

    assert message.id == f"memory.too-slow-{stage}"
    assert message.params["limit_s"] == 1.5


def test_the_batch_that_was_asked_for_is_answered_though_later_ones_hang_or_fail(request_of) -> None:
    slow = trace_step(request_of("later_hangs", limit_s=2.0))
    dead = trace_step(request_of("later_aborts"))

    assert [graph.batch for graph in slow.graphs] == [graph.batch for graph in dead.graphs] == [8]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("step_fails", "error-step-fails"),
        ("trace_hangs", "too-slow-trace"),
        ("trace_aborts", "crashed-trace"),
        ("trace_exits", "ended-trace"),
        ("trace_killed", "killed"),
    ],
)
def test_layers_are_given_when_no_step_could_be_traced(request_of, words: str, why: str) -> None:
    told = trace_step(request_of(f"lstm__layers__{words}", limit_s=3.0))

    assert told.graphs == ()
    assert told.layers is not None
    assert told.layers.trainable == (1 << 20,)
    assert told.why_not is not None
    assert told.why_not.id == f"memory.{why}"
    assert told.recurrent == ("LSTM",)


def test_layers_that_make_no_sense_help_nobody(request_of) -> None:
    assert _refusal(request_of("broken_layers__step_fails")).id == "memory.error-step-fails"


def test_layers_are_left_alone_when_there_is_a_step(request_of) -> None:
    told = trace_step(request_of("layers"))

    assert len(told.graphs) == 2
    assert told.layers is None


def test_what_is_printed_without_end_ends_the_process(request_of, monkeypatch) -> None:
    monkeypatch.setattr(step_trace, "MOST_PRINTED_BYTES", 1024**2)

    message = _refusal(request_of("model_floods"))

    assert message.id == "memory.floods"


def test_much_on_stdout_harms_nothing(request_of) -> None:
    assert len(trace_step(request_of("model_prints")).graphs) == 2


def test_nobody_can_answer_a_question(request_of) -> None:
    assert _refusal(request_of("model_asks"), UnusableFileError).id == "memory.error-function-fails"


def test_a_python_that_cannot_be_started(request_of, tmp_path) -> None:
    request = replace(request_of(), python=str(tmp_path / "no python"))

    message = _refusal(request)

    assert message.id == "memory.python-not-started"
    assert message.params["path"] == request.python


def test_cancelling_ends_the_process_at_once(request_of) -> None:
    started = threading.Event()
    control = JobControl(lambda _, message: started.set() if message.id == "memory.stage-model" else None)

    def cancel_when_started() -> None:
        started.wait(30.0)
        control.cancel()

    waiting = threading.Thread(target=cancel_when_started)
    waiting.start()
    with pytest.raises(JobCancelledError):
        trace_step(request_of("model_hangs"), control)
    waiting.join()

    children = psutil.Process(os.getpid()).children()
    assert [child for child in children if "stand_in_probe.py" in " ".join(child.cmdline())] == []


def test_nothing_is_left_in_the_folder_of_the_user(request_of) -> None:
    request = request_of()

    trace_step(request)

    assert list(Path(request.folder).iterdir()) == []


@pytest.mark.parametrize("name", ["trace_step.py", "open_model.py", "list_layers.py"])
def test_old_pythons_can_read_the_probe(name: str) -> None:
    tree = ast.parse(resource_path("probes", name).read_text(encoding="utf-8"), feature_version=(3, 7))

    assert ast.get_docstring(tree)


def test_every_kind_of_refusal_has_its_sentence() -> None:
    text = resource_path("probes", "open_model.py").read_text(encoding="utf-8")
    kinds = set(re.findall(r"""Refused\(\s*"([a-z-]+)\"""", text)) | {"nothing-to-train", "step-fails"}

    assert len(kinds) > 30
    assert {f"memory.error-{kind}" for kind in kinds} <= load_texts().ids
    assert kinds >= NOT_POSSIBLE
