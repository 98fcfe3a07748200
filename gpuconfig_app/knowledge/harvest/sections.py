"""Which section of a library (ELF or PE) a position lies in."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from gpuconfig_app.knowledge.harvest.byte_stream import ByteStream

_ELF_SECTION = struct.Struct("<IIQQQQ")
_PE_SECTION_BYTES = 40
_NO_CONTENT = 8  # SHT_NOBITS


@dataclass(frozen=True)
class Section:
    """A part of a library file; ``name`` is empty when the table of names was not seen."""

    name: str
    start: int
    length: int

    def holds(self, position: int) -> bool:
        """Whether a position lies in it."""
        return self.start <= position < self.start + self.length


def read_sections(stream: ByteStream) -> tuple[Section, ...]:
    """Give the sections of a library that was walked through to its end; empty for another kind of file."""
    try:
        if stream.head.startswith(b"\x7fELF\x02\x01"):
            return _elf_sections(stream)
        if stream.head.startswith(b"MZ"):
            return _pe_sections(stream.head)
    except struct.error:
        return ()
    return ()


def _elf_sections(stream: ByteStream) -> tuple[Section, ...]:
    entry_size, count, names_index = struct.unpack_from("<HHH", stream.head, 58)
    if entry_size < _ELF_SECTION.size or len(stream.section_table) < entry_size * count:
        return ()
    rows = [_ELF_SECTION.unpack_from(stream.section_table, number * entry_size) for number in range(count)]
    names = _names(stream, rows[names_index][4], rows[names_index][5]) if names_index < count else b""
    return tuple(
        Section(_text_at(names, name), start, length)
        for name, kind, _, _, start, length in rows
        if kind not in {0, _NO_CONTENT}
    )


def _names(stream: ByteStream, start: int, length: int) -> bytes:
    """Find the table of section names among what was kept."""
    for first, content in stream.passages.items():
        if first <= start and start + length <= first + len(content):
            return content[start - first : start - first + length]
    return b""


def _text_at(names: bytes, offset: int) -> str:
    return names[offset : names.find(b"\0", offset)].decode("ascii", errors="replace") if offset < len(names) else ""


def _pe_sections(head: bytes) -> tuple[Section, ...]:
    (start,) = struct.unpack_from("<I", head, 60)
    (count,) = struct.unpack_from("<H", head, start + 6)
    (optional,) = struct.unpack_from("<H", head, start + 20)
    first = start + 24 + optional
    sections = []
    for number in range(count):
        place = first + number * _PE_SECTION_BYTES
        length, offset = struct.unpack_from("<II", head, place + 16)
        name = head[place : place + 8].rstrip(b"\0").decode("ascii", errors="replace")
        sections.append(Section(name, offset, length))
    return tuple(sections)
