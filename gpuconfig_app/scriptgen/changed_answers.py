"""From fields of a ``Workload`` back to the answers that set them: how advice of the planner becomes a click."""

from __future__ import annotations

from collections.abc import Mapping

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.manifest import Template

# Words of ``scriptgen.workload`` that come from one answer: its question, and the answer for each value.
_DERIVED: Mapping[str, tuple[str, Mapping[bool, str]]] = {
    "is_backbone_frozen": ("trained_part", {True: "head", False: "all"}),
    "jit_compile": ("xla", {True: "on", False: "off"}),
}


def changed_answers(template: Template, change: Mapping[str, JsonValue]) -> dict[str, JsonValue] | None:
    """Give the answers that set fields of the workload; None when the template asks for one of them nowhere.

    Args:
        change: Values by dotted field (``requests.precision``), as in ``MemoryMeasure.change``.
    """
    answers: dict[str, JsonValue] = {}
    for field, value in change.items():
        found = _answers_of(_row(template, field), value)
        if found is None:
            return None
        answers |= found
    known = {question.id for question in template.questions}
    return answers if answers and known >= set(answers) else None


def _row(template: Template, field: str) -> JsonValue:
    row: JsonValue = dict(template.workload)
    for name in field.split("."):
        row = row.get(name) if isinstance(row, dict) else None
    return row


def _answers_of(row: JsonValue, value: JsonValue) -> dict[str, JsonValue] | None:
    """Turn a row round; a list is turned round one by one, and what it derives elsewhere stays as it is."""
    if isinstance(row, list) and isinstance(value, list) and len(row) == len(value):
        inner = [
            _answers_of(part, item)
            for part, item in zip(row, value, strict=True)
            if isinstance(part, dict) and "answer" in part
        ]
        merged = {name: item for found in inner if found is not None for name, item in found.items()}
        return merged or None
    if not isinstance(row, dict):
        return None
    if "answer" in row:
        return {str(row["answer"]): value}
    question = _DERIVED.get(str(row.get("derived")))
    if question is None or not isinstance(value, bool):
        return None
    return {question[0]: question[1][value]}
