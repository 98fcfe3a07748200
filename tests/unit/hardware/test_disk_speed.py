"""The disk check on real folders: what lies there in the wild, what hangs, what the cache hides."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.units import MIB
from gpuconfig_app.hardware import disk_speed
from gpuconfig_app.hardware.disk_speed import CheckLimits, measure_disk_speed

SMALL = CheckLimits(reading_s=5.0, listing_s=5.0)
NOISE = random.Random(7).randbytes(1 * MIB)


def write(path: Path, size: int) -> Path:
    """Write a file so that it really lies on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for start in range(0, size, MIB):
            file.write(NOISE[: min(MIB, size - start)])
        file.flush()
        os.fsync(file.fileno())
    return path


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """120 files of 60 kB in three classes."""
    for number in range(120):
        write(tmp_path / "pets" / f"class {number % 3}" / f"{number}.jpg", 60_000)
    return tmp_path / "pets"


def test_bytes_and_files_are_counted(pictures: Path) -> None:
    found = measure_disk_speed(pictures, readers=4, limits=SMALL)

    assert found is not None
    assert found.sample_bytes == 120 * 60_000
    assert found.sample_files == 120
    assert found.readers == 4
    assert found.is_complete
    assert found.files_per_s is not None
    assert found.read_bytes_per_s == pytest.approx(found.files_per_s * 60_000)
    assert found.measured_at.endswith("+00:00")


def test_nothing_is_changed(pictures: Path) -> None:
    def state() -> list[tuple[str, int, int]]:
        return sorted((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in pictures.rglob("*"))

    before = state()
    measure_disk_speed(pictures, limits=SMALL)

    assert state() == before


def test_what_was_in_memory_is_given_up_or_told(pictures: Path) -> None:
    """Files just read come from the cache; where the system gives them up, the figure is the disk's."""
    for path in pictures.rglob("*.jpg"):
        path.read_bytes()

    found = measure_disk_speed(pictures, limits=SMALL)

    assert found is not None
    assert found.is_from_cache is not _can_give_up(next(pictures.rglob("*.jpg")))


def _can_give_up(path: Path) -> bool:
    """Whether this file system forgets pages and says so; not one in memory, nor on other systems than Linux."""
    with path.open("rb") as file:
        try:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
        except BlockingIOError:
            return True
        except (OSError, AttributeError):
            return False
    return False


@pytest.mark.parametrize("missing", ["posix_fadvise", "preadv", "RWF_NOWAIT"])
def test_a_system_that_cannot_tell_is_not_trusted(pictures: Path, monkeypatch, missing: str) -> None:
    for path in pictures.rglob("*.jpg"):
        path.read_bytes()
    monkeypatch.delattr(os, missing, raising=False)

    found = measure_disk_speed(pictures, limits=SMALL)

    assert found is not None
    assert found.is_from_cache


def test_a_file_system_in_memory_is_told_as_memory(tmp_path: Path, monkeypatch) -> None:
    """There asking for pages is not supported."""

    def refuse(*_: object) -> int:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "preadv", refuse, raising=False)
    monkeypatch.setattr(os, "RWF_NOWAIT", 8, raising=False)

    found = measure_disk_speed(write(tmp_path / "table.csv", 6 * MIB), limits=SMALL)

    assert found is not None
    assert found.is_from_cache


def test_one_huge_file_is_read_in_part(tmp_path: Path) -> None:
    path = write(tmp_path / "table.csv", 24 * MIB)

    found = measure_disk_speed(path, limits=CheckLimits(most_file_bytes=8 * MIB, reading_s=5.0))

    assert found is not None
    assert found.sample_bytes == 8 * MIB
    assert found.files_per_s is None
    assert found.sample_files == 0


def test_the_whole_amount_is_bounded(pictures: Path) -> None:
    found = measure_disk_speed(pictures, readers=8, limits=CheckLimits(most_bytes=5 * MIB, reading_s=5.0))

    assert found is not None
    assert found.sample_bytes <= 5 * MIB


def test_all_folders_have_their_share(tmp_path: Path, monkeypatch) -> None:
    for folder in ("a", "b", "c"):
        for number in range(50):
            write(tmp_path / folder / f"{number}.jpg", 10)
    opened: list[Path] = []
    own_open = disk_speed._open

    def watched(path: Path) -> int:
        opened.append(path)
        return own_open(path)

    measure_disk_speed(tmp_path, readers=1, limits=CheckLimits(most_files=30), open_file=watched)

    assert {path.parent.name for path in opened[:3]} == {"a", "b", "c"}
    assert len(opened) == 30


def test_odd_things_in_the_folder_do_no_harm(pictures: Path, tmp_path: Path) -> None:
    """Pipes, sockets' like, loops, dead links, links that lead out, closed and hidden files."""
    outside = write(tmp_path / "private" / "secret.jpg", 500_000)
    os.mkfifo(pictures / "class 0" / "pipe.jpg")
    (pictures / "class 0" / "dead.jpg").symlink_to(pictures / "nowhere")
    (pictures / "class 0" / "out.jpg").symlink_to(outside)
    (pictures / "class 1" / "loop").symlink_to(pictures)
    (pictures / "class 1" / "other").symlink_to(outside.parent)
    (pictures / "class 1" / "empty.jpg").touch()
    write(pictures / "class 2" / "closed.jpg", 60_000).chmod(0)
    write(pictures / "class 2" / ".hidden.jpg", 60_000)
    closed = 0 if os.geteuid() else 1

    found = measure_disk_speed(pictures, limits=SMALL)

    assert found is not None
    assert found.sample_files == 120 + closed
    assert found.sample_bytes == (120 + closed) * 60_000


def test_a_file_that_becomes_a_pipe_or_a_link_is_passed(pictures: Path, tmp_path: Path) -> None:
    own_open = disk_speed._open
    outside = write(tmp_path / "secret.jpg", 500_000)
    changed = threading.Lock()
    kinds: list[Callable[[Path], object]] = [os.mkfifo, lambda path: path.symlink_to(outside), lambda path: None]

    def changing(path: Path) -> int:
        with changed:
            change = kinds.pop() if kinds else None
        if change is not None:
            path.unlink()
            change(path)
        return own_open(path)

    found = measure_disk_speed(pictures, readers=2, limits=SMALL, open_file=changing)

    assert found is not None
    assert found.sample_files == 117
    assert found.is_complete


def test_a_file_that_shrinks_while_it_is_read_ends_there(pictures: Path) -> None:
    own_open = disk_speed._open

    def shrinking(path: Path) -> int:
        handle = own_open(path)
        if path.name == "0.jpg":
            os.truncate(path, 10)
        return handle

    found = measure_disk_speed(pictures, limits=SMALL, open_file=shrinking)

    assert found is not None
    assert found.sample_bytes <= 119 * 60_000 + 10


@pytest.mark.parametrize("name", ["empty", "few", "nowhere", "closed"])
def test_what_tells_nothing_gives_nothing(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path / "few" / "a.jpg", 1000)
    write(tmp_path / "closed" / "a.jpg", 1000)
    (tmp_path / "closed").chmod(0)

    found = measure_disk_speed(tmp_path / name, limits=SMALL)

    (tmp_path / "closed").chmod(0o700)
    assert found is None


def test_a_path_that_is_none_gives_nothing() -> None:
    assert measure_disk_speed(Path("bad\0path")) is None


class HangingDrive:
    """A drive that stops answering: opening waits until ``wake``."""

    def __init__(self, answers: int) -> None:
        self._left = answers
        self._lock = threading.Lock()
        self.wake = threading.Event()

    def open(self, path: Path) -> int:
        with self._lock:
            self._left -= 1
            hangs = self._left < 0
        if hangs:
            self.wake.wait(60)
        return disk_speed._open(path)


def test_a_drive_that_hangs_is_left_behind(pictures: Path) -> None:
    drive = HangingDrive(answers=110)
    begin = time.monotonic()

    found = measure_disk_speed(pictures, readers=2, limits=CheckLimits(reading_s=0.3), open_file=drive.open)
    took = time.monotonic() - begin
    drive.wake.set()

    assert took < 30
    assert found is not None
    assert not found.is_complete
    assert found.sample_files == 110


def test_a_drive_that_never_answers_gives_nothing(pictures: Path) -> None:
    drive = HangingDrive(answers=0)

    found = measure_disk_speed(pictures, limits=CheckLimits(reading_s=0.2), open_file=drive.open)
    drive.wake.set()

    assert found is None


def test_a_listing_that_hangs_is_left_behind(tmp_path: Path, monkeypatch) -> None:
    wake = threading.Event()

    def hanging(*_: object) -> list[Path]:
        wake.wait(60)
        return []

    monkeypatch.setattr(disk_speed, "_find_files", hanging)

    found = measure_disk_speed(tmp_path, limits=CheckLimits(listing_s=0.1))
    wake.set()

    assert found is None


def test_it_can_be_cancelled_while_a_drive_hangs(pictures: Path) -> None:
    drive, control = HangingDrive(answers=0), JobControl()
    threading.Timer(0.1, control.cancel).start()

    with pytest.raises(JobCancelledError):
        measure_disk_speed(pictures, control, limits=CheckLimits(reading_s=60.0), open_file=drive.open)
    drive.wake.set()


def test_it_ends_in_time_on_a_slow_drive(pictures: Path) -> None:
    pause = threading.Event()

    def slow(path: Path) -> int:
        pause.wait(0.02)
        return disk_speed._open(path)

    found = measure_disk_speed(pictures, readers=1, limits=CheckLimits(reading_s=0.4), open_file=slow)

    assert found is None or found.sample_files < 120


def test_without_nonblocking_flags_it_still_reads(pictures: Path, monkeypatch) -> None:
    """Windows has none of these."""
    for name in ("O_NONBLOCK", "O_NOCTTY", "O_NOFOLLOW", "O_CLOEXEC", "readv", "posix_fadvise"):
        monkeypatch.delattr(os, name, raising=False)

    found = measure_disk_speed(pictures, limits=SMALL)

    assert found is not None
    assert found.sample_files == 120
    assert found.is_from_cache
