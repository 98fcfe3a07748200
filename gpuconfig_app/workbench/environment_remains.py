"""The way back: environments that were made here, and what a making left that was cut off."""

from __future__ import annotations

import os
from pathlib import Path

from gpuconfig_app.core.environment_made import Leftover, Removal
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded, is_there
from gpuconfig_app.runner.environment_removal import end_child, identity_of, is_made_folder, is_running, remove_made
from gpuconfig_app.storage.makings import Making, MakingState, forget_making, load_makings
from gpuconfig_app.storage.places import Places
from gpuconfig_app.storage.proofs import proof_file


def find_leftovers(places: Places) -> tuple[Leftover, ...]:
    """Give makings that were cut off and whose remains still lie there; those that still run are left out."""
    found: list[Leftover] = []
    for making in load_makings(places):
        if making.state is not MakingState.MAKING or is_running(making):
            continue
        if not _leaves_anything(making):
            forget_making(places, making.id)
            continue
        found.append(Leftover(id=making.id, folder=making.folder, started_at=making.started_at))
    return tuple(found)


def clean_leftover(places: Places, leftover: Leftover) -> Removal:
    """Remove what a making left that was cut off; what the user put there stays."""
    making = next((item for item in load_makings(places) if item.id == leftover.id), None)
    if making is None or making.state is not MakingState.MAKING or is_running(making):
        return Removal(folder=leftover.folder, is_gone=not Path(leftover.folder).exists())
    end_child(making)
    return remove_remains(places, making)


def remove_environment(places: Places, folder: str) -> Removal:
    """Remove an environment that was made here ("Remove it again…"); what the user put there stays.

    Raises:
        UsageError: It was not made by this program, or something else stands there now.
    """
    if not folder.strip():
        raise UsageError(Message("environment.no-folder-to-remove"))
    place = os.path.abspath(expanded(folder))  # noqa: PTH100  # a link stays a link, ".." does not
    if not os.path.lexists(place):
        raise UsageError(Message("environment.nothing-there", {"path": folder}))
    if os.path.islink(place) and is_there(Path(place)):  # noqa: PTH114  # as where it was made
        place = os.path.realpath(place)
    found = identity_of(Path(place))
    for making in reversed(load_makings(places)):
        is_same = found is not None and found == (making.folder_device, making.folder_inode)
        if making.state is MakingState.MADE and making.folder == place and is_same:
            for name in ("bin/python", "Scripts/python.exe", "python.exe"):
                proof_file(places, str(Path(place) / name)).unlink(missing_ok=True)
            return remove_remains(places, making)
    raise UsageError(Message("environment.not-made-here", {"path": folder}))


def remove_remains(places: Places, making: Making) -> Removal:
    """Remove what a making put on the disk and forget it; what can't be told or removed is in the answer."""
    removal = remove_made(making)
    if removal.is_gone or removal.kept:
        forget_making(places, making.id)
    return removal


def _leaves_anything(making: Making) -> bool:
    found = identity_of(Path(making.folder))
    is_ours = is_made_folder(making)
    is_begun = found is not None and making.folder_inode is None and not making.was_there
    has_scratch = making.scratch is not None and Path(making.scratch).exists()
    return is_ours or is_begun or has_scratch or any(Path(parent).exists() for parent in making.made_parents)
