"""A job tells how far it is and ends when it is told to."""

from __future__ import annotations

import threading

import pytest

from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message
from tests.fakes import ProgressLog

STEP = Message("core.not-json", {"detail": "x"})


def test_progress_reaches_the_listener() -> None:
    log = ProgressLog()

    JobControl(log).report(0.5, STEP)

    assert log.reports == [(0.5, STEP)]


def test_progress_without_a_listener_is_fine() -> None:
    JobControl().report(None, STEP)


def test_a_cancelled_job_stops_at_its_next_report() -> None:
    log = ProgressLog()
    control = JobControl(log)

    control.cancel()

    assert control.is_cancelled
    with pytest.raises(JobCancelledError):
        control.report(0.9, STEP)
    with pytest.raises(JobCancelledError):
        control.check()
    assert log.reports == []


def test_waiting_ends_with_the_cancellation() -> None:
    control = JobControl()
    told = []
    thread = threading.Thread(target=lambda: told.append(control.wait_cancelled(30)))
    thread.start()

    control.cancel()
    thread.join(10)

    assert told == [True]


def test_waiting_without_cancellation_ends_by_itself() -> None:
    assert JobControl().wait_cancelled(0) is False
