"""Make a document fit to leave the machine: an allow-list over its fields.

Text goes out only when its field was declared public; UUIDs become salted pseudonyms, the home folder becomes ``~``,
everything else becomes None or an empty value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from pathlib import PurePath
from typing import Any, TypeVar

from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.record import PRIVACY_KEY, Privacy

T = TypeVar("T")


@dataclass(frozen=True)
class Redaction:
    """How texts are hidden.

    Attributes:
        salt: Secret of this one recording; the same UUID gives the same pseudonym within it and another elsewhere.
        home: The user's home folder.
        user: The user's name, also hidden inside paths.
    """

    salt: str
    home: str
    user: str

    def pseudonym(self, text: str) -> str:
        """Give a stable stand-in that keeps the prefix (``GPU-``, ``MIG-``)."""
        digest = hashlib.sha256(f"{self.salt}|{text}".encode()).hexdigest()
        shape = f"{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}"
        prefix = text.split("-", 1)[0]
        return f"{prefix}-{shape}" if prefix in ("GPU", "MIG") else shape

    def path(self, text: str) -> str:
        """Give a path without the home folder and the user's name."""
        result = text.replace(self.home, "~") if len(self.home) > 1 else text
        return "/".join("user" if part == self.user else part for part in result.split("/")) if self.user else result


def redact(value: T, how: Redaction) -> T:
    """Give a copy of a record that holds nothing personal."""
    result: T = _redact(value, how, None)
    return result


def _redact(value: Any, how: Redaction, mark: str | None) -> Any:  # Any: walks values of every field type
    if isinstance(value, Message):
        params = {key: how.path(item) if isinstance(item, str) else item for key, item in value.params.items()}
        return Message(value.id, params)
    if isinstance(value, LocalText | Enum | bool | int | float) or value is None:
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return _redact_record(value, how)
    if isinstance(value, str):
        return _redact_text(value, how, mark)
    if isinstance(value, PurePath):
        return how.path(str(value))
    if isinstance(value, Mapping):
        return {key: _redact(item, how, mark) for key, item in value.items() if mark is not None or not _is_text(item)}
    if isinstance(value, tuple | list):
        kept = (item for item in value if mark is not None or not _is_text(item))
        return type(value)(_redact(item, how, mark) for item in kept)
    return None


def _redact_record(value: Any, how: Redaction) -> Any:  # Any: a dataclass instance has no common type
    changes: dict[str, Any] = {}  # Any: field values
    for item in fields(value):
        if item.name == "extra":
            changes["extra"] = {}
            continue
        changes[item.name] = _redact(getattr(value, item.name), how, item.metadata.get(PRIVACY_KEY))
        if changes[item.name] is None and isinstance(getattr(value, item.name), str) and item.default == "":
            changes[item.name] = ""
    return replace(value, **changes)


def _redact_text(text: str, how: Redaction, mark: str | None) -> str | None:
    if mark == Privacy.PUBLIC:
        return text
    if mark == Privacy.PSEUDONYM:
        return how.pseudonym(text)
    if mark == Privacy.PATH:
        return how.path(text)
    return None


def _is_text(value: object) -> bool:
    return isinstance(value, str)
