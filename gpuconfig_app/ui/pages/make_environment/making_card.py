"""The steps while they are made: done, under way with its bars, still to come."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from gpuconfig_app.ui.pages.make_environment.package_bars import PackageBars
from gpuconfig_app.ui.pages.make_environment.shown import LoadShown, StepShown
from gpuconfig_app.ui.widgets.cards import IconLabel, Line
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.spinner import Spinner

_SIDE = 18
_HEIGHT = 44
_ICONS = {
    "done": ("circle-check", "good.fg"),
    "now": ("loader-circle", "text_secondary"),
    "to_come": ("circle", "text_muted"),
    "failed": ("octagon-x", "blocked.fg"),
    "stopped": ("circle-slash", "text_muted"),
}


class MakingCard(QFrame):
    """One row for each step."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._rows: list[_StepRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.bars = PackageBars()
        self._bars_place = QWidget(self)
        inside = QVBoxLayout(self._bars_place)
        inside.setContentsMargins(20 + _SIDE + 12, 0, 20, 14)
        inside.addWidget(self.bars)

    def show_steps(self, steps: Sequence[StepShown], load: LoadShown | None) -> None:
        """Show how far the steps are; the bars stand in the one under way, None shows none."""
        if len(steps) != len(self._rows):
            self._build(len(steps))
        for row, step in zip(self._rows, steps, strict=True):
            row.show_step(step)
        now = next((number for number, step in enumerate(steps) if step.state == "now"), None)
        has_bars = load is not None and now is not None
        if has_bars and load is not None and now is not None:
            self.bars.show_load(load)
            if self._rows[now].column.indexOf(self._bars_place) < 0:
                self._rows[now].column.addWidget(self._bars_place)
        self._bars_place.setVisible(has_bars)

    def _build(self, count: int) -> None:
        self._bars_place.setParent(self)
        self._bars_place.hide()
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._rows = []
        for number in range(count):
            if number:
                self._add(Line())
            row = _StepRow()
            self._rows.append(row)
            self._add(row)

    def _add(self, part: QWidget) -> None:
        self._column.addWidget(part)
        part.show()  # a layout counts what is not shown yet as empty


class _StepRow(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        head = QWidget()
        head.setFixedHeight(_HEIGHT)
        line = QHBoxLayout(head)
        line.setContentsMargins(20, 0, 20, 0)
        line.setSpacing(12)
        self._icon = IconLabel("circle", _SIDE)
        self._spinner = Spinner(_SIDE)
        mark = QWidget()
        mark.setFixedSize(_SIDE, _SIDE)
        self._mark = QStackedLayout(mark)
        self._mark.setContentsMargins(0, 0, 0, 0)
        self._mark.addWidget(self._icon)
        self._mark.addWidget(self._spinner)
        self._title = TextLabel("", "body_strong")
        self._time = TextLabel("", "small", "muted")
        self._time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(mark)
        line.addWidget(self._title, 1)
        line.addWidget(self._time)
        self._doing = TextLabel("", "small", "secondary", wraps=True)
        self._doing.setContentsMargins(20 + _SIDE + 12, 0, 20, 12)
        self.column.addWidget(head)
        self.column.addWidget(self._doing)
        self._state = ""

    def show_step(self, step: StepShown) -> None:
        """Show one step."""
        self._title.setText(step.title)
        self._time.setText(step.time)
        self._doing.setText(step.doing)
        self._doing.setVisible(bool(step.doing))
        if step.state == self._state:
            return
        self._state = step.state
        is_now = step.state == "now"
        icon, color = _ICONS[step.state]
        self._icon.show_icon(icon, color)
        self._mark.setCurrentWidget(self._spinner if is_now else self._icon)
        self._title.set_tone("muted" if step.state == "to_come" else "text")
        if is_now:
            self._spinner.start()
        else:
            self._spinner.stop()
