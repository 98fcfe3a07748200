"""An index in use: pages asked for once, wheels opened, progress told while bytes come."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.knowledge.harvest.package_index import IndexFile, list_files
from gpuconfig_app.knowledge.harvest.pip_settings import IndexSettings
from gpuconfig_app.knowledge.harvest.remote_zip import Wheel, open_wheel
from gpuconfig_app.knowledge.harvest.transport import Limits, Transport

_TELL_EVERY_BYTES = 4 << 20


class Index:
    """Everything the harvest asks for goes through here.

    Args:
        scratch: Folder for whole downloads.
    """

    def __init__(
        self,
        settings: IndexSettings,
        control: JobControl,
        scratch: Path,
        *,
        limits: Limits | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._settings = settings
        self._control = control
        self._scratch = scratch
        self._pages: dict[str, tuple[IndexFile, ...]] = {}
        self._share = 0.0
        self._message = Message("harvest.asking")
        self._since_told = 0
        self._transport = Transport(settings, control, limits=limits, clock=clock, on_bytes=self._count)

    @property
    def received_bytes(self) -> int:
        """All that came so far."""
        return self._transport.received_bytes

    @property
    def requests(self) -> int:
        """How many requests were made."""
        return self._transport.requests

    def files(self, project: str) -> tuple[IndexFile, ...]:
        """Give what is offered of a project, oldest version first; empty when it is not known.

        Raises:
            DownloadError: No answer.
        """
        if project not in self._pages:
            self._pages[project] = list_files(project, self._settings, self._transport)
        return self._pages[project]

    def open(self, file: IndexFile) -> AbstractContextManager[Wheel]:
        """Open a wheel for a while."""
        return open_wheel(file, self._transport, self._scratch)

    def tell(self, share: float, message_id: str, **values: MessageValue) -> None:
        """Say what happens now; the bytes that have come are added to it.

        Raises:
            JobCancelledError: The user ended it.
        """
        self._share, self._message, self._since_told = share, Message(message_id, values), 0
        self._report()

    def _count(self, count: int) -> None:
        self._since_told += count
        if self._since_told >= _TELL_EVERY_BYTES:
            self._since_told = 0
            self._report()

    def _report(self) -> None:
        values = dict(self._message.params) | {"received_bytes": self.received_bytes}
        self._control.report(self._share, Message(self._message.id, values))
