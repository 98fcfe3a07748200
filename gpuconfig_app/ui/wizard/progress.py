"""What a step of the wizard still lacks, and which steps can be reached; functions over a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit
from gpuconfig_app.scriptgen.answers import AnswerProblem
from gpuconfig_app.ui.wizard.steps import STEPS, Step

if TYPE_CHECKING:
    from gpuconfig_app.ui.wizard.draft import WizardDraft


def can_reach(draft: WizardDraft, step: Step) -> bool:
    """Whether everything before a step is answered well enough."""
    return all(problem_of(draft, before) is None for before in STEPS[: STEPS.index(step)])


def problem_of(draft: WizardDraft, step: Step) -> Message | None:
    """Tell what a step still lacks, None when it is done."""
    if draft.template is None:
        return Message("wizard.choose-a-task") if step is Step.TASK else None
    if step is Step.DATA and draft.is_scanning:
        return Message("wizard.scan-runs")
    if step is Step.DATA and draft.scan_error is not None:
        return Message("wizard.data-unusable")
    problems = problems_in(draft, step)
    if problems:
        return problems[0].message
    return _review_problem(draft) if step is Step.REVIEW else None


def problems_in(draft: WizardDraft, step: Step) -> tuple[AnswerProblem, ...]:
    """Give the problems of a step's answers."""
    if draft.template is None:
        return ()
    ids = {question.id for question in draft.template.questions if question.step.value == step.value}
    return tuple(item for item in draft.checked.problems if item.question_id in ids)


def _review_problem(draft: WizardDraft) -> Message | None:
    error, plan = draft.plan_error, draft.plan
    if isinstance(error, GpuConfigError):
        return error.message
    if plan is None:
        return Message("wizard.no-plan-yet")
    is_too_big = plan.memory is not None and plan.memory.fit is Fit.TOO_BIG
    return Message("wizard.too-big") if is_too_big else None
