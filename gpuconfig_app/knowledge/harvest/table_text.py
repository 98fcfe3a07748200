"""Writes rows as the TOML text of a fact table; the same rows always give the same text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

Value = str | bool | int | float | Sequence["Value"] | Mapping[str, "Value"]
Row = Mapping[str, Value | None]

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def table_text(remarks: Sequence[str], head: Mapping[str, Value], key: str, rows: Iterable[Row]) -> str:
    """Give a whole table.

    Args:
        remarks: Lines of the comment on top.
        head: Values before the rows.
        key: Name of the array of tables.
        rows: Fields in the order in which they are written; None and empty ones are left out.
    """
    parts = ["".join(f"# {line}\n" for line in remarks) + "".join(f"{name} = {_value(head[name])}\n" for name in head)]
    for row in rows:
        lines = [f"{_key(name)} = {_value(value)}" for name, value in row.items() if value not in (None, (), [], {})]
        parts.append(f"[[{key}]]\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _value(value: Value | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_value(item)}" for name, item in value.items()) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise TypeError(f"not a value of a table: {value!r}")
