from __future__ import annotations

import os
import shutil

import pytest

from gpuconfig_app.core.codec import decode, encode
from gpuconfig_app.core.dataset import DataKind, DatasetFacts
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.dataset import image_folders
from gpuconfig_app.dataset.scan import scan_data
from tests.unit.dataset.pictures import bmp, gif, jpeg, png, webp, write


def _ids(facts: DatasetFacts) -> set[str]:
    return {note.id for note in facts.notes}


def _note(facts: DatasetFacts, name: str):
    return next(note for note in facts.notes if note.id == name)


@pytest.fixture
def pets(tmp_path):
    files = {f"cat/{number}.png": png(10 + number, 20) for number in range(4)}
    files |= {f"dog/{number}.JPG": jpeg(30 + number, 20) for number in range(4)}
    return write(tmp_path / "pets", files)


def test_classes_counts_and_sizes(pets) -> None:
    facts = scan_data(pets)

    assert facts.kind is DataKind.IMAGE_FOLDERS
    assert [(item.name, item.count) for item in facts.classes] == [("cat", 4), ("dog", 4)]
    assert facts.sample_count == 8
    assert facts.is_exact
    assert facts.image_size == (20, 13, 3)
    assert facts.image_formats == ("jpeg", "png")
    assert facts.broken_count == 0


def test_broken_files_are_named_and_not_counted(pets) -> None:
    write(
        pets,
        {
            "cat/zero.png": b"",
            "cat/page.jpg": b"<!doctype html>",
            "dog/cut.jpg": jpeg()[:-60],
            "dog/web.png": webp(),
            "dog/inner/deep.bmp": bmp()[:80],
        },
    )

    facts = scan_data(pets)

    assert facts.broken_files == ("cat/page.jpg", "cat/zero.png", "dog/cut.jpg", "dog/inner/deep.bmp", "dog/web.png")
    assert facts.broken_count == 5
    assert facts.sample_count == 8
    assert _ids(facts) >= {
        "dataset.broken-empty",
        "dataset.broken-web-page",
        "dataset.broken-ends-early",
        "dataset.broken-unsupported",
    }


def test_formats_tensorflow_cannot_decode_are_named(pets) -> None:
    write(pets, {"cat/a.webp": webp(), "cat/b.webp": webp(), "dog/c.tiff": b"II*\0"})

    facts = scan_data(pets)

    assert _note(facts, "dataset.other-formats").params["formats"] == "TIFF (1), WEBP (2)"
    assert facts.sample_count == 8


def test_empty_classes_are_left_out_and_named(pets) -> None:
    (pets / "bird").mkdir()

    facts = scan_data(pets)

    assert [item.name for item in facts.classes] == ["cat", "dog"]
    assert _note(facts, "dataset.empty-classes").params["names"] == "bird"


def test_hidden_left_overs_are_left_out(pets) -> None:
    """macOS writes ._x.jpg beside x.jpg; Jupyter copies files into .ipynb_checkpoints."""
    write(pets, {"cat/._0.png": b"\0\5\x16\7", "dog/.ipynb_checkpoints/0.jpg": jpeg(), ".git/x.png": png()})

    facts = scan_data(pets)

    assert facts.broken_files == ("cat/._0.png", "dog/.ipynb_checkpoints/0.jpg")
    assert _note(facts, "dataset.hidden-files").params["count"] == 2
    assert [item.name for item in facts.classes] == ["cat", "dog"]


def test_files_in_folders_of_a_class_belong_to_it(pets) -> None:
    write(pets, {"cat/2024/05/a.gif": gif()})

    assert scan_data(pets).classes[0].count == 5


def test_names_with_anything_in_them(tmp_path) -> None:
    names = ['a"); import os #', "line\nbreak", "猫", "🐱", "with space ", "{{ braces }}"]
    folder = write(tmp_path / "odd", {f"{name}/{name} 1.png": png() for name in names})

    facts = scan_data(folder)

    assert [item.name for item in facts.classes] == sorted(names)
    assert decode(DatasetFacts, encode(facts)) == facts


def test_names_that_are_no_text_are_reported_not_written(tmp_path) -> None:
    folder = write(tmp_path / "data", {"cat/a.png": png(), "dog/a.png": png()})
    write(folder, {os.fsdecode(b"caf\xe9/a.png"): png(), os.fsdecode(b"cat/b\xff.png"): b""})

    facts = scan_data(folder)

    assert [item.name for item in facts.classes] == ["cat", "dog"]
    assert "dataset.names-not-text" in _ids(facts)
    assert facts.broken_files == ("cat/b\\xff.png",)


def test_loops_of_links_end(pets) -> None:
    (pets / "cat" / "again").symlink_to(pets, target_is_directory=True)
    (pets / "dog" / "gone.png").symlink_to(pets / "nowhere.png")

    facts = scan_data(pets)

    assert facts.sample_count == 8
    assert facts.broken_files == ("dog/gone.png",)
    assert _note(facts, "dataset.linked-folders").params["count"] == 1


def test_a_pipe_or_device_with_the_name_of_a_picture_is_not_opened(pets) -> None:
    os.mkfifo(pets / "cat" / "pipe.png")  # to open it would wait for ever
    (pets / "dog" / "endless.png").symlink_to("/dev/zero")

    facts = scan_data(pets)

    assert facts.sample_count == 8


def test_a_class_folder_may_be_a_link(pets, tmp_path) -> None:
    write(tmp_path / "elsewhere", {"a.png": png()})
    (pets / "fox").symlink_to(tmp_path / "elsewhere", target_is_directory=True)

    assert [item.name for item in scan_data(pets).classes] == ["cat", "dog", "fox"]


def test_duplicates_are_counted_within_and_across_classes(pets) -> None:
    shutil.copy(pets / "cat" / "0.png", pets / "cat" / "copy.png")
    shutil.copy(pets / "cat" / "1.png", pets / "dog" / "wrong.png")

    facts = scan_data(pets)

    assert _note(facts, "dataset.duplicates").params["count"] == 2
    assert _note(facts, "dataset.duplicates-across-classes").params["count"] == 1


def test_imbalance_is_told_with_numbers(pets) -> None:
    write(pets, {f"dog/more{number}.png": png(200 + number) for number in range(12)})

    note = _note(scan_data(pets), "dataset.unbalanced")

    assert note.params == {"ratio": 4.0, "fewest": "cat", "few": 4, "most": 16}


def test_parts_of_a_data_set_are_not_taken_for_classes(tmp_path) -> None:
    folder = write(tmp_path / "data", {f"{part}/cat/a.png": png() for part in ("train", "val", "test")})

    assert "dataset.split-folders" in _ids(scan_data(folder))


def test_pictures_without_classes_are_explained(tmp_path) -> None:
    folder = write(tmp_path / "flat", {"a.png": png(), "b.png": png()})

    facts = scan_data(folder)

    assert facts.kind is DataKind.UNKNOWN
    assert _ids(facts) == {"dataset.no-class-folders"}


def test_empty_folder_is_unknown(tmp_path) -> None:
    assert _ids(scan_data(tmp_path)) == {"dataset.nothing-known"}


def test_nothing_there_is_an_error(tmp_path) -> None:
    with pytest.raises(UnusableFileError):
        scan_data(tmp_path / "no")


def test_fingerprint_changes_with_the_files_only(pets) -> None:
    before = scan_data(pets).fingerprint

    assert scan_data(pets).fingerprint == before
    write(pets, {"cat/new.png": png(99)})
    assert scan_data(pets).fingerprint != before


def test_progress_is_told_and_cancelling_ends_the_scan(pets, monkeypatch) -> None:
    monkeypatch.setattr(image_folders, "_REPORT_EVERY", 2)
    told: list[float | None] = []
    control = JobControl(lambda share, _message: told.append(share))
    scan_data(pets, control)

    assert told[-1] == 1.0

    def cancel(_share, _message) -> None:
        control.cancel()

    control = JobControl(cancel)
    with pytest.raises(JobCancelledError):
        scan_data(pets, control)


def test_only_some_of_very_many_files_are_opened(pets, monkeypatch) -> None:
    monkeypatch.setattr(image_folders, "MOST_OPENED", 4)

    facts = scan_data(pets)

    assert facts.sample_count == 8
    assert "dataset.not-all-opened" in _ids(facts)
    assert facts.image_size is not None


def test_facts_can_be_stored(pets) -> None:
    facts = scan_data(pets)

    assert decode(DatasetFacts, encode(facts)) == facts
