"""What was looked at where no card was found, so that the reader can check it, and a list for the hand."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.system import BackendState, BackendStatus, SystemReport
from gpuconfig_app.ui.card_words import clock_text
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import HeadedCard, IconLabel, Line
from gpuconfig_app.ui.widgets.labels import TextLabel

_NAMES = {
    Vendor.NVIDIA: "NVIDIA",
    Vendor.AMD: "AMD",
    Vendor.INTEL: "Intel",
    Vendor.APPLE: "Apple",
    Vendor.HUAWEI: "Huawei Ascend",
    Vendor.HYGON: "Hygon",
    Vendor.OTHER: "PCI",
}


class SearchBlock(HeadedCard):
    """One line for each maker that was asked.

    Args:
        text: Renders a text in the shown language.
    """

    def __init__(
        self, title: str, text: Callable[[Message | LocalText | None], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(title, parent)
        self.setObjectName("searchBlock")
        self._text = text
        self._rows = QVBoxLayout()
        self._rows.setContentsMargins(16, 10, 16, 12)
        self._rows.setSpacing(8)
        self.body.addWidget(Line())
        self.body.addLayout(self._rows)
        self.body.addStretch(1)

    def show_report(self, report: SystemReport) -> None:
        """Show what a survey asked and heard."""
        self.set_note(self.tr("Scanned {time}").format(time=clock_text(report.taken_at)))
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        rows = [self._words(status) for status in report.backends]
        if not rows:
            rows = [("idle", "PCI", self.tr("No graphics card for computing was seen."))]
        rows += [("note", self.tr("Note"), self._text(note)) for note in report.notes]
        for severity, name, sentence in rows:
            row = self._row(severity, name, sentence)
            self._rows.addWidget(row)
            row.show()  # a layout counts what is not shown yet as empty

    def _words(self, status: BackendStatus) -> tuple[str, str, str]:
        name = _NAMES[status.vendor]
        if status.state is BackendState.NOT_PRESENT:
            reason = self._text(status.reason) or self.tr("No card of this maker, so a missing driver is no fault.")
            return "idle", name, reason
        if status.state is BackendState.READY:
            return "good", name, self._text(status.reason) or self.tr("The driver answers, but lists no card.")
        severity = "warning" if status.state is BackendState.DRIVER_MISSING else "blocked"
        return severity, name, self._text(status.reason) or self.tr("It could not be asked.")

    @staticmethod
    def _row(severity: str, name: str, sentence: str) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        color = "neutral.fg" if severity == "idle" else f"{severity}.fg"
        top = Qt.AlignmentFlag.AlignTop
        line.addWidget(IconLabel(current_theme().severity_icon(severity), 16, color), 0, top)
        label = TextLabel(name, "small_strong")
        label.setFixedWidth(104)
        line.addWidget(label, 0, top)
        line.addWidget(TextLabel(sentence, "small", "secondary", wraps=True), 1)
        row.setAccessibleName(f"{name}: {sentence}")
        return row


class CheckList(HeadedCard):
    """Numbered steps for the hand."""

    def __init__(self, title: str, steps: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setObjectName("checkList")
        rows = QVBoxLayout()
        rows.setContentsMargins(16, 0, 16, 14)
        rows.setSpacing(8)
        for number, step in enumerate(steps, start=1):
            line = QHBoxLayout()
            line.setSpacing(10)
            mark = TextLabel(str(number), "body_strong", "accent")
            mark.setFixedWidth(16)
            line.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(TextLabel(step, "body", "secondary", wraps=True), 1)
            rows.addLayout(line)
        self.body.addLayout(rows)
