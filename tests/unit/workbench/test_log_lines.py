"""Lines of a log by number: any size, long lines, progress bars, pieces that end inside a line."""

from __future__ import annotations

import pytest

from gpuconfig_app.compat.log_reading import PIECE_CHARACTERS, read_log
from gpuconfig_app.workbench.log_lines import MOST_CHARACTERS, LogLines


def lines_of(data: bytes) -> LogLines:
    made = LogLines()
    for piece in read_log(data).pieces():
        made.add(piece)
    return made


def test_lines_are_counted_from_one() -> None:
    made = lines_of(b"first\nsecond\n\nfourth")

    assert made.count == 4
    assert list(made.lines(1, 4)) == ["first", "second", "", "fourth"]
    assert made.line(2) == "second"


def test_line_break_at_the_end_begins_no_line() -> None:
    assert lines_of(b"first\nsecond\n").count == 2


@pytest.mark.parametrize("number", [0, -3, 3, 9_999])
def test_line_that_is_not_there_is_empty(number: int) -> None:
    assert lines_of(b"first\nsecond\n").line(number) in {"", "first"}
    assert list(lines_of(b"a\nb\n").lines(2, 99)) == ["b"]


def test_every_line_of_a_large_log_is_found() -> None:
    count = 60_000
    made = lines_of(b"".join(b"line %d of the log, with some words behind it\n" % at for at in range(1, count + 1)))

    assert made.count == count
    for number in (1, 2, 1_399, 1_400, 1_401, 30_000, count - 1, count):
        assert made.line(number) == f"line {number} of the log, with some words behind it"
    assert list(made.lines(count - 2, count)) == [made.line(count - 2), made.line(count - 1), made.line(count)]


def test_line_longer_than_a_piece_is_one_line() -> None:
    made = lines_of(b"head\n" + b"x" * (PIECE_CHARACTERS * 2 + 17) + b"\ntail\n")

    assert made.count == 3
    assert len(made.data) == 5 + PIECE_CHARACTERS * 2 + 17 + 6
    assert made.line(3) == "tail"
    assert made.line(2) == "x" * (MOST_CHARACTERS - 1) + "…"


def test_progress_bar_shows_what_it_wrote_last() -> None:
    made = lines_of(b"step 1/3\rstep 2/3\rstep 3/3\r\nnext\n10%\r20%\r")

    assert list(made.lines(1, 3)) == ["step 3/3", "next", "20%"]


def test_chinese_and_colours() -> None:
    made = lines_of("\x1b[31m错误\x1b[0m：找不到库\n第二行".encode("gb18030"))

    assert list(made.lines(1, 2)) == ["错误：找不到库", "第二行"]


def test_line_of_wide_characters_is_shortened_between_characters() -> None:
    assert lines_of(("显" * 3_000).encode()).line(1) == "显" * (MOST_CHARACTERS - 1) + "…"
