"""Ending a process on a GPU: only one's own, and only the one that was shown. The processes here are real."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.workbench import processes
from gpuconfig_app.workbench.processes import end_process, own_processes

WAITING = "import sys, threading; print('there', flush=True); threading.Event().wait(600)"
WITH_CHILD = (
    "import subprocess, sys, threading;"
    "child = subprocess.Popen([sys.executable, '-c', 'import threading; threading.Event().wait(600)']);"
    "print(child.pid, flush=True); threading.Event().wait(600)"
)


@pytest.fixture
def child() -> Iterator[subprocess.Popen[str]]:
    with start(WAITING) as process:
        yield process
        process.kill()


def start(script: str) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.said = process.stdout.readline().strip()  # type: ignore[attr-defined]  # for the test alone
    return process


def shown(process: subprocess.Popen[str], name: str | None = None) -> GpuProcess:
    return GpuProcess(pid=process.pid, name=name or f"{sys.executable} train.py")


def test_own_process_is_ended(child):
    started = own_processes([child.pid])[child.pid]

    end_process(shown(child), started, grace_s=5.0)

    assert child.wait(10) != 0


def test_what_it_started_is_ended_too():
    with start(WITH_CHILD) as process:
        below = psutil.Process(int(process.said))

        end_process(shown(process), None, grace_s=5.0)

        process.wait(10)
        assert not below.is_running() or below.status() == psutil.STATUS_ZOMBIE


def test_own_processes_come_with_their_start(child):
    found = own_processes([child.pid, 999_999_999])

    assert found == {child.pid: pytest.approx(psutil.Process(child.pid).create_time())}


def test_process_of_somebody_else_is_not_ours(child, monkeypatch):
    monkeypatch.setattr(processes.getpass, "getuser", lambda: "somebody-else")

    assert own_processes([child.pid]) == {}
    with pytest.raises(UsageError) as caught:
        end_process(shown(child), None)

    assert caught.value.message.id == "workbench.process-not-yours"
    assert child.poll() is None


def test_later_process_with_the_same_number_is_left_alone(child):
    """The one that was shown has ended, and the system gave its number to another Python."""
    started = own_processes([child.pid])[child.pid]

    with pytest.raises(UsageError) as caught:
        end_process(shown(child), started - 60.0)

    assert caught.value.message.id == "workbench.process-changed"
    assert child.poll() is None


def test_other_program_under_the_same_number_is_left_alone(child):
    with pytest.raises(UsageError) as caught:
        end_process(shown(child, "/opt/blender/blender"), None)

    assert caught.value.message.id == "workbench.process-changed"
    assert child.poll() is None


@pytest.mark.parametrize("name", [None, "python", "/usr/bin/python3.11 -m notebook", r"C:\Python\python3.11"])
def test_ways_a_driver_names_a_program(name, monkeypatch, child):
    ended = []
    monkeypatch.setattr(processes, "end_process_tree", lambda pid, grace_s: ended.append(pid))
    monkeypatch.setattr(
        processes.psutil.Process, "name", lambda _: "python3.11" if name and "3.11" in name else "python"
    )

    end_process(GpuProcess(pid=child.pid, name=name), None)

    assert ended == [child.pid]


def test_process_that_is_gone_is_fine():
    with start(WAITING) as process:
        process.kill()
        process.wait()

        end_process(shown(process), None)


def test_windows_names_users_with_their_domain(child, monkeypatch):
    user = psutil.Process(child.pid).username()
    monkeypatch.setattr(processes.psutil.Process, "username", lambda _: f"WORKGROUP\\{user}")

    assert list(own_processes([child.pid])) == [child.pid]
