"""A folder with one sub-folder for each class: counts, sizes, broken and double files, and what a user should know."""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gpuconfig_app.core.dataset import ClassFacts, DataKind, DatasetFacts
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.dataset.file_walk import (
    FoundFile,
    WalkTroubles,
    as_text,
    fingerprint,
    is_folder,
    is_text,
    sorted_entries,
    walk_files,
)
from gpuconfig_app.dataset.image_headers import ImageFile, Problem, read_image_header

PICTURE_SUFFIXES = frozenset({".bmp", ".gif", ".jpeg", ".jpg", ".png"})
"""Files the scripts read; TensorFlow decodes these four formats whatever the ending says."""

OTHER_PICTURE_SUFFIXES = frozenset(
    {".avif", ".heic", ".heif", ".jfif", ".jpe", ".jp2", ".svg", ".tif", ".tiff", ".webp", ".dcm", ".npy"}
)

# Every so-many-th picture is opened when there are more, so that a scan stays a matter of minutes.
MOST_OPENED = 200_000
MOST_HASHED = 20_000
HASHED_BYTES = 16 * 1024
MOST_BROKEN_LISTED = 10_000
NAMES_SHOWN = 5
_REPORT_EVERY = 250

_SPLIT_NAMES = frozenset({"train", "training", "val", "valid", "validation", "test", "testing", "eval"})
_UNBALANCED = 3.0
_FEW_PICTURES = 20


@dataclass
class _Findings:
    """What the scan collects."""

    counts: Counter[str] = field(default_factory=Counter)
    sizes: list[tuple[int, int, int]] = field(default_factory=list)
    formats: Counter[str] = field(default_factory=Counter)
    broken: list[tuple[str, Problem | None]] = field(default_factory=list)
    other_formats: Counter[str] = field(default_factory=Counter)
    hidden: int = 0
    good: list[FoundFile] = field(default_factory=list)


def looks_like_image_folders(folder: Path) -> bool:
    """Whether a folder has sub-folders, the first few of which hold a picture."""
    troubles = WalkTroubles()
    folders = [entry for entry in sorted_entries(folder, troubles) if is_folder(entry) and entry.name[0] != "."]
    for entry in folders[:50]:
        for number, file in enumerate(walk_files(Path(entry.path), folder, troubles, JobControl())):
            if file.suffix in PICTURE_SUFFIXES | OTHER_PICTURE_SUFFIXES:
                return True
            if number > 200:
                break
    return False


def scan_image_folders(folder: Path, control: JobControl) -> DatasetFacts:
    """Look at every class folder below ``folder``.

    Raises:
        JobCancelledError: The user ended the scan.
    """
    troubles = WalkTroubles()
    names = [entry.name for entry in sorted_entries(folder, troubles) if is_folder(entry) and entry.name[0] != "."]
    by_class: dict[str, list[FoundFile]] = {}
    seen = 0
    for name in names:
        by_class[name] = list(walk_files(folder / name, folder, troubles, control))
        seen += len(by_class[name])
        control.report(None, Message("dataset.listing", {"count": seen}))
    findings = _look_at_files(by_class, control)
    classes = tuple(
        ClassFacts(name=name, count=findings.counts[name])
        for name in sorted(names)
        if findings.counts[name] and is_text(name)
    )
    broken = sorted(as_text(name) for name, _ in findings.broken)
    return DatasetFacts(
        path=str(folder),
        kind=DataKind.IMAGE_FOLDERS,
        sample_count=sum(item.count for item in classes),
        total_bytes=sum(file.size_bytes for file in findings.good),
        classes=classes,
        image_size=_median_size(findings.sizes),
        image_formats=tuple(sorted(findings.formats)),
        broken_files=tuple(broken[:MOST_BROKEN_LISTED]),
        broken_count=len(findings.broken),
        fingerprint=fingerprint(findings.good),
        notes=_notes(names, by_class, findings, classes, troubles, control),
    )


def _look_at_files(by_class: Mapping[str, Sequence[FoundFile]], control: JobControl) -> _Findings:
    findings = _Findings()
    total = sum(len(files) for files in by_class.values())
    step = max(1, -(-total // MOST_OPENED))
    done = 0
    for name, files in by_class.items():
        for file in files:
            done += 1
            if done % _REPORT_EVERY == 0:
                control.report(done / total, Message("dataset.looking", {"done": done, "total": total}))
            _look_at_file(name, file, findings, is_opened=done % step == 0)
    return findings


def _look_at_file(class_name: str, file: FoundFile, findings: _Findings, *, is_opened: bool) -> None:
    if file.suffix in OTHER_PICTURE_SUFFIXES:
        findings.other_formats[file.suffix.removeprefix(".")] += 1
        return
    if file.suffix not in PICTURE_SUFFIXES:
        return
    if file.is_hidden:
        # Left-overs of other programs (._x.jpg of macOS, .ipynb_checkpoints); the scripts would read them.
        findings.hidden += 1
        findings.broken.append((file.name, None))
        return
    if file.is_missing:
        findings.broken.append((file.name, Problem.UNREADABLE))
        return
    image = read_image_header(file.path) if is_opened else ImageFile()
    if image.problem is not None:
        findings.broken.append((file.name, image.problem))
        return
    findings.counts[class_name] += 1
    findings.good.append(file)
    if image.size is not None:
        findings.sizes.append(image.size)
    if image.format is not None:
        findings.formats[image.format] += 1


def _median_size(sizes: Sequence[tuple[int, int, int]]) -> tuple[int, int, int] | None:
    """Give the median height and width, and the number of channels most pictures have."""
    if not sizes:
        return None
    channels = Counter(size[2] for size in sizes).most_common(1)[0][0]
    height = statistics.median_low(size[0] for size in sizes)
    width = statistics.median_low(size[1] for size in sizes)
    return height, width, channels


def _notes(
    names: Sequence[str],
    by_class: Mapping[str, Sequence[FoundFile]],
    findings: _Findings,
    classes: Sequence[ClassFacts],
    troubles: WalkTroubles,
    control: JobControl,
) -> tuple[Message, ...]:
    notes: list[Message] = []
    found = {name.lower() for name in names}
    if len(found & _SPLIT_NAMES) >= 2 and found <= _SPLIT_NAMES | {"unlabeled", "unlabelled"}:
        notes.append(Message("dataset.split-folders", {"names": _listed(names)}))
    if len(classes) < 2:
        notes.append(Message("dataset.too-few-classes", {"count": len(classes)}))
    empty = [name for name in names if not findings.counts[name]]
    if empty:
        notes.append(Message("dataset.empty-classes", {"count": len(empty), "names": _listed(empty)}))
    notes += _balance_notes(classes)
    notes += _broken_notes(findings)
    notes += _duplicate_notes(findings.good, control)
    notes += _walk_notes(by_class, troubles)
    return tuple(notes)


def _balance_notes(classes: Sequence[ClassFacts]) -> list[Message]:
    if len(classes) < 2:
        return []
    notes = []
    fewest, most = min(classes, key=lambda item: item.count), max(classes, key=lambda item: item.count)
    ratio = most.count / fewest.count
    name = "dataset.unbalanced" if ratio >= _UNBALANCED else "dataset.balanced"
    notes.append(
        Message(name, {"ratio": round(ratio, 1), "fewest": fewest.name, "few": fewest.count, "most": most.count})
    )
    small = [item.name for item in classes if item.count < _FEW_PICTURES]
    if small:
        notes.append(
            Message("dataset.few-pictures", {"count": len(small), "limit": _FEW_PICTURES, "names": _listed(small)})
        )
    return notes


def _broken_notes(findings: _Findings) -> list[Message]:
    reasons = Counter(problem for _, problem in findings.broken if problem is not None)
    notes = [
        Message(f"dataset.broken-{problem.value.replace('_', '-')}", {"count": count})
        for problem, count in sorted(reasons.items(), key=lambda item: -item[1])
    ]
    if findings.hidden:
        notes.append(Message("dataset.hidden-files", {"count": findings.hidden}))
    if findings.other_formats:
        formats = ", ".join(f"{name.upper()} ({count})" for name, count in sorted(findings.other_formats.items()))
        notes.append(Message("dataset.other-formats", {"formats": formats}))
    if len({size[2] for size in findings.sizes}) > 1:
        notes.append(Message("dataset.mixed-channels"))
    return notes


def _duplicate_notes(files: Sequence[FoundFile], control: JobControl) -> list[Message]:
    """Count files of equal size and beginning; within one class they inflate a test, across classes they contradict."""
    by_size: defaultdict[int, list[FoundFile]] = defaultdict(list)
    for file in files:
        by_size[file.size_bytes].append(file)
    groups: defaultdict[tuple[int, bytes], list[FoundFile]] = defaultdict(list)
    hashed = 0
    for size, same in by_size.items():
        if len(same) < 2:
            continue
        for file in same:
            if hashed == MOST_HASHED:
                break
            hashed += 1
            control.check()
            digest = _digest(file.path)
            if digest is not None:
                groups[size, digest].append(file)
    doubles = [group for group in groups.values() if len(group) > 1]
    notes = []
    extra = sum(len(group) - 1 for group in doubles)
    if extra:
        notes.append(Message("dataset.duplicates", {"count": extra}))
    across = [group for group in doubles if len({file.name.split("/", 1)[0] for file in group}) > 1]
    if across:
        notes.append(Message("dataset.duplicates-across-classes", {"count": len(across)}))
    return notes


def _digest(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return hashlib.blake2b(file.read(HASHED_BYTES), digest_size=16).digest()
    except OSError:
        return None


def _walk_notes(by_class: Mapping[str, Sequence[FoundFile]], troubles: WalkTroubles) -> list[Message]:
    notes = []
    if troubles.closed_folders:
        notes.append(Message("dataset.closed-folders", {"count": troubles.closed_folders}))
    if troubles.linked_folders:
        notes.append(Message("dataset.linked-folders", {"count": troubles.linked_folders}))
    odd = sum(not is_text(file.name) for files in by_class.values() for file in files)
    odd += sum(not is_text(name) for name in by_class)
    if odd:
        notes.append(Message("dataset.names-not-text", {"count": odd}))
    total = sum(len(files) for files in by_class.values())
    if total > MOST_OPENED:
        notes.append(Message("dataset.not-all-opened", {"count": MOST_OPENED, "total": total}))
    return notes


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(as_text(name) for name in names[:NAMES_SHOWN])
    return f"{shown} …" if len(names) > NAMES_SHOWN else shown
