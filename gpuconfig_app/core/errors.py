"""The exceptions of the product: each carries a sentence for the user and, where there is one, a way on.

Expected trouble (a missing driver, a failing reading) is data, never one of these. They stand for unusable files,
impossible answers and bugs.
"""

from __future__ import annotations

from gpuconfig_app.core.messages import Message


class GpuConfigError(Exception):
    """Base of all errors that may reach a user.

    Attributes:
        message: What happened and what it means.
        hint: What to do next, or None when nothing can be done.
    """

    def __init__(self, message: Message, hint: Message | None = None) -> None:
        super().__init__(message.id, dict(message.params))
        self.message = message
        self.hint = hint


class UnusableFileError(GpuConfigError):
    """A file cannot be read, has an unknown schema, or holds something else than expected."""


class MissingFileError(UnusableFileError):
    """A file is not there; where it need not be, that is no trouble."""


class AnswerError(GpuConfigError):
    """An answer of the wizard, or a combination of answers, is impossible."""


class WorkloadError(GpuConfigError):
    """A workload holds numbers that no training can have."""


class StorageError(GpuConfigError):
    """A file could not be written: disk full, no permission, read-only."""


class CommandError(GpuConfigError):
    """An outside program could not be started."""


class UsageError(GpuConfigError):
    """A command line or a request that makes no sense."""
