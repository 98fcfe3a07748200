"""Readings and rows for tests of the graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget

from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.core.units import GIB
from gpuconfig_app.telemetry.history import History
from gpuconfig_app.ui.widgets.curve_cell import Scale
from gpuconfig_app.ui.widgets.graph_rows import GraphColumn, GraphRow
from gpuconfig_app.ui.widgets.redraw_queue import RedrawQueue

UTILIZATION = GraphColumn(Metric.UTILIZATION_PCT, "Utilisation", "%", "metric.util")
MEMORY = GraphColumn(Metric.MEMORY_USED_BYTES, "Memory", "GiB", "metric.memory", GIB, 1)
COLUMNS = (UTILIZATION, MEMORY)


def key_of(device: int) -> DeviceKey:
    """Key of a card of the made-up machine."""
    return DeviceKey("this", str(device))


def fill(
    history: History,
    device: int,
    seconds: Iterable[float],
    value: Callable[[float], float] = lambda _: 50.0,
    metric: Metric = Metric.UTILIZATION_PCT,
) -> None:
    """Add one reading at each of these monotonic seconds."""
    for second in seconds:
        history.add(Sample(key=key_of(device), taken_at=second, monotonic_s=second, values={metric: value(second)}))


def fall_silent(history: History, device: int, second: float) -> None:
    """Add what the sampler sends of a lost card."""
    history.add(Sample(key=key_of(device), taken_at=second, monotonic_s=second, liveness=Liveness.LOST))


def make_row(device: int = 0, **changes: object) -> GraphRow:
    """A busy card with 24 GiB."""
    row = GraphRow(
        key=key_of(device),
        label=str(device),
        name="NVIDIA GeForce RTX 4090",
        word="Busy",
        severity="good",
        scales={Metric.UTILIZATION_PCT: Scale(0, 100), Metric.MEMORY_USED_BYTES: Scale(0, 24 * GIB)},
    )
    return replace(row, **changes)  # type: ignore[arg-type]  # fields by name


def work_off(widget: QWidget) -> int:
    """Let the widget draw everything that waits; gives how many turns that took."""
    turns = 0
    for queue in widget.findChildren(RedrawQueue):
        while len(queue):
            queue.work()
            turns += 1
    return turns


def colors_at(image: QImage, x: int) -> set[str]:
    """Colours in one pixel column."""
    return {image.pixelColor(x, y).name() for y in range(image.height())}


def has_color(image: QImage, x: int, color: QColor, tolerance: int = 12) -> bool:
    """Whether a pixel column holds nearly this colour."""
    for y in range(image.height()):
        found = image.pixelColor(x, y)
        if (
            max(abs(found.red() - color.red()), abs(found.green() - color.green()), abs(found.blue() - color.blue()))
            <= tolerance
        ):
            return True
    return False
