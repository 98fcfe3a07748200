r"""The same file as Windows and as a WSL distribution name it.

``C:\x`` is ``/mnt/c/x``, ``\\wsl.localhost\NAME\x`` is ``/x``. Text only; nothing is looked up.
"""

from __future__ import annotations

import re

DRIVES = "/mnt/"
_DRIVE = re.compile(r"^(?:\\\\\?\\)?([A-Za-z]):[\\/]?(.*)$", re.DOTALL)
_SHARE = re.compile(r"^[\\/]{2}(?:wsl\.localhost|wsl\$)[\\/]([^\\/]+)(.*)$", re.IGNORECASE | re.DOTALL)


def to_wsl(path: str, distribution: str, drives: str | None = DRIVES) -> str | None:
    """Give what a distribution calls a path of Windows; None when it can't see it.

    Args:
        path: Absolute, with a drive or below the share of a distribution.
        distribution: From which it is seen.
        drives: Where the distribution shows the drives of Windows; None when it does not.
    """
    share = _SHARE.match(path)
    if share is not None:
        inside = share.group(2).replace("\\", "/") or "/"
        return inside if share.group(1).lower() == distribution.lower() else None
    drive = _DRIVE.match(path)
    if drive is None or drives is None:
        return None
    rest = drive.group(2).replace("\\", "/").strip("/")
    return f"{drives.rstrip('/')}/{drive.group(1).lower()}" + (f"/{rest}" if rest else "")
