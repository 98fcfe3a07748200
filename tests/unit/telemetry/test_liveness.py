from __future__ import annotations

import pytest

from gpuconfig_app.core.sample import Liveness
from gpuconfig_app.telemetry.liveness import Heard, judge, next_look_s


def test_a_device_that_was_never_heard_is_waited_for() -> None:
    assert judge(Heard(), 100.0) is Liveness.WAITING
    assert judge(Heard(asked_first_s=99.0, call_since_s=99.0), 100.0) is Liveness.WAITING


def test_two_missed_intervals_make_it_stale() -> None:
    heard = Heard(asked_first_s=0.0, answered_s=10.0, said=Liveness.LIVE, interval_s=1.0)

    assert judge(heard, 12.0) is Liveness.LIVE
    assert judge(heard, 12.1) is Liveness.STALE


def test_a_fast_pace_is_not_stale_by_thread_scheduling_alone() -> None:
    heard = Heard(asked_first_s=0.0, answered_s=10.0, said=Liveness.LIVE, interval_s=0.1)

    assert judge(heard, 10.4) is Liveness.LIVE
    assert judge(heard, 10.6) is Liveness.STALE


@pytest.mark.parametrize("interval_s", [0.1, 1.0, 60.0])
def test_a_call_without_answer_for_three_seconds_is_silence_at_any_pace(interval_s: float) -> None:
    heard = Heard(asked_first_s=0.0, answered_s=10.0, call_since_s=10.1, said=Liveness.LIVE, interval_s=interval_s)

    assert judge(heard, 13.0) is not Liveness.SILENT
    assert judge(heard, 13.2) is Liveness.SILENT


def test_the_first_call_can_be_silent_too() -> None:
    assert judge(Heard(asked_first_s=0.0, call_since_s=0.0), 3.0) is Liveness.SILENT


@pytest.mark.parametrize("said", [Liveness.LOST, Liveness.ASLEEP, Liveness.ENDED])
def test_what_the_device_said_itself_stands_while_it_is_asked_again(said: Liveness) -> None:
    heard = Heard(asked_first_s=0.0, answered_s=10.0, call_since_s=15.0, said=said)

    assert judge(heard, 100.0) is said


def test_time_does_not_count_while_paused() -> None:
    heard = Heard(asked_first_s=0.0, answered_s=10.0, said=Liveness.LIVE, paused_since_s=10.5)

    assert judge(heard, 500.0) is Liveness.LIVE


def test_after_a_pause_the_age_counts_from_its_end() -> None:
    heard = Heard(asked_first_s=0.0, answered_s=10.0, said=Liveness.LIVE, resumed_s=500.0)

    assert judge(heard, 501.0) is Liveness.LIVE
    assert judge(heard, 503.0) is Liveness.STALE


def test_missed_looks_are_skipped_and_the_pace_is_kept() -> None:
    assert next_look_s(10.0, 10.2, 1.0) == 11.0
    assert next_look_s(10.0, 13.4, 1.0) == 14.0
    assert next_look_s(10.0, 13.0, 1.0) == 14.0
