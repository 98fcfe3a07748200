"""What is assumed: eight questions, each of which may be left as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from gpuconfig_app.ui.pages.compatibility.what_if_field import WhatIfField
from gpuconfig_app.ui.pages.compatibility.what_if_words import NONE
from gpuconfig_app.ui.widgets.buttons import square_button
from gpuconfig_app.ui.widgets.cards import HeadedCard
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.workbench.what_if import WhatIfChoices

MOST_CARDS = 64
_AFTER_TYPING_MS = 350
_COLUMNS = 4
_SEVERAL = re.compile(r"^(\d{1,3})\s*[x×*]\s*(\S.*)$", re.IGNORECASE)
_SYSTEMS = {
    "linux": {"os": ("linux",), "wsl": (NONE,)},
    "windows": {"os": ("windows",)},
    "wsl": {"os": ("linux",), "wsl": ("2",)},
    "macos": {"os": ("macos",)},
}


class WhatIfPanel(HeadedCard):
    """The questions.

    Signals:
        asked(object, bool): Assumptions by key, and whether the machine consists of them alone.
        closed(): The user closes the panel.
    """

    asked = Signal(object, bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title.setText(self.tr("What if…"))
        self.setObjectName("whatIf")
        self.setAccessibleName(self.tr("What if"))
        self.set_note(self.tr("The verdict of another machine; nothing on this one is changed."))
        self.note.show()
        close = square_button("x", self.tr("Close"), self.closed.emit)
        close.setObjectName("close_what_if")
        self.head.addWidget(close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_AFTER_TYPING_MS)
        self._timer.timeout.connect(self._ask)
        self._fields = self._build_fields()
        self._alone = QCheckBox(self.tr("Ignore this machine"))
        self._alone.setObjectName("assume_alone")
        self._alone.setToolTip(self.tr("A machine that is not here: what is not said is taken as ordinary."))
        self._alone.toggled.connect(self._ask)
        self._problem = TextLabel("", "small", "blocked", wraps=True)
        self._problem.hide()
        self._arrange()

    @property
    def fields(self) -> Mapping[str, WhatIfField]:
        """Fields by key."""
        return self._fields

    def show_choices(self, choices: WhatIfChoices) -> None:
        """Offer what the tables have."""
        none = {
            "gpu": self.tr("no graphics card"),
            "driver": self.tr("no driver"),
            "tensorflow": self.tr("no TensorFlow"),
        }
        offered = {
            "gpu": choices.cards,
            "driver": choices.drivers,
            "python": choices.pythons,
            "tensorflow": choices.releases,
        }
        for key, values in offered.items():
            rows = [(value, value) for value in values]
            self._fields[key].show_choices([*rows, (none[key], NONE)] if key in none else rows)

    def assume(self, key: str, value: str) -> None:
        """Assume one more thing, as if the user had chosen it."""
        self._fields[key].choose(value)
        self._ask()

    def clear(self) -> None:
        """Assume nothing, without a signal."""
        self._timer.stop()
        for field in self._fields.values():
            field.choose("")
        self._alone.blockSignals(True)
        self._alone.setChecked(False)
        self._alone.blockSignals(False)
        self.show_problems({})

    def show_problems(self, problems: Mapping[str, str]) -> None:
        """Say what is wrong, by key; at the field where there is one."""
        for key, field in self._fields.items():
            field.show_problem(problems.get(key, ""))
        rest = " ".join(text for key, text in problems.items() if key not in self._fields)
        self._problem.setText(rest)
        self._problem.setVisible(bool(rest))

    def assumptions(self) -> dict[str, tuple[str, ...]]:
        """Give what is assumed, values by key of ``--assume``."""
        said: dict[str, tuple[str, ...]] = {}
        for key, field in self._fields.items():
            value = field.value
            if not value:
                continue
            if key == "os":
                said.update(_SYSTEMS[value])
            else:
                said[key] = cards_of(value) if key == "gpu" else (value,)
        return said

    def _build_fields(self) -> dict[str, WhatIfField]:
        as_it_is = self.tr("as it is")
        several = self.tr("Several: RTX 4090, RTX 3060 or 2x RTX 4090. A card that is not listed: NAME:8.9")
        typed = (
            ("gpu", self.tr("Graphics card"), several),
            ("driver", self.tr("Driver"), ""),
            ("python", "Python", ""),
            ("tensorflow", "TensorFlow", ""),
        )
        chosen = (
            ("os", self.tr("Operating system"), (
                ("Linux", "linux"), ("Windows", "windows"), (self.tr("Linux in Windows (WSL2)"), "wsl"),
                ("macOS", "macos"),
            )),
            ("cuda_libs", self.tr("CUDA libraries"), (
                (self.tr("in the environment"), "pip"), (self.tr("of the system"), "system"), (self.tr("none"), NONE),
            )),
            ("xla", self.tr("XLA compiler"), ((self.tr("on"), "on"), (self.tr("off"), "off"))),
        )  # fmt: skip
        fields = {key: WhatIfField(key, name, as_it_is, is_typed=True, tip=tip) for key, name, tip in typed}
        for key, name, choices in chosen:
            fields[key] = WhatIfField(key, name, as_it_is, is_typed=False)
            fields[key].show_choices(choices)
        for field in fields.values():
            field.edited.connect(self._timer.start)
        return fields

    def _arrange(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(16, 2, 16, 14)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(10)
        order = ("gpu", "driver", "os", "python", "tensorflow", "cuda_libs", "xla")
        for place, key in enumerate(order):
            grid.addWidget(self._fields[key], place // _COLUMNS, place % _COLUMNS)
        last = QWidget()
        inside = QGridLayout(last)
        inside.setContentsMargins(0, 20, 0, 0)
        inside.addWidget(self._alone)
        grid.addWidget(last, len(order) // _COLUMNS, len(order) % _COLUMNS)
        grid.addWidget(self._problem, 2, 0, 1, _COLUMNS)
        for column in range(_COLUMNS):
            grid.setColumnStretch(column, 1)
        self.body.addLayout(grid)

    def _ask(self) -> None:
        self._timer.stop()
        self.asked.emit(self.assumptions(), self._alone.isChecked())


def cards_of(text: str) -> tuple[str, ...]:
    """Give the cards of ``2x RTX 4090, RTX 3060``, each by its name."""
    cards: list[str] = []
    for part in re.split(r"[,;，；]", text):
        name = part.strip()
        found = _SEVERAL.match(name)
        if found is not None:
            cards += [found.group(2)] * int(found.group(1))
        elif name:
            cards.append(name)
    return tuple(cards[:MOST_CARDS])
