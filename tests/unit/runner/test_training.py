from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from gpuconfig_app.core.errors import CommandError, StorageError, UsageError
from gpuconfig_app.core.plan import Interval, TimePrediction, TrainingPlan
from gpuconfig_app.core.run_result import RunKind, RunState
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.runner import training
from gpuconfig_app.runner.training import RunHandle, RunRequest, find_runs, read_result, start_run, stop_run
from gpuconfig_app.runner.watched_process import is_watched
from gpuconfig_app.storage.places import Places, user_places
from gpuconfig_app.storage.runs import load_record
from tests.unit.runner.bundles import GOOD, SAVES_ON_SIGNAL, STUBBORN, make_bundle

WAIT_S = 30.0


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return user_places()


@pytest.fixture
def begin(tmp_path: Path, places: Places) -> Iterator[Callable[..., RunHandle]]:
    """Start a script; whatever of it is left after the test is ended."""
    handles: list[RunHandle] = []

    def start(body: str, **options: object) -> RunHandle:
        request = RunRequest(bundle=make_bundle(tmp_path / "bundle", body), python=sys.executable, **options)
        handles.append(start_run(request, places))
        return handles[-1]

    yield start
    for handle in handles:
        stop_run(handle.record, places, grace_s=0.0)


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < end, "never came"
        threading.Event().wait(0.02)


def log_of(handle: RunHandle) -> str:
    return handle.folder.log.read_text(encoding="utf-8")


def end_of(handle: RunHandle) -> None:
    wait_until(lambda: not is_watched(handle.record))


def pids_in_log(handle: RunHandle, count: int) -> list[int]:
    wait_until(lambda: log_of(handle).count("pid ") == count)
    return [int(line.split()[1]) for line in log_of(handle).splitlines() if line.startswith("pid ")]


def are_gone(pids: list[int]) -> bool:
    return not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in pids)


def test_a_run_that_ends_well(begin) -> None:
    handle = begin(GOOD)
    end_of(handle)

    result = read_result(handle.folder.path)

    assert result.state is RunState.FINISHED
    assert result.exit_code == 0
    assert result.meaning.id == "runner.exit-done"
    assert result.devices == ("CPU",)
    assert result.metrics == {"loss": 0.5}
    assert result.duration_s > 0
    assert result.last_lines == ("Trains on the processor.",)
    assert handle.folder.result.exists()


def test_measured_beside_predicted(begin) -> None:
    step = Interval(low=0.04, expected=0.05, high=0.06)
    plan = TrainingPlan(workload=Workload(), time=TimePrediction(step=step))
    handle = begin(GOOD, plan=plan)
    end_of(handle)

    compared = {item.id: item for item in read_result(handle.folder.path).compared}

    assert compared["step_s"].measured == 0.05
    assert compared["step_s"].is_inside is True
    assert compared["epoch_s"].predicted is None
    assert compared["epoch_s"].measured == 1.0


@pytest.mark.parametrize(
    ("body", "code", "meaning"),
    [
        ("sys.exit(4)", 4, "runner.exit-out-of-memory"),
        ("sys.exit(7)", 7, "runner.exit-gpu-missing"),
        ("sys.exit(77)", 77, "runner.exit-unknown"),
        ("raise RuntimeError('a bug')", 1, "runner.exit-unexpected-error"),
        ("os.kill(os.getpid(), signal.SIGKILL)", -9, "runner.killed"),
        ("os.abort()", -6, "runner.aborted"),
        ("os.kill(os.getpid(), signal.SIGTERM)", -15, "runner.ended-from-outside"),
    ],
)
def test_a_failure_says_what_it_means(begin, body: str, code: int, meaning: str) -> None:
    handle = begin(body)
    end_of(handle)

    result = read_result(handle.folder.path)

    assert result.state is RunState.FAILED
    assert result.exit_code == code
    assert result.meaning.id == meaning


def test_output_and_errors_come_into_the_log_at_once(begin) -> None:
    handle = begin("print('first 训练')\nprint('second', file=sys.stderr)\ntime.sleep(600)")

    wait_until(lambda: log_of(handle).splitlines() == ["first 训练", "second"])
    assert read_result(handle.folder.path).state is RunState.RUNNING


def test_a_running_training_is_found_again_and_told_apart_from_a_reused_pid(begin, places) -> None:
    handle = begin("time.sleep(600)")

    (found,) = find_runs(places)

    assert found == handle.record
    assert found.command[:2] == ("train.py", "--metrics")
    assert is_watched(found)
    assert not is_watched(replace(found, pid=os.getpid()))
    assert not is_watched(replace(found, pid_started_at=found.pid_started_at - 100.0))
    assert not is_watched(replace(found, pid=None))


def test_a_training_outlives_the_program_that_started_it(tmp_path: Path, places, root) -> None:
    bundle = make_bundle(tmp_path / "bundle", SAVES_ON_SIGNAL)
    program = (
        "import sys; from pathlib import Path\n"
        "from gpuconfig_app.runner.training import RunRequest, start_run\n"
        "from gpuconfig_app.storage.places import user_places\n"
        f"start_run(RunRequest(bundle=Path({str(bundle)!r}), python=sys.executable), user_places())\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=root, check=True, timeout=WAIT_S)

    (record,) = find_runs(places)
    folder = training.run_folder(record, places)
    wait_until(lambda: "ready" in (folder / "log.txt").read_text())
    assert read_result(folder).state is RunState.RUNNING

    result = stop_run(record, places)

    assert result.state is RunState.CANCELLED
    assert result.exit_code == 6
    assert result.meaning.id == "runner.stopped-resumable"
    assert "saved after 1 signal" in (folder / "log.txt").read_text()


def test_a_test_run_ends_when_the_program_that_started_it_is_gone(tmp_path: Path, places, root) -> None:
    bundle = make_bundle(tmp_path / "bundle", STUBBORN)
    program = (
        "import os, sys; from pathlib import Path\n"
        "from gpuconfig_app.core.run_result import RunKind\n"
        "from gpuconfig_app.runner.test_run import start_test_run\n"
        "from gpuconfig_app.runner.training import RunRequest\n"
        "from gpuconfig_app.storage.places import user_places\n"
        f"request = RunRequest(bundle=Path({str(bundle)!r}), python=sys.executable, kind=RunKind.TEST)\n"
        "handle = start_test_run(request, user_places())\n"
        "while handle.folder.log.read_text().count('pid') < 4: pass\n"
        "os._exit(1)\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=root, timeout=WAIT_S, check=False)

    (record,) = find_runs(places)
    folder = training.run_folder(record, places)
    wait_until(lambda: not is_watched(record))

    assert read_result(folder).meaning.id == "runner.ended-with-program"
    pids = [int(line.split()[1]) for line in (folder / "log.txt").read_text().splitlines()]
    wait_until(lambda: are_gone(pids))


def test_stopping_ends_grandchildren_orphans_and_those_that_ignore_it(begin, places) -> None:
    handle = begin(STUBBORN)
    pids = pids_in_log(handle, 4)

    result = stop_run(handle.record, places, grace_s=0.1)

    assert result.state is RunState.CANCELLED
    wait_until(lambda: are_gone(pids))
    assert not is_watched(handle.record)


def test_the_time_limit_ends_the_whole_tree(begin) -> None:
    handle = begin(STUBBORN, kind=RunKind.TEST, time_limit_s=2.0)
    pids = pids_in_log(handle, 4)
    end_of(handle)

    result = read_result(handle.folder.path)

    assert result.state is RunState.TIMED_OUT
    assert result.meaning.params == {"limit_s": 2.0}
    wait_until(lambda: are_gone(pids))


def test_a_run_whose_watcher_was_killed_is_still_running_and_can_be_stopped(begin, places) -> None:
    handle = begin("print('pid', os.getpid(), flush=True)\ntime.sleep(600)")
    (pid,) = pids_in_log(handle, 1)
    os.kill(handle.record.pid, signal.SIGKILL)
    end_of(handle)
    assert read_result(handle.folder.path).state is RunState.RUNNING

    result = stop_run(handle.record, places, grace_s=1.0)

    assert result.state is RunState.VANISHED
    assert result.meaning.id == "runner.vanished"
    assert are_gone([pid])


def test_a_script_that_told_its_end_is_believed_when_its_watcher_was_killed(begin) -> None:
    handle = begin(GOOD + "print('pid', os.getpid(), flush=True)\ntime.sleep(600)")
    (pid,) = pids_in_log(handle, 1)
    os.kill(handle.record.pid, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)
    end_of(handle)
    wait_until(lambda: are_gone([pid]))

    result = read_result(handle.folder.path)

    assert result.state is RunState.FINISHED
    assert result.exit_code == 0


def test_a_full_disk_is_named_when_nothing_else_explains_the_end(begin) -> None:
    handle = begin("sys.exit(1)")
    end_of(handle)
    notes = json.loads(handle.folder.exit.read_text())
    handle.folder.exit.write_text(json.dumps(notes | {"disk_free_bytes": 0}))

    assert read_result(handle.folder.path).meaning.id == "runner.disk-full"


def test_the_exit_code_survives_a_disk_that_fills_up_meanwhile(begin) -> None:
    handle = begin("time.sleep(600)")
    wait_until(lambda: handle.folder.exit.exists() and handle.folder.exit.stat().st_size == 4096)

    assert handle.folder.exit.read_bytes().strip() == b"{}"


def test_signals_from_outside_reach_the_script_once(begin) -> None:
    handle = begin(SAVES_ON_SIGNAL)
    wait_until(lambda: "ready" in log_of(handle))

    os.kill(handle.record.pid, signal.SIGTERM)
    end_of(handle)

    assert "saved after 1 signal" in log_of(handle)
    result = read_result(handle.folder.path)
    assert (result.state, result.exit_code) == (RunState.FAILED, 6)
    assert result.meaning.id == "runner.exit-interrupted"


def test_a_result_that_was_read_once_stays(begin, places) -> None:
    handle = begin(GOOD)
    end_of(handle)
    first = read_result(handle.folder.path)
    handle.folder.exit.unlink()
    handle.folder.metrics.unlink()

    assert read_result(handle.folder.path) == first


def test_runs_are_listed_newest_first_and_broken_ones_left_out(begin, places) -> None:
    first, second = begin(GOOD), begin(GOOD)
    end_of(first)
    end_of(second)
    broken = places.runs / "20000101-000000-broken"
    broken.mkdir()
    (broken / "run.json").write_text("{")

    assert {record.id for record in find_runs(places)} == {first.record.id, second.record.id}
    assert load_record(first.folder) == first.record


def test_a_folder_without_script_is_refused(tmp_path: Path, places) -> None:
    with pytest.raises(UsageError):
        start_run(RunRequest(bundle=tmp_path, python=sys.executable), places)

    assert find_runs(places) == ()


def test_a_python_that_is_not_there_is_refused(tmp_path: Path, places) -> None:
    bundle = make_bundle(tmp_path / "bundle", GOOD)

    with pytest.raises(CommandError):
        start_run(RunRequest(bundle=bundle, python=str(tmp_path / "no-python")), places)

    assert find_runs(places) == ()


def test_runs_that_cannot_be_written_are_refused(tmp_path: Path, places) -> None:
    bundle = make_bundle(tmp_path / "bundle", GOOD)
    places.data.mkdir(parents=True)
    places.runs.write_text("a file in the way")

    with pytest.raises(StorageError):
        start_run(RunRequest(bundle=bundle, python=sys.executable), places)


def test_the_script_gets_the_users_environment_and_what_the_run_adds(begin, monkeypatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/users/own")
    handle = begin(
        "print(os.environ['LD_LIBRARY_PATH'], os.environ['PYTHONUNBUFFERED'], os.environ['MINE'], os.getcwd())",
        extra_environment={"MINE": "yes"},
    )
    end_of(handle)

    assert log_of(handle).split() == ["/users/own", "1", "yes", handle.record.bundle]


def test_a_python_in_a_target_is_refused_before_anything_is_written(tmp_path, places) -> None:
    request = RunRequest(bundle=make_bundle(tmp_path / "bundle", GOOD), python="wsl:Ubuntu:/usr/bin/python3")

    with pytest.raises(UsageError) as caught:
        start_run(request, places)

    assert caught.value.message.id == "runner.not-in-target"
    assert not places.runs.exists()
