"""English sentences of messages, for comments and documents of a bundle, which are English in any user's language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.core.units import format_bytes, format_duration
from gpuconfig_app.resources import resource_path


def english(message: Message) -> str:
    """Give the English sentence of a message; empty when there is none, since a script is better off without it."""
    room, _, name = message.id.partition(".")
    row = _sentences(room).get(name)
    if row is None:
        return ""
    try:
        return row.format_map({key: _shown(key, value) for key, value in message.params.items()})
    except (KeyError, ValueError, IndexError):
        return ""


@cache
def _sentences(room: str) -> Mapping[str, str]:
    path = resource_path("text", f"{room}.toml")
    if not path.is_file():
        return {}
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: row["en"] for name, row in table.items()}


def _shown(name: str, value: MessageValue) -> str:
    if isinstance(value, bool | str):
        return str(value)
    if name.endswith("_bytes"):
        return format_bytes(int(value))
    if name.endswith("_s"):
        return format_duration(float(value))
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"
