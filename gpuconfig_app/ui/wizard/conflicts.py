"""Answers that exclude each other, and every way out of it; functions over a draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.workload import StrategyKind
from gpuconfig_app.scriptgen.manifest import Question, QuestionKind, Refusal, Template, holds
from gpuconfig_app.ui.wizard.steps import Step

if TYPE_CHECKING:
    from gpuconfig_app.ui.wizard.draft import WizardDraft

_XLA = "xla"


@dataclass(frozen=True)
class WayOut:
    """One change that ends a conflict: another answer, or other cards.

    Attributes:
        question: Whose answer changes, None when the cards do.
        value: Its new answer.
        devices: The cards to use from then on.
    """

    question: Question | None = None
    value: JsonValue = None
    devices: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Conflict:
    """Answers that can't go together.

    Attributes:
        answers: The answers that exclude each other, by question.
        reason: Why.
        ways: At least one, the one that changes least first.
        steps: Where it is shown; the way on is barred there.
        is_about_devices: The other side of it are the cards.
    """

    answers: tuple[tuple[Question, JsonValue], ...]
    reason: Message
    ways: tuple[WayOut, ...]
    steps: frozenset[Step]
    is_about_devices: bool = False


def conflict_at(draft: WizardDraft, step: Step) -> Conflict | None:
    """Give the conflict that a step shows."""
    if draft.template is None:
        return None
    found = [*_refusals(draft.template, draft.checked.values), *_compiled_on_many(draft)]
    return next((conflict for conflict in found if step in conflict.steps), None)


def _refusals(template: Template, values: Mapping[str, JsonValue]) -> list[Conflict]:
    found = []
    for refusal in template.refusals:
        if any(name.startswith("plan.") for name in refusal.when) or not holds(refusal.when, values):
            continue
        asked = [template.question(name) for name in refusal.when]
        found.append(
            Conflict(
                answers=tuple((question, values[question.id]) for question in asked),
                reason=Message(refusal.reason),
                ways=tuple(_ways(asked, refusal, values)),
                steps=frozenset(Step(question.step.value) for question in asked),
            )
        )
    return found


def _ways(asked: list[Question], refusal: Refusal, values: Mapping[str, JsonValue]) -> list[WayOut]:
    ways = []
    for question in asked:
        for value in _other_values(question):
            if not holds(refusal.when, {**values, question.id: value}):
                ways.append(WayOut(question, value))
                break
    return ways


def _other_values(question: Question) -> list[JsonValue]:
    """Give the answers to try instead, the usual one first."""
    if question.kind is QuestionKind.BOOL:
        return [question.default, True, False]
    return [question.default, *(option.value for option in question.options)]


def _compiled_on_many(draft: WizardDraft) -> list[Conflict]:
    """XLA together with several GPUs: the first step would fail, so the plan leaves XLA off without being asked."""
    template, plan = draft.template, draft.plan
    if template is None or plan is None or draft.checked.values.get(_XLA) != "on":
        return []
    if plan.strategy is not StrategyKind.MIRRORED:
        return []
    question = template.question(_XLA)
    one = WayOut(devices=(plan.devices[0].index,))
    return [
        Conflict(
            answers=((question, "on"),),
            reason=Message("wizard.conflict-xla"),
            ways=(WayOut(question, "off"), one),
            steps=frozenset({Step.HARDWARE, Step(question.step.value)}),
            is_about_devices=True,
        )
    ]
