"""Reads a little of the data that were scanned, in the background, to see how fast they come."""

from __future__ import annotations

from PySide6.QtCore import QObject

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.wizard.draft import WizardDraft
from gpuconfig_app.ui.wizard.steps import Step
from gpuconfig_app.workbench.data_speed import with_disk_speed

DISK = "wizard-disk"


class DiskCheck(QObject):
    """Follows the draft: data scanned in the data step are read a little; other data end that.

    What the scan found is shown meanwhile. Not for a recorded machine, whose disk is another one, and not for data of
    a saved script, which would then differ from what was saved.
    """

    def __init__(self, state: AppState, draft: WizardDraft, parent: QObject) -> None:
        super().__init__(parent)
        self._state = state
        self._draft = draft
        self._asked: DatasetFacts | None = None
        draft.dataset_changed.connect(self._look)

    def _look(self) -> None:
        dataset = self._draft.dataset
        if dataset is self._asked:
            return
        self._asked = dataset
        self._state.background.cancel(DISK)
        is_wanted = self._draft.step is Step.DATA and not self._state.is_recorded
        if dataset is not None and dataset.disk_speed is None and is_wanted:
            self._state.background.run(DISK, lambda control: with_disk_speed(dataset, control), self._take)

    def _take(self, read: DatasetFacts) -> None:
        if read.disk_speed is not None and self._draft.dataset is self._asked:
            self._asked = read
            self._draft.set_dataset(read, None)
