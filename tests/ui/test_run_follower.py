"""Following a run folder: every line once, in order, until the run is over or nobody looks."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.run_result import RunKind, RunState
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.ui.run_follower import RunFollower
from tests.ui.run_folders import break_run, make_run

LIMIT_MS = 10_000


@pytest.fixture
def places(private_home):
    return user_places()


@pytest.fixture
def follower(qapp):
    made = RunFollower()
    yield made
    made.stop()
    made.deleteLater()


def test_run_that_is_over_is_told_once_and_whole(follower, places, qtbot):
    record = make_run(places, "pets", epochs=3, log="one\ntwo\nunder way")
    heard, ended = [], []
    follower.news.connect(heard.append)
    follower.ended.connect(ended.append)

    follower.follow(places.runs / record.id)
    qtbot.waitUntil(lambda: bool(ended), timeout=LIMIT_MS)

    assert [news.log.lines for news in heard] == [("one", "two")]
    assert heard[0].log.unfinished == "under way"
    assert len(heard[0].events.epochs) == 3
    assert [result.state for result in ended] == [RunState.FINISHED]


@pytest.mark.parametrize(
    ("exit_code", "reason", "state"),
    [(0, "ended", RunState.FINISHED), (4, "ended", RunState.FAILED), (6, "stopped", RunState.CANCELLED),
     (None, "", RunState.VANISHED), (None, "time_limit", RunState.TIMED_OUT)],
)  # fmt: skip
def test_every_end_is_told(follower, places, qtbot, exit_code, reason, state):
    record = make_run(places, "pets", RunKind.TEST, exit_code=exit_code, reason=reason)

    with qtbot.waitSignal(follower.ended, timeout=LIMIT_MS) as heard:
        follower.follow(places.runs / record.id)

    assert heard.args[0].state is state


@pytest.mark.parametrize("is_there", [True, False])
def test_folder_that_cannot_be_read_is_told(follower, places, qtbot, is_there):
    folder = break_run(places) if is_there else places.runs / "gone"

    with qtbot.waitSignal(follower.failed, timeout=LIMIT_MS) as heard:
        follower.follow(folder)

    assert isinstance(heard.args[0], GpuConfigError)


def test_nothing_comes_after_stopping(follower, places, qtbot, qapp):
    first, second = make_run(places, "a", log="first\n"), make_run(places, "b", log="second\n")
    heard = []
    follower.news.connect(heard.append)

    follower.follow(places.runs / first.id)
    follower.follow(places.runs / second.id)
    qtbot.waitUntil(lambda: bool(heard), timeout=LIMIT_MS)
    qapp.processEvents()

    assert [news.log.lines for news in heard] == [("second",)]
