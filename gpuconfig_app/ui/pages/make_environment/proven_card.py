"""What was proven: each test with its time and the device it really ran on."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from gpuconfig_app.ui.models.proof_model import DEVICE, RESULT, TEST, TIME, ProofModel
from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets.cards import HeadedCard
from gpuconfig_app.ui.widgets.labels import TextLabel
from gpuconfig_app.ui.widgets.proof_card import ProofRow, ProofShown
from gpuconfig_app.ui.widgets.table import PlainTable

_SIDE = 16
_WIDTHS = {TEST: 150, TIME: 130, RESULT: 150}


class ProvenCard(HeadedCard):
    """The table, or the sentence why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.title.setText(self.tr("What was proven"))
        self._sentence = TextLabel("", "body", "secondary", wraps=True, is_selectable=True)
        self._sentence.setContentsMargins(_SIDE, 0, _SIDE, 12)
        self._model = ProofModel(self)
        self.table = PlainTable(self, current_theme().size("height.table_row_dense"))
        self.table.setObjectName("proof_table")
        self.table.setAccessibleName(self.tr("What was proven"))
        self.table.setModel(self._model)
        self.table.set_columns(_WIDTHS, DEVICE)
        self._quoted = TextLabel("", "mono", "secondary", wraps=True, is_selectable=True)
        self._quoted.setContentsMargins(_SIDE, 10, _SIDE, 12)
        self._quoted.setAccessibleName(self.tr("What TensorFlow said"))
        for part in (self._sentence, self.table, self._quoted):
            self.body.addWidget(part)
        self.body.addSpacing(8)
        self.body.addStretch(1)

    def show_proof(self, shown: ProofShown) -> None:
        """Show what came out."""
        self.set_note(shown.taken)
        self._sentence.setText(shown.sentence)
        self._sentence.setVisible(bool(shown.sentence) and not shown.rows)
        self._quoted.setText("\n".join(shown.quoted))
        self._quoted.setVisible(bool(shown.quoted))
        self._model.show_rows([self._honest(row) for row in shown.rows])
        self.table.setVisible(bool(shown.rows))
        self.table.fit()

    def _honest(self, row: ProofRow) -> ProofRow:
        """A test that ran on the processor is no proof of a GPU, so it is not told in green."""
        is_on_cpu = row.severity == "good" and "CPU" in row.device
        return replace(row, severity="idle", word=self.tr("No GPU took part")) if is_on_cpu else row
