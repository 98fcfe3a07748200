"""Every TensorFlow release on this machine: the strip, and on demand each one's reason in full."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from gpuconfig_app.core.finding import CompatReport, ReleaseVerdict
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.ui.finding_words import release_shown
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import HeadedCard, Line
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.release_strip import ReleaseStrip
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge

Render = Callable[[Message | LocalText | None], str]


class ReleasesBlock(HeadedCard):
    """The card.

    Args:
        text: Renders a text in the shown language.

    Attributes:
        strip: Releases side by side.

    Signals:
        series_chosen(str): Judge this series.
    """

    series_chosen = Signal(str)

    def __init__(self, text: Render, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._text = text
        self._releases: tuple[ReleaseVerdict, ...] = ()
        self.title.setText(self.tr("TensorFlow releases on this machine"))
        self.setAccessibleName(self.title.text())
        self.strip = ReleaseStrip()
        self.strip.release_chosen.connect(self.series_chosen)
        self._all = Button(self.tr("Show all reasons"), LINK, scale="small", on_click=self._toggle)
        self._all.setObjectName("all_reasons")
        self.head.addWidget(self._all)
        self.body.addWidget(self.strip)
        self._line = Line()
        self._line.hide()
        self.body.addWidget(self._line)
        self._reasons = QWidget()
        self._reasons.hide()
        self._grid = QGridLayout(self._reasons)
        self._grid.setContentsMargins(16, 10, 16, 14)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(2, 1)
        self.body.addWidget(self._reasons)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Reasons that are shown, newest release first; empty while they are folded."""
        labels = self._reasons.findChildren(TextLabel, "reason")
        return tuple(label.text() for label in labels) if not self._reasons.isHidden() else ()

    def show_verdicts(self, compat: CompatReport) -> None:
        """Show the releases of a verdict."""
        self._releases = compat.releases
        self.strip.show_releases([release_shown(item, self._text) for item in compat.releases])
        self.setVisible(bool(compat.releases))
        python = compat.python_version or "?"
        self.set_note(self.tr("in a fresh environment, Python {version}").format(version=python))
        self._show_reasons(compat.releases if not self._reasons.isHidden() else ())

    def _toggle(self) -> None:
        is_open = self._reasons.isHidden()
        self._all.setText(self.tr("Hide the reasons") if is_open else self.tr("Show all reasons"))
        self._show_reasons(self._releases if is_open else ())
        self._reasons.setVisible(is_open)
        self._line.setVisible(is_open)

    def _show_reasons(self, releases: Sequence[ReleaseVerdict]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.setParent(None)
                widget.deleteLater()
        for place, release in enumerate(reversed(releases)):
            shown = release_shown(release, self._text)
            name = TextLabel(f"TensorFlow {release.release}", "body_strong" if release.is_installed else "body")
            badge = SeverityBadge(shown.severity, shown.word, is_boxed=False)
            reason = TextLabel(self._reason(release), "body", "secondary", wraps=True, is_selectable=True)
            reason.setObjectName("reason")
            for column, cell in enumerate((name, badge, reason)):
                self._grid.addWidget(
                    cell, place, column, Qt.AlignmentFlag.AlignTop if column < 2 else Qt.AlignmentFlag(0)
                )
                cell.show()  # a layout counts what is not shown yet as empty

    def _reason(self, release: ReleaseVerdict) -> str:
        parts = [self._text(release.reason)]
        if release.is_installed:
            parts.append(self.tr("in the chosen environment"))
        if release.is_best:
            parts.append(self.tr("the best choice"))
        return " · ".join(part for part in parts if part) or self.tr("Nothing speaks against it.")
