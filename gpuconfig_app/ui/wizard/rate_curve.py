"""The learning rate over the epochs, as the script will set it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.painting import LEFT, RIGHT, draw_hairline, draw_text, start_painter
from gpuconfig_app.ui.wizard.draft import WizardDraft

_HEIGHT = 112
_LEFT = 54
_BELOW = 20
_FILL_ALPHA = 33  # 13 %


@dataclass(frozen=True)
class Schedule:
    """How the learning rate runs.

    Attributes:
        peak: Highest rate.
        epochs: Length.
        warm_up: Share of all updates while it rises; None when it stays constant.
    """

    peak: float
    epochs: int
    warm_up: float | None

    def rate_at(self, share: float) -> float:
        """Give the rate after a share (0 to 1) of all updates; as ``keras.optimizers.schedules.CosineDecay`` does."""
        if self.warm_up is None:
            return self.peak
        if share < self.warm_up:
            return self.peak * share / self.warm_up
        rest = (share - self.warm_up) / max(1.0 - self.warm_up, 1e-9)
        return self.peak * 0.5 * (1.0 + math.cos(math.pi * min(rest, 1.0)))


class RateCurve(QWidget):
    """The curve with its axes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._schedule: Schedule | None = None
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Learning rate over the epochs"))

    def show_schedule(self, schedule: Schedule) -> None:
        """Show how the rate runs."""
        self._schedule = schedule
        text = self.tr("From {start} to {peak} to {end} in {n} epochs")
        ends = {"start": schedule.rate_at(0), "peak": schedule.peak, "end": schedule.rate_at(1)}
        rates = {name: f"{rate:.3g}" for name, rate in ends.items()}
        self.setAccessibleDescription(text.format(**rates, n=schedule.epochs))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(360, _HEIGHT)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        schedule = self._schedule
        if schedule is None:
            return
        painter, theme = start_painter(self), current_theme()
        plot = QRectF(_LEFT, 6, self.width() - _LEFT - 1, _HEIGHT - _BELOW - 6)
        small, muted = theme.font("caption"), theme.color("text_muted")
        for share in (0.0, 0.5, 1.0):
            y = plot.bottom() - share * plot.height()
            draw_hairline(painter, QPointF(plot.left(), y), QPointF(plot.right(), y), theme.color("border"))
            text = f"{schedule.peak * share:.2g}" if share else "0"
            draw_text(painter, QRectF(0, y - 8, _LEFT - 8, 16), text, small, muted, RIGHT)
        self._paint_curve(painter, plot, schedule, theme.color("accent"))
        below = QRectF(plot.left(), plot.bottom() + 3, plot.width(), 16)
        draw_text(painter, below, "0", small, muted, LEFT)
        draw_text(painter, below, self.tr("epoch {n}").format(n=schedule.epochs), small, muted, RIGHT)

    @staticmethod
    def _paint_curve(painter: QPainter, plot: QRectF, schedule: Schedule, color: QColor) -> None:
        steps = max(int(plot.width()), 2)
        points = []
        for step in range(steps + 1):
            height = schedule.rate_at(step / steps) / schedule.peak if schedule.peak else 0.0
            points.append(QPointF(plot.left() + plot.width() * step / steps, plot.bottom() - plot.height() * height))
        fill = QColor(color)
        fill.setAlpha(_FILL_ALPHA)
        painter.setPen(QPen(QColor(0, 0, 0, 0)))
        painter.setBrush(fill)
        painter.drawPolygon(QPolygonF([plot.bottomLeft(), *points, plot.bottomRight()]))
        painter.setPen(QPen(color, 1.5))
        painter.drawPolyline(QPolygonF(points))


class RateCard(Card):
    """The curve in its card; hidden when the script has no such schedule."""

    def __init__(self, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent, padding=18)
        self._draft = draft
        head = QHBoxLayout()
        head.addWidget(TextLabel(self.tr("Learning rate"), "heading"), 1)
        self._remark = TextLabel("", "small", "muted")
        head.addWidget(self._remark)
        self.body.addLayout(head)
        self._curve = RateCurve()
        self.body.addWidget(self._curve)

    def refresh(self) -> None:
        """Show the schedule of the newest plan."""
        schedule = self._schedule()
        self.setVisible(schedule is not None)
        if schedule is None:
            return
        self._curve.show_schedule(schedule)
        self._remark.setText(self.tr("highest {rate}").format(rate=f"{schedule.peak:.3g}"))

    def _schedule(self) -> Schedule | None:
        plan, values = self._draft.plan, self._draft.checked.values
        if plan is None or "schedule" not in values:
            return None
        share = values.get("warm_up_share")
        is_curved = values["schedule"] == "cosine"
        warm_up = float(share) if isinstance(share, int | float) else 0.0
        return Schedule(plan.learning_rate, plan.workload.epochs, warm_up if is_curved else None)
