"""Check answers against a template's questions and the data: coerce, fill in defaults, name every problem."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.defaults import default_from_data, find_column
from gpuconfig_app.scriptgen.manifest import Question, QuestionKind, Template, holds

LONGEST_TEXT = 4096
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})


@dataclass(frozen=True)
class AnswerProblem:
    """Why an answer can't be used.

    Attributes:
        question_id: Question it belongs to; for an answer to no question, the id that was given.
    """

    question_id: str
    message: Message


@dataclass(frozen=True)
class CheckedAnswers:
    """Answers that were looked at.

    Attributes:
        values: A value for every question; None where it is not asked or left to the planner. Questions with a
            problem hold their default.
        problems: In the order of the questions.
    """

    values: Mapping[str, JsonValue]
    problems: tuple[AnswerProblem, ...] = ()


class _ProblemError(Exception):
    def __init__(self, name: str, **params: str | int | float) -> None:
        super().__init__(name)
        self.message = Message(f"scriptgen.{name}", params)


def check_answers(
    template: Template, answers: Mapping[str, JsonValue], dataset: DatasetFacts | None = None
) -> CheckedAnswers:
    """Check answers; checking the result again gives the same result.

    Args:
        answers: By question id; None counts as not answered, text is read as the question's type.
        dataset: What the scan found; columns are checked against it. None checks no columns.
    """
    values: dict[str, JsonValue] = {}
    problems: list[AnswerProblem] = []
    for question in template.questions:
        values[question.id] = None
        if not holds(question.when, values):
            continue
        default = _default(question, dataset, values)
        given = answers.get(question.id)
        try:
            values[question.id] = default if given is None else _read(question, given, dataset)
            _require(question, values[question.id])
        except _ProblemError as problem:
            values[question.id] = default
            problems.append(AnswerProblem(question.id, problem.message))
    problems += _refusals(template, values)
    problems += _column_problems(values)
    known = {question.id for question in template.questions}
    problems += [AnswerProblem(name, Message("scriptgen.unknown-question")) for name in answers if name not in known]
    return CheckedAnswers(values, tuple(problems))


def _default(question: Question, dataset: DatasetFacts | None, values: Mapping[str, JsonValue]) -> JsonValue:
    if question.default_from is not None:
        found = default_from_data(question.default_from, dataset, values)
        if found is not None:
            return found
    return question.default


def _refusals(template: Template, values: Mapping[str, JsonValue]) -> list[AnswerProblem]:
    return [
        AnswerProblem(refusal.question_id, Message(refusal.reason))
        for refusal in template.refusals
        if not any(name.startswith("plan.") for name in refusal.when) and holds(refusal.when, values)
    ]


def _column_problems(values: Mapping[str, JsonValue]) -> list[AnswerProblem]:
    """Find a target that is also an input, a column of both kinds, and a table without inputs."""
    problems: list[AnswerProblem] = []
    seen = {values.get("target")}
    for name in ("number_columns", "category_columns"):
        columns = values.get(name)
        for column in columns if isinstance(columns, list) else []:
            if column in seen:
                problems.append(AnswerProblem(name, Message("scriptgen.column-used-twice", {"column": str(column)})))
            seen.add(column)
    if "number_columns" in values and not values["number_columns"] and not values["category_columns"]:
        problems.append(AnswerProblem("number_columns", Message("scriptgen.no-input-columns")))
    return problems


def _require(question: Question, value: JsonValue) -> None:
    if value is None and not question.is_optional:
        raise _ProblemError("answer-missing")


def _read(question: Question, given: JsonValue, dataset: DatasetFacts | None) -> JsonValue:
    """Read one answer as the question's type."""
    kind = question.kind
    if kind is QuestionKind.CHOICE:
        return _read_choice(question, given)
    if kind is QuestionKind.BOOL:
        return _read_bool(given)
    if kind is QuestionKind.INT:
        return _read_int(question, given)
    if kind is QuestionKind.FLOAT:
        return _in_range(question, _read_float(given))
    if kind is QuestionKind.COLUMN:
        return _read_column(question, given, dataset)
    if kind is QuestionKind.COLUMNS:
        return _read_columns(question, given, dataset)
    return _read_text(given)


def _read_choice(question: Question, given: JsonValue) -> str:
    values = [option.value for option in question.options]
    if given not in values:
        raise _ProblemError("not-an-option", value=str(given), options=", ".join(values))
    return str(given)


def _read_bool(given: JsonValue) -> bool:
    if isinstance(given, bool):
        return given
    word = str(given).strip().lower()
    if word not in _TRUE | _FALSE:
        raise _ProblemError("not-a-yes-or-no", value=str(given))
    return word in _TRUE


def _read_int(question: Question, given: JsonValue) -> int:
    value = _read_float(given)
    if not value.is_integer():
        raise _ProblemError("not-a-whole-number", value=str(given))
    return int(_in_range(question, value))


def _read_float(given: JsonValue) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise _ProblemError("not-a-number", value=str(given))
    try:
        value = float(given)
    except (ValueError, OverflowError) as error:
        raise _ProblemError("not-a-number", value=str(given)) from error
    if not math.isfinite(value):
        raise _ProblemError("not-a-number", value=str(given))
    return value


def _in_range(question: Question, value: float) -> float:
    if question.minimum is not None and value < question.minimum:
        raise _ProblemError("below-minimum", minimum=question.minimum)
    if question.maximum is not None and value > question.maximum:
        raise _ProblemError("above-maximum", maximum=question.maximum)
    return value


def _read_text(given: JsonValue) -> str:
    if not isinstance(given, str) or not given.strip():
        raise _ProblemError("not-a-text")
    if len(given) > LONGEST_TEXT:
        raise _ProblemError("text-too-long", limit=LONGEST_TEXT)
    if "\0" in given:
        raise _ProblemError("text-holds-nul")
    return given


def _read_column(question: Question, given: JsonValue, dataset: DatasetFacts | None) -> str:
    name = _read_text(given)
    if dataset is None or not dataset.columns:
        return name
    column = find_column(dataset, name)
    if column is None:
        raise _ProblemError("no-such-column", column=name)
    if question.column_kinds and column.kind not in question.column_kinds:
        raise _ProblemError("column-not-usable", column=name, kind=column.kind.value)
    return name


def _read_columns(question: Question, given: JsonValue, dataset: DatasetFacts | None) -> JsonValue:
    if not isinstance(given, list):
        raise _ProblemError("not-a-list-of-columns")
    names: list[JsonValue] = []
    for item in given:
        name = _read_column(question, item, dataset)
        if name not in names:
            names.append(name)
    return names
