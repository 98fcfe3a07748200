"""How often cards are read, how long readings are kept, and whether sleeping cards are woken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gpuconfig_app.ui.pages.settings.section import Section
from gpuconfig_app.ui.widgets.segmented import SegmentedControl
from gpuconfig_app.ui.widgets.switch import Switch

if TYPE_CHECKING:
    from gpuconfig_app.ui.state import AppState

_FAST_S = (0.5, 1.0, 2.0, 5.0)
_SLOW_S = (2.0, 5.0, 15.0)
_HOURS = (1.0, 6.0, 24.0)


class SamplingSection(Section):
    """Sampling and history."""

    def __init__(self, state: AppState, title: str, parent: QWidget | None = None) -> None:
        super().__init__("sampling", "activity", title, parent)
        settings = state.settings
        self.interval = self._choice(_FAST_S, self.tr("{number} s"), settings.sampling_interval_s)
        self.interval.chosen.connect(lambda value: state.update_settings(sampling_interval_s=float(value)))
        self.add_row(self.tr("Interval"), self.tr("Utilisation, memory, temperature, power"), self.interval)
        self.slow = self._choice(_SLOW_S, self.tr("{number} s"), settings.slow_interval_s)
        self.slow.chosen.connect(lambda value: state.update_settings(slow_interval_s=float(value)))
        self.add_row(
            self.tr("Slow readings"),
            self.tr("Processes and PCIe traffic; each costs the driver some milliseconds"),
            self.slow,
        )
        self.history = self._choice(_HOURS, self.tr("{number} h"), settings.history_hours)
        self.history.chosen.connect(lambda value: state.update_settings(history_hours=float(value)))
        self.add_row(
            self.tr("History"),
            self.tr("Kept in memory, never on disk; counts from the next machine that is opened"),
            self.history,
        )
        self.wakes = Switch(self.tr("Wake sleeping cards"))
        self.wakes.setChecked(settings.wakes_sleeping_gpus)
        self.wakes.toggled.connect(lambda is_on: state.update_settings(wakes_sleeping_gpus=is_on))
        self.add_row(
            self.tr("Wake sleeping cards"),
            self.tr("A laptop’s second card sleeps to save power; reading it keeps it awake and empties the battery"),
            self.wakes,
        )

    @staticmethod
    def _choice(values: tuple[float, ...], template: str, current: float) -> SegmentedControl:
        """Give the choices; a value that was set elsewhere stands among them."""
        shown = sorted({*values, current})
        control = SegmentedControl([(str(value), template.format(number=f"{value:g}")) for value in shown])
        control.set_value(str(current))
        return control
