"""Defaults that come from the data: a closed list of words that a manifest's ``default_from`` may name.

Each looks at the scan and at the answers given so far; None means that the data don't tell, and the manifest's plain
``default`` holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from gpuconfig_app.core.dataset import ColumnFacts, ColumnKind, DatasetFacts
from gpuconfig_app.core.record import JsonValue

Values = Mapping[str, JsonValue]
SMALLEST_SIDE = 32
LARGEST_SIDE = 224
DELIMITERS = (",", ";", "\t", "|")
MOST_CLASSES = 20
"""A target of whole numbers with at most this many different values is taken for classes."""


def default_from_data(word: str, dataset: DatasetFacts | None, values: Values) -> JsonValue:
    """Give a default read from the data, None when they don't tell.

    Raises:
        KeyError: The word is not in the list (a defect of a manifest).
    """
    read = WORDS[word]
    return None if dataset is None else read(dataset, values)


def find_column(dataset: DatasetFacts, name: JsonValue) -> ColumnFacts | None:
    """Give a column by its name, None when the data have none of that name."""
    return next((column for column in dataset.columns if column.name == name), None)


def is_target_of_classes(column: ColumnFacts) -> bool:
    """Tell whether a target column looks like classes rather than like amounts."""
    if column.kind is not ColumnKind.NUMBER:
        return True
    return column.is_integer and column.distinct_count is not None and column.distinct_count <= MOST_CLASSES


def _data_path(dataset: DatasetFacts, _values: Values) -> JsonValue:
    return dataset.path or None


def _image_size(dataset: DatasetFacts, _values: Values) -> JsonValue:
    """The median picture's longer side, in steps of 32, never above the usual 224."""
    if dataset.image_size is None:
        return None
    steps = -(-max(dataset.image_size[:2]) // SMALLEST_SIDE)
    return min(max(steps, 1) * SMALLEST_SIDE, LARGEST_SIDE)


def _color(dataset: DatasetFacts, _values: Values) -> JsonValue:
    if dataset.image_size is None:
        return None
    return "grayscale" if dataset.image_size[2] == 1 else "rgb"


def _table_format(dataset: DatasetFacts, _values: Values) -> JsonValue:
    return "parquet" if dataset.table_format == "parquet" else "csv"


def _delimiter(dataset: DatasetFacts, _values: Values) -> JsonValue:
    return dataset.delimiter if dataset.delimiter in DELIMITERS else None


def _target_column(dataset: DatasetFacts, _values: Values) -> JsonValue:
    """The last column that can be predicted, as most tables are laid out."""
    usable = [column for column in dataset.columns if column.kind in (ColumnKind.NUMBER, ColumnKind.CATEGORY)]
    return usable[-1].name if usable else None


def _target_task(dataset: DatasetFacts, values: Values) -> JsonValue:
    column = find_column(dataset, values.get("target"))
    if column is None:
        return None
    return "classification" if is_target_of_classes(column) else "regression"


def _number_columns(dataset: DatasetFacts, values: Values) -> JsonValue:
    return _columns_of(dataset, ColumnKind.NUMBER, values)


def _category_columns(dataset: DatasetFacts, values: Values) -> JsonValue:
    return _columns_of(dataset, ColumnKind.CATEGORY, values)


def _columns_of(dataset: DatasetFacts, kind: ColumnKind, values: Values) -> JsonValue:
    target = values.get("target")
    return [column.name for column in dataset.columns if column.kind is kind and column.name != target]


WORDS: Mapping[str, Callable[[DatasetFacts, Values], JsonValue]] = MappingProxyType(
    {
        "data_path": _data_path,
        "image_size": _image_size,
        "color": _color,
        "table_format": _table_format,
        "delimiter": _delimiter,
        "target_column": _target_column,
        "target_task": _target_task,
        "number_columns": _number_columns,
        "category_columns": _category_columns,
    }
)
