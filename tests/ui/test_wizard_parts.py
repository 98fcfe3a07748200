"""The parts of the wizard by themselves: tables, fields, bars, cards, curve, and the rules about kept answers."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QListWidget, QSpinBox, QWidget

from gpuconfig_app.core.dataset import ClassFacts, ColumnFacts, ColumnKind, DataKind, DatasetFacts
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Language, LocalText, Message
from gpuconfig_app.core.plan import Fit, Interval, MemoryPart, MemoryPartBytes, MemoryPrediction
from gpuconfig_app.core.run_result import Compared
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.dataset.scan import scan_data
from gpuconfig_app.scriptgen.manifest import Option, Question, QuestionKind, WizardStep
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.ui.widgets.choice_card import CardContent, ChoiceCard
from gpuconfig_app.ui.widgets.class_bars import ClassBars
from gpuconfig_app.ui.widgets.compared_table import ComparedTable, predicted_text
from gpuconfig_app.ui.widgets.memory_bar import MemoryBar, is_enlarged, memory_unit
from gpuconfig_app.ui.widgets.severity_badge import SeverityBadge
from gpuconfig_app.ui.widgets.stepper import Stepper
from gpuconfig_app.ui.wizard import kept_answers
from gpuconfig_app.ui.wizard.data_columns import ColumnTableModel
from gpuconfig_app.ui.wizard.plan_desk import batches_around
from gpuconfig_app.ui.wizard.previews import read_previews
from gpuconfig_app.ui.wizard.question_field import QuestionField
from gpuconfig_app.ui.wizard.rate_curve import Schedule
from tests.ui.clicker import write_pictures, write_table


def question(kind: QuestionKind, **changes: object) -> Question:
    """A question of the model step."""
    given = {"id": "it", "kind": kind, "step": WizardStep.MODEL, "label": LocalText("It", "它")}
    return Question(**{**given, **changes})


def prediction(expected: float, limit: int = 24 * GIB) -> MemoryPrediction:
    """A prediction of one part on a card."""
    return MemoryPrediction(
        parts=(MemoryPartBytes(part=MemoryPart.WEIGHTS, size_bytes=int(expected)),),
        total=Interval(low=expected * 0.8, expected=expected, high=expected * 1.2),
        usable_bytes=limit - GIB,
        kept_free_bytes=GIB,
        device_total_bytes=limit,
        fit=Fit.FITS,
    )


def pixels(widget: QWidget) -> QImage:
    return widget.grab().toImage()


# --- Columns --------------------------------------------------------------------------------------------------------


def test_the_column_model_is_a_sound_model(state):
    model = ColumnTableModel(state)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)

    model.show_columns([ColumnFacts(name="a", minimum=0.0, maximum=2.5), ColumnFacts(name="b", missing_count=3)])
    model.show_columns([ColumnFacts(name="c", kind=ColumnKind.CATEGORY, examples=("x", "y"))])

    assert tester.model() is model
    assert [model.data(model.index(0, column)) for column in range(4)] == ["c", "category", "x, y", "–"]
    assert model.data(model.index(5, 0)) is None


# --- Fields ---------------------------------------------------------------------------------------------------------


def test_the_wheel_changes_only_a_field_that_has_the_focus(show, qtbot):
    field = show(QuestionField(question(QuestionKind.INT, minimum=1, maximum=9), Language.ENGLISH))
    field.show_answer(5)
    answers = []
    field.answered.connect(lambda _, value: answers.append(value))
    field.control.clearFocus()

    QApplication.sendEvent(field.control, wheel())
    assert answers == []
    field.control.setFocus()
    qtbot.waitUntil(field.control.hasFocus)
    QApplication.sendEvent(field.control, wheel())

    assert answers == [6]


def test_an_optional_number_names_what_the_plan_chose_and_can_be_emptied(show):
    field = show(QuestionField(question(QuestionKind.INT, is_optional=True, minimum=1, maximum=99), Language.ENGLISH))
    answers = []
    field.answered.connect(lambda _, value: answers.append(value))
    field.show_answer(None, automatic="48")
    assert field.control.text() == "Automatic: 48"
    field.show_answer(7)

    box = field.control
    assert isinstance(box, QSpinBox)
    box.setFocus()
    box.selectAll()
    QTest.keyClick(box, Qt.Key.Key_Delete)
    QTest.keyClick(box, Qt.Key.Key_Return)

    assert answers == [None]


def test_a_choice_explains_the_option_that_is_chosen_or_what_automatic_means(show):
    options = (
        Option(value="auto", label=LocalText("Automatic", "自动")),
        Option(value="big", label=LocalText("Big", "大"), help=LocalText("for much data", "适合大量数据")),
    )
    field = show(QuestionField(question(QuestionKind.CHOICE, options=options), Language.CHINESE))

    field.show_answer("big")
    assert "适合大量数据" in shown_help(field)
    field.show_answer("auto", automatic="float32")

    assert "float32" in shown_help(field)


def test_a_problem_stands_at_its_field_and_marks_it(show):
    field = show(QuestionField(question(QuestionKind.INT), Language.ENGLISH))

    field.show_answer(1, problem="Too small")

    assert shown_help(field) == "Too small"
    assert field.control.property("wrong") == "true"
    field.show_answer(1)
    assert field.control.property("wrong") == "false"


def test_columns_are_offered_by_kind_and_answered_as_a_list(show):
    kinds = (ColumnKind.NUMBER,)
    field = show(QuestionField(question(QuestionKind.COLUMNS, column_kinds=kinds), Language.ENGLISH))
    answers = []
    field.answered.connect(lambda _, value: answers.append(value))

    field.show_columns([ColumnFacts(name="n"), ColumnFacts(name="c", kind=ColumnKind.CATEGORY), ColumnFacts(name="m")])
    field.show_answer(["n"])
    listed = field.control
    assert isinstance(listed, QListWidget)
    listed.item(1).setCheckState(Qt.CheckState.Checked)

    assert [listed.item(row).text() for row in range(listed.count())] == ["n", "m"]
    assert answers == [["n", "m"]]


def shown_help(field: QuestionField) -> str:
    return field._help.text()  # what a person reads below the field


def wheel() -> QWheelEvent:
    """One notch upwards."""
    buttons, modifiers = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    phase = Qt.ScrollPhase.NoScrollPhase
    return QWheelEvent(QPointF(5, 5), QPointF(5, 5), QPoint(0, 0), QPoint(0, 120), buttons, modifiers, phase, False)


# --- Painted widgets ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("expected", "enlarged", "unit"), [(5 * MIB, True, "MiB"), (3 * GIB, False, "GiB")])
def test_a_sliver_of_the_card_is_drawn_to_its_own_scale(show, expected, enlarged, unit):
    bar = show(MemoryBar())
    memory = prediction(expected)
    bar.show_prediction(memory)
    theme_color = pixels(bar).pixelColor(4, 38).name()

    assert is_enlarged(memory) is enlarged
    assert memory_unit(memory)[1] == unit
    bar.show_prediction(None)
    assert pixels(bar).pixelColor(4, 38).name() != theme_color  # the part was painted, however small
    assert "Weights" in bar.accessibleDescription()


def test_the_stepper_goes_by_mouse_and_keys_only_where_it_may(show):
    stepper = show(Stepper(["One", "Two", "Three", "Four"]))
    stepper.resize(800, 46)
    stepper.show_step(1, 2)
    chosen = []
    stepper.chosen.connect(chosen.append)
    stepper.setFocus()

    for key in (
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_Return,
        Qt.Key.Key_Left,
        Qt.Key.Key_Space,
    ):
        QTest.keyClick(stepper, key)
    QTest.mouseClick(stepper, Qt.MouseButton.LeftButton, pos=QPoint(780, 23))
    QTest.mouseClick(stepper, Qt.MouseButton.LeftButton, pos=QPoint(24, 23))

    assert chosen == [2, 1, 0]
    assert "Step 2 of 4: Two" in stepper.accessibleDescription()


def test_class_bars_show_a_selection_until_all_are_asked_for(show):
    bars = show(ClassBars())
    bars.show_classes([ClassFacts(name=f"class {number}", count=10 + number) for number in range(20)])
    usual = bars.sizeHint().height()
    assert bars.has_more

    bars.set_shows_all(shows_all=True)

    assert not bars.has_more
    assert bars.sizeHint().height() > 2 * usual
    assert "class 7: 17" in bars.accessibleDescription()


def test_a_choice_card_tells_everything_and_asks_for_the_room_it_needs(show):
    content = CardContent("gpu", "One GPU", ("Simplest", "No distribution"), "good", "Fits", "40 min (30 min – 1 h)")
    card = show(ChoiceCard(content))
    narrow = card.sizeHint().width()

    card.show_content(CardContent("gpu", "A title that is quite a lot longer than the others are", ("x",)))

    assert card.sizeHint().width() > narrow
    assert card.accessibleName().startswith("A title")
    card.show_content(content)
    assert card.accessibleDescription() == "Simplest. No distribution. Fits. 40 min (30 min – 1 h)"


# --- Curve, previews, comparison ------------------------------------------------------------------------------------


def test_the_curve_runs_as_keras_does():
    """Values of Keras' ``CosineDecay(0, 95, warmup_target=0.1, warmup_steps=5)``, by its formula."""
    schedule = Schedule(peak=0.1, epochs=10, warm_up=0.05)

    assert schedule.rate_at(0) == 0
    assert schedule.rate_at(0.025) == pytest.approx(0.05)
    assert schedule.rate_at(0.05) == pytest.approx(0.1)
    for update in (5, 30, 60, 99):
        decayed = 0.1 * 0.5 * (1 + math.cos(math.pi * (update - 5) / 95))
        assert schedule.rate_at(update / 100) == pytest.approx(decayed)
    assert schedule.rate_at(1) == pytest.approx(0, abs=1e-12)
    assert Schedule(peak=0.1, epochs=10, warm_up=None).rate_at(0.7) == 0.1
    assert Schedule(peak=0.1, epochs=10, warm_up=0.0).rate_at(0) == pytest.approx(0.1)


def test_each_turn_of_previews_gives_other_pictures_of_the_right_classes(tmp_path: Path, qapp):
    write_pictures(tmp_path, ("ants", "bees"), 4)
    dataset = scan_data(tmp_path)

    turns = [read_previews(dataset, JobControl(), turn) for turn in range(3)]

    assert [[preview.caption for preview in turn] for turn in turns] == [["ants", "bees"]] * 3
    assert len({turn[0].image.pixel(0, 0) for turn in turns}) == 3


def test_a_folder_that_went_away_has_no_previews(tmp_path: Path, qapp):
    dataset = DatasetFacts(
        path=str(tmp_path / "gone"), kind=DataKind.IMAGE_FOLDERS, classes=(ClassFacts(name="a", count=3),)
    )

    assert read_previews(dataset, JobControl()) == ()


def test_measured_stands_beside_predicted_or_says_why_it_is_missing(show, state):
    table = show(ComparedTable(state.text, "nothing yet"))
    interval = Interval(low=0.16, expected=0.25, high=0.4)
    rows = (
        Compared(id="step_s", predicted=interval, measured=0.9, is_inside=False),
        Compared(id="memory_peak_bytes", reason=Message("wizard.memory-unknown")),
    )

    table.show_compared(rows)

    assert predicted_text(rows[0]) == "0.25 s (0.16 – 0.40 s)"
    assert "Step: 0.25 s (0.16 – 0.40 s), 0.90 s" in table.accessibleDescription()
    assert "is not known here" in table.accessibleDescription()
    assert [badge.accessibleName() for badge in table.findChildren(SeverityBadge)] == ["Outside"]


# --- Kept answers and batches ---------------------------------------------------------------------------------------


def test_lean_answers_lead_to_the_same_values_and_leave_the_data_their_say(tmp_path: Path):
    template = load_template("tabular")
    dataset = scan_data(write_table(tmp_path / "table.csv"))
    full = {"data": dataset.path, "target": "kind", "target_task": "classification", "epochs": 9, "batch_size": None}

    lean = kept_answers.lean(template, full, dataset)

    assert lean == {"data": dataset.path, "epochs": 9}


def test_answers_on_columns_that_are_not_there_do_not_fit(tmp_path: Path):
    template = load_template("tabular")
    dataset = scan_data(write_table(tmp_path / "table.csv"))
    answers = {"target": "kind", "number_columns": ["length", "gone"], "epochs": 3}

    assert kept_answers.fitting(template, answers, dataset) == {"target": "kind", "epochs": 3}


def test_only_how_it_is_trained_is_carried_over_to_another_task():
    answers = {"model": "resnet50", "optimizer": "sgd", "precision": "no such", "data": "/somewhere", "augment": True}

    assert kept_answers.carried_over(answers, load_template("tabular")) == {"optimizer": "sgd"}


def test_made_up_data_answer_only_what_is_lacking():
    assert kept_answers.made_up(load_template("image_classification"), {}) == {}
    assert set(kept_answers.made_up(load_template("tabular"), {})) == {"target", "number_columns", "category_columns"}


@pytest.mark.parametrize("batch", [1, 2, 3, 48, 65536])
def test_batches_around_one_hold_it_and_stay_in_range(batch):
    batches = batches_around(batch)

    assert batch in batches
    assert list(batches) == sorted(set(batches))
    assert 2 <= len(batches) <= 6
    assert batches[0] >= 1
    assert batches[-1] <= 65536
