"""The closed list of conditions: each kind, and what it says of a fact that is not known."""

from __future__ import annotations

import pytest

from gpuconfig_app.compat.conditions import Condition, all_hold, any_holds


@pytest.mark.parametrize(
    ("condition", "value", "answer"),
    [
        (Condition(fact="x", equals="linux"), "linux", True),
        (Condition(fact="x", equals="linux"), "windows", False),
        (Condition(fact="x", equals=True), True, True),
        (Condition(fact="x", equals=True), 1, False),
        (Condition(fact="x", equals=0), 0, True),
        (Condition(fact="x", equals=0), False, False),
        (Condition(fact="x", differs="tensorflow"), "jax", True),
        (Condition(fact="x", differs="tensorflow"), "tensorflow", False),
        (Condition(fact="x", one_of=("a", "b")), "b", True),
        (Condition(fact="x", one_of=("a", "b")), "c", False),
        (Condition(fact="x", at_least="2.18"), "2.18.0", True),
        (Condition(fact="x", at_least="2.18"), "2.9.3", False),
        (Condition(fact="x", below="2.22"), "2.22.0rc0", True),
        (Condition(fact="x", below="525.60.13"), "525.60.11", True),
        (Condition(fact="x", at_least="2.18"), "unreadable", None),
        (Condition(fact="x", contains="8.0"), ("7.0", "8.0"), True),
        (Condition(fact="x", contains="8.0"), "8.0", False),
        (Condition(fact="x", more_than=0), 1, True),
        (Condition(fact="x", more_than=0), 0, False),
        (Condition(fact="x", fewer_than=2.0), 0.4, True),
        (Condition(fact="x", fewer_than=2.0), "0.4", None),
        (Condition(fact="x", known=True), "anything", True),
        (Condition(fact="x", known=False), "anything", False),
    ],
)
def test_each_kind_answers(condition, value, answer):
    assert condition.holds({"x": value}) is answer


@pytest.mark.parametrize(
    "condition",
    [
        Condition(fact="x", equals="linux"),
        Condition(fact="x", differs="linux"),
        Condition(fact="x", one_of=("a",)),
        Condition(fact="x", at_least="1"),
        Condition(fact="x", below="1"),
        Condition(fact="x", contains="a"),
        Condition(fact="x", more_than=1),
        Condition(fact="x", fewer_than=1),
    ],
    ids=lambda condition: condition.kind,
)
def test_unknown_fact_gives_no_answer_and_no_hit(condition):
    assert condition.holds({"x": None}) is None
    assert condition.holds({}) is None
    assert not all_hold((condition,), {"x": None})
    assert not any_holds((condition,), {"x": None})


def test_only_known_answers_for_an_unknown_fact():
    assert Condition(fact="x", known=False).holds({}) is True
    assert Condition(fact="x", known=True).holds({}) is False


def test_a_condition_has_exactly_one_kind():
    assert Condition(fact="x", equals="a").kind == "equals"
    assert Condition(fact="x").kind is None
    assert Condition(fact="x", equals="a", below="2").kind is None


def test_empty_lists_ask_nothing():
    assert all_hold((), {})
    assert any_holds((), {})
