"""Words, ranges and reasons of each card on Monitor."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import Liveness, Metric, Sample
from gpuconfig_app.core.units import GIB
from gpuconfig_app.telemetry.alarms import AlarmKind
from gpuconfig_app.telemetry.event_list import EventList
from gpuconfig_app.ui.live_sampling import limits_of
from gpuconfig_app.ui.monitor_rows import device_word, graph_rows, scales_of
from gpuconfig_app.ui.widgets.graph_rows import GraphRow
from gpuconfig_app.workbench.bench import Workbench
from tests.ui.fakes_ui import FakeState, make_gpu, make_report, make_sample, make_silence
from tests.ui.real_window import machine_folder

NONE: frozenset[AlarmKind] = frozenset()
HOT = {Metric.UTILIZATION_PCT: 96.0, Metric.TEMPERATURE_C: 89.0}


def row_of(state: FakeState, gpu, *samples: Sample) -> GraphRow:
    report = make_report((gpu,))
    events, latest = EventList(limits_of(report)), {}
    for sample in samples:
        events.add(sample)
        latest[sample.key] = sample
    return graph_rows(report, latest, events, state.text)[0]


@pytest.mark.parametrize(
    ("sample", "word", "severity"),
    [
        (make_sample(), "ui.word-busy", "good"),
        (make_sample(values={Metric.UTILIZATION_PCT: 5.0}), "ui.word-busy", "good"),
        (make_sample(values={Metric.UTILIZATION_PCT: 4.9}), "ui.word-idle", "idle"),
        (make_sample(values={Metric.UTILIZATION_PCT: 0.0}), "ui.word-idle", "idle"),
        (make_sample(values={Metric.TEMPERATURE_C: 50.0}), "ui.word-live", "neutral"),
        (make_silence(liveness=Liveness.LOST), "ui.word-lost", "blocked"),
        (make_silence(liveness=Liveness.SILENT), "ui.word-silent", "silent"),
        (make_silence(liveness=Liveness.STALE), "ui.word-stale", "stale"),
        (make_silence(liveness=Liveness.ASLEEP), "ui.word-asleep", "idle"),
        (make_silence(liveness=Liveness.ENDED), "ui.word-ended", "neutral"),
        (make_silence(liveness=Liveness.WAITING), "ui.word-waiting", "loading"),
        (None, "ui.word-waiting", "loading"),
    ],
)
def test_word_of_each_state(sample, word, severity):
    found = device_word(make_gpu(), sample, NONE)

    assert (found.id, found.severity) == (word, severity)


def test_every_liveness_has_a_word(state):
    for liveness in Liveness:
        word = device_word(make_gpu(), make_silence(liveness=liveness), NONE)
        assert state.text(Message(word.id))


@pytest.mark.parametrize(
    ("gpu_state", "word"), [(GpuState.DRIVER_MISSING, "ui.word-no-driver"), (GpuState.ASLEEP, "ui.word-asleep")]
)
def test_what_the_survey_says_goes_before_the_readings(gpu_state, word):
    assert device_word(make_gpu(state=gpu_state), make_sample(), NONE).id == word


def test_slowed_by_heat_goes_before_hot_and_busy():
    both = frozenset({AlarmKind.HOT, AlarmKind.SLOWED_BY_HEAT})

    assert device_word(make_gpu(), make_sample(), both).id == "ui.word-slowed-heat"
    assert device_word(make_gpu(), make_sample(), frozenset({AlarmKind.HOT})).id == "ui.word-hot"
    assert device_word(make_gpu(), make_silence(liveness=Liveness.LOST), both).id == "ui.word-lost"


def test_reached_power_limit_is_everyday_and_only_a_remark(state):
    row = row_of(state, make_gpu(), make_sample(throttle_reasons=("power_cap",)))

    assert (row.word, row.severity, row.remark) == ("Busy", "good", "at power limit")


@pytest.mark.parametrize(
    ("reasons", "remark"),
    [
        (("sw_thermal", "power_cap"), "slowed by heat"),
        (("hw_slowdown",), "slowed by card"),
        (("hw_power_brake",), "slowed: power"),
        (("idle",), ""),
        ((), ""),
        (None, ""),
    ],
)
def test_remark_says_why_a_card_is_slow(state, reasons, remark):
    assert row_of(state, make_gpu(), make_sample(throttle_reasons=reasons)).remark == remark


def test_hot_card_shows_its_temperature_and_its_graph_is_marked(state):
    samples = [make_sample(0, float(second), values=HOT, throttle_reasons=("thermal",)) for second in range(10)]

    row = row_of(state, make_gpu(), *samples)

    assert (row.word, row.severity, row.remark) == ("Slowed", "warning", "89 °C")
    assert row.alarms == {Metric.TEMPERATURE_C}


def test_lost_card_tells_since_when_and_has_no_old_remark(state):
    hot = [make_sample(0, float(second), values=HOT, throttle_reasons=("thermal",)) for second in range(10)]
    lost = make_silence(0, 30.0, Liveness.LOST)

    row = row_of(state, make_gpu(), *hot, lost)

    assert row.word == "Lost"
    assert row.remark.startswith("since ")
    assert row.gap_text == row.remark.replace("since", "no answer since")
    assert "89" not in row.remark


def test_missing_reading_says_why(state):
    reason = Message("telemetry.not-recorded")
    sample = make_sample(values={Metric.UTILIZATION_PCT: 50.0}, absent={Metric.POWER_W: reason})

    row = row_of(state, make_gpu(), sample)

    assert row.missing == {Metric.POWER_W: "This reading is not part of the recording."}
    assert row.reason == ""


def test_card_without_any_reading_says_so_once(state):
    reason = Message("telemetry.not-recorded")
    sample = make_sample(values={}, absent=dict.fromkeys(Metric, reason))

    row = row_of(state, make_gpu(), sample)

    assert row.reason == "This reading is not part of the recording."
    assert row.word == "No readings"


def test_card_without_driver_has_its_reason(state):
    row = row_of(state, make_gpu(state=GpuState.DRIVER_MISSING))

    assert (row.word, row.reason) == ("No driver", "no driver, no readings")


def test_sleeping_card_is_not_a_fault(state):
    row = row_of(state, make_gpu(), make_silence(liveness=Liveness.ASLEEP))

    assert row.severity == "idle"
    assert row.reason == "The card is asleep to save power and was not woken."


def test_ranges_are_those_of_the_card():
    scales = scales_of(make_gpu(memory_total_bytes=24 * GIB, power_limit_w=450.0, temperature_slowdown_c=90))

    assert scales[Metric.MEMORY_USED_BYTES].high == 24 * GIB
    assert (scales[Metric.POWER_W].high, scales[Metric.POWER_W].limit) == (500.0, 450.0)
    assert (scales[Metric.TEMPERATURE_C].high, scales[Metric.TEMPERATURE_C].limit) == (100.0, 90.0)
    assert not any(scale.is_assumed for scale in scales.values())


def test_range_that_the_card_does_not_tell_is_assumed_and_holds_the_reading():
    gpu = make_gpu(memory_total_bytes=None, power_limit_w=None, power_limit_default_w=None, temperature_slowdown_c=None)
    sample = make_sample(values={Metric.MEMORY_USED_BYTES: 5.5 * GIB, Metric.POWER_W: 700.0})

    scales = scales_of(gpu, sample)

    assert (scales[Metric.MEMORY_USED_BYTES].high, scales[Metric.MEMORY_USED_BYTES].is_assumed) == (8 * GIB, True)
    assert (scales[Metric.POWER_W].high, scales[Metric.POWER_W].limit) == (1000.0, None)
    assert scales[Metric.TEMPERATURE_C].limit is None


def test_limit_above_the_usual_range_still_fits():
    scale = scales_of(make_gpu(temperature_slowdown_c=105))[Metric.TEMPERATURE_C]

    assert scale.low < 105 < scale.high


@pytest.mark.parametrize(
    "machine", ["16xh100", "8xh100", "gpu-lost-halfway", "laptop-hybrid-asleep", "card-without-driver", "driver-silent"]
)
def test_recorded_machines_have_a_row_for_every_card(private_home, state, machine):
    opened = Workbench().open_machine(machine_folder(machine))

    rows = graph_rows(opened.report, {}, EventList(), state.text)

    assert [row.label for row in rows] == [str(gpu.index) for gpu in opened.report.gpus]
    assert all(row.word and row.name for row in rows)
    assert all(scale.high > scale.low for row in rows for scale in row.scales.values())
