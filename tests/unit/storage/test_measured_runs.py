"""What runs measured: one file each, found by device, release and template; damage costs one file and is told."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.calibration import Calibration
from gpuconfig_app.core.errors import StorageError
from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.storage.measured_runs import (
    MOST_FILES,
    RUNS_KEPT,
    folder_of,
    forget_measured_runs,
    load_measured_runs,
    measured_folder,
    save_measured_run,
    unusable_measured_runs,
)
from gpuconfig_app.storage.places import Places, user_places

CARD, RELEASE, TEMPLATE = "NVIDIA GeForce RTX 4090", "2.21.0", "image_classification"
RUN = Calibration(
    gpu_name=CARD,
    tensorflow=RELEASE,
    template_id=TEMPLATE,
    model_options={"width": 32, "blocks": [1, 2]},
    precision=Precision.FLOAT32,
    optimizer=Optimizer.ADAM,
    input_shape=(224, 224, 3),
    peak_bytes=3,
    step_s=0.5,
    steps=35,
)


@pytest.fixture
def places() -> Places:
    return user_places()


def run(number: int, **changes: object) -> Calibration:
    """The run of a minute."""
    moment = f"2026-11-30T12:{number:02}:00+00:00"
    return replace(RUN, **({"run_id": f"20261130-12{number:02}00-abc", "measured_at": moment} | changes))  # type: ignore[arg-type]


def load(places: Places, device: str = CARD, release: str = RELEASE, template: str = TEMPLATE):
    return load_measured_runs(places, device, release, template)


def test_runs_are_found_again_newest_first(places) -> None:
    runs = [run(number, per_replica_batch=8 * number) for number in (1, 2, 3)]

    for item in (runs[1], runs[0], runs[2]):
        save_measured_run(places, item)

    assert load(places) == (tuple(reversed(runs)), None)


@pytest.mark.parametrize(
    ("device", "release", "template"),
    [
        ("NVIDIA GeForce RTX 4080", RELEASE, TEMPLATE),
        ("nvidia geforce rtx-4090", RELEASE, TEMPLATE),  # the same folder, and not the same card
        (CARD, "2.20.0", TEMPLATE),
        (CARD, RELEASE, "tabular"),
    ],
)
def test_another_card_release_or_template_finds_nothing(places, device, release, template) -> None:
    save_measured_run(places, run(1))

    assert load(places, device, release, template) == ((), None)


def test_a_processor_is_found_by_its_name(places) -> None:
    item = run(1, gpu_name=None, processor="AMD EPYC 7763")

    save_measured_run(places, item)

    assert load(places, "AMD EPYC 7763") == ((item,), None)


def test_a_newer_run_of_the_same_kind_takes_the_place_of_the_older(places) -> None:
    for number in (1, 2, 3):
        save_measured_run(places, run(number, peak_bytes=number))

    assert [item.peak_bytes for item in load(places)[0]] == [3]


def test_a_short_run_does_not_replace_a_full_one(places) -> None:
    save_measured_run(places, run(1))
    save_measured_run(places, run(2, steps=4))

    assert [item.steps for item in load(places)[0]] == [4, 35]


def test_of_very_many_runs_the_oldest_go_and_failed_ones_stay(places) -> None:
    save_measured_run(places, run(1, ran_out_of_memory=True, per_replica_batch=4096))
    for number in range(2, 2 + RUNS_KEPT + 5):
        save_measured_run(places, run(number, per_replica_batch=number))

    found, _ = load(places)

    assert len(found) == RUNS_KEPT
    assert found[-1].ran_out_of_memory
    assert found[0].per_replica_batch == RUNS_KEPT + 6


@pytest.mark.parametrize("content", ["", "{", "[]", '{"document": "proof", "schema": 1}', "\x00\xff"])
def test_a_broken_file_is_set_aside_and_told_and_the_others_count(places, content) -> None:
    save_measured_run(places, run(1))
    broken = save_measured_run(places, run(2, per_replica_batch=2))
    broken.write_bytes(content.encode("latin-1"))

    found, message = load(places)
    again = load(places)

    assert found == (run(1),)
    assert message is not None
    assert message.id == "core.measured-unusable"
    assert Path(str(message.params["path"])).read_bytes() == content.encode("latin-1")
    assert again == ((run(1),), None)


def test_files_set_aside_are_found(places) -> None:
    broken = save_measured_run(places, run(1))
    broken.write_text("{", encoding="utf-8")
    before = unusable_measured_runs(places)
    load(places)

    assert before == frozenset()
    assert unusable_measured_runs(places) == {broken.with_name(broken.name + ".unusable")}


def test_a_file_of_a_newer_program_is_left_alone(places) -> None:
    path = save_measured_run(places, run(1))
    newer = path.read_text(encoding="utf-8").replace('"schema": 1', '"schema": 2')
    path.write_text(newer, encoding="utf-8")

    assert load(places) == ((), None)
    assert path.read_text(encoding="utf-8") == newer


def test_fields_of_a_newer_program_are_kept(places) -> None:
    path = save_measured_run(places, run(1))
    path.write_text(path.read_text(encoding="utf-8").replace("{\n", '{\n  "of_tomorrow": 7,\n', 1), encoding="utf-8")

    (found,), _ = load(places)

    assert found.extra == {"of_tomorrow": 7}


def test_names_never_lead_out_of_the_folder(places) -> None:
    for name in ("../../..", "a/b\\c:d", "", "." * 9, "卡" * 300, "x" * 900):
        folder = folder_of(places, name, name, name)
        assert folder.parent == measured_folder(places)
        assert len(folder.name) < 160


def test_everything_can_be_forgotten(places) -> None:
    save_measured_run(places, run(1))
    save_measured_run(places, run(2, template_id="tabular"))

    assert forget_measured_runs(places) == 2
    assert load(places) == ((), None)
    assert forget_measured_runs(places) == 0


def test_a_full_disk_is_told_and_spoils_nothing(places) -> None:
    save_measured_run(places, run(1))
    blocker = measured_folder(places) / "other--2.21.0--image_classification"
    blocker.write_text("", encoding="utf-8")

    with pytest.raises(StorageError):
        save_measured_run(places, run(2, gpu_name="other"))

    assert load(places)[0] == (run(1),)


@pytest.mark.parametrize("kind", ["pipe", "folder", "circle", "nowhere"])
def test_what_is_no_file_is_passed_by(places, kind) -> None:
    path = save_measured_run(places, run(1))
    strange = path.with_name("strange.json")
    if kind == "pipe":
        os.mkfifo(strange)  # a program that opens it waits for ever
    elif kind == "folder":
        strange.mkdir()
    else:
        strange.symlink_to(strange if kind == "circle" else path.with_name("gone"))

    assert load(places) == ((run(1),), None)


def test_thousands_of_files_are_not_all_read(places) -> None:
    path = save_measured_run(places, run(1))
    for number in range(MOST_FILES + 50):
        (path.parent / f"20261129-{number:06}.json").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")

    found, _ = load(places)

    assert len(found) == MOST_FILES


@pytest.mark.parametrize("field", ["peak_bytes", "per_replica_batch", "step_s"])
def test_a_number_beyond_all_sizes_spoils_only_its_file(places, field) -> None:
    path = save_measured_run(places, run(1, per_replica_batch=8))
    told = json.loads(path.read_text(encoding="utf-8"))
    path.with_name("huge.json").write_text(json.dumps(told | {field: 10**400}), encoding="utf-8")

    found, message = load(places)

    assert found == (run(1, per_replica_batch=8),)
    assert message is not None
