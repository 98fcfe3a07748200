r"""The only way values get into a script: as literals that Python reads back unchanged and the formatter leaves alone.

A folder called ``"); import os #`` becomes a string like any other. Everything here is pure and total: any value of
the JSON kinds is written, any text at all is a valid comment.
"""

from __future__ import annotations

import json
import math
import re
import textwrap
import unicodedata
from collections.abc import Sequence

from gpuconfig_app.core.record import JsonValue

LINE_WIDTH = 88
"""Width that formatters use unless they are told otherwise."""
INDENT = "    "
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS = re.compile(r"[^\w .,:;()/+×%-]")
_SHORT_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def literal(value: JsonValue) -> str:
    """Write a value as a Python literal on one line.

    Raises:
        TypeError: The value is a mapping; scripts hold constants and lists only.
    """
    if value is None or isinstance(value, bool | int):
        return repr(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(literal(item) for item in value)}]"
    raise TypeError(f"no literal for {type(value).__name__}")


def assignment(name: str, value: JsonValue, reason: str | None = None) -> str:
    """Write ``NAME = literal`` with its reason behind it, or above it where the line would be too long.

    Lists are written one item a line, so that neither an item's length nor their number changes the layout.

    Args:
        reason: One sentence; whatever it holds becomes harmless.
    """
    head = f"# {comment(reason)}" if reason else ""
    if isinstance(value, list | tuple):
        body = _list(name, value)
    else:
        body = _one_line(name, literal(value))
        if head and "\n" not in body and width(body) + 2 + width(head) <= LINE_WIDTH:
            return f"{body}  {head}"
    return f"{wrapped_comment(reason)}\n{body}" if reason else body


def comment(text: str) -> str:
    """Make any text fit for one comment line: no line break, nothing invisible, no trailing blank."""
    cleaned = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(cleaned.split())


def wrapped_comment(text: str) -> str:
    """Write a text as comment lines of at most the usual width."""
    lines = textwrap.wrap(comment(text), LINE_WIDTH - 2, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"# {line}" for line in lines or [""])


def plain_words(text: str) -> str:
    """Keep letters, digits and simple punctuation only, for docstrings and documents."""
    return " ".join(_WORDS.sub(" ", comment(text)).replace('"', " ").split())


def json_text(value: JsonValue) -> str:
    """Write JSON for a file: readable, one final newline, valid UTF-8 whatever the strings hold."""
    return escape_surrogates(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def escape_surrogates(text: str) -> str:
    r"""Replace halves of surrogate pairs, as undecodable file names hold them, by ``\udcXX`` escapes."""
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def width(text: str) -> int:
    """Count columns as formatters do: wide East Asian characters take two, combining ones none."""
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def _list(name: str, items: Sequence[JsonValue]) -> str:
    if not items:
        return f"{name} = []"
    lines = "".join(f"{INDENT}{literal(item)},\n" for item in items)
    return f"{name} = [\n{lines}]"


def _one_line(name: str, text: str) -> str:
    """Write an assignment; a formatter puts a long string in brackets when that makes it fit, else leaves it."""
    line = f"{name} = {text}"
    if width(line) > LINE_WIDTH and width(INDENT + text) <= LINE_WIDTH:
        return f"{name} = (\n{INDENT}{text}\n)"
    return line


def _float(value: float) -> str:
    if not math.isfinite(value):
        return f'float("{value}")'
    text = repr(value)
    return text.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")


def _string(value: str) -> str:
    """Write a string with the quotes a formatter would choose: double ones unless single ones need fewer escapes."""
    quote = "'" if value.count('"') > value.count("'") else '"'
    return quote + "".join(_escaped(char, quote) for char in value) + quote


def _escaped(char: str, quote: str) -> str:
    if char == quote:
        return f"\\{char}"
    if char in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[char]
    if char.isprintable() and unicodedata.category(char) not in {"Mn", "Me", "Mc"}:
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
