"""The cards of the machine: one wide, two to four normal, from five on compact with a strip of totals."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.messages import Language
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.core.units import GIB
from gpuconfig_app.ui.card_tracker import CardTracker
from gpuconfig_app.ui.card_words import usable_count
from gpuconfig_app.ui.models.card_facts import CardContext, CardFactsMaker
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.card_grid import CardGrid
from gpuconfig_app.ui.widgets.gpu_card import CardForm, GpuCard
from gpuconfig_app.ui.widgets.gpu_card_facts import CardState, GpuCardFacts
from gpuconfig_app.ui.widgets.metric_strip import Metric as Tile
from gpuconfig_app.ui.widgets.metric_strip import MetricStrip

COMPACT_FROM = 5


class CardsBlock(QWidget):
    """Cards and totals.

    Args:
        maker: Makes what a card shows.
        tracker: Readings by device, shared with the page.

    Signals:
        opened(str): The user wants to see a device in detail.
    """

    opened = Signal(str)

    def __init__(self, maker: CardFactsMaker, tracker: CardTracker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._maker = maker
        self._tracker = tracker
        self._gpus: tuple[Gpu, ...] = ()
        self._cards: dict[str, GpuCard] = {}
        self._context = CardContext(Language.ENGLISH)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self._totals = MetricStrip()
        self._totals.hide()
        self._grid = CardGrid()
        self._column.addWidget(self._totals)
        self._column.addWidget(self._grid)

    @property
    def cards(self) -> tuple[GpuCard, ...]:
        """Cards in order."""
        return tuple(self._cards.values())

    def show_gpus(self, gpus: tuple[Gpu, ...], context: CardContext) -> None:
        """Show these cards; those already there are kept with their curves."""
        self._context = context
        devices = tuple(str(gpu.index) for gpu in gpus)
        if devices != tuple(self._cards):
            self._cards = {device: self._cards.get(device) or self._make(device) for device in devices}
            self._grid.set_cards(list(self._cards.values()))
        self._gpus = gpus
        self._shape()
        self._totals.setVisible(len(gpus) >= COMPACT_FROM)
        for gpu in gpus:
            self._add_point(str(gpu.index))
            self._show(gpu)
        self._show_totals()

    def show_loading(self) -> None:
        """Show the place of a card before the driver has told of one."""
        card = self._cards.get("") or self._make("")
        card.set_form(CardForm.WIDE)
        card.show_facts(
            GpuCardFacts(
                index="–", name=self.tr("Reading the cards…"), state=CardState.LOADING,
                badge_severity="loading", badge=self.tr("Loading"),
            )
        )  # fmt: skip
        self._gpus, self._cards = (), {"": card}
        self._totals.hide()
        self._grid.set_shape(320, 1, self._gap)
        self._grid.set_cards([card])

    def take(self, devices: set[str], context: CardContext) -> None:
        """Show the news of some devices."""
        self._context = context
        for gpu in self._gpus:
            if str(gpu.index) in devices:
                self._add_point(str(gpu.index))
                self._show(gpu)
        self._show_totals()

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Take smaller gaps on a narrow window."""
        self._gap = 12 if is_narrow else 16
        self._shape()

    _gap = 16

    def _make(self, device: str) -> GpuCard:
        card = GpuCard(device)
        card.opened.connect(self.opened)
        card.curve.set_points(self._tracker.curve(device))
        return card

    def _shape(self) -> None:
        count = len(self._gpus)
        theme = current_theme()
        if count == 1:
            form, least, most = CardForm.WIDE, 320, 1
        elif count < COMPACT_FROM:
            form, least, most = CardForm.NORMAL, theme.size("width.gpu_card_min"), 2 if count in (2, 4) else 3
        else:
            form, least, most = CardForm.COMPACT, theme.size("width.gpu_card_compact_min"), 4
        for card in self._cards.values():
            if card.form is not form:
                card.set_form(form)
        self._grid.set_shape(least, most, 12 if form is CardForm.COMPACT else self._gap)

    def _show(self, gpu: Gpu) -> None:
        device = str(gpu.index)
        self._cards[device].show_facts(self._maker.make(gpu, self._tracker.readings(device), self._context))

    def _add_point(self, device: str) -> None:
        self._cards[device].curve.sync(self._tracker.curve(device))
        self._cards[device].update()

    def _show_totals(self) -> None:
        if len(self._gpus) < COMPACT_FROM:
            return
        answering = [gpu for gpu in self._gpus if self._answers(gpu)]
        told = (self._memory_tile(answering), self._use_tile(answering), self._heat_tile(answering))
        tiles = [self._count_tile(len(answering)), *(tile for tile in told if tile is not None)]
        power = self._power_tile(answering)
        self._totals.show_metrics([*tiles, power] if power is not None else tiles)

    def _answers(self, gpu: Gpu) -> bool:
        said = self._tracker.readings(str(gpu.index)).said
        return usable_count((gpu,)) == 1 and said not in (Liveness.LOST, Liveness.SILENT)

    def _values(self, gpus: list[Gpu], metric: Metric) -> list[tuple[float, Gpu]]:
        found = []
        for gpu in gpus:
            value = self._tracker.readings(str(gpu.index)).values.get(metric)
            if value is not None:
                found.append((value, gpu))
        return found

    def _count_tile(self, count: int) -> Tile:
        total = len(self._gpus)
        remark = self.tr("all answer") if count == total else self.tr("%n not read", "", total - count)
        severity = "" if count == total else "warning"
        return Tile(self.tr("GPUs"), str(count), self.tr("of {total}").format(total=total), remark, severity)

    def _memory_tile(self, gpus: list[Gpu]) -> Tile | None:
        total = sum(gpu.memory_total_bytes or 0 for gpu in self._gpus)
        used = self._values(gpus, Metric.MEMORY_USED_BYTES)
        if not used and not total:
            return None
        if not used:
            return Tile(self.tr("Memory"), f"{total / GIB:.0f}", "GiB")
        unit = self.tr("of {total} GiB").format(total=f"{total / GIB:.0f}")
        return Tile(self.tr("Memory"), f"{sum(value for value, _ in used) / GIB:.0f}", unit)

    def _use_tile(self, gpus: list[Gpu]) -> Tile | None:
        values = self._values(gpus, Metric.UTILIZATION_PCT)
        if not values:
            return None
        mean = sum(value for value, _ in values) / len(values)
        return Tile(self.tr("Mean utilisation"), f"{mean:.0f}", "%", self.tr("%n GPU(s)", "", len(values)))

    def _heat_tile(self, gpus: list[Gpu]) -> Tile | None:
        values = self._values(gpus, Metric.TEMPERATURE_C)
        if not values:
            return None
        hottest, gpu = max(values, key=lambda item: item[0])
        limit = gpu.temperature_slowdown_c
        remark = self.tr("GPU {index}").format(index=gpu.index)
        if limit is not None:
            remark = self.tr("GPU {index}, limit {limit}").format(index=gpu.index, limit=limit)
        severity = "warning" if limit is not None and hottest >= limit - 1 else ""
        return Tile(self.tr("Hottest"), f"{hottest:.0f}", "°C", remark, severity)

    def _power_tile(self, gpus: list[Gpu]) -> Tile | None:
        values = self._values(gpus, Metric.POWER_W)
        if not values:
            return None
        watts = sum(value for value, _ in values)
        limits = [gpu.power_limit_w for gpu in self._gpus if gpu.power_limit_w is not None]
        remark = ""
        if len(limits) == len(self._gpus):
            remark = self.tr("limit {number} kW").format(number=f"{sum(limits) / 1000:.1f}")
        if watts >= 1000:
            return Tile(self.tr("Power"), f"{watts / 1000:.1f}", "kW", remark)
        return Tile(self.tr("Power"), f"{watts:.0f}", "W", remark)
