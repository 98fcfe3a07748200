"""How fresh the readings of a device are, from what was heard of it and when; pure functions.

All times are monotonic seconds of one clock.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig_app.core.sample import Liveness

MISSED_INTERVALS = 2.0
SILENT_AFTER_S = 3.0
# Below this a busy machine's thread scheduling alone would show a healthy device as stale.
LEAST_STALE_S = 0.5
_SAID_BY_THE_DEVICE = (Liveness.LOST, Liveness.ASLEEP, Liveness.ENDED, Liveness.SILENT, Liveness.WAITING)


@dataclass(frozen=True)
class Heard:
    """What is known of one device's readings.

    Attributes:
        asked_first_s: When it was asked for the first time, None before that.
        answered_s: When the last answer came, None before the first.
        call_since_s: When the call began that has not returned yet, None when none is under way.
        said: Liveness of the last answer.
        interval_s: Time between two looks.
        paused_since_s: When the sampling was paused, None while it runs.
        resumed_s: When the sampling went on after a pause, None when it was never paused.
    """

    asked_first_s: float | None = None
    answered_s: float | None = None
    call_since_s: float | None = None
    said: Liveness | None = None
    interval_s: float = 1.0
    paused_since_s: float | None = None
    resumed_s: float | None = None


def judge(heard: Heard, now_s: float) -> Liveness:
    """Tell how fresh a device's readings are at a moment.

    What a device said itself (lost, asleep, ended …) stands until it says something else. A call that has
    not returned for ``SILENT_AFTER_S`` makes it silent, two missed intervals make it stale. Time does not count while
    the sampling is paused.
    """
    moment = now_s if heard.paused_since_s is None else min(now_s, heard.paused_since_s)
    if heard.said in _SAID_BY_THE_DEVICE:
        return heard.said
    if heard.call_since_s is not None and moment - heard.call_since_s >= SILENT_AFTER_S:
        return Liveness.SILENT
    if heard.answered_s is None:
        return Liveness.WAITING
    age = moment - max(heard.answered_s, heard.resumed_s or heard.answered_s)
    if age > stale_after_s(heard.interval_s):
        return Liveness.STALE
    return Liveness.LIVE


def stale_after_s(interval_s: float) -> float:
    """Give the age in seconds from which a reading counts as stale."""
    return max(MISSED_INTERVALS * interval_s, LEAST_STALE_S)


def next_look_s(due_s: float, now_s: float, interval_s: float) -> float:
    """Give when to look next so that the pace is kept: missed looks are skipped, never made up for.

    Args:
        due_s: When the look just made was due.
        now_s: When it was done.
    """
    following = due_s + interval_s
    if following > now_s:
        return following
    missed = int((now_s - due_s) / interval_s)
    return due_s + (missed + 1) * interval_s
