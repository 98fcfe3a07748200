"""Which answers are kept when the task, the data or the bundle changes; functions without state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.answers import check_answers
from gpuconfig_app.scriptgen.manifest import Question, QuestionKind, Template, WizardStep

Answers = Mapping[str, JsonValue]
_OF_THE_DATA = (QuestionKind.PATH, QuestionKind.COLUMN, QuestionKind.COLUMNS)


def carried_over(answers: Answers, template: Template) -> dict[str, JsonValue]:
    """Give the answers that another task can take over: how it is trained, not what."""
    kept: dict[str, JsonValue] = {}
    for question in template.questions:
        if question.step is WizardStep.TRAINING and question.id in answers and _is_possible(question, answers):
            kept[question.id] = answers[question.id]
    return kept


def made_up(template: Template, answers: Answers) -> dict[str, JsonValue]:
    """Give what the example answers where a script without data lacks an answer."""
    problems = {item.question_id for item in check_answers(template, answers).problems}
    wanted = [item for item in template.questions if item.step is WizardStep.DATA and item.id in template.example]
    if not problems & {item.id for item in wanted}:
        return {}
    return {item.id: template.example[item.id] for item in wanted if item.kind in _OF_THE_DATA}


def fitting(template: Template, answers: Answers, dataset: DatasetFacts) -> dict[str, JsonValue]:
    """Leave out answers that name columns these data don't have."""
    names = {column.name for column in dataset.columns}
    return {
        item: value
        for item, value in answers.items()
        if not _names_columns(template, item) or set(_as_names(value)) <= names
    }


def lean(template: Template, answers: Answers, dataset: DatasetFacts | None) -> dict[str, JsonValue]:
    """Leave out answers that the defaults give anyway, so that other data bring their own defaults."""
    kept: dict[str, JsonValue] = {key: value for key, value in answers.items() if value is not None}
    wanted = check_answers(template, kept, dataset)
    for question in template.questions:
        if question.kind is QuestionKind.PATH or question.id not in kept:
            continue
        without = {key: value for key, value in kept.items() if key != question.id}
        if check_answers(template, without, dataset) == wanted:
            kept = without
    return kept


def taken_back(template: Template | None, step: WizardStep) -> dict[str, JsonValue]:
    """Give None for every question of a step, but not for where the data are."""
    questions = template.questions if template is not None else ()
    return {item.id: None for item in questions if item.step is step and item.kind is not QuestionKind.PATH}


def path_question(template: Template | None) -> str | None:
    """Give the id of the question that asks for the data."""
    questions = template.questions if template is not None else ()
    return next((item.id for item in questions if item.kind is QuestionKind.PATH), None)


def _is_possible(question: Question, answers: Answers) -> bool:
    is_choice = question.kind is QuestionKind.CHOICE
    return not is_choice or answers[question.id] in [option.value for option in question.options]


def _names_columns(template: Template, question_id: str) -> bool:
    kinds = {question.id: question.kind for question in template.questions}
    return kinds.get(question_id) in (QuestionKind.COLUMN, QuestionKind.COLUMNS)


def _as_names(value: JsonValue) -> Iterable[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]
