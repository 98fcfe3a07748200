"""Background work: results on the window's thread, newest wins, a hanging job holds up nothing."""

from __future__ import annotations

import threading

import pytest

from gpuconfig_app.core.messages import Message
from gpuconfig_app.ui.background import Background


@pytest.fixture
def background(qapp):
    made = Background()
    yield made
    made.cancel_all()
    made.deleteLater()


def test_work_runs_elsewhere_and_the_result_comes_back_here(background, qtbot):
    threads: dict[str, int] = {}

    def work(_):
        threads["work"] = threading.get_ident()
        return 42

    with qtbot.waitSignal(background.busy_changed, check_params_cb=lambda topic, busy: not busy):
        background.run("t", work, lambda value: threads.update(done=threading.get_ident(), value=value))

    assert threads["value"] == 42
    assert threads["done"] == threading.get_ident() != threads["work"]


def test_failure_without_handler_is_a_signal(background, qtbot):
    def work(_):
        raise ValueError("broken")

    with qtbot.waitSignal(background.failed) as failed:
        background.run("t", work, lambda _: None)

    assert isinstance(failed.args[1], ValueError)


def test_newer_job_replaces_the_older_and_its_late_result_is_dropped(background, qtbot):
    release = threading.Event()
    results: list[str] = []

    def slow(control):
        release.wait(10)
        assert control.is_cancelled
        return "old"

    background.run("t", slow, results.append)
    background.run("t", lambda _: "new", results.append)
    qtbot.waitUntil(lambda: results == ["new"])
    release.set()
    with qtbot.waitSignal(background.busy_changed, check_params_cb=lambda topic, busy: topic == "other" and not busy):
        background.run("other", lambda _: None, lambda _: None)

    assert results == ["new"]


def test_progress_arrives_while_working(background, qtbot):
    seen: list[float | None] = []

    def work(control):
        control.report(0.5, Message("core.disk-full", {"path": "x"}))

    with qtbot.waitSignal(background.busy_changed, check_params_cb=lambda topic, busy: not busy):
        background.run("t", work, lambda _: None, on_progress=lambda share, _: seen.append(share))

    assert seen == [0.5]


def test_job_that_is_cancelled_by_its_own_control_is_over_and_delivers_nothing(background, qtbot):
    may_look = threading.Event()
    delivered: list[object] = []

    def work(control):
        may_look.wait(10)
        control.check()

    control = background.run("t", work, delivered.append, delivered.append)
    with qtbot.waitSignal(background.busy_changed, check_params_cb=lambda topic, busy: not busy):
        control.cancel()
        may_look.set()

    assert not background.is_busy("t")
    assert delivered == []
