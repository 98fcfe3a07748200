"""``override`` for the modules that are imported before the first paint.

For type checkers it is the one of typing_extensions, whose import takes several milliseconds of the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing_extensions import override
else:
    _Method = TypeVar("_Method")

    def override(method: _Method) -> _Method:
        """Mark a method that takes the place of one of a base class."""
        return method


__all__ = ["override"]
