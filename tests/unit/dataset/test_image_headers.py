from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.dataset.image_headers import Problem, read_image, read_image_header
from tests.unit.dataset.pictures import bmp, gif, jpeg, png, webp


def _read(body: bytes):
    return read_image(io.BytesIO(body))


@pytest.mark.parametrize(
    ("body", "kind", "size"),
    [
        (png(), "png", (6, 8, 3)),
        (png(color=0), "png", (6, 8, 1)),
        (png(color=3), "png", (6, 8, 3)),
        (png(color=6), "png", (6, 8, 4)),
        (jpeg(640, 480), "jpeg", (480, 640, 3)),
        (jpeg(channels=1), "jpeg", (6, 8, 1)),
        (jpeg(exif=b"Exif\0\0" + b"\xff\xd9" * 3000), "jpeg", (6, 8, 3)),
        (jpeg() + b"appended by a phone" * 2000, "jpeg", (6, 8, 3)),
        (gif(), "gif", (6, 8, 3)),
        (bmp(), "bmp", (6, 8, 3)),
        (bmp(height=-6, bits=32), "bmp", (6, 8, 4)),
        (png() + b"appended", "png", (6, 8, 3)),
    ],
)
def test_size_and_channels_are_read(body: bytes, kind: str, size: tuple[int, int, int]) -> None:
    found = _read(body)

    assert (found.format, found.size, found.problem) == (kind, size, None)


@pytest.mark.parametrize("body", [png(64, 64), jpeg(exif=bytes(500)), gif(), bmp()])
def test_every_cut_is_noticed(body: bytes) -> None:
    for length in range(64, len(body), 7):
        assert _read(body[:length]).problem is not None, length


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", Problem.EMPTY),
        (b"<!DOCTYPE html><html>404", Problem.WEB_PAGE),
        (b"\n  <html>", Problem.WEB_PAGE),
        (b"hello", Problem.NOT_A_PICTURE),
        (bytes(100), Problem.NOT_A_PICTURE),
        (webp(), Problem.UNSUPPORTED),
        (b"II*\0" + bytes(60), Problem.UNSUPPORTED),
        (b"\0\0\0\x18ftypheic" + bytes(60), Problem.UNSUPPORTED),
        (bmp(bits=8).replace(b"\x08\0\0\0\0\0", b"\x04\0\0\0\0\0", 1), Problem.UNSUPPORTED),
        (png(0, 6), Problem.DAMAGED),
        (jpeg().replace(b"\xff\xc0", b"\xff\xc3", 1), Problem.UNSUPPORTED),
        (b"\xff\xd8\xff\xd9", Problem.DAMAGED),
    ],
)
def test_unusable_files_are_told_apart(body: bytes, problem: Problem) -> None:
    assert _read(body).problem is problem


def test_size_of_webp_is_still_read() -> None:
    assert _read(webp(320, 200)).size == (200, 320, 3)


@given(st.binary(max_size=300))
def test_no_bytes_crash_the_reader(body: bytes) -> None:
    for start in (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"BM", b"RIFF1234WEBP"):
        _read(start + body)


def test_missing_file_is_an_answer(tmp_path) -> None:
    assert read_image_header(tmp_path / "no.png").problem is Problem.UNREADABLE
