"""What is to be expected: time and memory with their intervals, and what the last change did to them, with Undo."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.plan import Interval, TrainingPlan
from gpuconfig_app.core.units import format_bytes, format_duration, join_range
from gpuconfig_app.ui.card_words import day_text
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.buttons import LINK, Button
from gpuconfig_app.ui.widgets.cards import IconLabel, Line
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.memory_bar import MemoryBar, Swatch, part_name
from gpuconfig_app.ui.widgets.painting import draw_reading, start_painter, text_width
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.layouts import clear_layout
from gpuconfig_app.ui.wizard.step_page import FIT_SEVERITY, fit_of, fit_word
from gpuconfig_app.workbench.time_text import time_notes

# With the hairline it lies where the content of every other card does.
_PADDING = 17


@dataclass(frozen=True)
class Expected:
    """One row.

    Attributes:
        interval: None where it is not known.
        before: The same before the last change, None without one.
        is_bytes: Bytes, else seconds.
        remark: Behind the number.
    """

    name: str
    interval: Interval | None
    before: Interval | None
    is_bytes: bool = False
    remark: str = ""

    def shown(self, value: float) -> str:
        """Write a value with its unit."""
        return format_bytes(int(value)) if self.is_bytes else format_duration(value)

    def difference(self) -> str:
        """Write what the last change did, ``+1.2 GiB``; empty without a change, a dash for none."""
        if self.before is None or self.interval is None:
            return ""
        change = self.interval.expected - self.before.expected
        before, after = self.shown(self.before.expected), self.shown(self.interval.expected)
        if before == after:
            return "–"
        return f"{'+' if change > 0 else '−'}{self.shown(abs(change))}"


class ExpectedCard(QFrame):
    """The card.

    Args:
        is_narrow: Number below its name, memory with bar and legend; for the side of the review.
        has_memory: Memory is one of the rows.
    """

    def __init__(
        self,
        state: AppState,
        draft: WizardDraft,
        parent: QWidget | None = None,
        *,
        is_narrow: bool = False,
        has_memory: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._state, self._draft = state, draft
        self._is_narrow, self._has_memory = is_narrow, has_memory
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        inside = QVBoxLayout()
        inside.setContentsMargins(_PADDING, _PADDING, _PADDING, 12)
        inside.setSpacing(6)
        head = QHBoxLayout()
        head.addWidget(TextLabel(self.tr("Expected"), "heading"), 1)
        self._badge = SeverityBadge()
        head.addWidget(self._badge)
        inside.addLayout(head)
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(16)
        self._rows.setVerticalSpacing(0)
        self._rows.setColumnStretch(2, 1)
        inside.addLayout(self._rows)
        self._cells: list[_Cells] = []
        self._legend_names: list[str] = []
        self._is_laid_narrow = is_narrow
        self._bar = MemoryBar(is_summary=True)
        self._legend = QGridLayout()
        self._legend.setVerticalSpacing(2)
        inside.addWidget(self._bar)
        inside.addLayout(self._legend)
        self._beside = TextLabel("", "small", "secondary", wraps=True)
        inside.addWidget(self._beside)
        self._note = TextLabel("", "small", "muted", wraps=True)
        inside.addWidget(self._note)
        outer.addLayout(inside)
        outer.addWidget(self._build_change())

    def _build_change(self) -> QFrame:
        self._change = QFrame()
        self._change.setProperty("role", "inset")
        line = QHBoxLayout(self._change)
        line.setContentsMargins(_PADDING, 4, _PADDING, 4)
        line.setSpacing(8)
        line.addWidget(IconLabel("info", 16, "accent_text"))
        self._change_text = TextLabel("", "small", wraps=True)
        line.addWidget(self._change_text, 1)
        self._undo = Button(self.tr("Undo"), LINK, scale="small", on_click=self._draft.undo)
        self._undo.setObjectName("undo")
        line.addWidget(self._undo)
        return self._change

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Show numbers below their names, or beside them."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self.refresh()

    def refresh(self) -> None:
        """Show the newest plan."""
        plan, change = self._draft.plan, self._draft.desk.change
        fit = fit_of(plan)
        self._badge.show_state(FIT_SEVERITY[fit], fit_word(self._state, fit))
        self._badge.setVisible(self._has_memory)
        rows = self._expected(plan, change.plan if change is not None else None)
        known = [row for row in rows if row.interval is not None]
        names = [row.name for row in known]
        if self._is_laid_narrow is not self._is_narrow or names != [cells.name.text() for cells in self._cells]:
            self._lay_out(names)
        for cells, row in zip(self._cells, known, strict=True):
            cells.show(row)
        self._show_legend(plan)
        beside = [self._state.text(note) for note in time_notes(plan)] if plan is not None else []
        self._beside.setText("\n".join(beside))
        self._beside.setVisible(bool(beside))
        self._show_note(plan)
        self._change.setVisible(change is not None)
        self._change_text.setText(
            self.tr("The last column is what your last change did")
            if any(row.difference() for row in known) and not self._is_narrow
            else self.tr("The plan follows your last change")
        )

    def _expected(self, plan: TrainingPlan | None, before: TrainingPlan | None) -> list[Expected]:
        if plan is None:
            return []
        time, past = plan.time, before.time if before is not None else None
        rows = [
            Expected(self.tr("One training"), time.training, past.training if past else None),
            Expected(self.tr("One epoch"), time.epoch, past.epoch if past else None),
            Expected(self.tr("One step"), time.step, past.step if past else None),
        ]
        if plan.memory is not None and self._has_memory:
            usable = plan.memory.usable_bytes
            former = before.memory.total if before is not None and before.memory is not None else None
            remark = self.tr("of {n}").format(n=format_bytes(usable)) if usable is not None else ""
            name = self.tr("Memory of each GPU") if plan.devices else self.tr("Memory")
            rows.append(Expected(name, plan.memory.total, former, is_bytes=True, remark=remark))
        return rows

    def _lay_out(self, names: list[str]) -> None:
        """Make the rows; their numbers come with every plan."""
        clear_layout(self._rows)
        self._is_laid_narrow = self._is_narrow
        self._cells = [_Cells(name, is_narrow=self._is_narrow) for name in names]
        for number, cells in enumerate(self._cells):
            if self._is_narrow:
                cells.name.setContentsMargins(0, 6 if number else 0, 0, 0)
                for line, widget in enumerate((cells.name, cells.reading, cells.spread)):
                    self._rows.addWidget(widget, 3 * number + line, 0, 1, 4)
                self._rows.addWidget(cells.difference, 3 * number, 3)
                cells.difference.hide()
                continue
            self._rows.addWidget(Line(), 2 * number, 0, 1, 4)
            for column, widget in enumerate((cells.name, cells.reading, cells.spread, cells.difference)):
                self._rows.addWidget(widget, 2 * number + 1, column)

    def _show_legend(self, plan: TrainingPlan | None) -> None:
        memory = plan.memory if plan is not None else None
        self._bar.setVisible(memory is not None and self._is_narrow)
        if memory is None or not self._is_narrow:
            clear_layout(self._legend)
            return
        self._bar.show_prediction(memory)
        names = [part.part.value for part in memory.parts]
        names += ["reserved"] if plan is not None and plan.devices else []
        if names == self._legend_names and self._legend.count():
            return
        self._legend_names = names
        clear_layout(self._legend)
        for number, name in enumerate(names):
            line = QHBoxLayout()
            line.setSpacing(6)
            line.addWidget(Swatch(name))
            line.addWidget(TextLabel(part_name(name), "small", "secondary", wraps=True), 1)
            self._legend.addLayout(line, number // 2, number % 2)

    def _show_note(self, plan: TrainingPlan | None) -> None:
        """Say how sure the numbers are, or why there are none."""
        if plan is None:
            self._note.setText(self.tr("There is no plan yet."))
            return
        sentences = [self._measured_note(plan)]
        if plan.time.step is not None:
            sentences = [sentences[0] or self._predicted_note(plan)]
            if plan.time.epoch is None:
                sentences.append(self.tr("Choose your data in step 2 to see how long an epoch takes."))
        elif plan.devices:
            sentences.append(self.tr("How long it takes is not known beforehand; a test run on your data measures it."))
        else:
            sentences.append(self.tr("How long a processor takes is not known beforehand; a test run measures it."))
        self._note.setText(" ".join(sentence for sentence in sentences if sentence))

    def _predicted_note(self, plan: TrainingPlan) -> str:
        if plan.memory is not None and self._has_memory:
            return self.tr(
                "Predicted: the time holds at least eight times in ten, memory nine. "
                "A test run on this machine narrows both."
            )
        return self.tr("Predicted: holds at least eight times in ten. A test run on this machine narrows it.")

    def _measured_note(self, plan: TrainingPlan) -> str:
        """Say what a run on this machine measured; empty when none did."""
        memory = plan.memory if self._has_memory else None
        has_memory = memory is not None and memory.source == "measured"
        has_time = plan.time.source == "measured"
        known = (memory.measured_at if memory is not None else None, plan.time.measured_at)
        day = day_text(max((moment for moment in known if moment), default=None), self._state.language)
        text = ""
        if has_memory and has_time:
            text = self.tr("Memory and time were measured here on {day}; runs differ within the interval.")
        elif has_memory:
            text = self.tr("Memory was measured here on {day}.")
        elif has_time:
            text = self.tr("Time was measured here on {day}; runs differ within the interval.")
        return text.format(day=day)


class _Cells:
    """The widgets of one row."""

    def __init__(self, name: str, *, is_narrow: bool) -> None:
        self.name = TextLabel(name, "small" if is_narrow else "body", "muted" if is_narrow else "secondary")
        self.name.setContentsMargins(0, 8, 0, 8)
        self.reading = _Reading()
        self.spread = TextLabel("", "small", "muted")
        self.difference = TextLabel("", "small_strong", "text")
        self.difference.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show(self, row: Expected) -> None:
        """Show what a row says."""
        if row.interval is not None:
            self.reading.show_reading(row.shown(row.interval.expected), row.remark)
            self.spread.setText(join_range(row.shown(row.interval.low), row.shown(row.interval.high)))
            self.difference.setText(row.difference())


class _Reading(QWidget):
    """A number with its smaller unit and a remark on one baseline."""

    def __init__(self) -> None:
        super().__init__()
        self._number, self._unit = "", ""
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)

    def show_reading(self, text: str, remark: str) -> None:
        """Show another number."""
        number, _, unit = text.partition(" ")
        self._number, self._unit = number, f"{unit} {remark}".strip()
        self.setAccessibleName(f"{text} {remark}".strip())
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        theme = current_theme()
        width = text_width(self._number, theme.font("number")) + text_width(self._unit, theme.font("small_strong"))
        return QSize(round(width) + 6, 28)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        place = QRectF(self.rect())
        draw_reading(start_painter(self), theme, place, self._number, self._unit, theme.color("text"))
