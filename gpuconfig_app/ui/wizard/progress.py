"""What a step of the wizard still lacks, and which steps can be reached; functions over a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuconfig_app.core.dataset import DataKind
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Fit
from gpuconfig_app.scriptgen.answers import AnswerProblem
from gpuconfig_app.ui.wizard.conflicts import conflict_at
from gpuconfig_app.ui.wizard.kept_answers import path_question
from gpuconfig_app.ui.wizard.steps import STEPS, Step

if TYPE_CHECKING:
    from gpuconfig_app.ui.wizard.draft import WizardDraft

_WRONG_KIND = {
    DataKind.IMAGE_FOLDERS: Message("wizard.needs-picture-folders"),
    DataKind.TABLE: Message("wizard.needs-a-table"),
}


def can_reach(draft: WizardDraft, step: Step) -> bool:
    """Whether everything before a step is answered well enough."""
    return STEPS.index(step) <= furthest(draft)


def furthest(draft: WizardDraft) -> int:
    """Give the number (from 0) of the last step that can be reached: the first that lacks something."""
    return next((place for place, step in enumerate(STEPS[:-1]) if problem_of(draft, step) is not None), len(STEPS) - 1)


def problem_of(draft: WizardDraft, step: Step) -> Message | None:
    """Tell what a step still lacks, None when it is done."""
    if draft.template is None:
        return Message("wizard.choose-a-task") if step is Step.TASK else None
    if step is Step.DATA and (trouble := data_problem(draft)) is not None:
        return trouble
    if conflict_at(draft, step) is not None:
        return Message("wizard.settle-conflict")
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


def data_problem(draft: WizardDraft) -> Message | None:
    """Tell why the data can't be used as they are, None when they can or when there are none."""
    template, dataset = draft.template, draft.dataset
    if template is None:
        return None
    if draft.is_scanning:
        return Message("wizard.scan-runs")
    if draft.scan_error is not None:
        return Message("wizard.data-unusable")
    if dataset is not None:
        return _WRONG_KIND.get(template.data_kind) if dataset.kind is not template.data_kind else None
    if draft.answers.get(path_question(template) or ""):
        return Message("wizard.data-not-looked-at")
    lacks_columns = bool(problems_in(draft, Step.DATA))
    return Message("wizard.choose-data") if lacks_columns and not draft.is_made_up else None


def _review_problem(draft: WizardDraft) -> Message | None:
    error, plan = draft.desk.error, draft.plan
    if isinstance(error, GpuConfigError):
        return error.message
    if plan is None:
        return Message("wizard.no-plan-yet")
    is_too_big = plan.memory is not None and plan.memory.fit is Fit.TOO_BIG
    return Message("wizard.too-big") if is_too_big else None
