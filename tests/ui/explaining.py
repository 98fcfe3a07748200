"""What the tests of "Explain an error" share: logs, how they come in, and what the page shows of them."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest

from gpuconfig_app.ui.pages.explain.cause_card import CauseCard
from gpuconfig_app.ui.pages.explain.explain_desk import ExplainDesk
from gpuconfig_app.ui.pages.explain.fold_card import FoldCard
from gpuconfig_app.ui.pages.explain_page import ExplainPage
from tests.ui.real_window import RealWindow, settle, wait_until

HARMLESS = "E cuda_fft.cc:485] Unable to register cuFFT factory: Attempting to register factory for plugin cuFFT"
CAUSE = (
    "E cuda_dnn.cc:522] Loaded runtime CuDNN library: 9.1.0 but source was compiled with: 9.3.0.  CuDNN library needs "
    "to have matching major version and equal or higher minor version."
)
LOG = f"{HARMLESS}\nEpoch 1/30\n{CAUSE}\nthe end"
ILLEGAL = "Illegal instruction (core dumped)\n"


def desk(window: RealWindow) -> ExplainDesk:
    return ExplainDesk.of(window.state)


def paste(page: ExplainPage, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    page.setFocus()
    QTest.keyClick(page, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    wait_for_answer(page)


def wait_for_answer(page: ExplainPage) -> None:
    found = page._desk
    wait_until(lambda: not found.is_busy and (found.explained or found.problem) is not None, "no answer")
    settle()


def drop(page: ExplainPage, data: QMimeData) -> None:
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    page.dragEnterEvent(QDragEnterEvent(QPoint(50, 50), actions, data, buttons, keys))
    page.dropEvent(QDropEvent(QPointF(50, 50), actions, data, buttons, keys))


def cause(page: ExplainPage) -> str:
    return page.findChild(CauseCard).accessibleName()


def folds(page: ExplainPage) -> dict[str, FoldCard]:
    return {card.accessibleName(): card for card in page.findChildren(FoldCard) if card.isVisible()}


def rows(page: ExplainPage) -> list[str]:
    model = page._log.view.model()
    return [str(model.index(at, 0).data()) for at in range(model.rowCount())]


def problem(page: ExplainPage) -> str:
    return page._problem_text.text() if page._problem.isVisible() else ""
