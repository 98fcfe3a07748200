"""The proof in the window: asked for, running, proven, failed, out of date, on a sleeping card."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt

from gpuconfig_app.core.finding import Proven, Verdict
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.proof import (
    FailureKind,
    Proof,
    ProofFailure,
    ProofGpu,
    ProofLibrary,
    ProofResult,
    ProofStage,
    ProofStep,
)
from gpuconfig_app.ui.proof_panel import PROOF, ProofPanel
from gpuconfig_app.ui.widgets.buttons import Button
from gpuconfig_app.ui.widgets.labels import ElidedLabel, TextLabel
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.workbench.proof_state import with_proof
from tests.ui.fakes_ui import NOW, make_compat, make_gpu, make_report

STAGES = (ProofStage.MATMUL, ProofStage.CONVOLUTION, ProofStage.XLA)


def step(stage: ProofStage, gpu: int = 0, **more: object) -> ProofStep:
    device = f"/job:localhost/replica:0/task:0/device:GPU:{gpu}"
    values = {"device": device, "first_s": 1.5, "again_s": 0.0039, "is_good": True} | more
    return ProofStep(stage=stage, gpu_index=gpu, **values)


def proven(count: int = 2) -> Proof:
    return Proof(
        result=ProofResult.PROVEN,
        tensorflow_version="2.21.0",
        gpus=tuple(ProofGpu(index=i, name="NVIDIA GeForce RTX 4090", memory_peak_bytes=2**20) for i in range(count)),
        steps=tuple(step(stage, gpu) for stage in STAGES for gpu in range(count)),
        libraries=(ProofLibrary(name="libcudnn.so.9", path="/envs/a/nvidia/cudnn/lib/libcudnn.so.9"),),
        taken_at=NOW,
        duration_s=38.0,
    )


def failed() -> Proof:
    failure = ProofFailure(
        kind=FailureKind.ERROR, stage=ProofStage.MATMUL, gpu_index=0, words="InternalError: CUDA_ERROR_INVALID_PTX"
    )
    return replace(
        proven(1),
        result=ProofResult.FAILED,
        failure=failure,
        steps=(step(ProofStage.MATMUL, is_good=False, error="x"),),
    )


@pytest.fixture
def panel(state, show):
    made = ProofPanel(state)
    show(made)
    return made


def open_with(state, proof: Proof | None, *, fingerprint: dict[str, str] | None = None, **more: object) -> None:
    report = make_report((make_gpu(0), make_gpu(1)))
    compat = make_compat(proven=Proven.FALSE)
    if proof is not None:
        compat = with_proof(compat, proof, report, fingerprint or {}, state.workbench.texts)
    state.show(report, compat, environment=report.environments[0], **more)


def button(panel: ProofPanel, name: str) -> Button:
    return panel.findChild(Button, name)


def badges(panel: ProofPanel) -> list[str]:
    return [item.text for item in panel.findChildren(SeverityBadge) if item.isVisible()]


def test_before_the_first_proof_it_says_what_would_be_done(panel, state) -> None:
    open_with(state, None)

    assert badges(panel) == ["Not proven"]
    assert "matrix product" in panel.card.sentence
    assert button(panel, "prove").text() == "Prove it"
    assert button(panel, "prove").isEnabled()


def test_without_a_verdict_there_is_no_card(panel) -> None:
    assert not panel.card.isVisible()


def test_a_recorded_machine_cannot_be_proven(panel, state) -> None:
    open_with(state, None, recorded=LocalText("lab", "lab"))

    assert not button(panel, "prove").isEnabled()
    assert "recorded" in panel.card.sentence


def test_proven_shows_each_step_with_its_device_and_time(panel, state) -> None:
    open_with(state, proven())

    shown = [label.text() for label in panel.findChildren(ElidedLabel) if label.isVisible()]
    assert badges(panel) == ["Proven", "Ran there", "Ran there", "Ran there"]
    assert "3.9, 3.9 ms · GPU:0, GPU:1" in shown
    assert button(panel, "prove").text() == "Prove it again"
    assert "really computed on" in panel.card.sentence


def test_a_failure_quotes_tensorflow(panel, state) -> None:
    open_with(state, failed())

    quoted = panel.findChild(TextLabel, "prove_quoted")
    assert state.compat.verdict is Verdict.BLOCKED
    assert badges(panel) == ["Failed", "Failed"]
    assert "CUDA_ERROR_INVALID_PTX" in quoted.text()


def test_a_failure_is_handed_over_to_be_explained(panel, state, qtbot) -> None:
    open_with(state, failed())

    qtbot.mouseClick(button(panel, "prove_explain"), Qt.MouseButton.LeftButton)

    name, (page, arguments) = state.calls[-1]
    assert (name, page) == ("navigate", "explain")
    assert "CUDA_ERROR_INVALID_PTX" in arguments["text"]


def test_what_did_not_fail_needs_no_explaining(panel, state) -> None:
    for proof in (None, proven()):
        open_with(state, proof)
        assert not button(panel, "prove_explain").isVisible()


def test_no_gpu_says_that_none_took_part(panel, state) -> None:
    library = ProofLibrary(name="libcuda.so.1", error="cannot open shared object file")
    open_with(state, Proof(result=ProofResult.NO_GPU, taken_at=NOW, libraries=(library,)))

    assert badges(panel)[0] == "No GPU took part"
    assert "lists no GPU" in panel.card.sentence


def test_a_former_proof_is_out_of_date(panel, state) -> None:
    open_with(state, proven(), fingerprint={"driver": "nvidia 590"})

    assert badges(panel)[0] == "Out of date"


def test_pressing_starts_the_proof_and_the_verdict_is_asked_again(panel, state, qtbot) -> None:
    open_with(state, None)
    asked = []
    state.workbench.prove = lambda report, environment, control, options: asked.append(options) or state.compat

    qtbot.mouseClick(button(panel, "prove"), Qt.MouseButton.LeftButton)
    state.background.finish(PROOF)

    assert [options.may_wake for options in asked] == [False]
    assert state.calls[-1] == ("check", None)


def test_while_it_runs_the_step_and_a_stop_button_are_shown(panel, state, qtbot) -> None:
    open_with(state, None)
    qtbot.mouseClick(button(panel, "prove"), Qt.MouseButton.LeftButton)
    state.background.busy.add(PROOF)
    state.busy_changed.emit(PROOF, True)

    assert button(panel, "prove_stop").isVisible()
    assert not button(panel, "prove").isVisible()

    state.background.jobs[PROOF][3](0.5, Message("runner.proof-matmul"))
    assert panel.card.sentence == "Matrix product"

    qtbot.mouseClick(button(panel, "prove_stop"), Qt.MouseButton.LeftButton)
    assert button(panel, "prove").isVisible()


def test_a_failed_start_is_told_and_the_button_is_back(panel, state, qtbot) -> None:
    open_with(state, None)
    notices = []
    state.notice_posted.connect(notices.append)
    state.workbench = SimpleNamespace(prove=_raise, texts=state.workbench.texts, clock=state.clock)

    qtbot.mouseClick(button(panel, "prove"), Qt.MouseButton.LeftButton)
    state.background.finish(PROOF)

    assert len(notices) == 1
    assert button(panel, "prove").isVisible()


@pytest.mark.parametrize(("answer", "count"), [("prove_wakes", 1), ("prove_not_now", 0)])
def test_a_sleeping_card_is_asked_for_first(panel, state, qtbot, answer, count) -> None:
    report = make_report((make_gpu(0, state=GpuState.ASLEEP),))
    state.show(report, make_compat(proven=Proven.FALSE), environment=report.environments[0])

    qtbot.mouseClick(button(panel, "prove"), Qt.MouseButton.LeftButton)
    assert PROOF not in state.background.asked
    qtbot.mouseClick(button(panel, answer), Qt.MouseButton.LeftButton)

    assert state.background.asked.count(PROOF) == count
    assert button(panel, "prove").isVisible()


def test_many_cards_are_told_as_a_range(panel, state) -> None:
    open_with(state, proven(8))

    shown = [label.text() for label in panel.findChildren(ElidedLabel) if label.isVisible()]
    assert any(text.startswith("3.9–3.9 ms · ") for text in shown)


def _raise(*_: object) -> None:
    from gpuconfig_app.core.errors import StorageError

    raise StorageError(Message("runner.proof-no-room", {"detail": "full"}))
