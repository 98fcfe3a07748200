from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.runner.script_log import LONGEST_LINE, LogTail, clean_line, read_last_lines


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.txt"


def append(path: Path, raw: bytes) -> None:
    with path.open("ab") as file:
        file.write(raw)


def test_each_look_gives_only_what_is_new(log: Path) -> None:
    tail = LogTail(log)
    assert tail.poll().lines == ()
    append(log, b"one\ntwo\nth")
    assert tail.poll().lines == ("one", "two")
    append(log, b"ree\n")

    change = tail.poll()

    assert change.lines == ("three",)
    assert change.unfinished == ""
    assert tail.lines == ("one", "two", "three")


def test_a_letter_cut_in_two_is_put_together(log: Path) -> None:
    raw = "训练 🎉\n".encode()
    tail = LogTail(log)
    seen: list[str] = []
    for number in range(len(raw)):
        append(log, raw[number : number + 1])
        seen += tail.poll().lines

    assert seen == ["训练 🎉"]


def test_bytes_that_are_no_text_do_no_harm(log: Path) -> None:
    append(log, b"a\xff\xfeb\n\x00\x01nul\n")

    assert LogTail(log).poll().lines == ("a\ufffd\ufffdb", "nul")


def test_a_progress_bar_is_one_line_that_changes(log: Path) -> None:
    tail = LogTail(log)
    append(log, b"Epoch 1\n\r 1/10 [>.....]")
    assert tail.poll().unfinished == " 1/10 [>.....]"
    append(log, b"\r 9/10 [=====>]")
    assert tail.poll().unfinished == " 9/10 [=====>]"
    append(log, b"\r10/10 [=======]\n")

    assert tail.poll().lines == ("10/10 [=======]",)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain", "plain"),
        ("windows\r", "windows"),
        ("\x1b[1m10/10\x1b[0m \x1b[32m━━━━\x1b[0m", "10/10 ━━━━"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("12%\b\b\b34%", "34%"),
        ("tab\there", "tab\there"),
        ("cut off \x1b[3", "cut off 3"),
        ("\x9b31m bell\x07", "31m bell"),
    ],
)
def test_a_line_is_shown_as_a_terminal_shows_it(raw: str, shown: str) -> None:
    assert clean_line(raw) == shown


def test_an_endless_progress_bar_takes_no_memory(log: Path) -> None:
    tail = LogTail(log)
    for number in range(2000):
        append(log, b"\r%d " % number + b"." * 200)
        tail.poll()

    assert tail.unfinished.startswith("1999")
    assert len(tail._pending) < 10 * LONGEST_LINE


def test_an_endless_line_is_cut(log: Path) -> None:
    append(log, b"x" * 100_000 + b"\nnext\n")

    lines = LogTail(log).poll().lines

    assert len(lines[0]) == LONGEST_LINE + 1
    assert lines[1] == "next"


def test_of_too_much_at_once_only_the_end_is_read(log: Path) -> None:
    append(log, b"".join(b"line %d\n" % number for number in range(10_000)))

    change = LogTail(log, most_bytes=100).poll()

    assert change.skipped_bytes > 0
    assert change.lines[-1] == "line 9999"
    assert all(line.startswith("line ") for line in change.lines)


def test_kept_lines_are_bounded(log: Path) -> None:
    tail = LogTail(log, most_lines=3)
    append(log, b"1\n2\n3\n4\n5\n")
    tail.poll()

    assert tail.lines == ("3", "4", "5")


def test_a_file_begun_anew_is_noticed(log: Path) -> None:
    tail = LogTail(log)
    append(log, b"old line of some length\n")
    tail.poll()
    log.write_bytes(b"new\n")

    change = tail.poll()

    assert change.is_new_file
    assert change.lines == ("new",)
    assert tail.lines == ("new",)


def test_the_last_lines_include_the_unfinished_one(log: Path) -> None:
    append(log, b"1\n2\n3\nhalf")

    assert read_last_lines(log, 2) == ("3", "half")
    assert read_last_lines(log.with_name("missing"), 2) == ()
