"""Alarms in the message bar: one line per card, the worst first, gone when over."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.telemetry.event_list import EventList
from gpuconfig_app.ui.alarm_notices import AlarmNotices
from gpuconfig_app.ui.live_sampling import limits_of
from tests.ui.fakes_ui import make_gpu, make_report, make_sample, make_silence


@pytest.fixture
def posted(state):
    report = make_report(tuple(make_gpu(index) for index in range(4)))
    state.show(report)
    state.events = EventList(limits_of(report))
    heard = []
    state.notice_posted.connect(heard.append)
    return heard


@pytest.fixture
def notices(state, posted):
    made = AlarmNotices(state)
    state.alarms_changed.connect(made.refresh)
    return made


def hot(device: int, seconds: range) -> list:
    values = {Metric.TEMPERATURE_C: 89.0}
    return [make_sample(device, float(second), values=values, throttle_reasons=()) for second in seconds]


def test_lost_card_is_told_in_the_words_of_the_driver(state, notices, posted):
    error = Message("telemetry.alarm-lost")
    state.give([make_sample(3), make_silence(3, 5.0, Liveness.LOST)])

    assert [notice.topic for notice in posted] == ["gpu-3"]
    assert posted[0].severity is Severity.BLOCKED
    assert state.text(posted[0].message) == "GPU 3 no longer answers."
    assert state.text(posted[0].hint) == state.text(error)


def test_hot_card_is_told_once(state, notices, posted):
    state.give(hot(1, range(20)))
    state.give(hot(1, range(20, 40)))

    assert [state.text(notice.message) for notice in posted] == ["GPU 1 is hot."]
    assert "89" in state.text(posted[0].hint)
    assert posted[0].severity is Severity.WARNING


def test_line_goes_away_when_it_is_over(state, notices, posted):
    state.give(hot(1, range(20)))
    cool = {Metric.TEMPERATURE_C: 60.0}
    state.give([make_sample(1, float(second), values=cool, throttle_reasons=()) for second in range(20, 40)])

    assert [(notice.topic, notice.is_over) for notice in posted] == [("gpu-1", False), ("gpu-1", True)]


def test_worse_alarm_takes_the_place_of_the_former(state, notices, posted):
    state.give(hot(1, range(20)))
    state.give([make_silence(1, 30.0, Liveness.LOST)])

    assert [state.text(notice.message) for notice in posted] == ["GPU 1 is hot.", "GPU 1 no longer answers."]
    assert {notice.topic for notice in posted} == {"gpu-1"}


def test_silent_driver_is_told_for_each_card(state, notices, posted):
    state.give([make_sample(0), make_silence(0, 5.0, Liveness.SILENT), make_silence(2, 5.0, Liveness.SILENT)])

    assert [notice.topic for notice in posted] == ["gpu-0", "gpu-2"]


def test_everyday_alarms_are_not_told(state, notices, posted):
    full = {Metric.MEMORY_USED_BYTES: 24564 * 1024.0**2}
    samples = [make_sample(0, float(second), values=full, throttle_reasons=("power_cap",)) for second in range(60)]

    state.give(samples)

    assert len(state.events.events) == 2
    assert posted == []


def test_pages_that_are_built_anew_do_not_tell_again(state, notices, posted):
    state.give(hot(1, range(20)))
    posted.clear()

    AlarmNotices(state).refresh()

    assert posted == []


def test_other_machine_takes_the_lines_away(state, notices, posted):
    state.give(hot(1, range(20)))
    posted.clear()
    state.events = EventList()
    state.show(None)

    notices.refresh()

    assert [(notice.topic, notice.is_over) for notice in posted] == [("gpu-1", True)]


def test_every_line_is_there_in_both_languages(state):
    for kind in ("lost", "no-answer", "slowed-by-heat", "hot"):
        message = Message(f"ui.gpu-{kind}", {"device": "7"})
        for rendered in (state.workbench.texts.render(message, language) for language in type(state.language)):
            assert "7" in rendered
