"""Empty a layout before it is filled anew."""

from __future__ import annotations

from PySide6.QtWidgets import QLayout


def clear_layout(layout: QLayout) -> None:
    """Take everything out of a layout; its widgets go away in the next turn of the event loop."""
    while (item := layout.takeAt(0)) is not None:
        inner = item.layout()
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear_layout(inner)
            inner.deleteLater()
