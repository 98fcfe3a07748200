"""Make a document fit to leave the machine: an allow-list over its fields.

Text goes out only when its field was declared public; UUIDs become salted pseudonyms, the home folder becomes ``~``,
everything else becomes None or an empty value.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from pathlib import PurePath
from typing import Any, TypeVar

from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.record import PRIVACY_KEY, Privacy

T = TypeVar("T")

_UUID = re.compile(r"(?:(?:GPU|MIG)-)?\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b")
_MAC = re.compile(r"\b[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}\b")
# A folder of its own named like a version (``/opt/cudnn/9.10.2.21``) is kept; no CUDA library has reached 14 yet.
_IPV4 = re.compile(
    r"(?<![\w.\-])(?:(?<!(?<!/)/)\d{1,3}|(?<=/)(?:10|1[4-9]|[2-9]\d|[12]\d\d))(?:\.\d{1,3}){3}(?![\w]|\.\w)"
)
_IPV6 = re.compile(
    r"(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){3,7}(?::?[0-9a-fA-F]{1,4})+(?![\w:]|\.\w)"
    r"|(?<![\w:])[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*::[0-9a-fA-F:]*"
)
_LOGIN = re.compile(r"(?<=://)[^/@\s]+@")
_TOKEN = re.compile(
    r"\b(?:hf|gh[pousr]|github_pat|glpat|xox[abp]|sk|pk|AKIA)[_-]?[A-Za-z0-9_\-]{12,}"
    r"|\beyJ[\w-]{8,}(?:\.[\w-]+){1,2}"
    r"|\b(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{32,}\b"
)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ASSIGNED = re.compile(
    r"((?:pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key)\w*\s*[=:]\s*"
    r"|--?(?:pass(?:word|wd|phrase)|secret|token|api-?key)\s+)[^\s;,]+",
    re.IGNORECASE,
)
_SHARE = re.compile(r"(?<![\w\\])\\\\(?!wsl)[^\\/\s]+(?=\\)", re.IGNORECASE)
_DOTTED = re.compile(r"\d+(?:\.\d+)*\S*")
_VERSION_PARAMS = frozenset({"found", "needs", "release", "floor", "ceiling", "driver", "cuda", "cudnn"})
# Names that many machines share: hiding them everywhere would hide words of products instead.
_COMMON_NAMES = frozenset({
    "user", "root", "admin", "administrator", "nvidia", "ubuntu", "debian", "fedora", "jovyan", "host", "localhost",
    "home", "data", "python", "conda", "workstation", "server", "desktop", "laptop", "linux", "windows", "test",
})  # fmt: skip


@dataclass(frozen=True)
class Redaction:
    """How texts are hidden.

    Attributes:
        salt: Secret of this one recording; the same UUID gives the same pseudonym within it and another elsewhere.
        home: The user's home folder.
        user: The user's name, also hidden inside paths.
        host: The machine's name, hidden wherever it stands.
    """

    salt: str
    home: str
    user: str
    host: str = ""

    def pseudonym(self, text: str) -> str:
        """Give a stable stand-in that keeps the prefix (``GPU-``, ``MIG-``)."""
        digest = hashlib.sha256(f"{self.salt}|{text}".encode()).hexdigest()
        shape = f"{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}"
        prefix = text.split("-", 1)[0]
        return f"{prefix}-{shape}" if prefix in ("GPU", "MIG") else shape

    def path(self, text: str) -> str:
        """Give a path or free text without home folder, user, host, identifiers, addresses and tokens."""
        return self._cleaned(text, _hide)

    def sentence(self, text: str) -> str:
        """Give a filled sentence of a rule: like ``path``, but what looks like an address is a version there."""
        return self._cleaned(text, _hide_tokens)

    def _cleaned(self, text: str, hide: Callable[[str], str]) -> str:
        result = text.replace(self.home, "~") if len(self.home) > 1 else text
        if self.user:
            part = re.compile(rf"(?<![^/\\\\:;\s\"'=]){re.escape(self.user)}(?![^/\\\\:;\s\"'@])")
            result = part.sub("user", result)
        result = self.public(_LOGIN.sub("[hidden]@", result))
        result = _UUID.sub(lambda found: self.pseudonym(found.group()), result)
        # Pseudonyms have the shape of UUIDs, so what stands between them is looked at apart.
        pieces = re.split(f"({_UUID.pattern})", result)
        return "".join(piece if _UUID.fullmatch(piece) else hide(piece) for piece in pieces)

    def public(self, text: str) -> str:
        """Give a text that may leave the machine, without the names of user and host when they are telling ones."""
        for name, stand_in in ((self.host, "host"), (self.host.split(".")[0], "host"), (self.user, "user")):
            if len(name) >= 4 and name.lower() not in _COMMON_NAMES:
                text = re.sub(re.escape(name), stand_in, text, flags=re.IGNORECASE)
        return text

    def param(self, name: str, text: str) -> str:
        """Give a parameter of a message; a version with four parts is not taken for an address."""
        is_version = name in _VERSION_PARAMS or name.endswith("version")
        return self.public(text) if is_version and _DOTTED.fullmatch(text) else self.path(text)


def redact(value: T, how: Redaction) -> T:
    """Give a copy of a record that holds nothing personal."""
    result: T = _redact(value, how, None)
    return result


def _redact(value: Any, how: Redaction, mark: str | None) -> Any:  # Any: walks values of every field type
    if isinstance(value, Message | LocalText):
        return _redact_saying(value, how)
    if isinstance(value, Enum | bool | int | float) or value is None:
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


def _redact_saying(value: Message | LocalText, how: Redaction) -> Message | LocalText:
    if isinstance(value, LocalText):
        return LocalText(en=how.sentence(value.en), zh_cn=how.sentence(value.zh_cn))
    params = {key: how.param(key, item) if isinstance(item, str) else item for key, item in value.params.items()}
    return Message(value.id, params)


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
        return _hide_tokens(how.public(text))
    if mark == Privacy.PSEUDONYM:
        return how.pseudonym(text)
    if mark == Privacy.PATH:
        return how.path(text)
    return None


def _hide_tokens(text: str) -> str:
    return _TOKEN.sub("[hidden]", _ASSIGNED.sub(r"\1[hidden]", _LOGIN.sub("[hidden]@", text)))


def _hide(text: str) -> str:
    text = _SHARE.sub(r"\\\\[host]", _hide_tokens(text))
    for pattern in (_MAIL, _MAC, _IPV4, _IPV6):
        text = pattern.sub("[address]", text)
    return text


def _is_text(value: object) -> bool:
    return isinstance(value, str)
