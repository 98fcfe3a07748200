from __future__ import annotations

import json

import pytest

from gpuconfig_app.core.errors import StorageError, UnusableFileError
from gpuconfig_app.core.plan import Interval
from gpuconfig_app.core.run_result import RunKind, RunRecord, RunResult, RunState
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.storage.runs import (
    load_record,
    load_result,
    new_run_folder,
    read_notes,
    run_folders,
    save_record,
    save_result,
)

NOW = 1_800_000_000.0


def test_names_sort_by_time_and_never_collide() -> None:
    places = user_places()
    folders = [new_run_folder(places, NOW + second) for second in (0, 0, 1)]
    for folder in folders:
        save_record(folder, RunRecord(id=folder.id, kind=RunKind.TEST))

    assert len({folder.id for folder in folders}) == 3
    assert folders[0].id.startswith("20270115-080000-")
    assert run_folders(places)[0].id == folders[2].id


def test_a_record_comes_back_as_it_was_written() -> None:
    folder = new_run_folder(user_places(), NOW)
    step = Interval(low=1.0, expected=2.0, high=3.0)
    record = RunRecord(
        id=folder.id, kind=RunKind.TRAINING, command=("train.py",), pid=7, started_at=NOW, predicted={"step_s": step}
    )

    save_record(folder, record)

    assert load_record(folder) == record
    assert json.loads(folder.record.read_text())["schema"] == 1


def test_an_unusable_result_is_reckoned_anew(expected_log_errors) -> None:
    folder = new_run_folder(user_places(), NOW)
    assert load_result(folder) is None
    save_result(folder, RunResult(run_id=folder.id, state=RunState.FINISHED))
    assert load_result(folder).state is RunState.FINISHED

    folder.result.write_text("{half")

    assert load_result(folder) is None


def test_a_record_that_cannot_be_read_says_so() -> None:
    folder = new_run_folder(user_places(), NOW)

    with pytest.raises(UnusableFileError):
        load_record(folder)


@pytest.mark.parametrize("text", ["", "{", "[1]", "{}" + " " * 4094])
def test_notes_of_the_probe_that_are_not_there_yet_are_empty(text: str) -> None:
    folder = new_run_folder(user_places(), NOW)
    folder.exit.write_text(text)

    assert read_notes(folder.exit) == {}


def test_a_folder_that_cannot_be_made_is_told() -> None:
    places = user_places()
    places.data.parent.mkdir(parents=True)
    places.data.write_text("in the way")

    with pytest.raises(StorageError):
        new_run_folder(places, NOW)
    assert run_folders(places) == ()
