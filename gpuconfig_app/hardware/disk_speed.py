"""A short, safe reading of a data folder: how many bytes and files a second come from it.

Only reads, only regular files that lie in the folder itself (no links, pipes or devices), at most so many bytes and for
so long. Network drives may hang, and a read from one can't be interrupted: listing and reading run on daemon threads
of their own, and the caller stops waiting (see ``time_limit``).

Files that were just looked at still lie in the operating system's memory and would be read a hundred times too fast.
Where the system allows it without special rights, each file's pages are given up before it is read (``posix_fadvise``),
and whether they really are gone is asked of it by reads that must not wait (``RWF_NOWAIT``, Linux). Where either is
missing, as on a file system in memory, the result says that it may come from the cache.
"""

from __future__ import annotations

import logging
import os
import stat
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from gpuconfig_app.core.disk_speed import DiskSpeed
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware.time_limit import PendingAnswer

logger = logging.getLogger(__name__)

# Too little to tell anything: such data are in memory after the first epoch anyway.
_LEAST_BYTES, _LEAST_FILES = 4 * MIB, 100
_CHUNK = 1 * MIB
_PROBES = 4
_CACHED_SHARE = 0.1
_WAIT_S = 0.02
# What a reader needs to see that it is over, in the middle of a chunk from a slow disk.
_GRACE_S = 0.2


@dataclass(frozen=True, kw_only=True)
class CheckLimits:
    """Bounds of the check.

    Attributes:
        listing_s: For finding files.
        reading_s: For reading them.
        most_bytes: In all.
        most_file_bytes: Of one file; a larger one is not read to its end.
        most_files: That are read.
        most_folders: That are listed.
        most_in_folder: Entries looked at in one folder, so that one with millions is no trap.
    """

    listing_s: float = 0.4
    reading_s: float = 1.2
    most_bytes: int = 512 * MIB
    most_file_bytes: int = 256 * MIB
    most_files: int = 4000
    most_folders: int = 1000
    most_in_folder: int = 400


@dataclass
class _Tally:
    """What the readers have done so far; guarded by its lock.

    Attributes:
        probes: Pages asked for before reading; ``cached`` were in memory, ``unclear`` gave no answer.
    """

    waiting: deque[Path]
    left_bytes: int
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_over: threading.Event = field(default_factory=threading.Event)
    read_bytes: int = 0
    whole_files: int = 0
    probes: int = 0
    cached: int = 0
    unclear: int = 0

    def next_file(self) -> Path | None:
        with self.lock:
            return self.waiting.popleft() if self.waiting and not self.is_over.is_set() else None

    def grant(self, wanted: int) -> int:
        """Give leave to read so many bytes or fewer; 0 when enough were read."""
        with self.lock:
            granted = 0 if self.is_over.is_set() else min(wanted, self.left_bytes)
            self.left_bytes -= granted
            return granted

    def add(self, size: int) -> None:
        with self.lock:
            self.read_bytes += size

    def add_file(self) -> None:
        with self.lock:
            self.whole_files += 1

    def add_probes(self, probes: int, cached: int, unclear: int) -> None:
        with self.lock:
            self.probes += probes
            self.cached += cached
            self.unclear += unclear


def measure_disk_speed(
    path: Path,
    control: JobControl | None = None,
    *,
    readers: int = 8,
    limits: CheckLimits | None = None,
    open_file: Callable[[Path], int] | None = None,
) -> DiskSpeed | None:
    """Read a sample of a data folder, or of one file, for at most about two seconds.

    Args:
        path: Folder or file as the user gave it; itself it may be a link.
        control: Cancellation.
        readers: Files to read side by side, as many as the training will.
        open_file: Opens a file for reading; for tests.

    Returns:
        None when it can't be told: nothing there, nothing readable, too little of it, or a drive that does not answer.

    Raises:
        JobCancelledError: The user ended the check; threads that hang are left behind.
    """
    steering, bounds = control or JobControl(), limits or CheckLimits()
    listing = PendingAnswer(lambda: _find_files(path, bounds, steering), "gpuconfig-disk-listing")
    _wait(listing.wait, bounds.listing_s + _GRACE_S, steering)
    if not listing.is_done:
        logger.info("no listing of %s within %s s", path, bounds.listing_s)
        return None
    files = listing.result()
    if not files:
        return None
    tally = _Tally(waiting=deque(files), left_bytes=bounds.most_bytes)
    opening = open_file or _open
    count = max(1, min(readers, len(files)))
    begin = time.perf_counter()
    threads = [
        PendingAnswer(lambda: _read_files(tally, bounds, steering, opening), f"gpuconfig-disk-{number}")
        for number in range(count)
    ]
    end = begin + bounds.reading_s
    try:
        for thread in threads:
            _wait(thread.wait, end - time.perf_counter(), steering)
    finally:
        tally.is_over.set()
    return _speed_of(tally, threads, time.perf_counter() - begin, steering)


def _speed_of(
    tally: _Tally, threads: list[PendingAnswer[None]], elapsed_s: float, steering: JobControl
) -> DiskSpeed | None:
    with tally.lock:
        size, files = tally.read_bytes, tally.whole_files
        is_from_cache = bool(tally.unclear) or tally.cached > _CACHED_SHARE * tally.probes or not tally.probes
    grace = time.perf_counter() + _GRACE_S
    for thread in threads:
        _wait(thread.wait, grace - time.perf_counter(), steering)
    if size < _LEAST_BYTES and files < _LEAST_FILES:
        return None
    return DiskSpeed(
        read_bytes_per_s=size / elapsed_s,
        files_per_s=files / elapsed_s if files else None,
        sample_bytes=size,
        sample_files=files,
        readers=len(threads),
        is_from_cache=is_from_cache,
        is_complete=all(thread.is_done for thread in threads),
        measured_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _wait(wait: Callable[[float], bool], timeout_s: float, steering: JobControl) -> None:
    """Wait for the end of something, at most so long, and no longer than the user wants."""
    end = time.perf_counter() + timeout_s
    while not wait(min(_WAIT_S, end - time.perf_counter())):
        steering.check()
        if time.perf_counter() >= end:
            return
    steering.check()


def _find_files(path: Path, bounds: CheckLimits, steering: JobControl) -> list[Path]:
    """Find regular files, folders in turn so that all of them have a share; none that can't be read is an error."""
    end = time.perf_counter() + bounds.listing_s
    if _is_regular(path):
        return [Path(os.path.realpath(path))]
    by_folder: list[list[Path]] = []
    waiting = deque([path])
    while waiting and len(by_folder) < bounds.most_folders and time.perf_counter() < end and not steering.is_cancelled:
        files: list[Path] = []
        for entry in _entries(waiting.popleft(), bounds.most_in_folder):
            if entry.is_dir(follow_symlinks=False):
                waiting.append(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                files.append(Path(entry.path))
        by_folder.append(files)
    longest = max((len(files) for files in by_folder), default=0)
    in_turn = (files[number] for number in range(longest) for files in by_folder if number < len(files))
    return list(in_turn)[: bounds.most_files]


def _entries(folder: Path, most: int) -> Iterator[os.DirEntry[str]]:
    """Give the first entries of a folder, hidden ones left out; none when it may not be read or is gone."""
    try:
        with os.scandir(folder) as entries:
            for number, entry in enumerate(entries):
                if number >= most:
                    return
                if not entry.name.startswith("."):
                    yield entry
    except (OSError, ValueError):
        return


def _is_regular(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _read_files(tally: _Tally, bounds: CheckLimits, steering: JobControl, open_file: Callable[[Path], int]) -> None:
    """Read file after file until there is none left, enough was read, or it is over; what can't be read is passed."""
    buffer = bytearray(_CHUNK)
    while not steering.is_cancelled and (path := tally.next_file()) is not None:
        try:
            handle = open_file(path)
        except (OSError, ValueError):
            continue
        try:
            _read_file(handle, buffer, tally, bounds, steering)
        except OSError as error:
            logger.debug("%s was not read: %s", path, error)
        finally:
            os.close(handle)


def _open(path: Path) -> int:
    """Open a regular file; should it have become a pipe or a link meanwhile, nothing waits and nothing is followed.

    Raises:
        OSError: It can't be opened or is no regular file.
    """
    flags = os.O_RDONLY
    for name in ("O_BINARY", "O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "O_NOFOLLOW"):
        flags |= getattr(os, name, 0)
    handle = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{path} is no regular file")
    return handle


def _read_file(handle: int, buffer: bytearray, tally: _Tally, bounds: CheckLimits, steering: JobControl) -> None:
    size = os.fstat(handle).st_size
    if size == 0:
        return
    _give_up_pages(handle)
    tally.add_probes(*_ask_for_pages(handle, size))
    done = 0
    while done < min(size, bounds.most_file_bytes) and not steering.is_cancelled:
        granted = tally.grant(min(_CHUNK, size - done))
        if granted == 0:
            return
        got = _read_into(handle, buffer, granted)
        tally.add(got)
        done += got
        if got == 0:
            break
    if done >= size:
        tally.add_file()


def _read_into(handle: int, buffer: bytearray, size: int) -> int:
    if hasattr(os, "readv"):
        return os.readv(handle, [memoryview(buffer)[:size]])
    return len(os.read(handle, size))


def _give_up_pages(handle: int) -> None:
    """Ask the system to forget what it holds of a file; changed pages that were not written yet stay."""
    if not hasattr(os, "posix_fadvise"):
        return
    try:
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    except OSError as error:
        logger.debug("pages are kept: %s", error)


def _ask_for_pages(handle: int, size: int) -> tuple[int, int, int]:
    """Ask for some bytes of a file that must not be waited for.

    Returns:
        Bytes asked for, those that were in memory, those without an answer.
    """
    if not hasattr(os, "preadv") or not hasattr(os, "RWF_NOWAIT"):
        return 1, 0, 1
    cached = 0
    for number in range(_PROBES):
        try:
            cached += os.preadv(handle, [bytearray(1)], size * number // _PROBES, os.RWF_NOWAIT)
        except BlockingIOError:
            continue
        except OSError:
            return 1, 0, 1
    return _PROBES, cached, 0
