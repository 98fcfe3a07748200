"""Rules and fixes as data: rows of ``compat_rules.toml`` and ``compat_fixes.toml``, checked when read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from gpuconfig_app.compat.conditions import Condition, Word
from gpuconfig_app.compat.driver_ways import FROM_TABLE
from gpuconfig_app.core.finding import Confidence, Outcome, Severity, Verdict
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.knowledge.table import FactSource, check_unique, read_rows, read_table, row_unusable

RULES_TABLE = "compat_rules"
FIXES_TABLE = "compat_fixes"

ExampleValue = Word | tuple[str, ...]


class Scope(StrEnum):
    """What a rule looks at."""

    MACHINE = "machine"
    GPU = "gpu"
    CLOSING = "closing"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One thing that can be found.

    Attributes:
        id: Kebab case, one for each row; several rows may share a code when text or conditions differ.
        code: UPPER_SNAKE, stable.
        scope: ``gpu`` rules are asked for each card; ``closing`` ones are chosen by the verdict and ask nothing.
        outcome: What it leads to; None for remarks.
        verdict: Instead of the usual one of its severity (``unknown`` for what only a proof can settle).
        priority: The lowest number among the deciding findings is the primary cause.
        weakens: A good answer beside it is only as sure as this finding.
        blocks_all: One such card spoils the others, because TensorFlow would use it too.
        all: Conditions that must all hold.
        any: Conditions of which one must hold; empty asks nothing.
        short: A few words for the release strip.
        evidence: Facts shown as what was seen.
        fixes: Ids of ``compat_fixes.toml``, best first; those whose conditions don't hold are left out.
        hit: Facts with which the rule hits, for the test.
        miss: Facts with which it just does not.
    """

    id: str
    code: str
    scope: Scope
    severity: Severity
    confidence: Confidence
    priority: int
    title: LocalText
    text: LocalText
    short: LocalText
    source: tuple[FactSource, ...]
    checked_on: str
    outcome: Outcome | None = None
    verdict: Verdict | None = None
    blocks_all: bool = False
    weakens: bool = False
    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()
    evidence: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    hit: Mapping[str, ExampleValue] = field(default_factory=dict)
    miss: Mapping[str, ExampleValue] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FixRow:
    """One way out, with the conditions under which it is offered.

    Attributes:
        commands: Lines with placeholders; what is filled in is quoted for the shell.
        shell: ``sh`` or ``powershell``.
        takes: Text and commands come from the driver table: ``install``, ``secure-boot`` or ``hold``; those here then
            only say what it is about.
        leads_to: ``wsl``, ``container`` or ``local`` when TensorFlow then runs elsewhere.
    """

    id: str
    text: LocalText
    source: tuple[FactSource, ...]
    checked_on: str
    commands: tuple[str, ...] = ()
    shell: str = "sh"
    takes: str | None = None
    changes: LocalText | None = None
    leads_to: str | None = None
    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()


def parse_rules(data: Mapping[str, JsonValue], fix_ids: frozenset[str]) -> tuple[Rule, ...]:
    """Turn the rule table into rows.

    Args:
        fix_ids: Fixes that exist.

    Raises:
        UnusableFileError: A row cannot be used: wrong field, no example, unknown fix, a condition with no kind or two.
    """
    rules = read_rows(RULES_TABLE, data, "rule", Rule)
    check_unique(RULES_TABLE, [rule.id for rule in rules])
    for rule in rules:
        problem = _rule_problem(rule, fix_ids)
        if problem is not None:
            raise row_unusable(RULES_TABLE, rule.id, problem)
    return rules


def parse_fixes(data: Mapping[str, JsonValue]) -> tuple[FixRow, ...]:
    """Turn the table of fixes into rows.

    Raises:
        UnusableFileError: A row cannot be used.
    """
    fixes = read_rows(FIXES_TABLE, data, "fix", FixRow)
    check_unique(FIXES_TABLE, [fix.id for fix in fixes])
    for fix in fixes:
        if any(condition.kind is None for condition in (*fix.all, *fix.any)):
            raise row_unusable(FIXES_TABLE, fix.id, "a condition needs exactly one kind")
        if fix.shell not in {"sh", "powershell", "python"}:
            raise row_unusable(FIXES_TABLE, fix.id, "unknown shell")
        if fix.takes is not None and (fix.takes not in FROM_TABLE or fix.commands):
            raise row_unusable(FIXES_TABLE, fix.id, "takes something unknown, or has commands of its own")
    return fixes


@cache
def load_fixes() -> tuple[FixRow, ...]:
    """Give every fix.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return parse_fixes(read_table(FIXES_TABLE))


@cache
def load_rules() -> tuple[Rule, ...]:
    """Give every rule, closing ones included.

    Raises:
        UnusableFileError: The table cannot be used.
    """
    return parse_rules(read_table(RULES_TABLE), frozenset(fix.id for fix in load_fixes()))


def closing_rule(code: str) -> Rule:
    """Give one of the rules that close a verdict.

    Raises:
        KeyError: There is none of that code.
    """
    for rule in load_rules():
        if rule.scope is Scope.CLOSING and rule.code == code:
            return rule
    raise KeyError(code)


def _rule_problem(rule: Rule, fix_ids: frozenset[str]) -> str | None:
    if any(condition.kind is None for condition in (*rule.all, *rule.any)):
        return "a condition needs exactly one kind"
    if missing := [fix for fix in rule.fixes if fix not in fix_ids]:
        return f"unknown fix {missing[0]}"
    if rule.scope is Scope.CLOSING:
        return None
    if not rule.all and not rule.any:
        return "no conditions"
    if not rule.hit or not rule.miss:
        return "no example that hits and one that misses"
    if rule.severity is Severity.BLOCKED and rule.outcome is None:
        return "what blocks needs an outcome"
    return None
