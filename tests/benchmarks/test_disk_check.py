"""The disk check beside reading the same files one after another: what it costs, and that it ends in time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from gpuconfig_app.hardware.disk_speed import CheckLimits, measure_disk_speed

FILES, SIZE = 2000, 110_000


def test_check_beside_plain_reading(tmp_path: Path, tell: Callable[[str], None]) -> None:
    for number in range(FILES):
        folder = tmp_path / f"class {number % 20}"
        folder.mkdir(exist_ok=True)
        with folder.joinpath(f"{number}.jpg").open("wb") as file:
            file.write(os.urandom(SIZE))
            os.fsync(file.fileno())
    begin = time.perf_counter()
    for path in sorted(tmp_path.rglob("*.jpg")):
        path.read_bytes()
    plain_s = time.perf_counter() - begin

    begin = time.perf_counter()
    found = measure_disk_speed(tmp_path, readers=8)
    check_s = time.perf_counter() - begin

    assert found is not None
    limits = CheckLimits()
    bound = limits.listing_s + limits.reading_s
    tell(
        f"disk check {check_s:.2f} s, {check_s / bound:.2f} of its bound; from memory one after another the same files "
        f"take {plain_s:.2f} s; {found.files_per_s:.0f} files/s, from the cache: {found.is_from_cache}"
    )
    assert check_s / bound < 3
