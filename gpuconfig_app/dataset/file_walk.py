"""Walks a data folder without following loops, in an order that is the same on every run.

Folders inside a class are walked, links to folders are not, as ``pathlib.Path.rglob`` does in the scripts; a class
folder itself may be a link.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gpuconfig_app.core.job import JobControl


@dataclass(frozen=True)
class FoundFile:
    """A file of a class.

    Attributes:
        path: Where it is.
        name: Below the data folder, with ``/``.
        size_bytes: 0 for a link that leads nowhere, and for what is no file: a pipe, a device.
        is_missing: It is one of these.
        is_hidden: It, or a folder below its class, has a name that begins with a dot.
    """

    path: Path
    name: str
    size_bytes: int
    modified_ns: int
    is_hidden: bool
    is_missing: bool = False

    @property
    def suffix(self) -> str:
        """Ending in small letters, with its dot."""
        return self.path.suffix.lower()


@dataclass
class WalkTroubles:
    """What was passed over while walking."""

    closed_folders: int = 0
    linked_folders: int = 0
    entries: list[str] = field(default_factory=list)


def sorted_entries(folder: Path, troubles: WalkTroubles) -> list[os.DirEntry[str]]:
    """Give the entries of a folder by name; a folder that may not be read is counted and empty."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        troubles.closed_folders += 1
        return []


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def walk_files(folder: Path, root: Path, troubles: WalkTroubles, control: JobControl) -> Iterator[FoundFile]:
    """Give all files below a folder, names sorted, deepest last.

    Raises:
        JobCancelledError: The user ended the scan.
    """
    waiting = [(folder, False)]
    while waiting:
        current, is_hidden = waiting.pop()
        control.check()
        inner = []
        for entry in sorted_entries(current, troubles):
            hidden = is_hidden or entry.name.startswith(".")
            if is_folder(entry):
                if entry.is_symlink():
                    troubles.linked_folders += 1
                else:
                    inner.append((Path(entry.path), hidden))
                continue
            yield _found(entry, root, is_hidden=hidden)
        waiting += reversed(inner)


def _found(entry: os.DirEntry[str], root: Path, *, is_hidden: bool) -> FoundFile:
    path = Path(entry.path)
    name = path.relative_to(root).as_posix()
    try:
        facts = entry.stat()
    except OSError:
        return FoundFile(path, name, 0, 0, is_hidden, is_missing=True)
    if not stat.S_ISREG(facts.st_mode):  # whoever opens a pipe waits for ever
        return FoundFile(path, name, 0, 0, is_hidden, is_missing=True)
    return FoundFile(path, name, facts.st_size, facts.st_mtime_ns, is_hidden)


def fingerprint(files: list[FoundFile]) -> str:
    """Give a digest of names, sizes and times; it changes when a cache of decoded data may no longer be used."""
    digest = hashlib.sha256()
    for file in sorted(files, key=lambda item: item.name):
        line = f"{file.name}\0{file.size_bytes}\0{file.modified_ns}\n"
        digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:16]


def as_text(name: str) -> str:
    """Give a name that can be written: bytes that are no text are spelled out in hexadecimal."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def is_text(name: str) -> bool:
    """Whether a name can be written as it is."""
    return as_text(name) == name
