"""Alarms as lines of the message bar: one per card, its worst alarm in words, taken away when it is over.

Only what a training suffers from is told here; a full memory and a reached power limit are everyday under load and
stand in the list of events alone.
"""

from __future__ import annotations

from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.sample import DeviceKey
from gpuconfig_app.telemetry.alarms import AlarmKind
from gpuconfig_app.ui.notice import Notice
from gpuconfig_app.ui.state import AppState

_DRAFT = "alarm-notices"
_TOPIC = "gpu-"
# Under load a training reaches these again and again.
EVERYDAY = frozenset({AlarmKind.MEMORY_NEARLY_FULL, AlarmKind.SLOWED_BY_POWER})
# Worst first.
_TOLD = {
    AlarmKind.LOST: Severity.BLOCKED,
    AlarmKind.NO_ANSWER: Severity.BLOCKED,
    AlarmKind.SLOWED_BY_HEAT: Severity.WARNING,
    AlarmKind.HOT: Severity.WARNING,
}


class AlarmNotices:
    """Keeps the message bar in step with the alarms of the open machine.

    Args:
        state: Gives the alarms and takes the notices; remembers what was told when the pages are built anew.
    """

    def __init__(self, state: AppState) -> None:
        self._state = state
        self._told: dict[str, AlarmKind] = state.drafts.setdefault(_DRAFT, {})

    def refresh(self, *_: object) -> None:
        """Tell alarms that began or grew worse, and take away what is over."""
        raised = self._raised()
        for topic in [topic for topic in self._told if topic not in raised]:
            kind, device = self._told.pop(topic), topic.removeprefix(_TOPIC)
            self._state.post(Notice(topic, _TOLD[kind], _lead(kind, device), is_over=True))
        for topic, (key, kind) in raised.items():
            if self._told.get(topic) is not kind:
                self._told[topic] = kind
                self._state.post(self._notice(topic, key, kind))

    def _raised(self) -> dict[str, tuple[DeviceKey, AlarmKind]]:
        report = self._state.report
        found: dict[str, tuple[DeviceKey, AlarmKind]] = {}
        if report is None:
            return found
        for gpu in report.gpus:
            key = DeviceKey(report.machine_id, str(gpu.index))
            alarms = self._state.events.raised(key)
            kind = next((kind for kind in _TOLD if kind in alarms), None)
            if kind is not None:
                found[_TOPIC + key.device] = (key, kind)
        return found

    def _notice(self, topic: str, key: DeviceKey, kind: AlarmKind) -> Notice:
        sentences = [
            event.message
            for event in self._state.events.events
            if event.key == key and event.kind is kind and event.is_raised
        ]
        return Notice(topic, _TOLD[kind], _lead(kind, key.device), sentences[-1] if sentences else None)


def _lead(kind: AlarmKind, device: str) -> Message:
    return Message(f"ui.gpu-{kind.value.replace('_', '-')}", {"device": device})
