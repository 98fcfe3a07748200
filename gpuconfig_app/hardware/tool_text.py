"""Makes what a maker's tool printed, or what came of it on its way through a terminal or a mail, plain text.

Colours, carriage returns, byte order marks, UTF-16 of PowerShell's ``>`` and the ``>`` of a quoted mail are taken off.
"""

from __future__ import annotations

import codecs
import html
import math
import re

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?:]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)?|[@-Z\\^_])")
# What is left of colours when the escape character itself was lost on the way.
_BARE_COLOURS = re.compile(r"\[(?:\d{1,3};){0,3}\d{1,3}m")
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069]")
_BLANKS = re.compile("[\u00a0\u2000-\u200a\u202f\u3000]")
_QUOTED = re.compile(r"^(?:> ?)+", re.MULTILINE)
# Patterns that look for something after blanks must not meet millions of them.
_LONG_BLANKS = re.compile(r"[ \t]{300,}")
_LONG_GAPS = re.compile(r"\n[\s]{300,}\n")
_NUMBER = re.compile(r"[+-]?\d{1,20}(?:\.\d{1,9})?")
_UNITS = frozenset({"%", "w", "c", "b", "mb", "mib", "mhz", "watts", "watt"})
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NARROW = ("utf-8", "gb18030", "cp1252")


def decode_tool_output(data: bytes) -> str:
    """Give the text of a file with a tool's output, whatever its encoding; what can't be decoded becomes U+FFFD."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return plain_text(data[len(mark) :].decode(encoding, errors="replace"))
    head = data[:4096]
    half = max(1, len(head) // 2)
    if head[1::2].count(0) > half * 0.6:
        return plain_text(data.decode("utf-16-le", errors="replace"))
    if head[0::2].count(0) > half * 0.6:
        return plain_text(data.decode("utf-16-be", errors="replace"))
    for encoding in _NARROW:
        try:
            return plain_text(data.decode(encoding))
        except UnicodeDecodeError:
            continue
    return plain_text(data.decode("utf-8", errors="replace"))


def plain_text(text: str) -> str:
    """Give a text without colours, invisible characters, foreign blanks, Windows' line ends and quoting marks."""
    text = _BARE_COLOURS.sub("", _ESCAPES.sub("", text))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _BLANKS.sub(" ", _INVISIBLE.sub("", text))
    text = _LONG_GAPS.sub("\n\n", _LONG_BLANKS.sub(" " * 300, text))
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and sum(line.startswith(">") for line in lines) > len(lines) * 0.8:
        text = _QUOTED.sub("", text)
    if "&lt;" in text and "<" not in text:
        text = html.unescape(text)
    return text


def number_in(raw: object) -> float | None:
    """Give a number that stands alone, with or without one of the units the tools glue to it; None for anything else.

    ``N/A``, ``None``, an empty text and words are no numbers, and never 0.
    """
    if isinstance(raw, bool) or raw is None:
        return None
    if isinstance(raw, int | float):
        return float(raw) if math.isfinite(raw) else None
    text = str(raw).strip().strip("()").strip()
    found = _NUMBER.match(text)
    if found is None:
        return None
    unit = text[found.end() :].strip().lower()
    if unit and unit not in _UNITS and not re.fullmatch(r"[^\w\s]{0,2}c", unit):
        return None
    return float(found.group(0))


def percent_in(raw: object) -> float | None:
    """Give a share between 0 and 100, None for anything else."""
    value = number_in(raw)
    return value if value is not None and 0 <= value <= 100 else None
