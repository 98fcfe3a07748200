"""GPU code in a library: walks the fat binary containers and tells their machine code and PTX apart by origin.

A container begins with a header (magic, version, length of the header, length of the content); its entries follow each
other, each with a header of its own: kind (1 PTX, 2 machine code), lengths, PTX version, capability, kind of packing.
Compilers put theirs into the section ``.nv_fatbin``; what is linked further lies in ``__nv_relfatbin`` and is never
loaded by itself; kernels made by MLIR lie among the other constants, where tools that read one section don't look.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from gpuconfig_app.knowledge.harvest.byte_stream import ByteStream
from gpuconfig_app.knowledge.harvest.sections import Section, read_sections

MAGIC = b"\x50\xed\x55\xba"
PTX_KIND = 1
MACHINE_CODE_KIND = 2
LZ4_PACKED = 0x2000
ZSTD_PACKED = 0x8000

_CONTAINER = struct.Struct("<4sHHQ")
_ENTRY = struct.Struct("<HHIQIIHHIIIQ")
_LONGEST_BYTES = 1 << 31
_TEXT_BYTES = 512
_TARGET = re.compile(rb"\.version\s+(\d+\.\d+)\s+\.target\s+(sm_\d+[a-z]?)")
_COMPILED = frozenset({".nv_fatbin", ".nv_fatb"})  # eight letters are all that PE keeps
_RELOCATABLE = frozenset({"__nv_relfatbin", "__nv_rel"})


class Origin(StrEnum):
    """Who made a container."""

    COMPILER = "compiler"
    RELOCATABLE = "relocatable"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class PtxCode:
    """PTX of a container.

    Attributes:
        target: ``sm_90`` or ``sm_90a``; None when it is packed in a way that cannot be read here.
        isa: ``8.5``.
    """

    target: str | None
    isa: str


@dataclass(frozen=True)
class Container:
    """One fat binary.

    Attributes:
        machine_code: Capabilities times ten, ``90`` for 9.0.
    """

    position: int
    machine_code: frozenset[int]
    ptx: tuple[PtxCode, ...]
    origin: Origin = Origin.ELSEWHERE


def read_containers(chunks: Iterator[bytes]) -> tuple[Container, ...]:
    """Give every container of a library, in file order.

    Args:
        chunks: The library's content in order; it is never held whole.
    """
    stream = ByteStream(chunks)
    found: list[Container] = []
    while stream.find(MAGIC):
        container = _container(stream)
        if container is None:
            stream.skip(len(MAGIC))
        elif container.machine_code or container.ptx:
            found.append(container)
    sections = read_sections(stream)
    return tuple(
        Container(item.position, item.machine_code, item.ptx, _origin(item.position, sections, found)) for item in found
    )


def _container(stream: ByteStream) -> Container | None:
    """Walk over one container; None, without moving, when the magic was a coincidence."""
    head = stream.peek(_CONTAINER.size)
    if len(head) < _CONTAINER.size:
        return None
    _, version, header_size, size = _CONTAINER.unpack(head)
    if version != 1 or header_size != _CONTAINER.size or not _ENTRY.size <= size < _LONGEST_BYTES:
        return None
    position = stream.position
    stream.skip(header_size)
    end = stream.position + size
    machine_code: set[int] = set()
    ptx: list[PtxCode] = []
    while stream.position + _ENTRY.size <= end:
        entry = stream.peek(_ENTRY.size)
        if len(entry) < _ENTRY.size:
            break
        kind, _, entry_header, length, packed, _, minor, major, arch, _, _, flags = _ENTRY.unpack(entry)
        if entry_header < _ENTRY.size or length > end - stream.position:
            break
        if kind == MACHINE_CODE_KIND:
            machine_code.add(arch)
        elif kind == PTX_KIND:
            text = _beginning(stream.peek(entry_header + min(length, _TEXT_BYTES))[entry_header:], packed, flags)
            target = _TARGET.search(text)
            isa = target[1].decode() if target else f"{major}.{minor}"
            ptx.append(PtxCode(target[2].decode() if target else None, isa))
        stream.skip(entry_header + length)
    stream.skip(max(0, end - stream.position))
    return Container(position, frozenset(machine_code), tuple(ptx))


def _origin(position: int, sections: tuple[Section, ...], found: list[Container]) -> Origin:
    section = next((item for item in sections if item.holds(position)), None)
    if section is None:
        return Origin.ELSEWHERE
    if section.name in _COMPILED:
        return Origin.COMPILER
    if section.name in _RELOCATABLE:
        return Origin.RELOCATABLE
    # Without names: a section of fat binaries begins with one.
    begins = not section.name and any(item.position == section.start for item in found)
    return Origin.COMPILER if begins else Origin.ELSEWHERE


def _beginning(content: bytes, packed: int, flags: int) -> bytes:
    """Give the first text of a PTX entry, empty when it cannot be unpacked."""
    if flags & LZ4_PACKED:
        return lz4_beginning(content[:packed] if packed else content, _TEXT_BYTES)
    return b"" if flags & ZSTD_PACKED else content


def lz4_beginning(block: bytes, wanted: int) -> bytes:
    """Unpack the beginning of an LZ4 block.

    Args:
        block: Its first bytes are enough.
        wanted: Bytes to give; fewer when the block ends before.
    """
    out = bytearray()
    place = 0
    while place < len(block) and len(out) < wanted:
        token = block[place]
        length, place = _lz4_length(block, token >> 4, place + 1)
        out += block[place : place + length]
        place += length
        if place + 2 > len(block):
            break
        distance = block[place] | block[place + 1] << 8
        length, place = _lz4_length(block, token & 15, place + 2)
        if not 0 < distance <= len(out):
            break
        for _ in range(min(length + 4, wanted - len(out))):
            out.append(out[-distance])
    return bytes(out[:wanted])


def _lz4_length(block: bytes, length: int, place: int) -> tuple[int, int]:
    """Read the rest of a length; gives it with the place behind it."""
    if length == 15:
        while place < len(block):
            more = block[place]
            place += 1
            length += more
            if more != 255:
                break
    return length, place
