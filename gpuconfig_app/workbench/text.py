"""Turn a ``Message`` into a sentence of one language.

Sentences lie in ``resources/text/<room>.toml``; the file's name is the first part of a message's id. Numbers are raw
in messages and get their unit here, so that every place writes them alike.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from gpuconfig_app.core.messages import Language, LocalText, Message, MessageValue
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.units import format_bytes, format_count, format_duration
from gpuconfig_app.resources import resource_path

logger = logging.getLogger(__name__)
# Parameters that may hold anything a user or a stranger's file says.
_TYPED = frozenset({"value", "name", "text", "path", "id", "detail", "key", "column"})
_TYPED_LENGTH = 400


class Texts:
    """All sentences of the product.

    Args:
        rows: Text by message id.
    """

    def __init__(self, rows: Mapping[str, LocalText]) -> None:
        self._rows = rows

    @property
    def ids(self) -> frozenset[str]:
        """Ids of all sentences."""
        return frozenset(self._rows)

    def render(self, message: Message, language: Language) -> str:
        """Give the sentence of a message; a sentence that is missing or does not fit its values shows its id."""
        row = self._rows.get(message.id)
        if row is None:
            logger.error("no sentence for %s", message.id)
            return _bare(message)
        values = {key: shown_value(key, value) for key, value in message.params.items()}
        try:
            return row.in_language(language).format_map(values)
        except (KeyError, ValueError, IndexError) as error:
            logger.error("sentence %s does not fit its values: %r", message.id, error)  # noqa: TRY400  # no traceback
            return _bare(message)

    def both(self, message: Message) -> LocalText:
        """Give the sentence in both languages."""
        return LocalText(en=self.render(message, Language.ENGLISH), zh_cn=self.render(message, Language.CHINESE))

    def as_json(self, message: Message) -> JsonValue:
        """Give id, parameters and both sentences, the form of command output."""
        text = self.both(message)
        params: dict[str, JsonValue] = dict(message.params)
        return {"id": message.id, "params": params, "en": text.en, "zh_cn": text.zh_cn}


def shown_value(name: str, value: MessageValue) -> str:
    """Write a parameter for people: by the unit in its name, whole numbers grouped."""
    if isinstance(value, bool | str):
        return _shortened(name, str(value))
    if name.endswith("_bytes"):
        return format_bytes(int(value))
    if name.endswith("_s") or name == "s":
        return format_duration(float(value))
    if isinstance(value, int):
        return format_count(value) if abs(value) >= 10_000 else str(value)
    return f"{value:.3g}"


def _shortened(name: str, text: str) -> str:
    """Keep what somebody typed from drowning the sentence around it."""
    is_typed = name in _TYPED and len(text) > _TYPED_LENGTH
    return f"{text[: _TYPED_LENGTH // 2]}…{text[-_TYPED_LENGTH // 4 :]}" if is_typed else text


class _Rooms(Mapping[str, LocalText]):
    """The sentence files as one mapping; each file is read when a sentence of it is first asked for."""

    def __init__(self) -> None:
        self._paths = {path.stem: path for path in sorted(resource_path("text").glob("*.toml"))}
        self._rows: dict[str, LocalText] = {}
        self._unread = set(self._paths)

    def __getitem__(self, name: str) -> LocalText:
        self._read(name.partition(".")[0])
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        self._read_all()
        return iter(self._rows)

    def __len__(self) -> int:
        self._read_all()
        return len(self._rows)

    def _read_all(self) -> None:
        for room in sorted(self._unread):
            self._read(room)

    def _read(self, room: str) -> None:
        if room in self._unread:
            self._rows.update(_read_rows(self._paths[room]))
            self._unread.discard(room)


@cache
def load_texts() -> Texts:
    """Give every sentence; its file is read when it is first needed.

    Raises:
        tomllib.TOMLDecodeError: On use, when a file is broken (a defect of the installation).
    """
    return Texts(_Rooms())


def _read_rows(path: Path) -> dict[str, LocalText]:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return {f"{path.stem}.{name}": LocalText(en=row["en"], zh_cn=row["zh_cn"]) for name, row in table.items()}


def _bare(message: Message) -> str:
    values = ", ".join(f"{key}={value}" for key, value in message.params.items())
    return f"{message.id} ({values})" if values else message.id
