"""The folders the product writes to, and writing itself: whole or not at all.

``GPUCONFIG_HOME`` moves all of them below one folder (tests, portable use).
"""

from __future__ import annotations

import errno
import io
import logging
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from gpuconfig_app.core.errors import MissingFileError, StorageError, UnusableFileError
from gpuconfig_app.core.messages import Message

logger = logging.getLogger(__name__)
HOME_VARIABLE = "GPUCONFIG_HOME"


@dataclass(frozen=True)
class Places:
    """Folders by purpose; they need not exist yet.

    Attributes:
        settings: ``settings.json``, window geometry.
        data: Runs, recordings, calibration, proofs.
        cache: What can be made again.
        logs: The rotating log.
    """

    settings: Path
    data: Path
    cache: Path
    logs: Path

    @property
    def runs(self) -> Path:
        """Folder of run folders, one per run."""
        return self.data / "runs"


def user_places() -> Places:
    """Give this user's folders, after the platform's customs."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        root = Path(home)
        return Places(root / "settings", root / "data", root / "cache", root / "logs")
    folders = platformdirs.PlatformDirs("gpuconfig", appauthor=False)
    return Places(folders.user_config_path, folders.user_data_path, folders.user_cache_path, folders.user_log_path)


def write_text(path: Path, text: str, *, mode: int | None = None) -> None:
    """Write a file so that a reader sees the old or the new content, never half of it.

    Raises:
        StorageError: Disk full, no permission, read-only; the old file is unharmed.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".new")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, mode if mode is not None else 0o644)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except (OSError, UnicodeEncodeError) as error:
        raise _storage_error(path, error) from error


def read_text(path: Path, *, limit_bytes: int = 256 * 1024**2) -> str:
    """Read a whole text file.

    Raises:
        MissingFileError: It is not there.
        UnusableFileError: It is too large, not text, or can't be read.
    """
    try:
        is_large = path.stat().st_size > limit_bytes
        with path.open("rb") as file:  # a device or a pipe tells no size
            data = b"" if is_large else file.read(limit_bytes + 1)
        if is_large or len(data) > limit_bytes:
            raise UnusableFileError(Message("core.file-too-large", {"path": str(path), "limit_bytes": limit_bytes}))
        return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig").read()
    except FileNotFoundError as error:
        raise MissingFileError(Message("core.file-missing", {"path": str(path)})) from error
    except UnicodeDecodeError as error:
        raise UnusableFileError(Message("core.not-text", {"path": str(path)})) from error
    except (OSError, ValueError) as error:
        raise UnusableFileError(Message("core.file-unreadable", {"path": str(path), "detail": str(error)})) from error


def _storage_error(path: Path, error: Exception) -> StorageError:
    number = getattr(error, "errno", None)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return StorageError(Message("core.disk-full", {"path": str(path)}), Message("core.disk-full-hint"))
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StorageError(Message("core.no-write-permission", {"path": str(path)}))
    return StorageError(Message("core.cannot-write", {"path": str(path), "detail": str(error)}))
