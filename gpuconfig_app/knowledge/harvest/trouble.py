"""What can go wrong while facts are read from a package index; each carries a sentence for the user."""

from __future__ import annotations

from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.messages import Message


class RefreshError(GpuConfigError):
    """The facts could not be read; the tables stay as they are."""


class DownloadError(RefreshError):
    """An address gave no answer, broke off, or answered with an error."""


class UnreadableWheelError(RefreshError):
    """A wheel is damaged, or holds something this version cannot read."""


class RangesUnservedError(Exception):
    """A server sends whole files only; the reader then downloads the file."""


def unreadable(wheel: str, detail: str) -> UnreadableWheelError:
    """Give the error of a wheel that cannot be used."""
    return UnreadableWheelError(Message("harvest.wheel-unreadable", {"wheel": wheel, "detail": detail}))
