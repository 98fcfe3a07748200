"""The shipped tables are what the harvest writes: nothing in them was typed, and remarks come from their own table."""

from __future__ import annotations

import pytest

from gpuconfig_app.knowledge import cudnn_wheels, tensorflow_packages, tensorflow_releases
from gpuconfig_app.knowledge.harvest.harvest import check_tables, row_fields
from gpuconfig_app.knowledge.harvest.notes import load_notes
from gpuconfig_app.knowledge.harvest.table_text import table_text
from gpuconfig_app.knowledge.table import REFRESHED_TABLES, parse_table, read_table, shipped_path
from gpuconfig_app.knowledge.tensorflow_releases import PtxTarget, load_releases

READERS = {
    "tensorflow_releases": ("release", tensorflow_releases.parse_releases),
    "tensorflow_packages": ("package", tensorflow_packages.parse_packages),
    "cudnn_wheels": ("cudnn", cudnn_wheels.parse_cudnn_wheels),
}


@pytest.mark.parametrize("table", REFRESHED_TABLES)
def test_the_writer_writes_the_shipped_file(table):
    text = shipped_path(table).read_text(encoding="utf-8")
    key, parse = READERS[table]
    data = parse_table(table, text)
    remarks = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")]
    head = {"schema": 1, "harvested_at": str(data["harvested_at"])}

    assert table_text(remarks, head, key, map(row_fields, parse(data))) == text
    check_tables({table: text})


def test_remarks_are_those_of_the_table_of_remarks():
    notes = load_notes()

    for row in tensorflow_releases.parse_releases(read_table("tensorflow_releases")):
        note = notes.of_release(row.series, row.platform)
        assert note is not None
        assert row.note == note.note, (row.series, row.platform)
    states = {note.id: note.state for note in notes.packages}
    for package in tensorflow_packages.parse_packages(read_table("tensorflow_packages")):
        assert package.state == states[package.id]


def test_every_remark_belongs_to_a_row():
    rows = {(row.series, row.platform) for row in load_releases()}

    strays = [note for note in load_notes().releases if note.series != "*" and (note.series, note.platform) not in rows]

    assert not strays


@pytest.mark.parametrize(
    ("package", "version", "capabilities", "ptx"),
    [
        ("nvidia-cudnn-cu11", "8.7.0.84", "3.5 5.0 6.0 6.1 7.0 7.5 8.0 8.6 9.0", "sm_90"),
        ("nvidia-cudnn-cu12", "8.9.7.29", "5.0 6.0 6.1 7.0 7.5 8.0 8.6 9.0", "sm_90"),
        ("nvidia-cudnn-cu12", "9.3.0.75", "5.0 6.0 6.1 7.0 7.5 8.0 8.6 9.0", "sm_90"),
        ("nvidia-cudnn-cu12", "9.10.2.21", "5.0 6.0 6.1 7.0 7.5 8.0 8.6 9.0 10.0 12.0", "sm_120"),
        ("nvidia-cudnn-cu12", "9.28.0.42", "7.5 8.0 8.6 9.0 10.0 12.0", "sm_120f"),
    ],
)
def test_cudnn_wheels(package, version, capabilities, ptx):
    row = next(item for item in cudnn_wheels.load_cudnn_wheels() if (item.package, item.version) == (package, version))

    assert (" ".join(row.capabilities), row.ptx) == (capabilities, ptx)


def test_every_cudnn_that_pip_takes_was_read():
    read = {row.version for row in cudnn_wheels.load_cudnn_wheels()}

    assert {row.cudnn_resolved for row in load_releases() if row.cudnn_resolved is not None} <= read


def test_mlir_kernels_of_every_build_were_read():
    """Tools that look at one section miss them; they decide on cards that need compiling."""
    for row in load_releases():
        if row.is_cuda_build:
            assert isinstance(row.ptx_mlir, PtxTarget), (row.series, row.platform)
            assert row.ptx_mlir.isa is not None
            assert row.ptx_compiler is not None
            assert row.ptx_compiler.isa is not None


@pytest.mark.parametrize(
    ("package", "version", "day", "requires"),
    [
        ("tensorflow-rocm", "2.14.0.600", "2024-01-10", ()),
        ("tensorflow-metal", "1.2.0", "2025-01-31", ()),
        ("tensorflow-directml-plugin", "0.4.0.dev230202", "2023-02-03", ("tensorflow-cpu==2.10.0",)),
        ("intel-extension-for-tensorflow", "2.15.0.3", "2025-03-18", ("tensorflow~=2.15.0",)),
        ("tensorflow-intel", "2.18.0", "2024-10-25", ()),
        ("tensorflow-gpu", "2.12.0", "2023-01-24", ()),
        ("tensorflow-cuda13", "0.0.1rc1", "2026-09-22", ()),
        ("tf-nightly", "2.23.0.dev20261026", "2026-10-26", ()),
    ],
)
def test_other_packages(package, version, day, requires):
    row = next(item for item in tensorflow_packages.load_packages() if item.id == package)

    assert (row.version, row.released_on, row.requires) == (version, day, requires)
