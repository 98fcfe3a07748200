"""How commands print: JSON with a schema number, or plain sentences in the user's language.

The only place of the command line that writes to stdout and stderr.
"""

from __future__ import annotations

import json
import locale
import logging
import os
import re
import shutil
import sys
from enum import IntEnum
from typing import TextIO

from gpuconfig_app.core.codec import encode
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.messages import Language, LocalText, Message
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.workbench.text import Texts

# Names out of a stranger's recording, a card or an argument must not steer the terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


logger = logging.getLogger(__name__)


class ExitCode(IntEnum):
    """What a command's exit tells a script."""

    GOOD = 0
    RESERVATIONS = 1
    BLOCKED = 2
    USAGE = 3


class Output:
    """Where a command prints to.

    Args:
        texts: Sentences.
        is_json: Print one JSON document instead of sentences.
        language: Language of sentences.
    """

    def __init__(self, texts: Texts, *, is_json: bool, language: Language) -> None:
        self.texts = texts
        self.is_json = is_json
        self.language = language

    def document(self, schema: int, value: object, **more: object) -> None:
        """Print a JSON document: ``schema`` first, then the fields of ``value``, then ``more``."""
        document: dict[str, JsonValue] = {"schema": schema}
        body = encode(value, keep_none=True, message=self.texts.as_json)
        document.update(body if isinstance(body, dict) else {"value": body})
        document.update((key, encode(item, keep_none=True, message=self.texts.as_json)) for key, item in more.items())
        self.raw_json(document)

    def raw_json(self, value: JsonValue) -> None:
        """Print JSON values as one readable document."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        if not _can_print(sys.stdout, text):  # replaced characters would be other values
            text = json.dumps(value, ensure_ascii=True, indent=2)
        self.line(text)

    def line(self, text: str = "") -> None:
        """Print a line; characters the terminal can't show are replaced, never an error."""
        _write(sys.stdout, text)

    def say(self, text: Message | LocalText | str, *, indent: int = 0) -> None:
        """Print a sentence."""
        self.line(" " * indent + self.sentence(text))

    def remark(self, text: Message | LocalText | str) -> None:
        """Print a sentence on stderr, beside the output: progress, what was given up."""
        _write(sys.stderr, self.sentence(text))

    def remark_in_place(self, text: str) -> None:
        """Replace the line on stderr, cut to the terminal's width; empty clears it."""
        width = max(20, shutil.get_terminal_size().columns - 1)
        if sys.stderr is not None:
            shown = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)[:width]
            encoding = sys.stderr.encoding or "utf-8"
            shown = shown.encode(encoding, errors="replace").decode(encoding)
            print(f"\r{shown}\x1b[K", end="", file=sys.stderr, flush=True)

    @property
    def has_live_terminal(self) -> bool:
        """Whether a line on stderr can be replaced."""
        return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def sentence(self, text: Message | LocalText | str) -> str:
        """Give a text in the user's language."""
        if isinstance(text, Message):
            return self.texts.render(text, self.language)
        if isinstance(text, LocalText):
            return text.in_language(self.language)
        return text

    def error(self, error: GpuConfigError) -> None:
        """Tell on stderr what went wrong and what to do, without a traceback."""
        sentence = self.sentence(error.message)
        if error.hint is not None:
            sentence = f"{sentence} {self.sentence(error.hint)}"
        try:
            _write(sys.stderr, f"gpuconfig: {sentence}")
        except OSError as problem:  # stderr is closed or full: the exit code still tells
            logger.warning("not told: %s (%r)", sentence, problem)


def user_language(setting: str = "system") -> Language:
    """Give the language for a setting; ``system`` looks at the usual variables."""
    if setting != "system":
        return Language.CHINESE if setting == Language.CHINESE.value else Language.ENGLISH
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return Language.CHINESE if value.lower().startswith("zh") else Language.ENGLISH
    found = locale.getlocale()[0] or ""
    return Language.CHINESE if found.lower().startswith(("zh", "chinese")) else Language.ENGLISH


def _can_print(out: TextIO | None, text: str) -> bool:
    try:
        text.encode(out.encoding or "utf-8") if out is not None else None
    except UnicodeEncodeError:
        return False
    return True


def _write(out: TextIO | None, text: str) -> None:
    if out is None:  # a windowed program on Windows has neither
        return
    encoding = out.encoding or "utf-8"
    text = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
    print(text.encode(encoding, errors="replace").decode(encoding), file=out, flush=True)
