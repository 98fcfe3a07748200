"""Readings of a training as a card shows them: the same numbers in every run.

Shape after what trainings look like: memory is taken in one step when TensorFlow starts, utilisation dips at the end
of each epoch, temperature follows power with a time constant, the fan follows temperature.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.core.units import MIB

Samples = Callable[[], tuple[Sample, ...]]


@dataclass(frozen=True, kw_only=True)
class Course:
    """How one card behaves over the recording.

    Attributes:
        idle_w: Power without work.
        work_w: Power in training.
        limit_w: Above 97 % of it the clocks are held down.
        memory_mib: In training.
        load_pct: Utilisation in training.
        start_s: When the training starts; negative for one that runs already, None for none.
        absent: Metrics this card does not have.
    """

    idle_w: float = 18
    work_w: float = 380
    limit_w: float = 450
    idle_mib: int = 18
    memory_mib: int = 20000
    load_pct: float = 97
    start_s: float | None = 12
    idle_c: float = 36
    work_c: float = 68
    clock_mhz: int = 2610
    memory_clock_mhz: int = 10501
    epoch_s: int = 27
    absent: frozenset[Metric] = frozenset()


def training(courses: dict[str, Course], *, seconds: int = 90) -> Samples:
    """Give the maker of samples at 1 Hz for cards that behave after their course, by device."""

    def make() -> tuple[Sample, ...]:
        result: list[Sample] = []
        for device, course in courses.items():
            noise = random.Random(f"{device}/{course.work_w}")  # the same in every run
            warmth = course.idle_c if course.start_s is None or course.start_s >= 0 else course.work_c
            for second in range(seconds):
                sample, warmth = _sample(device, course, second, warmth, noise)
                result.append(sample)
        return tuple(result)

    return make


def lost_after(samples: Samples, device: str, second: int) -> Samples:
    """Give the same samples, but from ``second`` on the driver says that this card has fallen off the bus."""

    def make() -> tuple[Sample, ...]:
        return tuple(
            Sample(
                key=item.key,
                taken_at=item.taken_at,
                monotonic_s=item.monotonic_s,
                liveness=Liveness.LOST,
                error=Message("hardware.gpu-lost"),
            )
            if item.key.device == device and item.monotonic_s >= second
            else item
            for item in samples()
        )

    return make


def _sample(device: str, course: Course, second: int, warmth: float, noise: random.Random) -> tuple[Sample, float]:
    works = course.start_s is not None and second >= course.start_s
    between = works and (second - (course.start_s or 0)) % course.epoch_s in (0, 1)
    load = 0.0 if not works else course.load_pct * (0.22 if between else 1) + noise.uniform(-2, 2)
    load = min(100.0, max(0.0, load))
    share = load / 100
    power = course.idle_w + (course.work_w - course.idle_w) * share + noise.uniform(-1, 1) * (1 + 4 * share)
    target = course.idle_c + (course.work_c - course.idle_c) * share
    warmth += (target - warmth) * (1 - math.exp(-1 / 14))
    capped = power > course.limit_w * 0.97
    values = {
        Metric.UTILIZATION_PCT: round(load),
        Metric.MEMORY_UTILIZATION_PCT: round(load * 0.55),
        Metric.MEMORY_USED_BYTES: (course.memory_mib if works else course.idle_mib) * MIB,
        Metric.TEMPERATURE_C: round(warmth),
        Metric.POWER_W: round(min(power, course.limit_w * 1.01), 1),
        Metric.FAN_PCT: 0 if warmth < 45 else round(min(100, 30 + (warmth - 45) * 1.4)),
        Metric.CLOCK_SM_MHZ: (course.clock_mhz - (105 if capped else 0)) if works else 210,
        Metric.CLOCK_MEMORY_MHZ: course.memory_clock_mhz if works else 405,
        Metric.PCIE_TX_BYTES_S: round(share * 42e6 + noise.uniform(0, 1) * 2e5),
        Metric.PCIE_RX_BYTES_S: round(share * 1.9e9 + noise.uniform(0, 1) * 8e5),
    }
    return (
        Sample(
            key=DeviceKey("", device),
            taken_at=float(second),
            monotonic_s=float(second),
            values={metric: float(value) for metric, value in values.items() if metric not in course.absent},
            absent={metric: Message("hardware.not-supported") for metric in sorted(course.absent)},
            throttle_reasons=("power_cap",) if capped else (),
        ),
        warmth,
    )
