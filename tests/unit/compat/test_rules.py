"""Every rule hits its own example and misses the other; bad rows are refused with a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.compat.engine import rule_hits
from gpuconfig_app.compat.facts_view import fact_for, facts_of_card, machine_facts, placeholder_names
from gpuconfig_app.compat.rules import Scope, closing_rule, load_fixes, load_rules, parse_fixes, parse_rules
from gpuconfig_app.compat.subject import make_subject
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.finding import Severity, Verdict
from gpuconfig_app.knowledge.cuda_drivers import load_cuda_table
from gpuconfig_app.knowledge.table import read_table
from gpuconfig_app.workbench.text import load_texts
from tests.unit.compat.machines import machine, python

RULES = load_rules()
ASKING = [rule for rule in RULES if rule.scope is not Scope.CLOSING]

# Facts that only the weighed answer knows.
LATER_FACTS = {"working.indexes", "best.release", "best.python", "best.interpreter", "found.gpus"}


def _known_facts() -> set[str]:
    report = machine()
    subject = make_subject(report, python())
    table = load_cuda_table()
    return set(facts_of_card(machine_facts(subject, table), subject, report.gpus[0], table)) | LATER_FACTS


KNOWN = _known_facts()


@pytest.mark.parametrize("rule", ASKING, ids=lambda rule: rule.id)
def test_rule_hits_its_example_and_misses_the_other(rule):
    assert rule_hits(rule, rule.hit)
    assert not rule_hits(rule, rule.miss)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_asks_and_shows_only_facts_that_exist(rule):
    asked = {condition.fact for condition in (*rule.all, *rule.any)} | set(rule.evidence)
    assert asked <= KNOWN
    assert set(rule.hit) | set(rule.miss) <= KNOWN
    for text in (rule.title, rule.text, rule.short):
        for name in placeholder_names(text.en):
            assert _is_fact(name), name


@pytest.mark.parametrize("fix", load_fixes(), ids=lambda fix: fix.id)
def test_fix_asks_and_fills_only_facts_that_exist(fix):
    assert {condition.fact for condition in (*fix.all, *fix.any)} <= KNOWN
    for text in (fix.text.en, *fix.commands, *((fix.changes.en,) if fix.changes else ())):
        for name in placeholder_names(text):
            assert _is_fact(name), name


def _is_fact(placeholder: str) -> bool:
    marker = "there"
    return fact_for(placeholder, dict.fromkeys(KNOWN, marker)) == marker


def test_machine_rules_ask_nothing_about_a_card():
    for rule in ASKING:
        if rule.scope is Scope.MACHINE:
            assert not any(item.fact.startswith("gpu.") for item in (*rule.all, *rule.any)), rule.id


def test_low_confidence_never_blocks():
    for rule in RULES:
        if rule.confidence == "low":
            assert rule.severity is not Severity.BLOCKED, rule.id
        if rule.severity is Severity.BLOCKED:
            assert rule.verdict is None, rule.id
        if rule.verdict is not None:
            assert rule.verdict in {Verdict.UNKNOWN, Verdict.CPU_ONLY}, rule.id


def test_what_blocks_offers_a_way_on():
    for rule in ASKING:
        if rule.severity is Severity.BLOCKED:
            assert rule.fixes, rule.id


def test_every_fix_is_offered_by_some_rule():
    used = {name for rule in RULES for name in rule.fixes}

    assert {fix.id for fix in load_fixes()} == used


def test_closing_rules_exist():
    for code in ("READY", "READY_WITH_NOTES", "FACTS_MISSING"):
        assert closing_rule(code).code == code
    with pytest.raises(KeyError):
        closing_rule("SOMETHING_ELSE")


def _row(**changes: object) -> dict[str, object]:
    table = read_table("compat_rules")
    row = dict(table["rule"][0])  # type: ignore[index]  # the table is an array of tables
    return {"schema": 1, "rule": [{**row, **changes}]}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"all": [{"fact": "os.family"}]}, "exactly one kind"),
        ({"all": [{"fact": "os.family", "equals": "a", "below": "2"}]}, "exactly one kind"),
        ({"all": [], "any": []}, "no conditions"),
        ({"hit": {}}, "no example"),
        ({"fixes": ["nothing-like-it"]}, "unknown fix nothing-like-it"),
        ({"severity": "terrible"}, "should be"),
        ({"surprise": 1}, "unknown field surprise"),
        ({"checked_on": "yesterday"}, "no date"),
        ({"source": {"title": "", "address": "https://example.org/"}}, "no source"),
    ],
)
def test_unusable_row_is_named(changes, problem):
    fixes = frozenset(fix.id for fix in load_fixes())

    with pytest.raises(UnusableFileError) as caught:
        parse_rules(_row(**changes), fixes)  # type: ignore[arg-type]  # wrong on purpose

    assert problem in str(caught.value.message.params["problem"])
    assert caught.value.message.id == "knowledge.row-unusable"


def test_two_rules_of_one_id_are_refused():
    data = _row()
    data["rule"] = data["rule"] * 2  # type: ignore[operator]  # a list

    with pytest.raises(UnusableFileError, match="row-unusable"):
        parse_rules(data, frozenset(fix.id for fix in load_fixes()))  # type: ignore[arg-type]


def test_fix_with_an_unknown_shell_is_refused():
    fix = read_table("compat_fixes")["fix"][0]  # type: ignore[index]  # the table is an array of tables

    with pytest.raises(UnusableFileError, match="row-unusable"):
        parse_fixes({"fix": [{**fix, "shell": "fish"}]})  # type: ignore[dict-item]


def test_breaking_a_condition_is_seen():
    """The examples really hold the rules: without its last condition a rule no longer misses."""
    rule = next(item for item in ASKING if item.id == "numpy-2")
    broken = replace(rule, all=rule.all[:1])

    assert rule_hits(broken, rule.miss)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_what_was_seen_has_a_sentence(rule):
    ids = {f"compat.saw-{name.replace('.', '-').replace('_', '-')}" for name in rule.evidence}
    assert ids <= load_texts().ids
