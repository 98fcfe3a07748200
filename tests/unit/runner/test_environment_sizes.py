"""Sizes and times: from an index's answer, from a folder, from the table, or unknown."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gpuconfig_app.core.environment_plan import Range, SizeEstimate, SizeSource, StepKind
from gpuconfig_app.runner.environment_sizes import (
    Resolved,
    estimate,
    read_pylock,
    resolve_with_uv,
    step_times,
    total_time,
    wheel_folder_packages,
)
from tests.fakes import write_program
from tests.unit.runner.tiny_wheels import write_wheelhouse

TAG = "cp{}{}".format(*sys.version_info[:2])
VERSION = "{}.{}".format(*sys.version_info[:2])
PYLOCK = f"""
lock-version = "1.0"
[[packages]]
name = "six"
version = "1.17.0"
sdist = {{ url = "https://example.org/six-1.17.0.tar.gz", size = 9999 }}
wheels = [{{ url = "https://example.org/six-1.17.0-py2.py3-none-any.whl", size = 11000 }}]
[[packages]]
name = "tensorflow"
version = "2.21.0"
wheels = [
  {{ url = "https://example.org/tensorflow-2.21.0-{TAG}-{TAG}-win_amd64.whl", size = 1 }},
  {{ url = "https://example.org/tensorflow-2.21.0-cp30-cp30-manylinux_2_17_x86_64.whl", size = 2 }},
  {{ url = "https://example.org/tensorflow-2.21.0-py3-none-any.whl", size = 600000000 }},
]
[[packages]]
name = "silent"
version = "1.0"
wheels = [{{ url = "https://example.org/silent-1.0-py3-none-any.whl" }}]
"""


def test_of_many_files_the_one_this_machine_would_take_counts() -> None:
    packages = read_pylock(PYLOCK, VERSION)

    assert [(item.name, item.download_bytes) for item in packages] == [
        ("tensorflow", 600_000_000), ("six", 11_000), ("silent", None),
    ]  # fmt: skip


def test_uv_is_asked_with_the_same_source_as_the_installation(tmp_path: Path) -> None:
    source = (
        "import sys, pathlib\n"
        f"pathlib.Path({str(tmp_path / 'said')!r}).write_text('\\n'.join(sys.argv[1:]))\n"
        f"pathlib.Path(sys.argv[sys.argv.index('--output-file') + 1]).write_text({PYLOCK!r})\n"
    )
    uv = write_program(tmp_path, "uv", source)

    resolved = resolve_with_uv(str(uv), ["tensorflow==2.21.0"], VERSION, ("--index-url=U",), dict(os.environ))

    assert resolved is not None
    assert len(resolved.packages) == 3
    assert "--index-url=U" in (tmp_path / "said").read_text(encoding="utf-8").splitlines()


def test_a_uv_too_old_to_tell_is_no_failure_and_one_that_finds_nothing_is(tmp_path: Path) -> None:
    old = write_program(tmp_path / "a", "uv", "import sys; sys.exit('error: invalid value for --format')")
    none = write_program(tmp_path / "b", "uv", "import sys; sys.exit('No solution found')")

    assert resolve_with_uv(str(old), ["x"], VERSION, (), dict(os.environ)) is None
    failed = resolve_with_uv(str(none), ["x"], VERSION, (), dict(os.environ))
    assert failed is not None
    assert failed.problem == "No solution found"
    assert resolve_with_uv(str(tmp_path / "gone"), ["x"], VERSION, (), dict(os.environ)) is None


def test_the_indexs_own_figures_are_exact_and_a_silent_one_makes_it_unknown() -> None:
    told = read_pylock(PYLOCK, VERSION)
    exact = estimate("2.21.0", "linux-x86_64", Resolved(packages=told[:2]), None, with_cuda=True)
    partly = estimate("2.21.0", "linux-x86_64", Resolved(packages=told), None, with_cuda=True)

    assert exact.source is SizeSource.INDEX
    assert exact.download_bytes == Range(low=600_011_000, high=600_011_000)
    assert exact.disk_bytes is not None
    assert 1.5 < exact.disk_bytes.high / exact.download_bytes.high < 2.5
    assert partly.download_bytes is None
    assert partly.disk_bytes is None


def test_without_an_index_the_table_gives_a_range_and_its_day() -> None:
    size = estimate("2.21.0", "linux-x86_64", None, None, with_cuda=True)

    assert size.source is SizeSource.FACTS
    assert size.download_bytes is not None
    assert size.download_bytes.low < 3_440_655_975 < size.download_bytes.high
    assert size.disk_bytes is not None
    assert size.disk_bytes.low < 6_487_678_725 < size.disk_bytes.high
    assert size.source_text is not None
    assert size.source_text.params["date"] == "2026-11-30"


def test_what_nobody_knows_is_unknown() -> None:
    size = estimate("9.9.0", "linux-x86_64", None, None, with_cuda=False)

    assert size.source is SizeSource.UNKNOWN
    assert (size.download_bytes, size.disk_bytes) == (None, None)
    assert total_time(step_times(size, fetches_python=False, compiles=False)) is None


def test_a_folder_of_wheels_downloads_nothing(tmp_path: Path) -> None:
    packages = wheel_folder_packages(write_wheelhouse(tmp_path))
    size = estimate("2.21.0", "linux-x86_64", None, packages, with_cuda=False)

    assert [item.name for item in packages] == ["tensorflow", "keras", "numpy"]
    assert size.download_bytes == Range(low=0.0, high=0.0)
    assert size.disk_bytes is not None


def test_more_bytes_take_longer_and_a_card_to_compile_for_longer_still() -> None:
    def time_s(download: float, *, compiles: bool = False) -> Range:
        amount = Range(low=download, high=download)
        size = SizeEstimate(download_bytes=amount, disk_bytes=amount)
        found = total_time(step_times(size, fetches_python=False, compiles=compiles))
        assert found is not None
        return found

    assert time_s(1e9).low < time_s(4e9).low
    assert time_s(1e9).high < time_s(1e9, compiles=True).high
    assert time_s(1e9).low < time_s(1e9).high


@pytest.mark.parametrize("fetches", [True, False])
def test_fetching_a_python_is_a_step_of_its_own(fetches: bool) -> None:  # a test's parameter
    assert (StepKind.FETCH_PYTHON in step_times(SizeEstimate(), fetches_python=fetches, compiles=False)) is fetches
