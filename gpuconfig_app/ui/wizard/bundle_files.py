"""Save the draft's bundle and open a saved one; files are touched in the background only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gpuconfig_app.core.bundle import BundleRecipe
from gpuconfig_app.core.errors import GpuConfigError, StorageError
from gpuconfig_app.ui.state import AppState
from gpuconfig_app.ui.wizard.draft import WizardDraft

SAVE = "wizard-save"
OPEN = "wizard-open"
_FILES_EXIST = "scriptgen.files-exist"


def save_bundle(state: AppState, draft: WizardDraft, folder: Path, *, overwrite: bool = False) -> None:
    """Write the bundle; the draft knows its folder when it is done.

    A folder that holds files of these names already is told to the draft, so that the user decides; any other refusal
    stands in the message bar.
    """
    bundle = draft.bundle
    if bundle is None:
        return

    def saved(_: object) -> None:
        state.update_settings(last_bundle_folder=str(folder.parent))
        draft.set_saved(folder, bundle)

    def failed(error: Exception) -> None:
        is_occupied = isinstance(error, StorageError) and error.message.id == _FILES_EXIST
        draft.set_occupied(folder if is_occupied else None)
        if not is_occupied:
            state.post_error(SAVE, error)

    draft.set_occupied(None)
    state.background.run(
        SAVE, lambda _: state.workbench.write_bundle(bundle, folder, overwrite=overwrite), saved, failed
    )


def open_bundle(state: AppState, draft: WizardDraft, folder: Path) -> None:
    """Take over a saved bundle; an unusable one is told in the message bar and changes nothing."""

    def opened(recipe: BundleRecipe) -> None:
        try:
            template = state.workbench.template(recipe.template_id)
        except GpuConfigError as error:
            state.post_error(OPEN, error)
            return
        draft.take_over(folder, template, recipe)

    state.background.run(OPEN, lambda _: state.workbench.open_bundle(folder), opened, _tell(state, OPEN))


def _tell(state: AppState, topic: str) -> Callable[[Exception], None]:
    return lambda error: state.post_error(topic, error)
