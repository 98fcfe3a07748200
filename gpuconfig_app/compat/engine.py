"""Asks every rule for the machine and for each card, and turns those that hit into findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gpuconfig_app.compat.conditions import Facts, FactValue, all_hold, any_holds
from gpuconfig_app.compat.driver_ways import FROM_TABLE
from gpuconfig_app.compat.facts_view import facts_of_card, fill_text, shown_value
from gpuconfig_app.compat.fix_commands import fix_commands
from gpuconfig_app.compat.rules import FixRow, Rule, Scope, load_fixes, load_rules
from gpuconfig_app.compat.subject import Subject
from gpuconfig_app.core.finding import Finding, Fix, Severity
from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.knowledge.cuda_drivers import CudaTable
from gpuconfig_app.knowledge.table import first_source


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A rule that hits.

    Attributes:
        gpu_indexes: Cards it hits for; empty for a machine rule.
        facts: Facts it hit with; of the first card for a card rule.
    """

    rule: Rule
    facts: Facts
    gpu_indexes: tuple[int, ...] = ()

    @property
    def is_blocking(self) -> bool:
        """Whether it stands in the way of what it is about."""
        return self.rule.severity is Severity.BLOCKED


@dataclass(frozen=True, kw_only=True)
class Hits:
    """All rules that hit, with the facts they were asked about."""

    machine: Facts
    cards: Mapping[int, Facts]
    hits: tuple[Hit, ...] = field(default=())

    def about(self, index: int) -> tuple[Hit, ...]:
        """Give the hits of one card."""
        return tuple(hit for hit in self.hits if index in hit.gpu_indexes)

    @property
    def of_machine(self) -> tuple[Hit, ...]:
        """The hits that are about the machine as a whole."""
        return tuple(hit for hit in self.hits if not hit.gpu_indexes)


def ask_rules(subject: Subject, machine: dict[str, FactValue], cards: Sequence[Gpu], table: CudaTable) -> Hits:
    """Ask every rule.

    Args:
        machine: Facts of the machine view.
        cards: Cards that are judged.
    """
    views: dict[int, Facts] = {gpu.index: facts_of_card(machine, subject, gpu, table) for gpu in cards}
    hits: list[Hit] = []
    for rule in load_rules():
        if rule.scope is Scope.MACHINE and rule_hits(rule, machine):
            hits.append(Hit(rule=rule, facts=machine))
        elif rule.scope is Scope.GPU:
            indexes = tuple(index for index, facts in views.items() if rule_hits(rule, facts))
            if indexes:
                hits.append(Hit(rule=rule, facts=views[indexes[0]], gpu_indexes=indexes))
    return Hits(machine=machine, cards=views, hits=tuple(hits))


def rule_hits(rule: Rule, facts: Facts) -> bool:
    """Whether a rule's conditions hold for these facts."""
    return all_hold(rule.all, facts) and any_holds(rule.any, facts)


def make_finding(hit: Hit, extra: Facts, *, is_demoted: bool = False) -> Finding:
    """Turn a hit into a finding: text and commands filled in, fixes that do not apply left out.

    Args:
        extra: Further facts for the texts (working cards, best release).
        is_demoted: It blocks only some of the cards, so it is a warning about those.
    """
    rule = hit.rule
    facts: Facts = {**hit.facts, **extra, "found.gpus": ", ".join(str(index) for index in hit.gpu_indexes)}
    return Finding(
        code=rule.code,
        severity=Severity.WARNING if is_demoted else rule.severity,
        title=fill_text(rule.title, facts),
        text=fill_text(rule.text, facts),
        evidence=_evidence(rule, facts),
        gpu_indexes=hit.gpu_indexes,
        fixes=make_fixes(rule.fixes, facts),
        source=first_source(rule),
        confidence=rule.confidence,
        outcome=rule.outcome,
    )


def make_fixes(ids: Sequence[str], facts: Facts) -> tuple[Fix, ...]:
    """Give the fixes that apply, in the order of their ids.

    A fix whose command needs a fact that is not known is left out: a command with a gap must not be copied.
    """
    rows = {row.id: row for row in load_fixes()}
    made = (make_fix(rows[name], facts) for name in ids)
    return tuple(fix for fix in made if fix is not None)


def short_reason(hit: Hit, extra: Facts) -> LocalText:
    """Give the few words of a hit for the release strip."""
    return fill_text(hit.rule.short, {**hit.facts, **extra})


def make_fix(row: FixRow, facts: Facts) -> Fix | None:
    """Turn one row into a fix; None when it does not apply or a fact its command needs is not known."""
    if not all_hold(row.all, facts) or not any_holds(row.any, facts):
        return None
    if row.takes is not None:
        made = FROM_TABLE[row.takes](facts)
        return replace(made, changes=row.changes, leads_to=row.leads_to) if made is not None else None
    commands = fix_commands(row.commands, row.shell, facts)
    if commands is None:
        return None
    return Fix(
        text=fill_text(row.text, facts),
        commands=commands.lines,
        shell=commands.shell,
        changes=fill_text(row.changes, facts) if row.changes else None,
        leads_to=row.leads_to,
    )


def _evidence(rule: Rule, facts: Facts) -> tuple[Message, ...]:
    """Say what was seen, one sentence for each fact that is known."""
    made: list[Message] = []
    for name in rule.evidence:
        value = shown_value(facts.get(name))
        if value is not None:
            made.append(Message(f"compat.saw-{name.replace('.', '-').replace('_', '-')}", {"value": value}))
    return tuple(made)
