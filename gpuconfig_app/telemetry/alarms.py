"""When something is wrong with a device, and when it is over: a pure state machine with hysteresis.

An alarm is raised at one threshold and ends at another, and most need to last for a while, so that a value that plays
around a limit does not ring again and again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample


class AlarmKind(StrEnum):
    """What can be wrong."""

    HOT = "hot"
    MEMORY_NEARLY_FULL = "memory_nearly_full"
    SLOWED_BY_HEAT = "slowed_by_heat"
    SLOWED_BY_POWER = "slowed_by_power"
    NO_ANSWER = "no_answer"
    LOST = "lost"


@dataclass(frozen=True)
class DeviceLimits:
    """Limits of a device that the alarms compare with; None switches the alarm off that needs it."""

    memory_total_bytes: int | None = None
    temperature_slowdown_c: float | None = None

    @classmethod
    def of(cls, gpu: Gpu) -> DeviceLimits:
        """Take the limits that a card tells."""
        return cls(gpu.memory_total_bytes, gpu.temperature_slowdown_c)


@dataclass(frozen=True)
class AlarmThresholds:
    """When alarms begin and end.

    Attributes:
        hot_below_slowdown_c: Hot from this far below the temperature at which the card slows itself down.
        cool_below_slowdown_c: Over when this far below it; larger than the former.
        memory_full_share: Memory nearly full from this share of it.
        memory_eased_share: Over below this share.
        raise_after_s: A condition must last so long to be raised.
        clear_after_s: It must be gone so long to be over.
        power_factor: Both times this much longer for the power limit, which a busy card reaches again and again.
    """

    hot_below_slowdown_c: float = 3.0
    cool_below_slowdown_c: float = 8.0
    memory_full_share: float = 0.97
    memory_eased_share: float = 0.93
    raise_after_s: float = 5.0
    clear_after_s: float = 10.0
    power_factor: float = 6.0


@dataclass(frozen=True)
class AlarmState:
    """What the alarms of one device remember; hand it back at the next step.

    Attributes:
        raised: Alarms that are on.
        changing_since_s: Since when a condition differs from its alarm, in monotonic seconds.
    """

    raised: frozenset[AlarmKind] = frozenset()
    changing_since_s: Mapping[AlarmKind, float] = field(default_factory=dict)


@dataclass(frozen=True)
class AlarmEvent:
    """An alarm began or ended.

    Attributes:
        taken_at: Wall time of the reading that decided.
        message: What it means for a training, also when it is over.
    """

    kind: AlarmKind
    key: DeviceKey
    taken_at: float
    monotonic_s: float
    is_raised: bool
    message: Message


_AT_ONCE = frozenset({AlarmKind.LOST, AlarmKind.NO_ANSWER})
# Words of ``Sample.throttle_reasons``; ``hw_slowdown`` alone does not tell heat from power.
_HEAT_WORDS = frozenset({"thermal", "sw_thermal", "hw_thermal"})
_POWER_WORDS = frozenset({"power_cap", "hw_power_brake"})


def step(
    state: AlarmState,
    sample: Sample,
    limits: DeviceLimits,
    thresholds: AlarmThresholds | None = None,
) -> tuple[AlarmState, tuple[AlarmEvent, ...]]:
    """Take one more reading of a device into account.

    Args:
        state: From the last step of the same device; ``AlarmState()`` at first.
        sample: The next reading. What it does not tell leaves the alarms as they are.

    Returns:
        The new state, and the alarms that began or ended.
    """
    rules = thresholds or AlarmThresholds()
    events: list[AlarmEvent] = []
    raised, changing = set(state.raised), dict(state.changing_since_s)
    for kind, is_on in _conditions(sample, limits, rules, state.raised).items():
        if is_on is (kind in raised):
            changing.pop(kind, None)
            continue
        since_s = changing.setdefault(kind, sample.monotonic_s)
        if sample.monotonic_s - since_s < _wait_s(kind, rules, is_on=is_on):
            continue
        changing.pop(kind)
        (raised.add if is_on else raised.discard)(kind)
        message = _message(kind, sample, limits) if is_on else Message(f"telemetry.alarm-{_slug(kind)}-over")
        events.append(AlarmEvent(kind, sample.key, sample.taken_at, sample.monotonic_s, is_on, message))
    return replace(state, raised=frozenset(raised), changing_since_s=changing), tuple(events)


def _wait_s(kind: AlarmKind, rules: AlarmThresholds, *, is_on: bool) -> float:
    if kind in _AT_ONCE:
        return 0.0
    wait_s = rules.raise_after_s if is_on else rules.clear_after_s
    return wait_s * rules.power_factor if kind is AlarmKind.SLOWED_BY_POWER else wait_s


def _conditions(
    sample: Sample, limits: DeviceLimits, rules: AlarmThresholds, raised: frozenset[AlarmKind]
) -> Mapping[AlarmKind, bool]:
    """Tell which conditions hold now; those that the sample says nothing of are left out."""
    found: dict[AlarmKind, bool] = {}
    if sample.liveness in (Liveness.LIVE, Liveness.LOST, Liveness.ASLEEP):
        found[AlarmKind.LOST] = sample.liveness is Liveness.LOST
        found[AlarmKind.NO_ANSWER] = False
    elif sample.liveness is Liveness.SILENT:
        found[AlarmKind.NO_ANSWER] = True
    temperature = sample.values.get(Metric.TEMPERATURE_C)
    if temperature is not None and limits.temperature_slowdown_c is not None:
        is_hot = AlarmKind.HOT in raised
        distance_c = rules.cool_below_slowdown_c if is_hot else rules.hot_below_slowdown_c
        found[AlarmKind.HOT] = temperature >= limits.temperature_slowdown_c - distance_c
    used = sample.values.get(Metric.MEMORY_USED_BYTES)
    if used is not None and limits.memory_total_bytes:
        is_full = AlarmKind.MEMORY_NEARLY_FULL in raised
        share = rules.memory_eased_share if is_full else rules.memory_full_share
        found[AlarmKind.MEMORY_NEARLY_FULL] = used >= limits.memory_total_bytes * share
    if sample.throttle_reasons is not None:
        reasons = frozenset(sample.throttle_reasons)
        found[AlarmKind.SLOWED_BY_HEAT] = bool(reasons & _HEAT_WORDS)
        found[AlarmKind.SLOWED_BY_POWER] = bool(reasons & _POWER_WORDS)
    return found


def _message(kind: AlarmKind, sample: Sample, limits: DeviceLimits) -> Message:
    if kind is AlarmKind.LOST and sample.error is not None:
        return sample.error
    params: dict[str, str | int | float | bool] = {}
    if kind is AlarmKind.HOT:
        params["temperature_c"] = sample.values[Metric.TEMPERATURE_C]
        params["slowdown_c"] = limits.temperature_slowdown_c or 0.0
    elif kind is AlarmKind.MEMORY_NEARLY_FULL:
        params["used_bytes"] = int(sample.values[Metric.MEMORY_USED_BYTES])
        params["total_bytes"] = limits.memory_total_bytes or 0
    return Message(f"telemetry.alarm-{_slug(kind)}", params)


def _slug(kind: AlarmKind) -> str:
    return kind.value.replace("_", "-")
