"""Where a statement comes from: what was seen on this machine, and the document behind the rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import TextLabel


@dataclass(frozen=True)
class SourceShown:
    """What the card says.

    Attributes:
        subject: Which statement it is about; empty shows the hint alone.
        seen: What was seen on this machine, a line each.
        title: The document, empty when the machine itself is the source.
        address: Public address.
        checked: When and how sure.
        seen_head: Above what was seen; empty says that it was seen on this machine.
    """

    subject: str = ""
    seen: tuple[str, ...] = ()
    title: str = ""
    address: str = ""
    checked: str = ""
    seen_head: str = ""


class SourceCard(Card):
    """The card.

    Attributes:
        shown: What it says now.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown = SourceShown()
        self.setObjectName("sourceCard")
        self.setAccessibleName(self.tr("Where this comes from"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.body.addWidget(TextLabel(self.tr("Where this comes from"), "heading"))
        self._subject = TextLabel("", "body_strong", wraps=True)
        self.body.addWidget(self._subject)
        self._parts = QVBoxLayout()
        self._parts.setSpacing(4)
        self.body.addLayout(self._parts)
        self.body.addStretch(1)
        self.show_source(SourceShown())

    def show_source(self, shown: SourceShown) -> None:
        """Replace what the card says."""
        self.shown = shown
        while (item := self._parts.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._subject.setText(shown.subject)
        self._subject.setVisible(bool(shown.subject))
        if not shown.subject:
            self._add_lines("", (self.tr("Select a row to see where its fact comes from."),))
            return
        self._add_lines(shown.seen_head or self.tr("Seen on this machine"), shown.seen)
        lines = [line for line in (shown.title, shown.address, shown.checked) if line]
        self._add_lines(self.tr("The rule behind it"), lines)
        if not lines and not shown.seen:
            self._add_lines("", (self.tr("Read from this machine."),))

    def _add_lines(self, head: str, lines: Sequence[str]) -> None:
        if not lines:
            return
        if head:
            label = TextLabel(head, "small", "muted")
            label.setContentsMargins(0, 8, 0, 0)
            self._parts.addWidget(label)
        for line in lines:
            self._parts.addWidget(TextLabel(line, "small", "secondary", wraps=True, is_selectable=True))
