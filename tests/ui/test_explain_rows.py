"""Which lines of a log are shown and which are folded, for logs of any size."""

from __future__ import annotations

import pytest

from gpuconfig_app.ui.pages.explain.log_rows import (
    AROUND,
    MOST_PLAIN,
    MOST_UNFOLDED,
    UNFOLD_STEP,
    LineRole,
    LogRow,
    LogRows,
)
from gpuconfig_app.ui.pages.explain.wrapping import wrapped
from gpuconfig_app.workbench.explain_log import explain_log

CAUSE = "Illegal instruction (core dumped)"
HARMLESS = "Unable to register cuFFT factory: Attempting to register factory for plugin cuFFT"


def rows_of(*lines: str) -> LogRows:
    explained = explain_log("\n".join(lines).encode())
    return LogRows(explained.report, explained.lines)


def shape(rows: LogRows) -> list[str]:
    return [f"{row.number}+{row.folded}" if row.is_fold else str(row.number) for row in rows.rows]


def test_short_log_is_shown_whole_but_for_harmless_lines() -> None:
    rows = rows_of(HARMLESS, HARMLESS, "Epoch 1/2", CAUSE, "goodbye", HARMLESS)

    assert shape(rows) == ["1+2", "3", "4", "5", "6+1"]
    assert [row.role for row in rows.rows] == [
        LineRole.HARMLESS, LineRole.PLAIN, LineRole.MAIN, LineRole.PLAIN, LineRole.HARMLESS,
    ]  # fmt: skip
    assert (rows.rows[2].code, rows.rows[2].severity, rows.rows[2].text) == ("CPU_LACKS_AVX", "blocked", CAUSE)


def test_long_stretches_are_folded_but_for_what_stands_beside_a_finding() -> None:
    before, after = 400, 12_000
    rows = rows_of(*["step"] * before, CAUSE, *["step"] * after)
    hidden = [row for row in rows.rows if row.is_fold]

    assert [(row.number, row.folded) for row in hidden] == [
        (AROUND + 1, before - 2 * AROUND),
        (before + 1 + AROUND + 1, after - 2 * AROUND),
    ]
    assert len(rows.rows) == 4 * AROUND + 3


@pytest.mark.parametrize(("length", "folds"), [(MOST_PLAIN, 0), (MOST_PLAIN + 1, 1)])
def test_stretch_up_to_the_limit_is_shown(length: int, folds: int) -> None:
    rows = rows_of(*["step"] * length, CAUSE)

    assert sum(row.is_fold for row in rows.rows) == folds


def test_every_line_stands_in_exactly_one_row() -> None:
    lines = [HARMLESS if at % 7 == 0 else CAUSE if at % 50 == 3 else f"step {at}" for at in range(900)]
    rows = rows_of(*lines)
    seen = [number for row in rows.rows for number in range(row.number, row.number + max(row.folded, 1))]

    assert seen == list(range(1, 901))


def test_fold_opens_and_closes() -> None:
    rows = rows_of(HARMLESS, HARMLESS, CAUSE)

    assert rows.toggle(0)
    assert shape(rows) == ["1+2", "1", "2", "3"]
    assert rows.rows[0].is_open
    assert rows.rows[1].text == HARMLESS
    assert rows.toggle(0)
    assert shape(rows) == ["1+2", "3"]


@pytest.mark.parametrize("place", [-1, 1, 99])
def test_line_is_no_fold(place: int) -> None:
    assert not rows_of(HARMLESS, CAUSE).toggle(place)


def test_large_fold_opens_in_steps_within_a_bound() -> None:
    count = MOST_UNFOLDED + 5_000
    rows = rows_of(CAUSE, *["step"] * count)
    fold = next(at for at, row in enumerate(rows.rows) if row.is_fold)

    assert rows.toggle(fold)
    rest = rows.rows[fold + 1 + UNFOLD_STEP]
    assert (rest.is_fold, rest.folded) == (True, count - 2 * AROUND - UNFOLD_STEP)

    while rows.toggle(next(at for at, row in enumerate(rows.rows) if row.is_fold and not row.is_open)):
        pass
    last: LogRow = next(row for row in rows.rows if row.is_fold and not row.is_open)
    assert last.is_full
    assert len(rows.rows) == MOST_UNFOLDED + 2 * AROUND + 3


def test_place_of_a_hidden_line_unfolds_what_hides_it() -> None:
    rows = rows_of(HARMLESS, HARMLESS, CAUSE)

    place = rows.row_of(2)

    assert rows.rows[place].number == 2
    assert not rows.rows[place].is_fold
    assert rows.rows[rows.row_of(3)].code == "CPU_LACKS_AVX"
    assert (rows.row_of(0), rows.row_of(4)) == (-1, -1)


def test_place_in_a_large_fold_is_the_fold() -> None:
    rows = rows_of(CAUSE, *["step"] * 500)

    assert rows.rows[rows.row_of(200)].is_fold


def test_part_written_over_on_the_screen_is_shown_where_it_is_the_finding() -> None:
    rows = rows_of(f"{CAUSE}\rdone")

    assert rows.rows[0].text == CAUSE


def test_unknown_error_is_marked() -> None:
    rows = rows_of("Epoch 1/2", "frobnicator error 17")

    assert [row.role for row in rows.rows] == [LineRole.PLAIN, LineRole.UNEXPLAINED]


# --- wrapping


def test_line_that_fits_is_not_broken() -> None:
    assert wrapped("x" * 20, 20) == ("x" * 20,)
    assert wrapped("", 20) == ("",)


def test_line_is_broken_at_a_blank_else_anywhere() -> None:
    assert wrapped("the quick brown fox", 12) == ("the quick", "brown fox")
    assert wrapped("/usr/lib/python3/site-packages", 10) == ("/usr/lib/p", "ython3/sit", "e-packages")


def test_chinese_takes_two_columns_each() -> None:
    assert wrapped("找不到动态库文件", 8) == ("找不到动", "态库文件")


@pytest.mark.parametrize("columns", [-5, 0, 3])
def test_too_little_room_still_ends(columns: int) -> None:
    assert "".join(wrapped("a" * 50, columns)) == "a" * 50
