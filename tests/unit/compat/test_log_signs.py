"""Signs: each finds its examples and not its look-alikes; a bad row is refused; no shape can be made slow."""

from __future__ import annotations

import re
import time

import pytest

from gpuconfig_app.compat.log_reading import LogPiece, read_log
from gpuconfig_app.compat.log_rules import load_log_rules
from gpuconfig_app.compat.log_signs import (
    MOST_LINES,
    MOST_MATCHES,
    SignSearch,
    line_around,
    load_signs,
    parse_signs,
)
from gpuconfig_app.core.errors import UnusableFileError

SIGNS = load_signs()
SHAPES = [(sign.id, item) for sign in SIGNS for item in sign.shapes]
SOURCE = {"source": {"title": "t", "address": "https://example.org/t"}, "checked_on": "2026-11-30"}


def _seen(text: str):
    search = SignSearch(SIGNS)
    for piece in read_log(text.encode()).pieces():
        search.search(piece)
    return search.seen


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.id)
def test_sign_is_found_in_its_examples_only(sign):
    for example in (*sign.examples, *sign.words):
        assert sign.id in _seen(f"Prefix: {example}" if example.strip()[:1].isalpha() else example) or sign.id in _seen(
            example
        ), example
    for other in sign.others:
        assert sign.id not in _seen(other), other


@pytest.mark.parametrize(("name", "item"), SHAPES, ids=lambda value: value if isinstance(value, str) else value.word)
def test_every_shape_has_an_example(name, item):
    sign = next(sign for sign in SIGNS if sign.id == name)

    assert any(item.word in " ".join(example.lower().split()) for example in sign.examples)


def test_every_sign_is_of_use():
    """It belongs to a rule, is harmless, or tells a fact that is asked for."""
    named = {name for rule in load_log_rules() for name in (*rule.signs, *rule.beside, *rule.unless)}

    idle = [sign.id for sign in SIGNS if sign.id not in named and not sign.harmless and not sign.facts]

    assert all(name.startswith("says-") for name in idle), idle


@pytest.mark.parametrize(("name", "item"), SHAPES, ids=lambda value: value if isinstance(value, str) else value.word)
def test_no_shape_can_be_made_slow(name, item):
    """Long lines of what a shape waits for; the search looks at four thousand characters at most."""
    shape = re.compile(item.shape, re.IGNORECASE)
    letters = re.sub(r"\\[a-zA-Z]|\{[^}]*\}|[\\\[\](){}|?^$.]", " ", item.shape)
    words = [word for word in letters.split() if word.isalnum()][:3]
    hostile = [
        (item.word * 4000)[:4000],
        ((item.word + " ") * 4000)[:4000],
        (item.word + "0." * 4000)[:4000],
        (item.word + "(" * 2000 + " " * 4000)[:4000],
        *((word * 4000)[:4000] for word in words),
        *(((word + " ") * 4000)[:4000] for word in words),
    ]

    started = time.perf_counter()
    for text in hostile:
        shape.search(text)

    assert (time.perf_counter() - started) / len(hostile) < 0.25


def test_a_line_counts_once_and_the_first_lines_are_kept():
    seen = _seen("Unable to register cuDNN factory: Attempting to register when one has already been registered\n" * 50)

    assert seen["factory-registered"].count == 50
    assert sorted(seen["factory-registered"].lines) == list(range(1, MOST_LINES + 1))


def test_counting_ends_somewhere():
    seen = _seen("CUDA_ERROR_NO_DEVICE\n" * (MOST_MATCHES + 500))["cuinit-no-device"]

    assert seen.count == MOST_MATCHES
    assert not seen.is_counted_fully


def test_letters_that_grow_when_lowered_do_not_move_what_is_found():
    """The lower case of a dotted capital i is two characters long."""
    seen = _seen("İİİİİİ İstanbul\nfailed call to cuInit: CUDA_ERROR_NO_DEVICE\n")

    assert list(seen["cuinit-no-device"].lines) == [2]


def test_line_around_is_bounded():
    assert line_around("a\nbcd\ne", 3) == (2, 5)
    start, end = line_around("x" * 100_000, 50_000)
    assert end - start <= 4000


def test_progress_bar_is_cut_at_its_returns():
    search = SignSearch(SIGNS)
    search.search(LogPiece("1/9\r2/9\rEpoch 1: loss: nan\r3/9\n", 7))

    assert search.seen["loss-nan"].lines[7].text == "Epoch 1: loss: nan"


@pytest.mark.parametrize(
    "row",
    [
        {"id": "a"},
        {"id": "a", "words": ["Upper"]},
        {"id": "a", "shapes": [{"word": "ab", "shape": "ab.*c"}], "examples": ["abc"]},
        {"id": "a", "shapes": [{"word": "ab", "shape": "(?:ab)+"}], "examples": ["ab"]},
        {"id": "a", "shapes": [{"word": "ab", "shape": "ab{2,}"}], "examples": ["abb"]},
        {"id": "a", "shapes": [{"word": "ab", "shape": "(a)b\\1"}], "examples": ["aba"]},
        {"id": "a", "shapes": [{"word": "ab", "shape": "a.{0,90}b.{0,90}c.{0,90}d.{0,90}e"}], "examples": ["abcde"]},
        {"id": "a", "shapes": [{"word": "ab", "shape": "ab("}], "examples": ["ab("]},
        {"id": "a", "shapes": [{"word": "ab", "shape": "ab"}]},
        {"id": "a", "words": ["ab"], "colour": "red"},
    ],
)
def test_bad_row_is_refused(row):
    with pytest.raises(UnusableFileError):
        parse_signs({"schema": 1, "sign": [row | SOURCE]})


def test_good_row_is_taken():
    row = {"id": "a", "shapes": [{"word": "ab", "shape": r"[*+]ab\+.{0,90}c"}], "examples": ["*ab+c"]}

    assert parse_signs({"schema": 1, "sign": [row | SOURCE]})[0].id == "a"
