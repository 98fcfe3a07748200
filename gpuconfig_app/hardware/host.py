"""The machine around the cards: ``read_host()`` for every operating system.

What is special to one system is in ``host_linux``, ``host_windows`` and ``host_macos``; everything they read comes in
through ``HostSources``, so that each can be tested anywhere with recorded output.
"""

from __future__ import annotations

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import HostInfo, OsFamily, OsInfo
from gpuconfig_app.hardware.host_linux import read_linux_host
from gpuconfig_app.hardware.host_macos import read_macos_host
from gpuconfig_app.hardware.host_sources import HostSources
from gpuconfig_app.hardware.host_windows import read_windows_host

__all__ = ["HostSources", "read_host"]


def read_host(sources: HostSources | None = None) -> HostInfo:
    """Give what can be known about this machine without root and without starting anything slow.

    Args:
        sources: Where everything is read from; default this machine with this program's variables.

    Returns:
        Fields that could not be read are None and have their reason in ``absent`` by dotted name.
    """
    given = sources if sources is not None else HostSources()
    if given.platform.startswith("linux"):
        return read_linux_host(given)
    if given.platform == "win32":
        return read_windows_host(given)
    if given.platform == "darwin":
        return read_macos_host(given)
    reason = Message("host.not-on-this-system")
    system = OsInfo(family=OsFamily.OTHER, architecture=given.machine or None)
    return HostInfo(
        os=system,
        memory=given.memory(),
        host_name=given.host_name or None,
        absent={"cpu.flags": reason, "os.glibc_version": reason},
    )
