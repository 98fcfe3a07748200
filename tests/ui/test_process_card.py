"""Processes on the cards: the table keeps Qt's rules, ending needs a second look and is only for one's own."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from gpuconfig_app.core.gpu import GpuProcess
from gpuconfig_app.core.units import GIB
from gpuconfig_app.ui.models.process_model import ProcessModel, ProcessRow, device_ranges, process_rows
from gpuconfig_app.ui.widgets.process_card import ProcessCard
from tests.ui.fakes_ui import make_sample

MINE = GpuProcess(pid=10, name="python train.py", user="you", memory_used_bytes=4 * GIB)
DESKTOP = GpuProcess(pid=20, name="gnome-shell", user="you", memory_used_bytes=GIB, kind="graphics")
OTHER = GpuProcess(pid=30, name="python -m notebook", user="maria", memory_used_bytes=None)
OWN = {10: 111.0, 20: 222.0}


def rows(*processes: GpuProcess, own: dict[int, float] | None = OWN) -> tuple[ProcessRow, ...]:
    sample = make_sample(0, processes=processes)
    return process_rows({sample.key: sample}, own)


@pytest.fixture
def card(show):
    made = show(ProcessCard())
    made.window().resize(700, 400)
    made.show_rows(rows(MINE, DESKTOP, OTHER), "")
    return made


def choose(card: ProcessCard, pid: int) -> None:
    model = card._table.model()
    row = next(row for row in range(model.rowCount()) if model.index(row, 1).data() == str(pid))
    card._table.setCurrentIndex(model.index(row, 0))


# --- rows


def test_one_row_for_all_cards_of_a_process():
    samples = [make_sample(index, processes=(MINE,)) for index in range(8)]

    found = process_rows({sample.key: sample for sample in samples}, {})

    assert len(found) == 1
    assert found[0].devices == tuple("01234567")
    assert found[0].memory_used_bytes == 32 * GIB


def test_largest_first_and_unknown_memory_is_not_zero():
    found = rows(OTHER, DESKTOP, MINE)

    assert [row.process.pid for row in found] == [10, 20, 30]
    assert found[2].memory_used_bytes is None


def test_recorded_machine_tells_nothing_of_whose_they_are():
    assert {row.is_own for row in rows(MINE, OTHER, own=None)} == {None}


@pytest.mark.parametrize(
    ("devices", "text"),
    [
        (("0",), "0"),
        (("0", "1", "2", "3"), "0–3"),
        (("0", "2", "3", "9", "10"), "0, 2–3, 9–10"),
        ((), ""),
        (("0/1", "0/2"), "0/1, 0/2"),
    ],
)
def test_cards_are_written_as_ranges(devices, text):
    assert device_ranges(devices) == text


# --- model


def test_model_keeps_qt_s_rules(qapp, theme):
    model = ProcessModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    model.show_rows(rows(MINE, DESKTOP))
    model.show_rows(rows(MINE, DESKTOP, OTHER))
    model.show_rows(())

    assert model.rowCount() == 0
    assert model.row(0) is None


def test_cells(qapp, theme):
    model = ProcessModel()
    model.show_rows(rows(MINE, DESKTOP, OTHER))

    cells = [[model.index(row, column).data() for column in range(6)] for row in range(3)]

    assert cells == [
        ["0", "10", "you", "python train.py", "4.0 GiB", ""],
        ["0", "20", "you", "gnome-shell", "1.0 GiB", "desktop"],
        ["0", "30", "maria", "python -m notebook", "–", "not yours"],
    ]


def test_new_numbers_do_not_reset_the_table(qapp, theme, qtbot):
    model = ProcessModel()
    model.show_rows(rows(MINE))
    grown = GpuProcess(pid=10, name="python train.py", user="you", memory_used_bytes=6 * GIB)

    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
        model.show_rows(rows(grown))

    assert model.index(0, 4).data() == "6.0 GiB"


# --- card


def test_nothing_can_be_ended_before_a_process_is_chosen(card):
    card._table.setCurrentIndex(QModelIndex())

    assert card._end.isVisible()
    assert not card._end.isEnabled()
    assert card._end.toolTip() == "Select a process first"


def test_only_own_processes_can_be_ended(card):
    choose(card, 10)
    mine = card._end.isEnabled()
    choose(card, 30)

    assert mine
    assert not card._end.isEnabled()
    assert card._end.toolTip() == "Only your own processes on this machine can be ended"


def test_ending_needs_a_second_look(card, qtbot):
    choose(card, 10)

    with qtbot.assertNotEmitted(card.end_asked):
        qtbot.mouseClick(card._end, Qt.MouseButton.LeftButton)

    assert card._question.isVisible()
    assert card._question_text.text() == "End process 10 (python train.py)? What it has not saved is lost."
    with qtbot.waitSignal(card.end_asked) as heard:
        qtbot.mouseClick(card._yes, Qt.MouseButton.LeftButton)
    assert [(row.process, row.started_at) for row in heard.args] == [(MINE, 111.0)]
    assert not card._question.isVisible()


def test_keeping_it_ends_nothing(card, qtbot):
    choose(card, 10)
    qtbot.mouseClick(card._end, Qt.MouseButton.LeftButton)

    with qtbot.assertNotEmitted(card.end_asked):
        qtbot.mouseClick(card._no, Qt.MouseButton.LeftButton)
        card._confirm()

    assert not card._question.isVisible()


def test_question_is_about_the_process_that_was_asked_for(card, qtbot):
    """The table is filled anew each second and the selection may move; the question must not."""
    choose(card, 10)
    qtbot.mouseClick(card._end, Qt.MouseButton.LeftButton)
    choose(card, 20)

    with qtbot.waitSignal(card.end_asked) as heard:
        qtbot.mouseClick(card._yes, Qt.MouseButton.LeftButton)

    assert [(row.process, row.started_at) for row in heard.args] == [(MINE, 111.0)]


def test_question_goes_away_with_its_process(card, qtbot):
    choose(card, 10)
    qtbot.mouseClick(card._end, Qt.MouseButton.LeftButton)

    card.show_rows(rows(DESKTOP, OTHER), "")

    assert not card._question.isVisible()


def test_choice_stays_on_its_process(card):
    choose(card, 20)
    newcomer = GpuProcess(pid=5, name="new", user="you", memory_used_bytes=20 * GIB)

    card.show_rows(rows(newcomer, MINE, DESKTOP), "")

    assert card._table.currentIndex().siblingAtColumn(1).data() == "20"


def test_no_process_says_why(card):
    card.show_rows((), "No process uses a GPU now.")

    assert not card._table.isVisible()
    assert not card._end.isVisible()
    assert card._empty.text() == "No process uses a GPU now."
    assert card.note.text() == ""


def test_recorded_machine_offers_no_ending(card):
    card.show_rows(rows(MINE, own=None), "")

    assert not card._end.isVisible()


def test_head_counts(card):
    assert card.note.text() == "3 processes on 1 GPU"
