"""Answers are coerced, defaulted and checked; every problem is named at its question."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.answers import check_answers
from gpuconfig_app.scriptgen.templates import load_template
from tests.unit.scriptgen.plans import pictures_facts, table_facts

IMAGES = load_template("image_classification")
TABULAR = load_template("tabular")


def problems(template_id: str, answers: dict[str, JsonValue], dataset: DatasetFacts | None = None) -> dict[str, str]:
    checked = check_answers(load_template(template_id), answers, dataset)
    return {problem.question_id: problem.message.id for problem in checked.problems}


def test_defaults_are_filled_in() -> None:
    checked = check_answers(IMAGES, {})

    assert checked.problems == ()
    assert checked.values["model"] == "efficientnet_v2_b0"
    assert checked.values["image_size"] == 224
    assert checked.values["batch_size"] is None
    assert set(checked.values) == {question.id for question in IMAGES.questions}


def test_defaults_come_from_the_data() -> None:
    values = check_answers(TABULAR, {}, table_facts()).values

    assert values["data"] == "/data/wine.csv"
    assert values["target"] == "kind"
    assert values["target_task"] == "classification"
    assert values["number_columns"] == ["alcohol", "price"]
    assert values["category_columns"] == ["region"]
    assert check_answers(IMAGES, {}, pictures_facts()).values["image_size"] == 224


def test_the_default_follows_the_answer_before_it() -> None:
    values = check_answers(TABULAR, {"target": "price"}, table_facts()).values

    assert values["target_task"] == "regression"
    assert values["number_columns"] == ["alcohol", "kind"]


def test_checking_twice_changes_nothing() -> None:
    once = check_answers(IMAGES, {"model": "small_cnn", "augment": False})

    assert check_answers(IMAGES, once.values) == once


def test_text_is_read_as_the_type_of_the_question() -> None:
    given: dict[str, JsonValue] = {"epochs": "5", "augment": "no", "dropout": "0.5", "seed": 3.0}

    values = check_answers(IMAGES, given).values

    assert (values["epochs"], values["augment"], values["dropout"], values["seed"]) == (5, False, 0.5, 3)


def test_a_question_that_is_not_asked_has_no_answer() -> None:
    values = check_answers(IMAGES, {"model": "small_cnn", "pretrained": True, "augment": False, "flip": True}).values

    assert values["pretrained"] is None
    assert values["flip"] is None
    assert values["width"] == 32


@pytest.mark.parametrize(
    ("answer", "value", "problem"),
    [
        ("epochs", 0, "below-minimum"),
        ("epochs", 1.5, "not-a-whole-number"),
        ("epochs", "many", "not-a-number"),
        ("epochs", True, "not-a-number"),
        ("learning_rate", float("nan"), "not-a-number"),
        ("learning_rate", 100, "above-maximum"),
        ("model", "resnet5000", "not-an-option"),
        ("model", ["resnet50"], "not-an-option"),
        ("augment", "perhaps", "not-a-yes-or-no"),
        ("data", "  ", "not-a-text"),
        ("data", 7, "not-a-text"),
        ("data", "a\0b", "text-holds-nul"),
        ("data", "x" * 5000, "text-too-long"),
    ],
)
def test_problems_are_named_at_their_question(answer: str, value: JsonValue, problem: str) -> None:
    assert problems("image_classification", {answer: value}) == {answer: f"scriptgen.{problem}"}


def test_a_problem_leaves_the_default() -> None:
    assert check_answers(IMAGES, {"epochs": -3}).values["epochs"] == 30


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"target": "colour"}, {"target": "no-such-column"}),
        ({"number_columns": ["region"]}, {"number_columns": "column-not-usable"}),
        ({"number_columns": "alcohol"}, {"number_columns": "not-a-list-of-columns"}),
        ({"number_columns": ["alcohol", "kind"]}, {"number_columns": "column-used-twice"}),
        ({"category_columns": ["alcohol"]}, {"category_columns": "column-used-twice"}),
        ({"number_columns": [], "category_columns": []}, {"number_columns": "no-input-columns"}),
    ],
)
def test_columns_are_checked_against_the_data(answers: dict[str, JsonValue], expected: dict[str, str]) -> None:
    found = problems("tabular", answers, table_facts())

    assert {name: found.get(name) for name in expected} == {
        name: f"scriptgen.{problem}" for name, problem in expected.items()
    }


def test_a_target_must_be_chosen_without_data() -> None:
    assert problems("tabular", {"number_columns": ["a"]}) == {"target": "scriptgen.answer-missing"}


def test_impossible_combinations_are_refused_with_their_reason() -> None:
    frozen = problems("image_classification", {"pretrained": False, "trained_part": "head"})
    xla = problems("image_classification", {"deterministic": True, "xla": "on"})

    assert frozen == {"trained_part": "scriptgen.refused-frozen-from-scratch"}
    assert xla == {"xla": "scriptgen.refused-xla-deterministic"}


def test_an_unknown_answer_is_a_problem() -> None:
    assert problems("image_classification", {"batchsize": 3}) == {"batchsize": "scriptgen.unknown-question"}


@pytest.mark.parametrize("template_id", ["image_classification", "tabular"])
def test_the_example_needs_no_data(template_id: str) -> None:
    template = load_template(template_id)

    assert check_answers(template, template.example).problems == ()
