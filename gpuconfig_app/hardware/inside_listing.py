"""Reads the listing of ``look_inside.sh`` and lays it out as a folder.

So the readers of Linux hosts and of Python environments read another system's files as they read this one's: names and
small texts, never contents of libraries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from gpuconfig_app.hardware.python_packages import is_relevant, normal_name
from gpuconfig_app.hardware.small_files import LIMIT_BYTES

# Of a listing that is longer the rest is not read; hundreds of environments stay below it.
ENTRY_LIMIT = 300_000
_METADATA = (".dist-info", ".egg-info")
# No Windows folder takes these; such an entry is left out there, and everywhere alike.
_FORBIDDEN = frozenset('<>"|?*\\:\0')


@dataclass
class Listing:
    """What a system told of itself.

    Attributes:
        home: Home folder there.
        drives: Where it shows the drives of Windows, None when it does not.
        texts: Lines of text files by path.
        files, folders: What is there, by path.
        variables: The user's environment variables there.
        cache: Lines of the loader's list.
        links: Where links to libraries lead, by path.
        space: Size and free space of its disk in bytes, None when not told.
        is_whole: It came to its own end.
    """

    home: str = ""
    drives: str | None = None
    machine: str = ""
    glibc: str | None = None
    processors: int | None = None
    texts: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    cache: list[str] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    space: tuple[int, int] | None = None
    is_whole: bool = False


def read_listing(text: str) -> Listing:
    """Read the records; lines that are none (what a shell prints at its start) are passed over."""
    found = Listing()
    for line in text.splitlines()[:ENTRY_LIMIT]:
        kind, *values = line.split("\t", 2)
        _take(found, kind, values)
    return found


def lay_out(listing: Listing, root: Path) -> None:
    """Make folders and small files below ``root`` as the listing tells; what this system can't name is left out.

    Raises:
        OSError: ``root`` itself can't be written to.
    """
    root.mkdir(parents=True, exist_ok=True)
    for path, lines in _kept(listing.texts.items()):
        _write(root, path, "\n".join(lines)[:LIMIT_BYTES] + "\n")
    for path in _wanted(listing.folders):
        _make_folder(root, path)
    for path in _wanted(listing.files):
        _write(root, path, "")
    if listing.cache:
        _write(root, "/sbin/ldconfig", "")


def _take(found: Listing, kind: str, values: list[str]) -> None:  # one line for each kind of record
    first = values[0] if values else ""
    match kind, len(values):
        case "text", 2:
            found.texts.setdefault(first, []).append(values[1])
        case "link", 2:
            found.links[first] = values[1]
        case "file", 1:
            found.files.append(first)
        case "folder", 1:
            found.folders.append(first)
        case "variable", _ if "=" in first:
            name, _, value = first.partition("=")
            found.variables[name] = value
        case "cache", _:
            found.cache.append("\t".join(values))
        case "space", 2 if first.isdigit() and values[1].isdigit():
            found.space = (int(first) * 1024, int(values[1]) * 1024)
        case _:
            _take_word(found, kind, first)


def _take_word(found: Listing, kind: str, value: str) -> None:
    match kind:
        case "home":
            found.home = value
        case "drives":
            found.drives = value or None
        case "machine":
            found.machine = value
        case "glibc":
            found.glibc = value or None
        case "processors":
            found.processors = int(value) if value.isdigit() and int(value) > 0 else None
        case "done":
            found.is_whole = True


def _kept(texts: Iterable[tuple[str, list[str]]]) -> Iterator[tuple[str, list[str]]]:
    yield from ((path, lines) for path, lines in texts if _is_usable(path))


def _wanted(paths: Iterable[str]) -> Iterator[str]:
    """Give the paths that can be laid out; of packages only those that matter for TensorFlow."""
    for path in paths:
        name = PurePosixPath(path).name
        is_package = name.endswith(_METADATA)
        if _is_usable(path) and (not is_package or is_relevant(normal_name(name.split("-", 1)[0].split(".dist")[0]))):
            yield path


def _is_usable(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return path.startswith("/") and ".." not in parts and not _FORBIDDEN.intersection(path) and len(path) < 400


def _make_folder(root: Path, path: str) -> None:
    try:
        (root / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
    except OSError:  # a name this system does not take
        return


def _write(root: Path, path: str, text: str) -> None:
    place = root / path.lstrip("/")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError:  # as above
        return


def answers_of(listing: Listing) -> Mapping[str, str]:
    """Give what the system's own programs would print, by the program's path."""
    return {"/sbin/ldconfig": "\n".join(listing.cache)}
