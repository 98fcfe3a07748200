"""A measure against too little memory in one line, the same in the window and on the command line."""

from __future__ import annotations

from collections.abc import Callable

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import MemoryMeasure


def measure_text(measure: MemoryMeasure, sentence: Callable[[Message], str]) -> str:
    """Give what to do, which batch fits then and what it costs in time.

    Args:
        sentence: Gives a message in the reader's language.
    """
    parts = (measure.message, measure.effect, measure.price)
    return " · ".join(sentence(part) for part in parts if part is not None)
