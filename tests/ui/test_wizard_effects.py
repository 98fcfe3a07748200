"""What the wizard tells about each answer: effect, Undo, other batch sizes, cards left out, ways out of conflicts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QPushButton, QSpinBox

from gpuconfig_app.ui.wizard.batch_cards import BatchCard
from gpuconfig_app.ui.wizard.gpu_row import GpuRow
from gpuconfig_app.ui.wizard.steps import Step
from tests.ui.clicker import Clicker, write_pictures
from tests.ui.real_window import machine_folder


@pytest.fixture
def clicker(qapp) -> Iterator[Clicker]:
    made = Clicker("training-2x4090")
    yield made
    made.close()


def shown_batches(clicker: Clicker) -> dict[int, str]:
    cards = [card for card in clicker.page.findChildren(BatchCard) if card.isVisible()]
    return {card.batch: card.accessibleDescription().rpartition(", ")[2] for card in cards}


def test_a_batch_card_sets_the_batch_and_undo_takes_it_back(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.MODEL)
    planned = clicker.draft.plan.per_replica_batch
    batches = shown_batches(clicker)

    clicker.click(f"batch_{max(batches)}")
    clicker.wait_for_plan()

    assert planned in batches
    assert clicker.draft.plan.per_replica_batch == max(batches)
    assert clicker.find("answer_batch_size", QSpinBox).value() == max(batches)
    assert set(shown_batches(clicker)) == set(batches)  # the cards stay where they were
    clicker.click("undo")
    clicker.wait_for_plan()
    assert clicker.draft.plan.per_replica_batch == planned
    assert "batch_size" not in clicker.draft.answers
    assert not clicker.visible("undo")


def test_batches_that_do_not_fit_say_so(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.MODEL)
    clicker.choose("model", "convnext_tiny")
    clicker.enter_number("image_size", "384")

    clicker.enter_number("batch_size", "64")

    words = list(shown_batches(clicker).values())
    assert words[0] == "Fits"
    assert words[-1] == "Too big"
    assert "largest of these that fits" in clicker.texts()


def test_the_last_change_shows_its_difference(clicker, tmp_path):
    clicker.choose_task("image_classification")
    clicker.next()
    clicker.give_data(write_pictures(tmp_path / "pictures"))
    clicker.walk_to(Step.TRAINING)
    before = clicker.draft.plan.time.training

    clicker.enter_number("epochs", "3000")

    after = clicker.draft.plan.time.training
    assert before is not None
    assert after is not None
    assert after.expected > before.expected
    assert "what your last change did" in clicker.texts()
    differences = [line for line in clicker.texts().splitlines() if line.startswith("+")]
    assert len(differences) == 1  # only the training takes longer, not the step, nor the memory
    clicker.click("undo")
    clicker.wait_for_plan()
    assert clicker.draft.plan.time.training == before


def test_the_change_is_settled_when_another_step_is_shown(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.MODEL)
    clicker.enter_number("batch_size", "8")
    assert clicker.visible("undo")

    clicker.next()
    clicker.click("back")

    assert not clicker.visible("undo")


def test_an_emptied_number_goes_back_to_automatic(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.MODEL)
    clicker.enter_number("batch_size", "8")
    assert clicker.draft.answers["batch_size"] == 8

    clicker.enter_number("batch_size", "")

    assert "batch_size" not in clicker.draft.answers
    assert "Automatic" in clicker.find("answer_batch_size", QSpinBox).text()


def test_answers_that_exclude_each_other_bar_the_way_until_one_gives_in(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.TRAINING)
    clicker.click("more_training")

    clicker.choose("xla", "on")
    clicker.find("answer_deterministic", QCheckBox).click()
    clicker.wait_for_plan_or_problem()

    assert clicker.visible("conflict")
    assert not clicker.find("next", QPushButton).isEnabled()
    before = dict(clicker.draft.answers)
    ways = len([number for number in range(5) if clicker.visible(f"way_out_{number}")])
    assert ways == 2
    clicker.click("way_out_1")
    clicker.wait_for_plan()
    assert clicker.draft.answers != before
    assert clicker.draft.checked.problems == ()
    assert not clicker.visible("conflict")
    assert clicker.find("next", QPushButton).isEnabled()


@pytest.mark.parametrize(("way", "cards", "xla"), [(0, 2, "off"), (1, 1, "on")])
def test_xla_on_several_gpus_is_refused_with_two_ways_out(clicker, way, cards, xla):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.TRAINING)
    clicker.click("more_training")

    clicker.choose("xla", "on")

    assert clicker.visible("conflict")
    assert "several GPUs" in clicker.texts()
    assert not clicker.find("next", QPushButton).isEnabled()
    clicker.click(f"way_out_{way}")
    clicker.wait_for_plan()
    assert len(clicker.draft.plan.devices) == cards
    assert clicker.find("answer_xla", QComboBox).currentData() == xla
    assert not clicker.visible("conflict")


def test_back_to_recommended_takes_the_answers_of_this_step_only(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.MODEL)
    clicker.choose("model", "resnet50")
    clicker.walk_to(Step.TRAINING)
    clicker.enter_number("epochs", "7")

    clicker.click("back_to_recommended")
    clicker.wait_for_plan()

    assert clicker.draft.answers == {"model": "resnet50"}


def rows_of(clicker: Clicker) -> list[GpuRow]:
    return [row for row in clicker.page.findChildren(GpuRow) if row.isVisible()]


def test_a_card_of_another_kind_is_offered_with_the_reason_why_it_is_not_used(clicker):
    clicker.real.open_machine(machine_folder("2-unlike-cards"))
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.HARDWARE)

    first, second = rows_of(clicker)

    assert first.box.isChecked()
    assert not second.box.isChecked()
    assert second.box.isEnabled()
    assert "RTX 3060" in second.box.accessibleDescription()
    second.box.click()
    clicker.wait_for_plan()
    assert [device.index for device in clicker.draft.plan.devices] == [0, 1]


def test_a_card_that_cannot_train_stays_visible_and_says_why(clicker):
    clicker.real.open_machine(machine_folder("visible-devices-hide-the-card"))
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.HARDWARE)

    hidden = [row for row in rows_of(clicker) if not row.box.isEnabled()]

    assert hidden
    assert all("CUDA_VISIBLE_DEVICES" in row.box.accessibleDescription() for row in hidden)


def test_a_card_tensorflow_cannot_use_yet_leads_to_the_page_that_mends_it(clicker):
    clicker.real.open_machine(machine_folder("gtx1080ti-new-cudnn"))
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.HARDWARE)

    assert "can't use NVIDIA GeForce GTX 1080 Ti yet" in clicker.texts()
    clicker.click("fix_first")

    assert clicker.real.window.page_id == "compatibility"


def test_each_way_shows_whether_it_fits_and_how_long_it_takes(clicker, tmp_path):
    clicker.choose_task("image_classification")
    clicker.next()
    clicker.give_data(write_pictures(tmp_path / "pictures"))
    clicker.walk_to(Step.HARDWARE)

    told = {name: clicker.find(f"way_{name}").accessibleDescription() for name in ("automatic", "one", "all")}

    assert all("Fits" in text and " – " in text for text in told.values()), told
    clicker.click("way_one")
    clicker.wait_for_plan()
    assert len(clicker.draft.plan.devices) == 1


def test_a_machine_without_gpu_offers_no_way_with_gpus(clicker):
    clicker.real.open_machine(machine_folder("no-gpu"))
    clicker.choose_task("tabular")
    clicker.click("next")
    clicker.click("made_up")
    clicker.walk_to(Step.HARDWARE)

    assert clicker.visible("way_automatic")
    assert not clicker.visible("way_one")
    assert not clicker.visible("way_all")
    assert "processor" in clicker.texts()


def test_all_parts_of_the_memory_are_told_with_what_is_kept_free(clicker):
    clicker.choose_task("image_classification")
    clicker.walk_to(Step.MODEL)

    texts = clicker.texts()

    for part in ("Weights", "Gradients", "Optimizer", "Activations", "Workspace and slack", "Kept free by TensorFlow"):
        assert part in texts
