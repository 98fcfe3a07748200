"""Writes a command so that a shell reads back exactly its words: POSIX shells (bash, zsh, dash, ksh) and PowerShell.

Sources:
    POSIX.1-2024, Shell Command Language, 2.2 Quoting (checked 2026-11-30).
    PowerShell documentation, about_Quoting_Rules and about_Parsing (checked 2026-11-30): in a single-quoted string
    nothing is expanded and a single quote is doubled; the typographic single quotes count as one.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

POSIX = "sh"
POWERSHELL = "powershell"

_PLAIN_FOR_POWERSHELL = re.compile(
    r"(?:-{1,2}[A-Za-z][A-Za-z-]*|[A-Za-z_/\\][\w/\\:=+-]*(?:\.[\w/\\:=+-]+)*)", re.ASCII
)
_SINGLE_QUOTES = re.compile("['\u2018\u2019\u201a\u201b]")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def quote_word(word: str, shell: str, home: str | None = None) -> str:
    """Write one word.

    Args:
        shell: ``POSIX`` or ``POWERSHELL``.
        home: Home folder; in POSIX shells what lies in it is written with ``~/`` outside the quotes.

    Raises:
        ValueError: The word holds a NUL character, which no program can be given.
    """
    if "\0" in word:
        raise ValueError("a word with a NUL character")
    if shell == POWERSHELL:
        if _PLAIN_FOR_POWERSHELL.fullmatch(word):
            return word
        return "'" + _SINGLE_QUOTES.sub(lambda found: found.group() * 2, word) + "'"
    prefix = home.rstrip("/") + "/" if home and home != "/" else None
    if prefix and word.startswith(prefix) and len(word) > len(prefix):
        return "~/" + shlex.quote(word[len(prefix) :])
    return shlex.quote(word)


def command_text(
    words: Sequence[str],
    shell: str,
    *,
    unset: Sequence[str] = (),
    set: Mapping[str, str] | None = None,  # noqa: A002  # the word for it
    home: str | None = None,
) -> str:
    """Write a whole command.

    Args:
        words: Program and arguments.
        unset: Variables taken away from the command; in PowerShell from the window, which has no other way.
        set: Variables given to it.

    Raises:
        ValueError: A word holds a NUL character, or a variable's name is none.
    """
    given = dict(set or {})
    for name in (*unset, *given):
        if not _VARIABLE.fullmatch(name):
            raise ValueError(f"no name of a variable: {name!r}")
    if shell == POWERSHELL:
        return "; ".join((*_powershell_variables(unset, given), _powershell_call(words)))
    quoted = " ".join(_argument(word, home, is_first=at == 0) for at, word in enumerate(words))
    if not unset and not given:
        return quoted
    front = [f"-u {name}" for name in unset]
    front += [f"{name}={quote_word(value, POSIX)}" for name, value in given.items()]
    return f"env {' '.join(front)} {quoted}"


def _argument(word: str, home: str | None, *, is_first: bool) -> str:
    """Quote a word; in front ``A=b`` would be an assignment, and ``=cmd`` makes zsh look for a program."""
    text = quote_word(word, POSIX, home)
    is_special = word.startswith("=") or (is_first and re.match(r"\w+=", word))
    return f"'{text}'" if text == word and is_special else text


def _powershell_call(words: Sequence[str]) -> str:
    texts = [quote_word(word, POWERSHELL) for word in words]
    if texts and texts[0].startswith("'"):
        texts.insert(0, "&")
    return " ".join(texts)


def _powershell_variables(unset: Sequence[str], given: Mapping[str, str]) -> list[str]:
    lines = [f"Remove-Item Env:{name} -ErrorAction Ignore" for name in unset]
    return lines + [f"$env:{name} = {_literal(value)}" for name, value in given.items()]


def _literal(value: str) -> str:
    return "'" + _SINGLE_QUOTES.sub(lambda found: found.group() * 2, value) + "'"
