"""Whatever text comes in, Python reads the same text back and the formatter leaves the line alone."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.scriptgen.quoting import (
    LINE_WIDTH,
    assignment,
    comment,
    escape_surrogates,
    json_text,
    literal,
    plain_words,
    wrapped_comment,
)

HOSTILE = (
    '"); import os #',
    "'''\n\"\"\"",
    "\\",
    "C:\\new\\table.csv",
    "{{ 7 * 7 }}{% raw %}",
    "名字 😀 e\u0301 \u202e \u2028 \x85 \x0c",
    "caf\udce9.png",
    "it's \"both\" '''",
    'say "hi"',
    "\N{BULLET}" * 60,
    "文" * 40,
)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_is_read_back_unchanged(text: str) -> None:
    written = assignment("NAME", text, reason=text)

    tree = ast.parse(written)

    assert len(tree.body) == 1
    assert isinstance(tree.body[0], ast.Assign)
    assert ast.literal_eval(tree.body[0].value) == text


@given(st.text(st.characters(codec=None)), st.text(st.characters(codec=None)))
def test_any_text_is_one_assignment(text: str, reason: str) -> None:
    tree = ast.parse(assignment("NAME", [text], reason))

    assert len(tree.body) == 1
    assert ast.literal_eval(tree.body[0].value) == [text]  # type: ignore[attr-defined]  # an assignment


@given(st.text(st.characters(codec=None)))
def test_what_is_written_can_be_stored_as_utf_8(text: str) -> None:
    written = assignment("NAME", text, text) + json_text({"name": text})

    assert all(char.isprintable() or char == "\n" for char in assignment("NAME", text, text))
    assert written.encode("utf-8")


def test_the_formatter_leaves_all_lines_alone(tmp_path: Path) -> None:
    lengths = range(120)
    texts = [*HOSTILE, *("x" * length for length in lengths), *("文" * length for length in lengths)]
    texts += ["'" * length + '"' * (length // 2) for length in lengths]
    blocks = [assignment(f"T{number}", text) for number, text in enumerate(texts)]
    blocks += [assignment(f"R{number}", text, "because of " + text) for number, text in enumerate(texts)]
    blocks += [assignment("LIST", list(texts), "many"), assignment("EMPTY", []), assignment("TINY", 1e-7, "float")]
    file = tmp_path / "constants.py"
    file.write_text("\n".join(blocks) + "\n", encoding="utf-8")

    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "--diff", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "None"),
        (True, "True"),
        (3, "3"),
        (0.001, "0.001"),
        (1e-5, "1e-5"),
        (3e20, "3e20"),
        (float("inf"), 'float("inf")'),
        ("a", '"a"'),
        ('"', "'\"'"),
        ([1, "a"], '[1, "a"]'),
    ],
)
def test_literals(value: object, written: str) -> None:
    assert literal(value) == written  # type: ignore[arg-type]  # plain values


def test_a_mapping_is_no_literal() -> None:
    with pytest.raises(TypeError):
        literal({"a": 1})


def test_a_reason_moves_above_a_long_line() -> None:
    short = assignment("EPOCHS", 30, "as asked")
    long = assignment("DATA_FOLDER", "/data/" + "x" * 60, "one sub-folder for each class")

    assert short == "EPOCHS = 30  # as asked"
    assert long.startswith("# one sub-folder for each class\nDATA_FOLDER = ")


def test_comments_are_one_line_each_and_not_too_long() -> None:
    assert comment(" two\nlines\t \u202e end ") == "two lines end"
    lines = wrapped_comment("many words " * 30).splitlines()
    assert len(lines) > 1
    assert all(line.startswith("# ") and len(line) <= LINE_WIDTH for line in lines)


def test_words_for_documents_hold_no_markup() -> None:
    assert plain_words('RTX `4090` | <b>"""#\n') == "RTX 4090 b"
    assert plain_words("only about 12 % faster") == "only about 12 % faster"


def test_json_of_an_undecodable_name_is_valid() -> None:
    assert json_text("caf\udce9") == '"caf\\udce9"\n'
    assert escape_surrogates("plain 😀") == "plain 😀"
