"""Every log rule hits its own example and misses the other; texts, fixes and codes are sound; bad rows are refused."""

from __future__ import annotations

import re

import pytest

from gpuconfig_app.compat.facts_view import placeholder_names
from gpuconfig_app.compat.log_doctor import make_log_finding, rule_hits
from gpuconfig_app.compat.log_facts import with_log
from gpuconfig_app.compat.log_reading import read_log
from gpuconfig_app.compat.log_rules import (
    closing_log_rule,
    load_log_fixes,
    load_log_rules,
    parse_log_rules,
)
from gpuconfig_app.compat.log_signs import SignSearch, load_signs
from gpuconfig_app.compat.rules import load_fixes, load_rules
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.finding import Confidence, Severity

RULES = load_log_rules()
ASKING = [rule for rule in RULES if not rule.is_closing]
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def _hits(log: str, facts) -> set[str]:
    search = SignSearch(load_signs())
    for piece in read_log(log.encode()).pieces():
        search.search(piece)
    views = with_log((dict(facts),), load_signs(), search.seen)
    return {hit.rule.id for hit in rule_hits(search.seen, views)}


@pytest.mark.parametrize("rule", ASKING, ids=lambda rule: rule.id)
def test_rule_hits_its_example_and_misses_the_other(rule):
    assert rule.id in _hits(rule.hit_log, rule.hit)
    assert rule.id not in _hits(rule.miss_log, rule.miss)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_speaks_both_languages_and_offers_a_way_on(rule):
    finding = make_log_finding(rule, {})

    assert CHINESE.search(finding.title.zh_cn)
    assert CHINESE.search(finding.text.zh_cn)
    assert not CHINESE.search(finding.text.en)
    if rule.severity in {Severity.BLOCKED, Severity.WARNING}:
        assert rule.fixes


@pytest.mark.parametrize("rule", ASKING, ids=lambda rule: rule.id)
def test_rule_that_needs_no_facts_offers_a_fix_without_any(rule):
    if rule.all or rule.severity is Severity.NOTE:
        return

    assert make_log_finding(rule, {}).fixes


def test_a_guess_never_blocks():
    assert not [rule.id for rule in RULES if rule.confidence is Confidence.LOW and rule.severity is Severity.BLOCKED]


def test_rules_are_sorted_and_codes_are_written_alike():
    assert [rule.priority for rule in RULES] == sorted(rule.priority for rule in RULES)
    assert not [rule.code for rule in RULES if not re.fullmatch(r"[A-Z][A-Z0-9_]+", rule.code)]


def test_own_fixes_are_sorted_and_used():
    shared = {fix.id for fix in load_fixes()}
    own = [fix.id for fix in load_log_fixes() if fix.id not in shared]
    used = {name for rule in RULES for name in rule.fixes}

    assert own == sorted(own)
    assert set(own) <= used


def test_fixes_speak_both_languages():
    for fix in load_log_fixes():
        assert CHINESE.search(fix.text.zh_cn), fix.id
        assert not CHINESE.search(fix.text.en), fix.id
        assert placeholder_names(fix.text.en) == placeholder_names(fix.text.zh_cn), fix.id


def test_no_rule_explains_itself():
    assert not [rule.id for rule in RULES if rule.code in rule.explains]


def test_codes_are_shared_with_the_verdict_where_it_is_the_same_trouble():
    assert len({rule.code for rule in RULES} & {rule.code for rule in load_rules()}) >= 20


def test_closing_rules():
    assert closing_log_rule("UNKNOWN_ERROR").severity is Severity.WARNING
    assert closing_log_rule("OK_BENIGN_LINES").severity is Severity.GOOD
    with pytest.raises(KeyError):
        closing_log_rule("DRIVER_TOO_OLD")


ROW = {
    "id": "a",
    "code": "A_CODE",
    "severity": "blocked",
    "confidence": "high",
    "priority": 1,
    "signs": ["sign"],
    "title": {"en": "a", "zh_cn": "甲"},
    "text": {"en": "a", "zh_cn": "甲"},
    "hit_log": "x",
    "miss_log": "y",
    "source": {"title": "t", "address": "https://example.org/t"},
    "checked_on": "2026-11-30",
}


@pytest.mark.parametrize(
    "change",
    [
        {"signs": []},
        {"signs": ["unknown"]},
        {"beside": ["unknown"]},
        {"fixes": ["unknown"]},
        {"explains": ["UNKNOWN"]},
        {"hit_log": ""},
        {"confidence": "low"},
        {"all": [{"fact": "os.family"}]},
        {"severity": "terrible"},
        {"source": []},
    ],
)
def test_bad_row_is_refused(change):
    with pytest.raises(UnusableFileError):
        parse_log_rules({"schema": 1, "rule": [ROW | change]}, frozenset({"sign"}), frozenset())


def test_good_row_is_taken():
    assert parse_log_rules({"schema": 1, "rule": [ROW]}, frozenset({"sign"}), frozenset())[0].code == "A_CODE"
