"""How the data are parted: training, early stopping, final test; as a bar, with counts, and to choose from."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from gpuconfig_app.core.units import format_count
from gpuconfig_app.scriptgen.manifest import WizardStep
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import Card
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.painting import start_painter
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.layouts import clear_layout
from gpuconfig_app.ui.wizard.question_form import QuestionForm

VALIDATION, TEST = "validation_share", "test_share"
SHARES = frozenset({VALIDATION, TEST})
_LONGEST_SPLIT = len("80 / 10 / 10")
_PRESETS = ((0.1, 0.1), (0.15, 0.15), (0.2, 0.2), (0.05, 0.05))


class SplitBar(QWidget):
    """Three parts of one bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shares: tuple[float, ...] = ()
        self.setFixedHeight(14)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Split of the data"))

    def show_shares(self, shares: tuple[float, ...]) -> None:
        """Show these shares (0 to 1, their sum is 1)."""
        self._shares = shares
        self.setAccessibleDescription(" / ".join(f"{share * 100:.0f} %" for share in shares))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(300, 14)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = start_painter(self), current_theme()
        painter.setPen(Qt.PenStyle.NoPen)
        left = 0.0
        for number, share in enumerate(self._shares):
            width = max(share, 0.0) * self.width()
            painter.setBrush(theme.series(number))
            painter.drawRoundedRect(QRectF(left, 0, max(width - 2, 1), self.height()), 3, 3)
            left += width


class _Swatch(QWidget):
    """The colour of a part before its name."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self.setFixedSize(10, 18)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = start_painter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme().series(self._number))
        painter.drawRoundedRect(QRectF(0, 4, 10, 10), 2, 2)


class SplitCard(Card):
    """The card; hidden for a task that does not ask for shares."""

    def __init__(self, state: AppState, draft: WizardDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        head = QHBoxLayout()
        head.addWidget(TextLabel(self.tr("Split"), "heading"), 1)
        self._choice = QComboBox()
        self._choice.setObjectName("split")
        self._choice.setAccessibleName(self.tr("Split: training, early stopping, final test in percent"))
        self._choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._choice.setMinimumContentsLength(_LONGEST_SPLIT)
        self._choice.activated.connect(self._choose)
        head.addWidget(self._choice)
        self.body.addLayout(head)
        self._bar = SplitBar()
        self.body.addWidget(self._bar)
        self._legend = QGridLayout()
        self._legend.setHorizontalSpacing(8)
        self._legend.setVerticalSpacing(2)
        self._legend.setColumnStretch(1, 1)
        self.body.addLayout(self._legend)
        self._form = QuestionForm(state, draft, WizardStep.DATA, only=SHARES, more=self.tr("Other shares"))
        self.body.addWidget(self._form)

    def refresh(self) -> None:
        """Show the shares that hold now."""
        values = self._draft.checked.values
        validation, test = values.get(VALIDATION), values.get(TEST)
        is_asked = isinstance(validation, int | float) and isinstance(test, int | float)
        self.setVisible(is_asked)
        if not isinstance(validation, int | float) or not isinstance(test, int | float):
            return
        shares = (1.0 - validation - test, float(validation), float(test))
        self._offer(shares)
        self._bar.show_shares(shares)
        self._show_legend(shares)

    def _offer(self, shares: tuple[float, ...]) -> None:
        wanted = [(1.0 - sum(preset), *preset) for preset in _PRESETS]
        if not any(_is_same(preset, shares) for preset in wanted):
            wanted.insert(0, (shares[0], shares[1], shares[2]))
        self._choice.clear()
        for preset in wanted:
            self._choice.addItem(" / ".join(f"{share * 100:.0f}" for share in preset), preset[1:])
        self._choice.setCurrentIndex(next(row for row, preset in enumerate(wanted) if _is_same(preset, shares)))

    def _show_legend(self, shares: tuple[float, ...]) -> None:
        clear_layout(self._legend)
        names = (self.tr("Training"), self.tr("Early stopping"), self.tr("Final test"))
        count = self._draft.dataset.sample_count if self._draft.dataset is not None else None
        for row, (name, share) in enumerate(zip(names, shares, strict=True)):
            self._legend.addWidget(_Swatch(row), row, 0)
            self._legend.addWidget(TextLabel(name, "body", "secondary"), row, 1)
            self._legend.addWidget(TextLabel(f"{share * 100:.0f} %", "small", "muted"), row, 2)
            shown = format_count(round(count * share)) if count is not None else ""
            number = TextLabel(shown, "body_strong")
            number.setMinimumWidth(52)
            number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._legend.addWidget(number, row, 3)

    def _choose(self, row: int) -> None:
        validation, test = self._choice.itemData(row)
        self._draft.answer_all({VALIDATION: validation, TEST: test})


def _is_same(left: tuple[float, ...], right: tuple[float, ...]) -> bool:
    return all(abs(one - other) < 0.0005 for one, other in zip(left, right, strict=True))
