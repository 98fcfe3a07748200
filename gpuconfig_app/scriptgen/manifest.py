"""What a template says about itself: its texts, its typed questions, what it refuses, and the workload it means.

Read from ``template.toml``; a broken manifest is a defect of the installation and raises at once. Checking answers is
the work of ``answers``, turning them into a workload that of ``workload``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from gpuconfig_app.core.dataset import ColumnKind, DataKind
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.record import JsonValue

Row = Mapping[str, Any]  # Any: a TOML table before it is checked
Condition = Mapping[str, tuple[JsonValue, ...]]


class ManifestError(ValueError):
    """A ``template.toml`` that can't be used; for template authors, never shown to users."""


class QuestionKind(StrEnum):
    """Types of answers."""

    CHOICE = "choice"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    TEXT = "text"
    PATH = "path"
    COLUMN = "column"
    COLUMNS = "columns"


class WizardStep(StrEnum):
    """Steps of the wizard that ask questions, in order."""

    TASK = "task"
    DATA = "data"
    MODEL = "model"
    HARDWARE = "hardware"
    TRAINING = "training"


@dataclass(frozen=True, kw_only=True)
class Option:
    """One answer to choose.

    Attributes:
        help: What speaks for it, None when the label says enough.
    """

    value: str
    label: LocalText
    help: LocalText | None = None


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question.

    Attributes:
        default: None together with ``is_optional`` leaves the choice to the planner.
        default_from: Word of ``scriptgen.defaults`` that reads the default from the data, tried before ``default``.
        when: It is only asked when each named answer has one of these values.
        is_advanced: Shown below "More".
        unit: Printed behind the number, the same in both languages.
        column_kinds: Columns that may be chosen; empty allows all.
    """

    id: str
    kind: QuestionKind
    step: WizardStep
    label: LocalText
    help: LocalText | None = None
    default: JsonValue = None
    default_from: str | None = None
    is_optional: bool = False
    is_advanced: bool = False
    minimum: float | None = None
    maximum: float | None = None
    unit: str | None = None
    options: tuple[Option, ...] = ()
    when: Condition = field(default_factory=dict)
    column_kinds: tuple[ColumnKind, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A combination that can't work.

    Attributes:
        when: Values by answer id; ``plan.strategy``, ``plan.precision`` and the like look into the plan.
        question_id: Where it is shown.
        reason: Message id of the reason.
    """

    when: Condition
    question_id: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Template:
    """A training template.

    Attributes:
        summary: One line for its card.
        data_text: Which data it reads, one line.
        models_text: Which models it offers, one line.
        needs: What the user must have.
        tasks: Values of ``Workload.task`` it can mean.
        models: Facts about each model by its id, for the template's own use.
        workload: Rows of ``scriptgen.workload``: how answers become a ``Workload``.
        example: Answers that need no data, for a first look and for self-tests.
    """

    id: str
    version: int
    icon: str
    name: LocalText
    description: LocalText
    summary: LocalText
    data_text: LocalText
    models_text: LocalText
    needs: LocalText
    data_kind: DataKind
    tasks: tuple[str, ...]
    questions: tuple[Question, ...]
    refusals: tuple[Refusal, ...] = ()
    models: Mapping[str, Mapping[str, JsonValue]] = field(default_factory=dict)
    workload: Mapping[str, JsonValue] = field(default_factory=dict)
    example: Mapping[str, JsonValue] = field(default_factory=dict)

    def question(self, question_id: str) -> Question:
        """Give one question.

        Raises:
            KeyError: There is none of that id.
        """
        for question in self.questions:
            if question.id == question_id:
                return question
        raise KeyError(question_id)


def holds(condition: Condition, values: Mapping[str, JsonValue]) -> bool:
    """Tell whether every named value is among the allowed ones; a value that is not there never is."""
    return all(name in values and values[name] in allowed for name, allowed in condition.items())


def read_manifest(path: Path) -> Template:
    """Read a ``template.toml``.

    Raises:
        ManifestError: A key is missing or unknown, or a row refers to something that is not there.
    """
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        template = _read_template(table)
    except (KeyError, TypeError, ValueError) as error:
        raise ManifestError(f"{path.parent.name}/{path.name}: {error!r}") from error
    _check_references(template)
    return template


def _read_template(table: Row) -> Template:
    _only_known(table, Template, {"questions", "refusals"})
    return Template(
        id=table["id"],
        version=table["version"],
        icon=table["icon"],
        name=_text(table["name"]),
        description=_text(table["description"]),
        summary=_text(table["summary"]),
        data_text=_text(table["data_text"]),
        models_text=_text(table["models_text"]),
        needs=_text(table["needs"]),
        data_kind=DataKind(table["data_kind"]),
        tasks=tuple(table["tasks"]),
        questions=tuple(_read_question(row) for row in table["questions"]),
        refusals=tuple(_read_refusal(row) for row in table.get("refusals", ())),
        models=table.get("models", {}),
        workload=table["workload"],
        example=table.get("example", {}),
    )


def _read_question(row: Row) -> Question:
    _only_known(row, Question, set())
    question = Question(
        id=row["id"],
        kind=QuestionKind(row["kind"]),
        step=WizardStep(row["step"]),
        label=_text(row["label"]),
        help=_text(row["help"]) if "help" in row else None,
        default=row.get("default"),
        default_from=row.get("default_from"),
        is_optional=row.get("is_optional", False),
        is_advanced=row.get("is_advanced", False),
        minimum=row.get("minimum"),
        maximum=row.get("maximum"),
        unit=row.get("unit"),
        options=tuple(_read_option(option) for option in row.get("options", ())),
        when=_read_condition(row.get("when", {})),
        column_kinds=tuple(ColumnKind(kind) for kind in row.get("column_kinds", ())),
    )
    if (question.kind is QuestionKind.CHOICE) != bool(question.options):
        raise ValueError(f"question {question.id}: options belong to a choice and to nothing else")
    return question


def _read_option(row: Row) -> Option:
    _only_known(row, Option, set())
    return Option(value=row["value"], label=_text(row["label"]), help=_text(row["help"]) if "help" in row else None)


def _read_refusal(row: Row) -> Refusal:
    _only_known(row, Refusal, set())
    return Refusal(when=_read_condition(row["when"]), question_id=row["question_id"], reason=row["reason"])


def _read_condition(row: Row) -> Condition:
    return {name: tuple(values) if isinstance(values, list) else (values,) for name, values in row.items()}


def _text(row: str | Row) -> LocalText:
    """Read a text in both languages; a plain string is a proper name, the same in both."""
    if isinstance(row, str):
        return LocalText(en=row, zh_cn=row)
    if set(row) != {"en", "zh_cn"}:
        raise ValueError(f"a text has en and zh_cn, not {sorted(row)}")
    return LocalText(en=row["en"], zh_cn=row["zh_cn"])


def _only_known(row: Row, kind: type, more: set[str]) -> None:
    unknown = set(row) - set(kind.__annotations__) - more
    if unknown:
        raise ValueError(f"unknown keys for {kind.__name__}: {sorted(unknown)}")


def _check_references(template: Template) -> None:
    ids = [question.id for question in template.questions]
    if len(ids) != len(set(ids)):
        raise ManifestError(f"{template.id}: a question id appears twice")
    for number, question in enumerate(template.questions):
        _check_names(template, question.when, ids[:number], f"when of {question.id}")
    for refusal in template.refusals:
        asked = {name: values for name, values in refusal.when.items() if not name.startswith("plan.")}
        _check_names(template, asked, ids, f"refusal {refusal.reason}")
        if refusal.question_id not in ids:
            raise ManifestError(f"{template.id}: refusal {refusal.reason} is shown at no question")


def _check_names(template: Template, condition: Condition, ids: Sequence[str], where: str) -> None:
    unknown = sorted(set(condition) - set(ids))
    if unknown:
        raise ManifestError(f"{template.id}: {where} names {unknown}, which are not asked before")
