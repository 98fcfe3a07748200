"""Sentences shown to people, as data: an id with parameters, or a text that carries both languages.

``Message`` is for reasons, errors and missing readings whose sentences lie in ``resources/text/*.toml``;
``LocalText`` is for facts and rules that hold both languages in their own row. Rendering a ``Message`` is the
work of ``workbench.text``; nothing here reads files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

MessageValue = str | int | float | bool


class Language(StrEnum):
    """Languages in which every text exists."""

    ENGLISH = "en"
    CHINESE = "zh_CN"


@dataclass(frozen=True)
class Message:
    """A sentence by name.

    Attributes:
        id: Key in ``resources/text/*.toml``, ``<room>.<kebab-case>``.
        params: Values for the placeholders of the sentence; raw numbers in base units (bytes, seconds, watts).
            A parameter whose name ends in ``_bytes`` is shown as GiB or MiB, one ending in ``_s`` as a duration.
    """

    id: str
    params: Mapping[str, MessageValue] = field(default_factory=dict)


@dataclass(frozen=True)
class LocalText:
    """A sentence that carries both languages, already filled in.

    Attributes:
        en: English.
        zh_cn: Simplified Chinese.
    """

    en: str
    zh_cn: str

    def in_language(self, language: Language) -> str:
        """Give the text in one language."""
        return self.zh_cn if language is Language.CHINESE else self.en

    def filled(self, values: Mapping[str, object]) -> LocalText:
        """Give the same text with its ``{name}`` placeholders replaced.

        Raises:
            KeyError: A placeholder has no value.
        """
        return LocalText(en=self.en.format_map(values), zh_cn=self.zh_cn.format_map(values))
