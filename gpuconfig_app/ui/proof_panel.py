"""The proof on a page: starts it in the background, shows its steps, and asks for the verdict again when it is over."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.ui.proof_shown import proof_shown
from gpuconfig_app.ui.question import Question
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.widgets.proof_card import ProofCard
from gpuconfig_app.workbench.prove import ProveOptions

PROOF = "proof"
_FIRST_STEP = Message("runner.proof-start")


class ProofPanel(QWidget):
    """Card and job of the proof of the chosen environment.

    Args:
        state: State of the window.
    """

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._step = _FIRST_STEP
        self.card = ProofCard()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.card)
        self.card.asked.connect(self._start)
        self.card.cancelled.connect(self._stop)
        self.card.explain_asked.connect(self._explain)
        state.compat_changed.connect(self._refresh)
        state.report_changed.connect(self._refresh)
        state.machine_changed.connect(self._stop)
        state.busy_changed.connect(self._refresh_when_busy)
        self._refresh()

    def _start(self, may_wake: bool) -> None:  # the one value of the card's signal
        state = self._state
        machine, environment = state.machine, state.environment
        if machine is None or environment is None:
            return

        def work(control: JobControl) -> CompatReport:
            return state.workbench.prove(machine.report, environment, control, ProveOptions(may_wake=may_wake))

        # The test may outlive this panel, when the language changes: what comes of it goes to the state.
        self._step = _FIRST_STEP
        state.background.run(
            PROOF,
            work,
            lambda _: state.check(question=Question()),  # the proof is of what is installed; all is made anew with it
            lambda error: state.post_error(PROOF, error),
            self._show_step,
        )

    def _explain(self, said: str) -> None:
        self._state.navigate("explain", {"text": said, "name": self.card.accessibleName()})

    def _stop(self) -> None:
        self._state.background.cancel(PROOF)
        self._refresh()

    def _show_step(self, _: float | None, message: Message) -> None:
        self._step = message
        self._refresh()

    def _refresh_when_busy(self, topic: str) -> None:
        if topic == PROOF:
            self._refresh()

    def _refresh(self) -> None:
        state = self._state
        compat, report = state.compat, state.report
        self.setVisible(compat is not None and report is not None)
        if compat is None or report is None:
            return
        if state.background.is_busy(PROOF):
            self.card.show_running(state.text(self._step))
        else:
            self.card.show_proof(proof_shown(compat, report, state.text, is_recorded=state.is_recorded))
