"""What the message bar is told: one line per topic."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.messages import Message


@dataclass(frozen=True)
class Notice:
    """One line of the message bar.

    Attributes:
        topic: A newer notice of the same topic replaces the older one.
        message: What happened and what it means.
        hint: What to do next.
        is_over: The topic is settled; its line is taken away.
        page: Page that shows more; empty for none.
        stays: It stays until it is closed although it is no error: the end of something that took long.
    """

    topic: str
    severity: Severity
    message: Message
    hint: Message | None = None
    is_over: bool = False
    page: str = ""
    stays: bool = False


def notice_of_error(topic: str, error: Exception) -> Notice:
    """Turn an exception into a line: ours in its own words, any other as a defect that the log explains."""
    if isinstance(error, GpuConfigError):
        return Notice(topic, Severity.BLOCKED, error.message, error.hint)
    return Notice(topic, Severity.BLOCKED, Message("ui.defect", {"kind": type(error).__name__}))
