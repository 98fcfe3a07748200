"""Puts the answer of ``resources/probes/read_table.py`` into the facts of a table that the application can't read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gpuconfig_app.core.dataset import ColumnFacts, ColumnKind, DatasetFacts
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.dataset.columns import judge_values

Answer = Mapping[str, Any]  # Any: a line of JSON before it is checked


def with_probe_answer(facts: DatasetFacts, text: str) -> DatasetFacts:
    """Give the facts with rows and columns as the probe found them.

    Args:
        facts: Of the Parquet file, from ``scan_data``.
        text: JSON lines that the probe wrote; a last line that was cut off is ignored.

    Raises:
        UnusableFileError: The probe failed or wrote nothing usable.
    """
    answers = [answer for answer in map(_read_line, text.splitlines()) if answer is not None]
    failed = next((answer for answer in answers if answer.get("record") == "error"), None)
    if failed is not None:
        raise UnusableFileError(Message("dataset.probe-failed", {"detail": str(failed.get("detail", ""))}))
    head = next((answer for answer in answers if answer.get("record") == "columns"), None)
    if head is None or not isinstance(head.get("rows"), int):
        raise UnusableFileError(Message("dataset.probe-unusable"))
    columns = tuple(_column(answer) for answer in answers if answer.get("record") == "column")
    notes = tuple(note for note in facts.notes if note.id != "dataset.parquet-by-probe")
    return replace(facts, sample_count=head["rows"], is_exact=True, columns=columns, has_header=True, notes=notes)


def _read_line(line: str) -> Answer | None:
    try:
        answer = json.loads(line)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _column(answer: Answer) -> ColumnFacts:
    present = int(answer["seen"]) - int(answer["missing"])
    distinct = answer.get("distinct")
    is_number = bool(answer.get("is_number"))
    kind = judge_values(
        name=str(answer["name"]),
        present=present,
        different=distinct,
        is_number=is_number,
        is_integer=bool(answer.get("is_integer")),
        words=float(answer.get("words", 0.0)),
    )
    if str(answer.get("type", "")) == "bool" and kind is not ColumnKind.CONSTANT:
        kind = ColumnKind.CATEGORY
    return ColumnFacts(
        name=str(answer["name"]),
        kind=kind,
        missing_count=int(answer["missing"]),
        distinct_count=distinct,
        minimum=answer.get("minimum") if is_number else None,
        maximum=answer.get("maximum") if is_number else None,
        is_integer=is_number and bool(answer.get("is_integer")),
        examples=tuple(str(item) for item in answer.get("examples", ())),
    )
