"""A recorded machine as a source: its readings are played again, with their times moved to now."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.gpu import Gpu, GpuState
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.readings import FAST_METRICS, SLOW_METRICS

_STATES = {GpuState.LOST: Liveness.LOST, GpuState.ASLEEP: Liveness.ASLEEP, GpuState.NO_ANSWER: Liveness.SILENT}


class RecordedSource:
    """Plays a recording; what is read depends on the clock alone.

    Args:
        report: The recorded machine; gives the devices.
        samples: Recorded readings in any order. A device without any gives what the report says of it.
        clock: Time since ``open`` is the place in the recording.
        speed: Recorded seconds per second.
        loops: Begin again at the end; else every device ends.
    """

    def __init__(
        self,
        report: SystemReport,
        samples: Sequence[Sample],
        clock: Clock | None = None,
        *,
        speed: float = 1.0,
        loops: bool = True,
    ) -> None:
        self._clock = clock or SystemClock()
        self._machine = report.machine_id
        self._gpus = {DeviceKey(report.machine_id, str(gpu.index)): gpu for gpu in report.gpus}
        self._tracks = _tracks(samples, self._gpus)
        self._speed = speed
        self._loops = loops
        self._opened_s: float | None = None
        times = [sample.taken_at for track in self._tracks.values() for sample in track]
        self._first_s = min(times, default=0.0)
        self._length_s = _length_s(times)

    @property
    def machine(self) -> str:
        """Give the machine's id."""
        return self._machine

    def open(self) -> Message | None:
        """Begin to play; the reason when the recorded machine has no devices."""
        self._opened_s = self._clock.monotonic()
        return None if self._gpus else Message("telemetry.recorded-without-devices")

    def keys(self) -> tuple[DeviceKey, ...]:
        """Give the recorded devices in the report's order."""
        return tuple(self._gpus)

    def read(self, key: DeviceKey, *, is_slow: bool) -> Sample:
        """Give the reading that was the newest at this place of the recording, with its time moved to now."""
        track = self._tracks.get(key)
        if not track:
            return self._from_report(key, is_slow=is_slow)
        played_s = (self._clock.monotonic() - (self._opened_s or 0.0)) * self._speed
        if played_s >= self._length_s:
            if not self._loops:
                return self._now(Sample(key=key, taken_at=0.0, monotonic_s=0.0, liveness=Liveness.ENDED))
            played_s %= self._length_s
        times = [sample.taken_at for sample in track]
        found = track[max(bisect_right(times, self._first_s + played_s) - 1, 0)]
        part = part_of(found, is_slow=is_slow)
        if is_slow and part.processes is None:
            # A recording without its own process lists still holds the one of the survey.
            part = replace(part, processes=self._gpus[key].processes)
        return self._now(part)

    def _from_report(self, key: DeviceKey, *, is_slow: bool) -> Sample:
        gpu = self._gpus[key]
        values: dict[Metric, float] = {}
        if not is_slow and gpu.memory_used_bytes is not None:
            values[Metric.MEMORY_USED_BYTES] = gpu.memory_used_bytes
        reason = Message("telemetry.not-recorded")
        wanted = SLOW_METRICS if is_slow else FAST_METRICS
        sample = Sample(
            key=key,
            taken_at=0.0,
            monotonic_s=0.0,
            values=values,
            absent={metric: reason for metric in wanted if metric not in values},
            processes=gpu.processes if is_slow else None,
        )
        return self._now(_with_state(sample, gpu))

    def _now(self, sample: Sample) -> Sample:
        return replace(sample, taken_at=self._clock.now(), monotonic_s=self._clock.monotonic())


def part_of(sample: Sample, *, is_slow: bool) -> Sample:
    """Give the part of a recorded reading that a live source reads in this round."""
    return replace(
        sample,
        values={metric: value for metric, value in sample.values.items() if (metric in SLOW_METRICS) is is_slow},
        absent={metric: reason for metric, reason in sample.absent.items() if (metric in SLOW_METRICS) is is_slow},
        processes=sample.processes if is_slow else None,
        throttle_reasons=None if is_slow else sample.throttle_reasons,
    )


def _tracks(samples: Sequence[Sample], gpus: Mapping[DeviceKey, Gpu]) -> dict[DeviceKey, list[Sample]]:
    """Sort the readings by device; the machine in a recorded key may be an older name of the same machine."""
    by_device = {key.device: key for key in gpus}
    tracks: dict[DeviceKey, list[Sample]] = {}
    for sample in sorted(samples, key=lambda item: item.taken_at):
        key = by_device.get(sample.key.device)
        if key is not None:
            tracks.setdefault(key, []).append(replace(sample, key=key))
    return tracks


def _length_s(times: Sequence[float]) -> float:
    """Give the length of a round: to the last reading and one usual interval more."""
    moments = sorted(set(times))
    if len(moments) < 2:
        return 1.0
    span_s = moments[-1] - moments[0]
    return span_s + span_s / (len(moments) - 1)


def _with_state(sample: Sample, gpu: Gpu) -> Sample:
    """Let a card that could not be used when it was recorded say so."""
    liveness = _STATES.get(gpu.state)
    if liveness is None:
        return sample
    return replace(sample, values={}, absent={}, liveness=liveness, error=gpu.state_reason)
