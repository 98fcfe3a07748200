"""A plan as plain text to paste into a mail or an issue: every choice with its reason, what to expect, warnings."""

from __future__ import annotations

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import ChoiceGroup, Interval, TrainingPlan
from gpuconfig_app.core.units import format_bytes, format_duration, join_range
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.workbench.measure_text import measure_text
from gpuconfig_app.workbench.time_text import time_notes


def plan_text(plan: TrainingPlan, state: AppState) -> str:
    """Write a plan in the shown language, one choice a line."""
    lines: list[str] = []
    for group in ChoiceGroup:
        choices = [choice for choice in plan.choices if choice.group is group]
        if not choices:
            continue
        lines += ["", state.text(Message(f"wizard.group-{group.value}"))]
        for choice in choices:
            name = state.text(choice_name(choice.id))
            lines.append(f"- {name}: {state.text(choice.shown)} ({state.text(choice.reason)})")
    lines += ["", *_expected(plan, state)]
    notes = [state.text(note) for note in plan.warnings]
    notes += [measure_text(measure, state.text) for measure in plan.shown_measures]
    notes += [state.text(note) for note in plan.advice]
    if notes:
        lines += ["", *(f"- {note}" for note in notes)]
    return "\n".join(lines).strip() + "\n"


def choice_name(choice_id: str) -> Message:
    """Give the name of a choice; several of a kind are numbered and share it."""
    return Message(f"wizard.choice-{choice_id.rstrip('-0123456789')}")


def _expected(plan: TrainingPlan, state: AppState) -> list[str]:
    rows: list[tuple[str, Interval | None, bool]] = [
        ("wizard.measured-memory-peak-bytes", plan.memory.total if plan.memory is not None else None, True),
        ("wizard.measured-step-s", plan.time.step, False),
        ("wizard.measured-epoch-s", plan.time.epoch, False),
        ("wizard.expected-training", plan.time.training, False),
    ]
    return [
        f"- {state.text(Message(name))}: {_shown(interval.expected, is_bytes=is_bytes)} "
        f"({join_range(_shown(interval.low, is_bytes=is_bytes), _shown(interval.high, is_bytes=is_bytes))})"
        for name, interval, is_bytes in rows
        if interval is not None
    ] + [f"- {state.text(note)}" for note in time_notes(plan)]


def _shown(value: float, *, is_bytes: bool) -> str:
    return format_bytes(int(value)) if is_bytes else format_duration(value)
