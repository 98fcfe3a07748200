"""The inside of a scroll area whose texts wrap: as high as they need at its width, not at the narrowest one."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from gpuconfig_app.ui.overriding import override


class FlowingBody(QWidget):
    """Give it a layout and put it into a scroll area that makes it as wide as itself.

    Qt takes a layout's least height at its least width, where every text has the most lines; a scroll area would
    scroll into nothing.
    """

    @override
    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(least.width(), 0) if self.hasHeightForWidth() else least
