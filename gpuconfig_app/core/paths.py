"""Questions about paths that never raise: what may not be looked at, or has a name no file system takes, is not there.

``Path.exists()`` and its kin raise for a folder without permission and for a name that is too long; a path typed by a
person, named by a variable or met on a walk may be either.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_there(path: Path) -> bool:
    """Whether something can be seen at a path; a link counts when it leads somewhere."""
    return os.path.exists(path)  # noqa: PTH110  # the one of pathlib raises


def is_file(path: Path) -> bool:
    """Whether a file can be seen at a path."""
    return os.path.isfile(path)  # noqa: PTH113  # as above


def is_folder(path: Path) -> bool:
    """Whether a folder can be seen at a path."""
    return os.path.isdir(path)  # noqa: PTH112  # as above


def expanded(text: str) -> Path:
    """Give a typed path with ``~`` as the home folder; the path as it is where no such home is known."""
    path = Path(text)
    try:
        return path.expanduser()
    except RuntimeError:  # ~name of an unknown user, or a user without a home
        return path
