"""Values of our dataclasses made from their annotations: one fixed example, and a strategy for Hypothesis."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from gpuconfig_app.core.messages import LocalText, Message

_PLAIN = {str: "text", int: 42, float: 2.5, bool: True}
_TEXTS = st.text(max_size=12)
_NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | _NUMBERS | _TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXTS, inner, max_size=2),
    max_leaves=4,
)


def example(kind: Any, name: str = "") -> Any:
    """Give a value of a type with every field filled, the same in every run.

    Args:
        name: Of the field; texts take it as their value.
    """
    if kind is Message:
        return Message("core.not-json", {"detail": "text"})
    if kind is LocalText:
        return LocalText(en="English", zh_cn="中文")
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(
            **{item.name: example(hints[item.name], item.name) for item in fields(kind) if item.name != "extra"}
        )
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)[-1]
    if get_origin(kind) in (Union, types.UnionType):
        return "text" if _is_json(kind) else example(next(a for a in get_args(kind) if a is not type(None)), name)
    if get_origin(kind) is tuple:
        args = get_args(kind)
        return (example(args[0], name),) if args[-1] is Ellipsis else tuple(example(item, name) for item in args)
    if get_origin(kind) is not None and issubclass(get_origin(kind), Mapping):
        key, value = get_args(kind)
        return {example(key, "key"): example(value, name)}
    return name or "text" if kind is str else _PLAIN[kind]


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Give a strategy for values of a type, ``extra`` left empty."""
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        parts = {item.name: values_of(hints[item.name]) for item in fields(kind) if item.name != "extra"}
        return st.builds(kind, **parts)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    if _is_json(kind):
        return _JSON
    if get_origin(kind) in (Union, types.UnionType):
        return st.one_of(*(values_of(item) for item in get_args(kind)))
    if get_origin(kind) is tuple:
        args = get_args(kind)
        if args[-1] is Ellipsis:
            return st.lists(values_of(args[0]), max_size=2).map(tuple)
        return st.tuples(*(values_of(item) for item in args))
    if get_origin(kind) is not None and issubclass(get_origin(kind), Mapping):
        key, value = get_args(kind)
        return st.dictionaries(values_of(key), values_of(value), max_size=2)
    plain = {str: _TEXTS, int: st.integers(), float: _NUMBERS, bool: st.booleans(), type(None): st.none()}
    return plain[kind]


def _is_json(kind: Any) -> bool:
    """Whether a type is ``JsonValue``, whose forward references make it unequal to itself once resolved."""
    return get_origin(kind) in (Union, types.UnionType) and any(get_origin(item) is list for item in get_args(kind))
