"""What belongs beside a predicted time, for both faces: what comes once before the first step, and what limits."""

from __future__ import annotations

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.units import format_duration, join_range

_ABOUT_CARDS = ("compute", "memory_bandwidth")


def time_notes(plan: TrainingPlan) -> tuple[Message, ...]:
    """Give the sentences beside the times of a plan; none where no time is known."""
    time = plan.time
    if time.step is None:
        return ()
    notes = []
    if time.warm_up is not None:
        text = join_range(format_duration(time.warm_up.low), format_duration(time.warm_up.high))
        notes.append(Message("planner.time-warm-up", {"time": text}))
    if time.limited_by == "input" or (time.limited_by in _ABOUT_CARDS and plan.devices):
        notes.append(Message(f"planner.time-limited-{time.limited_by.replace('_', '-')}"))
    return tuple(notes)
