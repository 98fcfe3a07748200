"""Python's search for unused cycles, on the window's thread only.

Left alone it runs in whichever thread allocates next. A page that was built anew leaves widgets and graphs in cycles,
and a background thread that destroys them while Qt uses them on the window's thread crashes the program.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_LOOK_MS = 1000


class GarbageTimer(QObject):
    """Switches the automatic search off, and searches on the window's thread when it would have.

    Args:
        parent: Owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Search in the generations that are due, the oldest of them with all younger ones."""
        due = [
            number
            for number, (count, threshold) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True))
            if count > threshold
        ]
        if due:
            gc.collect(max(due))

    def stop(self) -> None:
        """Search once more and leave it to Python again."""
        self._timer.stop()
        gc.collect()
        gc.enable()
