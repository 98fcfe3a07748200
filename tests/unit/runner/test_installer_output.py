"""What uv and pip really printed, read into packages and bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.runner.installer_output import DownloadState, InstallerReader

UV = """Using Python 3.12.8 environment at: t1
Resolved 32 packages in 554ms
Downloading h5py (4.3MiB)
Downloading tensorflow (545.7MiB)
Downloading numpy (16.0 MiB)
 Downloaded h5py
"""
UV_END = """ Downloaded numpy
 Downloaded tensorflow
Prepared 31 packages in 13.79s
Installed 32 packages in 1.16s
 + absl-py==2.5.1
"""
PIP = """Collecting tensorflow==2.21.0
  Downloading tensorflow-2.21.0-cp313-cp313-manylinux_2_27_x86_64.whl.metadata (4.5 kB)
  Downloading tensorflow-2.21.0-cp313-cp313-manylinux_2_27_x86_64.whl (572.9 MB)
Collecting absl-py>=1.0.0 (from tensorflow==2.21.0)
  Using cached absl_py-2.5.1-py3-none-any.whl (137 kB)
Processing /srv/wheels/astunparse-1.6.3-py2.py3-none-any.whl (from tensorflow==2.21.0)
"""


def read(text: str, scratch: Path | None = None) -> tuple[InstallerReader, DownloadState]:
    reader = InstallerReader(scratch)
    reader.feed(text, 1.0)
    return reader, reader.state(10.0)


def test_uv_tells_sizes_and_which_package_is_done() -> None:
    reader, state = read(UV)

    assert [(item.name, item.total_bytes, item.is_done) for item in state.packages] == [
        ("tensorflow", round(545.7 * 1024**2), False),
        ("numpy", round(16.0 * 1024**2), False),
        ("h5py", round(4.3 * 1024**2), True),
    ]
    assert (state.packages_done, state.packages_total) == (1, 32)
    assert state.downloaded_bytes == round(4.3 * 1024**2)
    assert state.rate_bytes_per_s is None
    assert not state.is_downloaded

    reader.feed(UV_END, 2.0)
    end = reader.state(20.0)

    assert end.is_downloaded
    assert (end.packages_done, end.packages_total) == (32, 32)
    assert all(item.is_done for item in end.packages)


def test_pip_tells_files_and_the_scratch_folder_how_far_they_are(tmp_path: Path) -> None:
    reader, state = read(PIP, tmp_path)
    names = {item.name: item for item in state.packages}

    assert names["tensorflow"].total_bytes == 572_900_000
    assert names["tensorflow"].done_bytes == 0
    assert names["absl-py"].is_done
    assert names["astunparse"].is_done
    assert names["astunparse"].total_bytes is None

    file = tmp_path / "pip-unpack-x1" / "tensorflow-2.21.0-cp313-cp313-manylinux_2_27_x86_64.whl"
    file.parent.mkdir()
    file.write_bytes(b"x" * 5000)
    later = reader.state(12.0)

    assert later.downloaded_bytes == 137_000 + 5000
    assert later.rate_bytes_per_s == pytest.approx(5000 / 2.0)

    reader.feed("Installing collected packages: absl-py, astunparse, tensorflow\n", 3.0)
    end = reader.state(14.0)

    assert end.is_downloaded
    assert end.rate_bytes_per_s is None
    assert (end.packages_done, end.packages_total) == (3, 3)


def test_lines_are_read_in_whatever_pieces_they_come() -> None:
    whole, _ = read(UV)
    reader = InstallerReader()
    for character in UV:
        reader.feed(character, 1.0)

    assert reader.state(10.0).packages == whole.state(10.0).packages
    assert [line.text for line in reader.lines] == [line.text for line in whole.lines]


def test_a_bar_drawn_over_itself_is_lines_too_and_the_last_one_needs_no_end() -> None:
    reader = InstallerReader()
    reader.feed("  1 %\r  2 %\r\n  3 %", 1.0)
    reader.finish(2.0)

    assert [line.text for line in reader.lines] == ["  1 %", "  2 %", "  3 %"]


def test_endless_output_is_kept_within_bounds() -> None:
    reader = InstallerReader()
    for _ in range(3000):
        reader.feed("x" * 5000, 1.0)
        reader.feed("\n", 1.0)

    assert len(reader.lines) <= 500
    assert all(len(line.text) <= 2000 for line in reader.lines)


@pytest.mark.parametrize("text", ["Downloading (5 MB)", "Downloading a (x MiB)", "Resolved packages in", "(1.2.3 MB)"])
def test_a_line_that_is_not_understood_tells_nothing(text: str) -> None:
    _, state = read(text + "\n")

    assert all(item.total_bytes is None for item in state.packages)
    assert state.downloaded_bytes is None
