"""Redrawing is spread over turns of the window's thread."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from gpuconfig_app.ui.widgets.redraw_queue import MOST_PER_TURN, RedrawQueue


def test_four_pictures_a_turn_in_order(qapp):
    owner, done = QObject(), []
    queue = RedrawQueue(owner)

    queue.add((number, partial(done.append, number)) for number in range(10))
    after = []
    while len(queue):
        queue.work()
        after.append(len(done))

    assert MOST_PER_TURN == 4
    assert after == [4, 8, 10]
    assert done == list(range(10))


def test_the_event_loop_works_it_off(qapp, qtbot):
    owner, done = QObject(), []
    queue = RedrawQueue(owner)

    queue.add((number, partial(done.append, number)) for number in range(9))
    assert done == []

    qtbot.waitUntil(lambda: len(done) == 9, timeout=3000)


def test_waiting_picture_is_replaced_and_not_drawn_twice(qapp):
    owner, done = QObject(), []
    queue = RedrawQueue(owner)

    queue.add([("a", partial(done.append, "old"))])
    queue.add([("a", partial(done.append, "new"))])
    queue.work()

    assert done == ["new"]


def test_cleared_queue_draws_nothing(qapp):
    owner, done = QObject(), []
    queue = RedrawQueue(owner)
    queue.add([("a", partial(done.append, 1))])

    queue.clear()
    qapp.processEvents()

    assert len(queue) == 0
    assert done == []
