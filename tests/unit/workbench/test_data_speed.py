from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.dataset import DataKind, DatasetFacts
from gpuconfig_app.core.disk_speed import DiskSpeed
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.workbench.data_speed import with_disk_speed


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pets" / "cat"
    folder.mkdir(parents=True)
    for number in range(120):
        folder.joinpath(f"{number}.jpg").write_bytes(os.urandom(50_000))
    return folder.parent


def test_the_speed_stands_beside_what_was_found(pictures: Path) -> None:
    facts = DatasetFacts(path=str(pictures), kind=DataKind.IMAGE_FOLDERS, sample_count=120)

    found = with_disk_speed(facts)

    assert found.disk_speed is not None
    assert found.disk_speed.sample_files == 120
    assert replace(found, disk_speed=None) == facts


@pytest.mark.parametrize(
    "facts",
    [
        DatasetFacts(),
        DatasetFacts(path="/nowhere", kind=DataKind.TABLE),
        DatasetFacts(path="/", kind=DataKind.UNKNOWN),
    ],
)
def test_where_it_cannot_be_told_nothing_changes(facts: DatasetFacts) -> None:
    assert with_disk_speed(facts) == facts


def test_it_can_be_cancelled(pictures: Path) -> None:
    control = JobControl()
    control.cancel()

    with pytest.raises(JobCancelledError):
        with_disk_speed(DatasetFacts(path=str(pictures), kind=DataKind.IMAGE_FOLDERS), control)


@pytest.mark.parametrize(
    ("speed", "seconds"),
    [
        (DiskSpeed(read_bytes_per_s=1e6, files_per_s=50.0), 2.0),
        (DiskSpeed(read_bytes_per_s=1e6), 10.0),
    ],
)
def test_whole_files_count_before_bytes(speed: DiskSpeed, seconds: float) -> None:
    assert speed.read_s(100, 100_000) == pytest.approx(seconds)


def test_without_any_size_there_is_no_time() -> None:
    assert DiskSpeed(read_bytes_per_s=1e6).read_s(100, None) is None
