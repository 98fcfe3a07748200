"""Dataclasses to JSON and back: every document has a kind and a schema number, old schemas are migrated step by step.

Reading is strict where a wrong value would mislead (types, enums) and lenient where time brings changes: unknown keys
are kept in ``extra``, missing ones take the field's default.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import JsonValue

T = TypeVar("T")
Migration = Callable[[dict[str, JsonValue]], dict[str, JsonValue]]


@dataclass(frozen=True)
class DocumentKind(Generic[T]):
    """One kind of file or command output.

    Attributes:
        name: Written into the document as ``document``.
        schema: Newest schema number, from 1.
        type: Dataclass it holds.
        migrations: Step from schema n to n + 1, by n.
    """

    name: str
    schema: int
    type: type[T]
    migrations: Mapping[int, Migration]


def encode(
    value: object, *, keep_none: bool = False, message: Callable[[Message], JsonValue] | None = None
) -> JsonValue:
    """Turn a dataclass (or any of its parts) into JSON values.

    Args:
        value: Dataclasses, enums, mappings, sequences and plain values.
        keep_none: Write fields that are None; files leave them out, command output keeps them.
        message: How a ``Message`` is written; default ``{"id": …, "params": …}``.
    """
    if isinstance(value, Message):
        return message(value) if message else {"id": value.id, "params": dict(value.params)}
    if isinstance(value, Enum):
        return encode(value.value)
    if is_dataclass(value) and not isinstance(value, type):
        return _encode_dataclass(value, keep_none, message)
    if isinstance(value, Mapping):
        return {str(encode(key)): encode(item, keep_none=keep_none, message=message) for key, item in value.items()}
    if isinstance(value, list | tuple | frozenset):
        return [encode(item, keep_none=keep_none, message=message) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"cannot be written as JSON: {type(value).__name__}")


def decode(kind: type[T], data: JsonValue, where: str = "") -> T:
    """Build a value of type ``kind`` from JSON values.

    Args:
        kind: Dataclass or any type used in one.
        data: What ``json.loads`` gave.
        where: Dotted place for error messages.

    Raises:
        UnusableFileError: A value has the wrong type or an unknown word.
    """
    result: T = _decode(kind, data, where)
    return result


def dump_document(kind: DocumentKind[T], value: T) -> str:
    """Write a document: readable, sorted like its dataclass, one final newline."""
    body = encode(value)
    if not isinstance(body, dict):
        raise TypeError(f"{kind.name} is not a document")
    head: dict[str, JsonValue] = {"document": kind.name, "schema": kind.schema}
    if head.keys() & body.keys():
        raise TypeError(f"{kind.type.__name__} has a field that is named like the head of a document")
    return json.dumps(head | body, ensure_ascii=False, indent=2) + "\n"


def load_document(kind: DocumentKind[T], text: str) -> T:
    """Read a document of any known schema.

    Raises:
        UnusableFileError: Not JSON, another kind, a newer schema, or wrong values.
    """
    try:
        data = json.loads(text, parse_int=_whole_number)
    except (ValueError, RecursionError) as error:
        raise UnusableFileError(Message("core.not-json", {"detail": str(error)})) from error
    if not isinstance(data, dict) or data.get("document") != kind.name:
        raise UnusableFileError(Message("core.other-kind", {"expected": kind.name}))
    schema = data.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise UnusableFileError(Message("core.no-schema", {"expected": kind.name}))
    if schema > kind.schema:
        raise UnusableFileError(Message("core.newer-schema", {"found": schema, "known": kind.schema}))
    data.pop("document")
    data.pop("schema")
    for step in range(schema, kind.schema):
        data = kind.migrations[step](data)
    return decode(kind.type, data)


def _whole_number(text: str) -> int:
    """Read a whole number, but none so far beyond all sizes and counts that reckoning with it overflows."""
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"a number with {len(text)} digits")
    return int(text)


def _encode_dataclass(
    value: Any,  # Any: a dataclass instance has no common type
    keep_none: bool,
    message: Callable[[Message], JsonValue] | None,
) -> dict[str, JsonValue]:
    result: dict[str, JsonValue] = {}
    for item in fields(value):
        if item.name == "extra":
            continue
        inner = getattr(value, item.name)
        if inner is None and not keep_none:
            continue
        result[item.name] = encode(inner, keep_none=keep_none, message=message)
    for key, kept in getattr(value, "extra", {}).items():
        result.setdefault(key, kept)
    return result


_PLAIN = frozenset({str, int, bool, float})
_MOST_DIGITS = 50


@lru_cache(maxsize=256)
def _hints(kind: type) -> Mapping[str, Any]:  # Any: type forms
    return get_type_hints(kind)


def _wrong(where: str, expected: str) -> UnusableFileError:
    return UnusableFileError(Message("core.wrong-value", {"where": where or "document", "expected": expected}))


def _decode(kind: Any, data: JsonValue, where: str) -> Any:  # Any: type forms in, values out
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _decode_union(kind, data, where)
    if origin is tuple:
        return _decode_tuple(get_args(kind), data, where)
    if origin is not None and issubclass(origin, Mapping):
        return _decode_mapping(get_args(kind), data, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(data)
        except ValueError as error:
            raise _wrong(where, "/".join(str(item.value) for item in kind)) from error
    if is_dataclass(kind) and isinstance(kind, type):
        return _decode_dataclass(kind, data, where)
    return _decode_plain(kind, data, where)


def _decode_union(kind: Any, data: JsonValue, where: str) -> Any:  # Any: as above
    choices = get_args(kind)
    if data is None and type(None) in choices:
        return None
    if JsonValue in choices or kind == JsonValue:
        return data
    errors: list[UnusableFileError] = []
    for choice in choices:
        if choice is type(None):
            continue
        try:
            return _decode(choice, data, where)
        except UnusableFileError as error:
            errors.append(error)
    raise errors[-1]


def _decode_tuple(args: tuple[Any, ...], data: JsonValue, where: str) -> tuple[Any, ...]:  # Any: as above
    if not isinstance(data, list):
        raise _wrong(where, "list")
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_decode(args[0], item, f"{where}[{number}]") for number, item in enumerate(data))
    if len(args) != len(data):
        raise _wrong(where, f"list of {len(args)}")
    return tuple(_decode(arg, item, f"{where}[{i}]") for i, (arg, item) in enumerate(zip(args, data, strict=True)))


def _decode_mapping(args: tuple[Any, ...], data: JsonValue, where: str) -> dict[Any, Any]:  # Any: as above
    if not isinstance(data, dict):
        raise _wrong(where, "object")
    key_kind, value_kind = args
    return {
        _decode_key(key_kind, key, where): _decode(value_kind, item, f"{where}.{key}") for key, item in data.items()
    }


def _decode_key(kind: Any, key: str, where: str) -> Any:  # Any: as above
    if kind is int:
        if not key.lstrip("-").isdigit():
            raise _wrong(where, "whole number as key")
        return int(key)
    return _decode(kind, key, where)


def _decode_dataclass(kind: type, data: JsonValue, where: str) -> Any:  # Any: as above
    if not isinstance(data, dict):
        raise _wrong(where, "object")
    plan = _plan(kind)
    values: dict[str, Any] = {}  # Any: field values
    for name, hint, has_default, is_required in plan:
        if name in data and not (has_default and data[name] is None):
            item = data[name]
            is_plain = type(item) is hint and hint in _PLAIN  # most values are; the rest takes the long way
            values[name] = item if is_plain else _decode(hint, item, f"{where}.{name}" if where else name)
        elif is_required:
            raise _wrong(f"{where}.{name}" if where else name, "a value")
    names = _names(kind)
    if "extra" in names:
        values["extra"] = {key: item for key, item in data.items() if key not in names}
    return kind(**values)


@lru_cache(maxsize=256)
def _names(kind: type) -> frozenset[str]:
    return frozenset(item.name for item in fields(kind))


@lru_cache(maxsize=256)
def _plan(kind: type) -> tuple[tuple[str, Any, bool, bool], ...]:  # Any: type forms
    """Give name, type form, "has a default value" and "must be there" of each field, the kept keys left out."""
    hints = _hints(kind)
    return tuple(
        (
            item.name,
            hints[item.name],
            item.default is not MISSING,
            item.default is MISSING and item.default_factory is MISSING,
        )
        for item in fields(kind)
        if item.name != "extra"
    )


def _decode_plain(kind: Any, data: JsonValue, where: str) -> Any:  # Any: as above
    if kind is Any or kind is object:
        return data
    if kind is float and isinstance(data, int | float) and not isinstance(data, bool):
        try:
            return float(data)
        except OverflowError as error:  # a whole number may be larger than any float
            raise _wrong(where, "float") from error
    if kind is bool and isinstance(data, bool):
        return data
    if kind is int and isinstance(data, int) and not isinstance(data, bool):
        return data
    if kind is str and isinstance(data, str):
        return data
    if kind is type(None) and data is None:
        return None
    if kind in (list, dict) or get_origin(kind) in (list, dict):
        return data
    raise _wrong(where, getattr(kind, "__name__", str(kind)))
