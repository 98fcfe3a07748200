"""Bytes of any origin become clean lines with the numbers an editor shows; what is no log is refused in a sentence."""

from __future__ import annotations

import gzip
import os
import threading

import pytest

from gpuconfig_app.compat import log_reading
from gpuconfig_app.compat.log_reading import LogPiece, LogText, clean, read_log, read_log_file, unwrapped
from gpuconfig_app.core.errors import UnusableFileError


def _text(data: bytes) -> str:
    return "".join(piece.text for piece in read_log(data).pieces())


@pytest.mark.parametrize(
    ("encoding", "text", "found"),
    [
        ("utf-8", "Größe 训练\n", "utf-8"),
        ("utf-8-sig", "训练\n", "utf-8"),
        ("utf-16", "训练 and words\n", "utf-16-le"),
        ("utf-16-le", "plain words of a log\n", "utf-16-le"),
        ("utf-16-be", "plain words of a log\n", "utf-16-be"),
        ("gb18030", "错误：无法加载动态库，训练停止。\n", "gb18030"),
        ("gbk", "错误：无法加载动态库，训练停止。\n", "gb18030"),
        ("latin-1", "Größe überschritten, café fermé\n", "latin-1"),
        ("cp1252", "naïve façade déjà vu\n", "latin-1"),
        ("ascii", "plain\n", "utf-8"),
    ],
)
def test_encoding_is_recognised(encoding, text, found):
    log = read_log(text.encode(encoding))

    assert log.encoding == found
    assert _text(text.encode(encoding)) == text


def test_a_few_broken_bytes_do_not_spoil_utf_8():
    data = "训练训练训练训练 error 训练\n".encode() + b"\xff\n"

    assert read_log(data).encoding == "utf-8"
    assert "训练 error" not in _text(data)[:4]
    assert "error 训练" in _text(data)


def test_utf_16_appended_to_utf_8_is_readable():
    """PowerShell adds UTF-16 to a file that began otherwise; its zero bytes go."""
    assert "second line" in _text(
        b"first line of many words, all of them plain\n" * 9 + "second line\n".encode("utf-16-le")
    )


def test_colours_titles_and_cursor_movements_go():
    assert clean("\x1b[1;31mError\x1b[0m: \x1b[38;5;12mred\x1b[K") == "Error: red"
    assert clean("\x1b]0;window title\x07text") == "text"


def test_windows_line_ends_are_one_line_end():
    assert _text(b"a\r\nb\r\n") == "a\nb\n"


def test_an_escape_sequence_over_a_border_is_still_removed(monkeypatch):
    monkeypatch.setattr(log_reading, "_DECODE_BYTES", 7)

    assert _text(b"12345\x1b[1;31mred\x1b[0m\r\nnext\r\n") == "12345red\nnext\n"


def test_pieces_keep_the_line_numbers(monkeypatch):
    monkeypatch.setattr(log_reading, "PIECE_CHARACTERS", 100)
    monkeypatch.setattr(log_reading, "OVERLAP_CHARACTERS", 10)
    lines = [f"line {number}" for number in range(1, 200)]

    pieces = list(LogText("\n".join(lines).encode(), "utf-8").pieces())

    assert len(pieces) > 5
    for piece in pieces:
        assert piece.text.splitlines()[0] == f"line {piece.first_line}"
    assert "".join(piece.text for piece in pieces) == "\n".join(lines)


def test_a_line_without_end_is_cut_with_an_overlap(monkeypatch):
    monkeypatch.setattr(log_reading, "PIECE_CHARACTERS", 100)
    monkeypatch.setattr(log_reading, "OVERLAP_CHARACTERS", 10)
    text = "".join(chr(97 + number % 26) for number in range(450))

    pieces = list(LogText(text.encode(), "utf-8").pieces())

    assert all(piece.first_line == 1 for piece in pieces)
    assert all(len(piece.text) <= 100 for piece in pieces)
    assert pieces[1].text[:10] == pieces[0].text[-10:]
    assert pieces[-1].text.endswith(text[-5:])


def test_packed_log_is_unpacked():
    assert _text(gzip.compress(b"CUDA_ERROR_NO_DEVICE\n")) == "CUDA_ERROR_NO_DEVICE\n"


def test_packed_bomb_is_refused():
    with pytest.raises(UnusableFileError) as caught:
        read_log(gzip.compress(b"\x61" * (log_reading.MOST_BYTES + 10), compresslevel=9))

    assert caught.value.message.id == "compat.log-too-large"


@pytest.mark.parametrize("data", [b"", b" \r\n\t ", b"\x00\x00"])
def test_empty_log_is_refused(data):
    with pytest.raises(UnusableFileError) as caught:
        read_log(data)

    assert caught.value.message.id == "compat.log-empty"


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40,
        b"\x7fELF\x02\x01\x01" + bytes(range(32)) * 300,
        b"\x1f\x8b\x08broken",
    ],
)
def test_what_is_no_text_is_refused(data):
    with pytest.raises(UnusableFileError) as caught:
        read_log(data)

    assert caught.value.message.id == "compat.log-no-text"


def test_too_large_is_refused(tmp_path):
    path = tmp_path / "large.log"
    path.write_bytes(b"x" * (log_reading.MOST_BYTES + 1))

    with pytest.raises(UnusableFileError) as caught:
        read_log_file(path)

    assert caught.value.message.id == "compat.log-too-large"


def test_missing_file_and_folder_end_in_a_sentence(tmp_path):
    for path in (tmp_path / "none.log", tmp_path):
        with pytest.raises(UnusableFileError) as caught:
            read_log_file(path)
        assert caught.value.message.id == "compat.log-unreadable"


def test_lines_that_a_terminal_broke_are_put_together():
    piece = LogPiece("short\n" + "a" * 80 + "\n" + "b" * 80 + "\nend\nlast", 11)

    whole = unwrapped(piece)

    assert whole.text == "short\n" + "a" * 80 + "b" * 80 + "end\nlast"
    assert [whole.number_at(whole.text.index(word)) for word in ("short", "b", "end", "last")] == [11, 12, 12, 15]


@pytest.mark.parametrize(
    "text",
    [
        "a few\nshort lines",
        "x" * 97 + "\none long line of no usual width",
        "x" * 300 + "\n" + "x" * 300 + "\nwider than a terminal",
        ("y" * 80 + "\n") * 4_000,
    ],
)
def test_lines_that_no_terminal_broke_stay_as_they_are(text):
    piece = LogPiece(text, 1)

    assert unwrapped(piece) is piece


def test_a_pipe_into_which_nobody_writes_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(log_reading, "PIPE_LIMIT_S", 0.0)
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(UnusableFileError) as caught:
        read_log_file(tmp_path / "pipe")

    assert caught.value.message.id == "compat.log-pipe-silent"


def test_a_pipe_is_read_to_its_end(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    words = b"first\n" * 20_000
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(words))
    writer.start()

    assert read_log_file(tmp_path / "pipe") == words
    writer.join()
