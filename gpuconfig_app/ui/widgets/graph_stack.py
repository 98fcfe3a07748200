"""The right form of graphs for the number of cards: four tall panels, a row each, or a strip with rows below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.sample import DeviceKey
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.widgets.cards import Line
from gpuconfig_app.ui.widgets.graph_rows import GraphColumn, GraphRow
from gpuconfig_app.ui.widgets.heat_strip import MOST_SELECTED, HeatStrip
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.segmented import SegmentedControl
from gpuconfig_app.ui.widgets.small_multiples import SmallMultiples

if TYPE_CHECKING:
    from gpuconfig_app.ui.widgets.tall_panels import TallPanels

STRIP_FROM = 9


class GraphStack(QWidget):
    """Graphs of all cards.

    Args:
        columns: Metrics, in order.
    """

    def __init__(self, clock: Clock, columns: Sequence[GraphColumn], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._columns = tuple(columns)
        self._rows: tuple[GraphRow, ...] = ()
        self._history = History()
        self._span_s, self._interval_s = 600.0, 1.0
        self._frozen_s: float | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._tall: TallPanels | None = None
        self._nothing = TextLabel("", "body", "muted", wraps=True)
        self._nothing.setObjectName("no_readings")
        self._nothing.setContentsMargins(16, 16, 16, 16)
        self._nothing.hide()
        self._column.addWidget(self._nothing)
        self._chooser = self._build_chooser()
        self._strip = HeatStrip(clock)
        self._is_own_choice = False
        self._strip.selection_changed.connect(self._take_choice)
        self._line = Line()
        self._multiples = SmallMultiples(clock)
        self._multiples.crosshair_moved.connect(self._strip.set_crosshair)
        for widget in (self._chooser, self._strip, self._line, self._multiples):
            self._column.addWidget(widget)

    def show_rows(self, history: History, rows: Sequence[GraphRow]) -> None:
        """Show these devices."""
        if history is not self._history:
            self._is_own_choice = False
        self._history, self._rows = history, tuple(rows)
        self._multiples.set_alone(is_alone=len(rows) < STRIP_FROM)
        is_silent = self._show_reason()
        is_many, is_one = len(rows) >= STRIP_FROM, len(rows) == 1 and not is_silent
        if is_one and self._tall is None:
            self._make_tall()
        if self._tall is not None:
            self._tall.setVisible(is_one)
        for widget in (self._chooser, self._strip, self._line):
            widget.setVisible(is_many)
        if len(rows) == 1:
            self._multiples.hide()
        if is_one and self._tall is not None:
            self._tall.show_row(history, self._rows[0], self._columns)
        elif is_many:
            self._strip.show_rows(history, rows, self._strip_column())
            if not self._is_own_choice:
                self._choose_what_is_wrong()
            self._show_selected()
        elif not is_silent:
            self._multiples.show()
            self._multiples.show_rows(history, rows, self._columns)

    def select(self, keys: Sequence[DeviceKey]) -> None:
        """Show these devices in full below the strip."""
        self._strip.select(keys)
        self._show_selected()

    def set_span(self, span_s: float, interval_s: float) -> None:
        """Show another stretch of time."""
        self._span_s, self._interval_s = span_s, interval_s
        self._strip.set_span(span_s, interval_s)
        self._multiples.set_span(span_s, interval_s)
        if self._tall is not None:
            self._tall.set_span(span_s, interval_s)

    def set_frozen(self, at_s: float | None) -> None:
        """Hold the picture at a monotonic time, or go on with None."""
        self._frozen_s = at_s
        self._strip.set_frozen(at_s)
        self._multiples.set_frozen(at_s)
        if self._tall is not None:
            self._tall.set_frozen(at_s)

    def refresh(self) -> None:
        """Redraw what is out of date."""
        if len(self._rows) == 1 and self._tall is not None:
            self._tall.refresh()
            return
        if len(self._rows) >= STRIP_FROM:
            self._strip.refresh()
        self._multiples.refresh()

    def _choose_what_is_wrong(self) -> None:
        wrong = [row for row in self._rows if row.severity in ("warning", "blocked")]
        worst_first = sorted(wrong, key=lambda row: row.severity != "blocked")[:MOST_SELECTED]
        self._strip.select([row.key for row in self._rows if row in worst_first])
        self._is_own_choice = False

    def _take_choice(self, _: object) -> None:
        self._is_own_choice = True
        self._show_selected()

    def _show_reason(self) -> bool:
        """Say in place of four empty graphs why a single card gives none; whether that is so."""
        row = self._rows[0] if len(self._rows) == 1 else None
        is_silent = row is not None and bool(row.reason) and not self._history.metrics(row.key)
        if row is not None and is_silent:
            self._nothing.setText(self.tr("No graphs of GPU {n}: {reason}").format(n=row.label, reason=row.reason))
        self._nothing.setVisible(is_silent)
        return is_silent

    def _build_chooser(self) -> QWidget:
        chooser = QWidget()
        line = QHBoxLayout(chooser)
        line.setContentsMargins(14, 10, 14, 0)
        line.setSpacing(10)
        line.addWidget(TextLabel(self.tr("Strip shows"), "small", "muted"))
        self._metric = SegmentedControl([(column.metric.value, column.title) for column in self._columns])
        self._metric.setAccessibleName(self.tr("Metric of the strip"))
        self._metric.chosen.connect(lambda _: self.show_rows(self._history, self._rows))
        line.addWidget(self._metric)
        line.addStretch(1)
        return chooser

    def _strip_column(self) -> GraphColumn:
        return next(column for column in self._columns if column.metric.value == self._metric.value)

    def _show_selected(self) -> None:
        if len(self._rows) < STRIP_FROM:
            return
        chosen = [row for row in self._rows if row.key in self._strip.selected]
        self._multiples.setVisible(bool(chosen))
        self._line.setVisible(bool(chosen))
        self._multiples.show_rows(self._history, chosen, self._columns)

    def _make_tall(self) -> None:
        from gpuconfig_app.ui.widgets.tall_panels import TallPanels  # noqa: PLC0415  # pyqtgraph only when it is needed

        self._tall = TallPanels(self._clock)
        self._tall.set_span(self._span_s, self._interval_s)
        self._tall.set_frozen(self._frozen_s)
        self._column.addWidget(self._tall)
