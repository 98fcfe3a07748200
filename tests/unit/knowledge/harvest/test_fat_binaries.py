"""GPU code in libraries: every kind of container, wherever it lies and however the bytes come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from gpuconfig_app.knowledge.harvest.fat_binaries import MAGIC, Origin, PtxCode, lz4_beginning, read_containers
from tests.unit.knowledge.harvest.gpu_libraries import (
    LZ4,
    ZSTD,
    container,
    elf_library,
    entry,
    gpu_library,
    kernel,
    machine_code,
    pe_library,
    ptx,
)


def _pieces(content: bytes, size: int) -> Iterator[bytes]:
    for place in range(0, len(content), size):
        yield content[place : place + size]


@pytest.mark.parametrize("size", [9973, 1 << 16, 1 << 30])
def test_containers_are_told_apart_by_their_section(size):
    found = read_containers(_pieces(gpu_library(), size))

    assert Counter(item.origin for item in found) == {Origin.COMPILER: 4, Origin.ELSEWHERE: 4, Origin.RELOCATABLE: 1}
    compiled = next(item for item in found if item.origin is Origin.COMPILER)
    assert compiled.machine_code == {50, 60, 70, 80, 90}
    assert compiled.ptx == (PtxCode("sm_90", "8.1"),)
    elsewhere = next(item for item in found if item.origin is Origin.ELSEWHERE)
    assert elsewhere.machine_code == {50, 60, 70, 80}
    assert elsewhere.ptx == (PtxCode("sm_90a", "8.0"),)


def test_tables_of_sections_need_not_be_at_the_end():
    """Tools that repair wheels move them; seen in TensorFlow 2.16."""
    library = elf_library(
        {
            ".rodata": kernel((80,), "sm_80", "7.1"),
            ".nv_fatbin": kernel((90,), "sm_90", "8.1"),
            ".nvFatBinSegment": b"x",
        },
        after=bytes(1 << 19),
    )

    found = read_containers(_pieces(library, 1 << 16))

    assert [item.origin for item in found] == [Origin.ELSEWHERE, Origin.COMPILER]


def test_windows_libraries_have_short_section_names():
    library = pe_library({".rdata": kernel((50, 60), "sm_80", "7.0"), ".nv_fatbin": kernel((80,), "sm_80", "7.2")})

    found = read_containers(iter([library]))

    assert [(item.origin, item.ptx[0].isa) for item in found] == [(Origin.ELSEWHERE, "7.0"), (Origin.COMPILER, "7.2")]


@pytest.mark.parametrize(
    ("packing", "target"), [(LZ4, "sm_90a"), (0, "sm_90a"), (ZSTD, None)], ids=["lz4", "plain", "zstd"]
)
def test_target_is_read_from_the_text_and_never_guessed(packing, target):
    made = ptx("sm_90a", "8.5", packing=packing)

    (found,) = read_containers(iter([container(made)]))

    assert found.ptx == (PtxCode(target, "8.5"),)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        MAGIC,
        MAGIC + b"\x02\0\x10\0" + bytes(8),
        MAGIC * 300,
        b"x" * 500 + MAGIC + bytes([1, 0, 16, 0]) + b"\xff" * 8,
        container(entry(7, 90, b"of a kind to come")),
        container(machine_code(90))[:60],
        b"\x7fELF\x02\x01" + b"\xff" * 500,
        b"MZ" + b"\xff" * 300,
    ],
)
def test_bytes_that_only_look_like_containers_are_passed_over(content):
    assert read_containers(_pieces(content, 50)) == ()


def test_a_good_container_after_a_coincidence_is_found():
    content = b"text" + MAGIC + b"by chance" * 5 + container(machine_code(75)) + MAGIC

    (found,) = read_containers(_pieces(content, 7))

    assert found.machine_code == {75}


def test_lz4_repeats_earlier_text():
    block = bytes([0x54]) + b"abcde" + bytes([5, 0]) + bytes([0x50]) + b"WORLD"

    assert lz4_beginning(block, 100) == b"abcdeabcdeabcWORLD"
    assert lz4_beginning(block, 8) == b"abcdeabc"
    assert lz4_beginning(bytes([0x04, 9, 0]), 100) == b""
