from __future__ import annotations

import tomllib
from dataclasses import replace

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.resources import resource_path
from gpuconfig_app.telemetry.alarms import AlarmEvent, AlarmKind, AlarmState, DeviceLimits, step
from gpuconfig_app.telemetry.event_list import EventList

KEY = DeviceKey("this", "0")
LIMITS = DeviceLimits(memory_total_bytes=1000, temperature_slowdown_c=90.0)


def sample(time_s: float, liveness: Liveness = Liveness.LIVE, throttle: tuple[str, ...] | None = None, **values: float):
    return Sample(
        key=KEY,
        taken_at=1e9 + time_s,
        monotonic_s=time_s,
        values={Metric(name): value for name, value in values.items()},
        throttle_reasons=throttle,
        liveness=liveness,
    )


def run(*samples: Sample) -> list[AlarmEvent]:
    state, found = AlarmState(), []
    for one in samples:
        state, events = step(state, one, LIMITS)
        found.extend(events)
    return found


def test_heat_is_raised_after_a_while_and_over_only_when_clearly_cooler() -> None:
    hot = [sample(second, temperature_c=88.0) for second in range(7)]
    between = [sample(second, temperature_c=84.0) for second in range(7, 40)]
    cool = [sample(second, temperature_c=80.0) for second in range(40, 60)]

    events = run(*hot, *between, *cool)

    assert [(event.kind, event.is_raised, event.monotonic_s) for event in events] == [
        (AlarmKind.HOT, True, 5.0),
        (AlarmKind.HOT, False, 50.0),
    ]
    assert events[0].message.params == {"temperature_c": 88.0, "slowdown_c": 90.0}


def test_a_short_spike_rings_nothing() -> None:
    spikes = [sample(second, temperature_c=95.0 if second % 4 == 0 else 60.0) for second in range(60)]

    assert run(*spikes) == []


def test_a_value_playing_around_the_limit_rings_once() -> None:
    values = [sample(second, memory_used_bytes=975 if second % 2 else 960) for second in range(60)]
    full = [sample(100 + second, memory_used_bytes=975) for second in range(7)]
    after = [sample(200 + second, memory_used_bytes=975 if second % 2 else 960) for second in range(60)]

    events = run(*values, *full, *after)

    assert [(event.kind, event.is_raised) for event in events] == [(AlarmKind.MEMORY_NEARLY_FULL, True)]
    assert events[0].message.params == {"used_bytes": 975, "total_bytes": 1000}


def test_a_lost_device_is_told_at_once_and_so_is_its_return() -> None:
    lost = [sample(0), sample(1, Liveness.LOST), sample(6, Liveness.LOST)]
    back = [sample(second, power_w=1.0) for second in range(10, 25)]

    events = run(*lost, *back)

    assert [(event.kind, event.is_raised, event.monotonic_s) for event in events] == [
        (AlarmKind.LOST, True, 1.0),
        (AlarmKind.LOST, False, 10.0),
    ]


def test_silence_ends_with_any_answer_and_a_lost_device_keeps_other_alarms() -> None:
    hot = [sample(second, temperature_c=89.0) for second in range(7)]

    events = run(*hot, sample(8, Liveness.SILENT), sample(30, Liveness.LOST))

    assert [event.kind for event in events if event.is_raised] == [AlarmKind.HOT, AlarmKind.NO_ANSWER, AlarmKind.LOST]
    assert [event.kind for event in events if not event.is_raised] == [AlarmKind.NO_ANSWER]


def test_held_down_clocks_say_by_what() -> None:
    power = [sample(second, throttle=("power_cap",)) for second in range(40)]
    heat = [sample(second, throttle=("hw_slowdown", "hw_thermal")) for second in range(40, 50)]

    events = run(*power, *heat)

    assert [(event.kind, event.monotonic_s) for event in events] == [
        (AlarmKind.SLOWED_BY_POWER, 30.0),
        (AlarmKind.SLOWED_BY_HEAT, 45.0),
    ]


def test_a_busy_card_that_touches_its_power_limit_now_and_then_rings_nothing() -> None:
    busy = [sample(second, throttle=("power_cap",) if second % 20 < 15 else ()) for second in range(300)]

    assert run(*busy) == []


def test_a_lost_device_keeps_its_own_reason() -> None:
    lost = replace(sample(1, Liveness.LOST), error=Message("hardware.driver-unloaded"))

    assert run(lost)[0].message == Message("hardware.driver-unloaded")


def test_unknown_limits_ring_nothing() -> None:
    state = AlarmState()
    for second in range(30):
        state, events = step(state, sample(second, temperature_c=120.0, memory_used_bytes=1e12), DeviceLimits())
        assert events == ()


def test_every_alarm_has_its_sentences() -> None:
    rows = tomllib.loads(resource_path("text", "telemetry.toml").read_text(encoding="utf-8"))

    for kind in AlarmKind:
        name = f"alarm-{kind.value.replace('_', '-')}"
        assert {name, f"{name}-over"} <= set(rows)


def test_the_list_keeps_the_events_of_all_devices_and_is_bounded() -> None:
    events = EventList({KEY: LIMITS})
    for number in range(2000):
        events.add(sample(number * 100.0, Liveness.LOST if number % 2 else Liveness.LIVE))
        events.add(sample(number * 100.0 + 50.0, Liveness.LOST if number % 2 else Liveness.LIVE))

    assert len(events.events) == 500
    assert events.raised(KEY) == {AlarmKind.LOST}
