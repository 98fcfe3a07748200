"""Bring samples from the sampler's threads to the window: a queue, emptied by a timer (design decision 7).

The sampler's threads only ever put into the queue, so a slow window never slows the sampling and a hanging driver
never slows the window.
"""

from __future__ import annotations

import logging
import queue

from PySide6.QtCore import QObject, QTimer, Signal

from gpuconfig_app.core.sample import Sample

logger = logging.getLogger(__name__)
EMPTY_EVERY_MS = 100
MOST_PER_TURN = 500


class TelemetryBridge(QObject):
    """Queue between sampler and window.

    Signals:
        samples_arrived(object): ``list[Sample]`` in order of arrival, at most ``MOST_PER_TURN``.
    """

    samples_arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue: queue.SimpleQueue[Sample] = queue.SimpleQueue()
        self._timer = QTimer(self)
        self._timer.setInterval(EMPTY_EVERY_MS)
        self._timer.timeout.connect(self.empty)

    def put(self, sample: Sample) -> None:
        """Take a sample; called from any thread, never blocks."""
        self._queue.put(sample)

    def start(self) -> None:
        """Begin to empty the queue."""
        self._timer.start()

    def stop(self) -> None:
        """Stop and forget what was not delivered."""
        self._timer.stop()
        self._drop()

    def empty(self) -> None:
        """Deliver what is waiting."""
        samples: list[Sample] = []
        while len(samples) < MOST_PER_TURN:
            try:
                samples.append(self._queue.get_nowait())
            except queue.Empty:
                break
        if samples:
            self.samples_arrived.emit(samples)

    def _drop(self) -> None:
        while True:
            try:
                self._queue.get_nowait()
            except queue.Empty:
                return
