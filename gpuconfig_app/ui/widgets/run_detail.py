"""One run in full: state, readings, curves, log, and a way to stop it after a second look."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.run_result import RunKind, RunRecord, RunResult, RunState
from gpuconfig_app.core.units import format_bytes, format_duration
from gpuconfig_app.runner.script_events import ScriptEvents
from gpuconfig_app.ui.models.run_list_model import SEVERITIES, run_name
from gpuconfig_app.ui.run_follower import RunNews
from gpuconfig_app.ui.theme import current_theme, set_style_property
from gpuconfig_app.ui.widgets.buttons import OUTLINED, Button
from gpuconfig_app.ui.widgets.cards import Card, HeadedCard, IconLabel
from gpuconfig_app.ui.widgets.code_view import LogView
from gpuconfig_app.ui.widgets.compared_table import ComparedTable
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.widgets.metric_strip import Metric, MetricStrip
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge

if TYPE_CHECKING:
    from gpuconfig_app.ui.widgets.run_curves import RunCurves

Render = Callable[[Message | LocalText | None], str]
_DASH = "–"
_LOG_HEIGHT = 180
_NARROW_BELOW = 640
# Metrics whose best value is worth a tile; True where larger is better.
_QUALITY = {"val_accuracy": True, "accuracy": True, "val_mae": False, "val_loss": False, "loss": False}


class RunDetail(QWidget):
    """A run.

    Args:
        text: Renders a text in the shown language.

    Attributes:
        record: Run that is shown, None before the first.

    Signals:
        stop_confirmed(object): End this run (``RunRecord``).
        folder_asked(str): Show this folder.
        bundle_asked(str): Open this bundle in the wizard.
        explain_asked(str): Explain this log file.
    """

    stop_confirmed = Signal(object)
    folder_asked = Signal(str)
    bundle_asked = Signal(str)
    explain_asked = Signal(str)

    def __init__(self, text: Render, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.record: RunRecord | None = None
        self._folder = self._log_path = ""
        self._curves: RunCurves | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self._column.addLayout(self._build_head())
        self._column.addWidget(self._build_question())
        self._column.addWidget(self._build_meaning())
        self._strip = MetricStrip()
        self._column.addWidget(self._strip)
        self._curve_card = Card(padding=1)
        self._curve_card.hide()
        self._column.addWidget(self._curve_card)
        self._compared_card = HeadedCard(self.tr("Measured beside predicted"))
        self._compared = ComparedTable(text)
        self._compared.setContentsMargins(0, 0, 12, 4)
        self._compared_card.body.addWidget(self._compared)
        self._compared_card.hide()
        self._column.addWidget(self._compared_card)
        log_card = HeadedCard(self.tr("Log"))
        self._log = LogView()
        self._log.setMinimumHeight(_LOG_HEIGHT)
        log_card.body.addWidget(self._log, 1)
        self._column.addWidget(log_card, 1)

    def keep_clear_of_bar(self, width: int) -> None:
        """Leave room at the right for a scroll bar that lies over this widget's edge; 0 for none."""
        self._column.setContentsMargins(0, 0, width, 0)

    def forget(self) -> None:
        """Show no run, so that the next one is read from its beginning."""
        self.record = None
        self._log.clear_log()
        self._curve_card.hide()
        self._compared_card.hide()
        self._question.hide()

    def show_run(self, record: RunRecord, result: RunResult, when: str) -> None:
        """Show a run; another one than before begins with an empty log."""
        if self.record is None or self.record.id != record.id:
            self.forget()
            self.record = record
            self._strip.show_metrics(self._tiles(result, ScriptEvents()))
        self._name.setText(run_name(record))
        devices = ", ".join(dict.fromkeys(result.devices))
        self._when.setText(" · ".join(part for part in (when, devices) if part))
        self._show_result(result)

    def show_news(self, news: RunNews) -> None:
        """Add what came since the last look."""
        if news.log.is_new_file:
            self._log.clear_log()
        self._log.add_lines(news.log.lines, news.log.unfinished)
        self._show_result(news.result)
        self._strip.show_metrics(self._tiles(news.result, news.events))
        if news.events.epochs:
            self._show_curves(news.events)

    def _build_head(self) -> QBoxLayout:
        head = self._head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        head.setSpacing(10)
        names, buttons = QHBoxLayout(), QHBoxLayout()
        names.setSpacing(10)
        buttons.setSpacing(8)
        self._name = ElidedLabel("", "heading")
        self._badge = SeverityBadge()
        self._when = ElidedLabel("", "small", "muted", mode=Qt.TextElideMode.ElideRight)
        self._open = Button(
            self.tr("Open in the wizard"), OUTLINED, "wand-sparkles", scale="small", on_click=self._bundle
        )
        self._show = Button(self.tr("Folder"), OUTLINED, "folder-open", scale="small", on_click=self._ask_folder)
        self._stop = Button(self.tr("Stop…"), OUTLINED, "circle-stop", scale="small", on_click=self._ask_stop)
        self._stop.setObjectName("stop_run")
        names.addWidget(self._name)
        names.addWidget(self._badge)
        names.addWidget(self._when, 1)
        for button in (self._open, self._show, self._stop):
            buttons.addWidget(button)
        buttons.addStretch(1)
        head.addLayout(names, 1)
        head.addLayout(buttons)
        return head

    def _build_meaning(self) -> QFrame:
        self._meaning_frame = QFrame()
        self._meaning_frame.setProperty("role", "message")
        line = QHBoxLayout(self._meaning_frame)
        line.setContentsMargins(12, 8, 12, 8)
        line.setSpacing(10)
        self._meaning_icon = IconLabel("info", 18, "text_secondary")
        self._meaning = TextLabel("", "body", wraps=True, is_selectable=True)
        line.addWidget(self._meaning_icon)
        line.addWidget(self._meaning, 1)
        self._explain = Button(self.tr("Explain this error"), OUTLINED, scale="small", on_click=self._ask_explain)
        self._explain.setObjectName("explain_run")
        line.addWidget(self._explain)
        self._meaning_frame.hide()
        return self._meaning_frame

    def _build_question(self) -> QFrame:
        self._question = QFrame()
        self._question.setProperty("role", "message")
        set_style_property(self._question, "severity", "warning")
        line = QHBoxLayout(self._question)
        line.setContentsMargins(12, 6, 8, 6)
        line.setSpacing(10)
        line.addWidget(IconLabel("triangle-alert", 18, "warning.fg"))
        self._question_text = TextLabel("", "body", wraps=True)
        line.addWidget(self._question_text, 1)
        self._yes = Button(self.tr("Stop it"), OUTLINED, scale="small", on_click=self._confirm)
        self._yes.setObjectName("stop_run_yes")
        self._no = Button(self.tr("Let it run"), OUTLINED, scale="small", on_click=self._question.hide)
        line.addWidget(self._yes)
        line.addWidget(self._no)
        self._question.hide()
        return self._question

    def _show_result(self, result: RunResult) -> None:
        state = result.state
        self._log_path = str(result.log)
        self._folder = self._log_path.rsplit("log.txt", 1)[0]
        self._badge.show_state(SEVERITIES[state], self._text(Message(f"wizard.run-{state.value.replace('_', '-')}")))
        self._show_meaning(result)
        self._compared.show_compared(result.compared)
        is_measured = any(row.measured is not None for row in result.compared)
        self._compared_card.setVisible(state is not RunState.RUNNING and is_measured)
        self._stop.setVisible(state is RunState.RUNNING)
        if state is not RunState.RUNNING:
            self._question.hide()

    def _show_meaning(self, result: RunResult) -> None:
        severity = {"good": "good", "blocked": "blocked", "warning": "warning"}.get(SEVERITIES[result.state], "neutral")
        set_style_property(self._meaning_frame, "severity", severity)
        icon = current_theme().severity_icon(SEVERITIES[result.state])
        self._meaning_icon.show_icon(icon, f"{severity}.fg")
        self._meaning.setText(self._text(result.meaning))
        has_failed = SEVERITIES[result.state] in ("blocked", "warning")
        self._explain.setVisible(has_failed and bool(result.log))
        self._meaning_frame.setVisible(result.meaning is not None or has_failed)

    def _tiles(self, result: RunResult, events: ScriptEvents) -> list[Metric]:
        took = result.duration_s
        tiles = [Metric(self.tr("Elapsed"), *_parted(format_duration(took) if took is not None else _DASH))]
        best = self._best(events)
        if best is not None:
            tiles.append(best)
        step = events.step_s
        tiles.append(Metric(self.tr("One step"), *_parted(format_duration(step) if step is not None else _DASH)))
        peak = events.peak_memory_bytes
        on_cpu = self.tr("on the processor") if events.is_cpu else ""
        shown = format_bytes(int(peak)) if peak is not None else _DASH
        tiles.append(Metric(self.tr("Peak memory"), *_parted(shown), remark=on_cpu))
        return tiles

    def _best(self, events: ScriptEvents) -> Metric | None:
        for name, larger_is_better in _QUALITY.items():
            values = [
                (float(epoch[name]), epoch.get("epoch"))  # type: ignore[arg-type]  # a number, seen below
                for epoch in events.epochs
                if isinstance(epoch.get(name), int | float)
            ]
            if values:
                value, epoch = (max if larger_is_better else min)(values, key=lambda item: item[0])
                where = self.tr("epoch {n}").format(n=epoch) if self.width() >= _NARROW_BELOW else ""
                return Metric(self._best_name(name), f"{value:.4g}", remark=where)
        return None

    def _best_name(self, metric: str) -> str:
        if metric.endswith("accuracy"):
            return self.tr("Best accuracy")
        return self.tr("Smallest error") if metric.endswith("mae") else self.tr("Smallest loss")

    def _show_curves(self, events: ScriptEvents) -> None:
        if self._curves is None:
            from gpuconfig_app.ui.widgets.run_curves import RunCurves  # noqa: PLC0415  # pyqtgraph only when needed

            self._curves = RunCurves()
            self._curve_card.body.addWidget(self._curves)
        self._curves.show_epochs(events.epochs)
        self._curve_card.show()

    def _ask_folder(self) -> None:
        if self._folder:
            self.folder_asked.emit(self._folder)

    def _ask_explain(self) -> None:
        self.explain_asked.emit(self._log_path)

    def _bundle(self) -> None:
        if self.record is not None:
            self.bundle_asked.emit(self.record.bundle)

    def _ask_stop(self) -> None:
        if self.record is None:
            return
        if self.record.kind is RunKind.TRAINING:
            text = self.tr("Stop this training? It saves its state first and can go on later with --resume.")
        else:
            text = self.tr("Stop this test run?")
        self._question_text.setText(text)
        self._question.show()
        self._no.setFocus()

    def _confirm(self) -> None:
        self._question.hide()
        if self.record is not None:
            self.stop_confirmed.emit(self.record)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        is_narrow = event.size().width() < _NARROW_BELOW
        self._head.setDirection(directions.TopToBottom if is_narrow else directions.LeftToRight)


def _parted(text: str) -> tuple[str, str]:
    number, _, unit = text.partition(" ")
    return (number, unit) if unit and " " not in unit else (text, "")
