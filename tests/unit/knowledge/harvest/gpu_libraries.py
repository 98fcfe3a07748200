"""Builds small libraries and wheels with real fat binary headers, as compilers and MLIR lay them out.

A container: magic ``50 ed 55 ba``, version 1 (u16), header length 16 (u16), content length (u64). Then entries: kind
(u16; 1 PTX, 2 machine code), version 0x101 (u16), header length 64 (u32), content length (u64), packed length (u32),
(u32), minor and major of the PTX ISA (u16 each), capability times ten (u32), name offset and length (u32 each), flags
(u64; 0x2000 LZ4), zero (u64), unpacked length (u64).
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence

LZ4, ZSTD = 0x2000, 0x8000


def lz4_literals(text: bytes) -> bytes:
    """Pack a text as one run of literals: the simplest LZ4 block."""
    length = len(text)
    if length < 15:
        return bytes([length << 4]) + text
    rest = length - 15
    return bytes([0xF0]) + b"\xff" * (rest // 255) + bytes([rest % 255]) + text


def entry(kind: int, arch: int, content: bytes, *, isa: str = "1.7", flags: int = 0x11, packed: int = 0) -> bytes:
    major, minor = (int(part) for part in isa.split("."))
    padded = content + b"\0" * (-len(content) % 8)
    head = struct.pack(
        "<HHIQIIHHIIIQQQ", kind, 0x101, 64, len(padded), packed, 0, minor, major, arch, 0, 0, flags, 0, 0
    )
    return head + padded


def machine_code(arch: int) -> bytes:
    return entry(2, arch, b"\x7fELF of a card " + bytes(40))


def ptx(target: str, isa: str, *, packing: int = LZ4) -> bytes:
    arch = int("".join(letter for letter in target if letter.isdigit()))
    text = f"\n\n\n\n.version {isa}\n.target {target}\n.address_size 64\n".encode() + b"// code" * 20
    content = lz4_literals(text) if packing == LZ4 else text
    flags = 0x11 | packing
    return entry(1, arch, content, isa=isa, flags=flags, packed=len(content) if packing else 0)


def container(*entries: bytes) -> bytes:
    body = b"".join(entries)
    return b"\x50\xed\x55\xba" + struct.pack("<HHQ", 1, 16, len(body)) + body


def kernel(archs: Sequence[int], target: str, isa: str) -> bytes:
    return container(*(machine_code(arch) for arch in archs), ptx(target, isa))


def elf_library(sections: Mapping[str, bytes], *, after: bytes = b"") -> bytes:
    """Build a 64-bit ELF file; the tables of sections and names follow the content, then ``after``."""
    names = {"": 0}
    table = b"\0"
    for name in (*sections, ".shstrtab"):
        names[name] = len(table)
        table += name.encode() + b"\0"
    body, rows = bytearray(64), [struct.pack("<IIQQQQIIQQ", *([0] * 10))]
    for name, content in (*sections.items(), (".shstrtab", table)):
        body += b"\0" * (-len(body) % 8)
        rows.append(struct.pack("<IIQQQQIIQQ", names[name], 1, 0, 0, len(body), len(content), 0, 0, 8, 0))
        body += content
    body += b"\0" * (-len(body) % 8)
    start = len(body)
    body += b"".join(rows) + after
    body[0:16] = b"\x7fELF\x02\x01\x01" + bytes(9)
    struct.pack_into("<Q", body, 40, start)
    struct.pack_into("<HHH", body, 58, 64, len(rows), len(rows) - 1)
    return bytes(body)


def pe_library(sections: Mapping[str, bytes]) -> bytes:
    """Build as much of a Windows library as its table of sections needs."""
    head = bytearray(512 + 40 * len(sections))
    head[0:2] = b"MZ"
    struct.pack_into("<I", head, 60, 128)
    head[128:132] = b"PE\0\0"
    struct.pack_into("<H", head, 134, len(sections))
    struct.pack_into("<H", head, 148, 240)
    body = b""
    for number, (name, content) in enumerate(sections.items()):
        place = 128 + 24 + 240 + 40 * number
        head[place : place + 8] = name.encode()[:8].ljust(8, b"\0")
        struct.pack_into("<II", head, place + 16, len(content), len(head) + len(body))
        body += content
    return bytes(head) + body


def gpu_library(*, mlir_target: str = "sm_90a", padding: int = 1 << 20) -> bytes:
    """Build a library like that of TensorFlow 2.16: compiler's, linked and MLIR kernels."""
    compiled = kernel((50, 60, 70, 80, 90), "sm_90", "8.1") * 3 + container(*map(machine_code, (50, 60, 70, 80, 90)))
    made_by_mlir = b"constants" * 9 + kernel((50, 60, 70, 80), mlir_target, "8.0") * 4
    return elf_library(
        {
            ".rodata": made_by_mlir + bytes(padding),
            ".nv_fatbin": compiled,
            "__nv_relfatbin": container(ptx("sm_90", "8.1")),
            ".nvFatBinSegment": bytes(24),
        }
    )


def wheel(name: str, members: Mapping[str, bytes | str], metadata: Sequence[str] = ()) -> bytes:
    """Build a wheel; ``metadata`` are lines of its METADATA."""
    project, version = name.split("-")[:2]
    lines = ["Metadata-Version: 2.1", f"Name: {project}", f"Version: {version}", *metadata, "", "Text."]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for member, content in {**members, f"{project}-{version}.dist-info/METADATA": "\n".join(lines)}.items():
            entry_of_member = zipfile.ZipInfo(member)  # always of the same day, so that the same wheel has one hash
            entry_of_member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry_of_member, content)
    return made.getvalue()


def build_info(**values: object) -> str:
    pairs = ", ".join(f"({name!r}, {value!r})" for name, value in values.items())
    return f'"""Made by the build."""\nimport collections\n\nbuild_info = collections.OrderedDict([{pairs}])\n'
