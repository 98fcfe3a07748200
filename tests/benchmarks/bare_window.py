"""A bare PySide6 window, as the first example of Qt's own tutorial: it tells when it painted and when it was idle."""

from __future__ import annotations

import sys
import time

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget


class BareWindow(QWidget):
    """A label and a button."""

    def __init__(self) -> None:
        super().__init__()
        self.painted_s = 0.0
        column = QVBoxLayout(self)
        column.addWidget(QLabel("Hello World", alignment=Qt.AlignmentFlag.AlignCenter))
        column.addWidget(QPushButton("Click me!"))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  # Qt's name; no import for override here
        super().paintEvent(event)
        if not self.painted_s:
            QTimer.singleShot(0, self.note)

    def note(self) -> None:
        self.painted_s = time.process_time()
        QTimer.singleShot(0, self.tell)

    def tell(self) -> None:
        sys.stdout.write(f"painted after {self.painted_s:.3f} s, usable after {time.process_time():.3f} s\n")
        sys.stdout.flush()
        QApplication.quit()


if __name__ == "__main__":
    app = QApplication(sys.argv)
    window = BareWindow()
    window.resize(1280, 800)
    window.show()
    app.exec()
