"""What all recorded dataclasses share: unknown keys are kept, and text is private unless it is marked.

Privacy is an allow-list: a text field leaves the machine only when it was declared with ``public_text``, ``pseudonym``
or ``path_text``. Numbers, booleans and enums are not personal and always leave.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
PRIVACY_KEY = "privacy"


class Privacy(StrEnum):
    """What happens to a text when a document leaves the machine."""

    PUBLIC = "public"
    PSEUDONYM = "pseudonym"
    PATH = "path"


@dataclass(frozen=True, kw_only=True)
class Record:
    """Base of dataclasses that are written to files.

    Attributes:
        extra: Keys found in the file that this version does not know, kept for the next writing.
    """

    extra: Mapping[str, JsonValue] = field(default_factory=dict, compare=False, repr=False)


def public_text(default: Any = None) -> Any:  # Any: a dataclass field stands in for its value
    """Declare a text that may leave the machine as it is (names of products, versions)."""
    return field(default=default, metadata={PRIVACY_KEY: Privacy.PUBLIC})


def pseudonym(default: Any = None) -> Any:  # Any: as above
    """Declare an identifier that leaves the machine as a salted pseudonym (UUIDs)."""
    return field(default=default, metadata={PRIVACY_KEY: Privacy.PSEUDONYM})


def path_text(default: Any = None) -> Any:  # Any: as above
    """Declare a path that leaves the machine with the home folder written as ``~``."""
    return field(default=default, metadata={PRIVACY_KEY: Privacy.PATH})
