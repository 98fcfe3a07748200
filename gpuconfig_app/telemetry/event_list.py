"""What happened to the devices lately: alarms of all devices in one bounded list, newest last."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping

from gpuconfig_app.core.sample import DeviceKey, Sample
from gpuconfig_app.telemetry.alarms import AlarmEvent, AlarmKind, AlarmState, AlarmThresholds, DeviceLimits, step

MOST_EVENTS = 500


class EventList:
    """Runs the alarms of all devices; safe to use from any thread.

    Args:
        limits: By device; a device without a row has only the alarms that need no limit.
        thresholds: None for the usual ones.
    """

    def __init__(
        self, limits: Mapping[DeviceKey, DeviceLimits] | None = None, thresholds: AlarmThresholds | None = None
    ) -> None:
        self._limits = dict(limits or {})
        self._thresholds = thresholds or AlarmThresholds()
        self._lock = threading.Lock()
        self._states: dict[DeviceKey, AlarmState] = {}
        self._events: deque[AlarmEvent] = deque(maxlen=MOST_EVENTS)

    def add(self, sample: Sample) -> tuple[AlarmEvent, ...]:
        """Take a reading into account and give the alarms that began or ended with it."""
        with self._lock:
            state = self._states.get(sample.key, AlarmState())
            limits = self._limits.get(sample.key, DeviceLimits())
            self._states[sample.key], events = step(state, sample, limits, self._thresholds)
            self._events.extend(events)
        return events

    @property
    def events(self) -> tuple[AlarmEvent, ...]:
        """The last events, oldest first."""
        with self._lock:
            return tuple(self._events)

    def raised(self, key: DeviceKey) -> frozenset[AlarmKind]:
        """Give the alarms of a device that are on."""
        with self._lock:
            return self._states.get(key, AlarmState()).raised
