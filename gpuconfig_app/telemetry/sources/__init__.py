"""What gives readings: this machine, a recorded one, later a remote one.

To add a kind, write ``sources/<kind>.py`` with a class that fits ``Source`` and add one line to
``sources/registry.py``. The contract test in ``tests/unit/telemetry/test_source_contract.py`` runs it.
"""

from __future__ import annotations

from typing import Protocol

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Sample


class Source(Protocol):
    """Something whose devices can be read again and again.

    The sampler calls ``open`` once on a thread of its own, then ``read`` from two threads for each device: one for fast
    readings, one for slow ones. No call is ever made on the window's thread, and none is waited for at exit.

    Attributes:
        machine: ``SystemReport.machine_id`` of the machine that is read.
    """

    @property
    def machine(self) -> str:
        """Give the machine's id."""
        ...

    def open(self) -> Message | None:
        """Make ready to read.

        Returns:
            None when there are devices, else the reason why there are none.

        For source authors:
            May block for seconds. Expected trouble is the returned sentence, never an exception.
        """
        ...

    def keys(self) -> tuple[DeviceKey, ...]:
        """Give the devices, in the machine's order.

        For source authors:
            Must answer at once, also before ``open`` (then with what is known so far) and while a ``read`` hangs.
        """
        ...

    def read(self, key: DeviceKey, *, is_slow: bool) -> Sample:
        """Look at one device once.

        Args:
            is_slow: Read what takes long (PCIe counters, process lists) instead of what does not.

        For source authors:
            Called from several threads at once; a call for one device must not wait for another device's. A missing
            reading goes into ``Sample.absent`` with its reason, never as 0. A device that fails as a whole gives a
            sample without values, with ``error`` and liveness LOST; the sampler then asks less often and goes on when
            it comes back. A sleeping device is not woken: liveness ASLEEP. Nothing to tell yet: WAITING, which is
            not handed on and asked again soon. Nothing more to come: ENDED.
        """
        ...
