"""From answers to the ``Workload`` that the planner understands, by the manifest's ``[workload]`` rows.

A row's value is a plain value, a list of such values, ``{ answer = "id" }`` (optionally ``auto = "word"``: that
answer leaves the choice to the planner) or ``{ derived = "word" }`` with a word of the closed list below. A template
needs code only when it needs a new word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from gpuconfig_app.core.codec import decode
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.scriptgen.defaults import find_column
from gpuconfig_app.scriptgen.manifest import Template

FALLBACK_CLASSES = 10
"""Classes assumed while no data have been scanned."""


@dataclass(frozen=True)
class _Given:
    values: Mapping[str, JsonValue]
    dataset: DatasetFacts | None

    def number(self, name: str) -> float:
        value = self.values.get(name)
        return float(value) if isinstance(value, int | float) else 0.0

    def columns(self, name: str) -> list[JsonValue]:
        value = self.values.get(name)
        return value if isinstance(value, list) else []


def describe_workload(
    template: Template, answers: Mapping[str, JsonValue], dataset: DatasetFacts | None = None
) -> Workload:
    """Describe the training job that checked answers mean.

    Args:
        answers: ``CheckedAnswers.values``.

    Raises:
        UnusableFileError: The manifest's rows don't make a workload (a defect of the template).
    """
    given = _Given(answers, dataset)
    body = _resolve(dict(template.workload), given)
    if not isinstance(body, dict):
        raise TypeError("workload is a table")
    body["template_id"] = template.id
    return decode(Workload, _without_none(body))


def _resolve(row: JsonValue, given: _Given) -> JsonValue:
    if isinstance(row, list):
        return [_resolve(item, given) for item in row]
    if not isinstance(row, dict):
        return row
    if "answer" in row:
        value = given.values.get(str(row["answer"]))
        return None if "auto" in row and value == row["auto"] else value
    if "derived" in row:
        return DERIVED[str(row["derived"])](given)
    return {name: _resolve(item, given) for name, item in row.items()}


def _without_none(body: Mapping[str, Any]) -> dict[str, Any]:  # Any: JSON on its way to the codec
    return {
        name: _without_none(item) if isinstance(item, dict) else item for name, item in body.items() if item is not None
    }


def _class_count(given: _Given) -> JsonValue:
    return (len(given.dataset.classes) if given.dataset else 0) or FALLBACK_CLASSES


def _train_count(given: _Given) -> JsonValue:
    if given.dataset is None or given.dataset.sample_count is None:
        return None
    share = 1.0 - given.number("validation_share") - given.number("test_share")
    return max(1, round(given.dataset.sample_count * share))


def _sample_bytes(given: _Given) -> JsonValue:
    dataset = given.dataset
    if dataset is None or not dataset.sample_count or dataset.total_bytes is None:
        return None
    return max(1, dataset.total_bytes // dataset.sample_count)


def _channels(given: _Given) -> JsonValue:
    return 1 if given.values.get("color") == "grayscale" else 3


def _image_bytes(given: _Given) -> JsonValue:
    """Pictures are cached as bytes, before they become floating-point numbers."""
    side = int(given.number("image_size"))
    return side * side * (1 if given.values.get("color") == "grayscale" else 3)


def _is_backbone_frozen(given: _Given) -> JsonValue:
    return given.values.get("trained_part") == "head"


def _jit_compile(given: _Given) -> JsonValue:
    """XLA is asked for or left to the planner, never forbidden to it."""
    return True if given.values.get("xla") == "on" else None


def _table_task(given: _Given) -> JsonValue:
    return f"tabular_{given.values.get('target_task')}"


def _feature_count(given: _Given) -> JsonValue:
    return max(1, len(given.columns("number_columns")) + len(given.columns("category_columns")))


def _row_bytes(given: _Given) -> JsonValue:
    return 4 * (len(given.columns("number_columns")) + len(given.columns("category_columns")) + 1)


def _target_width(given: _Given) -> JsonValue:
    if given.values.get("target_task") == "regression":
        return 1
    column = find_column(given.dataset, given.values.get("target")) if given.dataset else None
    return (column.distinct_count if column else None) or FALLBACK_CLASSES


DERIVED: Mapping[str, Callable[[_Given], JsonValue]] = MappingProxyType(
    {
        "class_count": _class_count,
        "train_count": _train_count,
        "sample_bytes": _sample_bytes,
        "channels": _channels,
        "image_bytes": _image_bytes,
        "is_backbone_frozen": _is_backbone_frozen,
        "jit_compile": _jit_compile,
        "table_task": _table_task,
        "feature_count": _feature_count,
        "row_bytes": _row_bytes,
        "target_width": _target_width,
    }
)
