"""Weighs what the rules found: which cards can be used, what decides, and what the answer is.

- What blocks the machine, every judged card, or a card that spoils the others decides; the lowest priority number is
  the primary cause. A cause of low confidence gives ``unknown``, never ``blocked``.
- What only a proof can settle gives ``unknown``.
- Otherwise the answer is ``ready`` only when every requirement is proven to fit; remarks make it "with notes".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpuconfig_app.compat.engine import Hit, Hits
from gpuconfig_app.compat.machine_code import CodeKind
from gpuconfig_app.compat.requirements import JudgedRow, judge_rows
from gpuconfig_app.compat.rules import Rule, closing_rule
from gpuconfig_app.compat.subject import Subject
from gpuconfig_app.core.finding import Confidence, Outcome, Severity, Verdict
from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.knowledge.cuda_drivers import CudaTable

_USELESS = frozenset({Outcome.CPU_ONLY, Outcome.GPU_FAILS})
_NO_START = frozenset({Outcome.IMPORT_FAILS, Outcome.CANNOT_INSTALL})
_SEVERITIES = tuple(Severity)
_CONFIDENCES = tuple(Confidence)


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """The answer, before it is put into words.

    Attributes:
        primary: What decides; None when nothing stands in the way.
        closing: The rule that words an answer without a deciding finding.
        hits: All, the deciding one first.
        demoted: Ids of rules that block only some of the cards.
        rows: Needed beside found.
        gpu_indexes: Cards TensorFlow would use.
    """

    verdict: Verdict
    outcome: Outcome
    confidence: Confidence
    primary: Hit | None
    closing: Rule | None
    hits: tuple[Hit, ...]
    demoted: frozenset[str]
    rows: tuple[JudgedRow, ...]
    gpu_indexes: tuple[int, ...]
    unproven: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Cards:
    """Judged cards by what the rules say of them."""

    usable: tuple[int, ...]
    doubtful: tuple[int, ...]
    blocked: tuple[int, ...]


def judge(subject: Subject, hits: Hits, cards: Sequence[Gpu], table: CudaTable) -> Judgement:
    """Weigh all hits."""
    sorted_cards = _sort_cards(hits, cards)
    rows = judge_rows(subject, hits, sorted_cards.usable or sorted_cards.doubtful or sorted_cards.blocked, table)
    blockers = _blockers(hits, sorted_cards)
    if blockers:
        return _by_cause(_cause_among(blockers, subject), hits, sorted_cards, rows, blockers)
    doubts = _doubts(hits, sorted_cards)
    if doubts:
        return _by_cause(_first(doubts), hits, sorted_cards, rows, doubts)
    return _by_proof(hits, sorted_cards, rows)


def _sort_cards(hits: Hits, cards: Sequence[Gpu]) -> _Cards:
    blocked = tuple(gpu.index for gpu in cards if any(hit.is_blocking for hit in hits.about(gpu.index)))
    doubtful = tuple(
        gpu.index for gpu in cards if gpu.index not in blocked and any(map(_is_doubt, hits.about(gpu.index)))
    )
    usable = tuple(gpu.index for gpu in cards if gpu.index not in blocked and gpu.index not in doubtful)
    return _Cards(usable=_not_hidden_by_slices(usable, cards), doubtful=doubtful, blocked=blocked)


def _not_hidden_by_slices(usable: tuple[int, ...], cards: Sequence[Gpu]) -> tuple[int, ...]:
    """Keep only the first sliced card when there is one: CUDA shows one slice and none of the whole cards."""
    sliced = [gpu.index for gpu in cards if gpu.mig_enabled and gpu.mig_instances and gpu.index in usable]
    return tuple(sliced[:1]) or usable


def _is_doubt(hit: Hit) -> bool:
    return hit.rule.verdict is Verdict.UNKNOWN


def _decides(hit: Hit) -> bool:
    return hit.is_blocking or hit.rule.verdict is Verdict.CPU_ONLY


def _blockers(hits: Hits, cards: _Cards) -> list[Hit]:
    found = [hit for hit in hits.of_machine if _decides(hit)]
    on_cards = [hit for hit in hits.hits if hit.gpu_indexes and hit.is_blocking]
    found += [hit for hit in on_cards if hit.rule.blocks_all]
    if not cards.usable and not cards.doubtful:
        found += [hit for hit in on_cards if not hit.rule.blocks_all]
    return found


def _doubts(hits: Hits, cards: _Cards) -> list[Hit]:
    found = [hit for hit in hits.of_machine if _is_doubt(hit)]
    on_cards = [hit for hit in hits.hits if hit.gpu_indexes and _is_doubt(hit)]
    found += [hit for hit in on_cards if hit.rule.blocks_all or not cards.usable]
    return found


def _cause_among(blockers: Sequence[Hit], subject: Subject) -> Hit:
    """Give what decides: "runs on the processor" is not true of a TensorFlow that can't be installed or imported."""
    first = _first(blockers)
    is_broken = subject.environment is not None and subject.environment.problem is not None
    if first.rule.verdict is not Verdict.CPU_ONLY or not (subject.is_installed or subject.is_forced_fresh or is_broken):
        return first
    stopping = [hit for hit in blockers if hit.is_blocking and hit.rule.outcome in _NO_START]
    return _first(stopping) if stopping else first


def _first(hits: Iterable[Hit]) -> Hit:
    return min(hits, key=lambda hit: (hit.rule.priority, hit.rule.id))


def _by_cause(
    primary: Hit, hits: Hits, cards: _Cards, rows: tuple[JudgedRow, ...], deciding: Sequence[Hit]
) -> Judgement:
    rule = primary.rule
    verdict = rule.verdict or Verdict.BLOCKED
    outcome = rule.outcome or Outcome.UNKNOWN
    if rule.confidence is Confidence.LOW:
        verdict = Verdict.UNKNOWN
    indexes = () if outcome in _USELESS else cards.usable or cards.doubtful
    return Judgement(
        verdict=verdict,
        outcome=outcome,
        confidence=rule.confidence,
        primary=primary,
        closing=None,
        hits=_ordered(hits.hits, primary),
        demoted=_demoted(hits, deciding),
        rows=rows,
        gpu_indexes=indexes,
    )


def _by_proof(hits: Hits, cards: _Cards, rows: tuple[JudgedRow, ...]) -> Judgement:
    """Answer when no rule decides: ready when all is proven, else unknown."""
    unproven = tuple(row.id for row in rows if not row.is_proven)
    if unproven or not cards.usable:
        return Judgement(
            verdict=Verdict.UNKNOWN,
            outcome=Outcome.UNKNOWN,
            confidence=Confidence.LOW,
            primary=None,
            closing=closing_rule("FACTS_MISSING"),
            hits=_ordered(hits.hits, None),
            demoted=_demoted(hits, ()),
            rows=rows,
            gpu_indexes=cards.usable,
            unproven=unproven,
        )
    remarks = [hit for hit in hits.hits if hit.rule.severity not in {Severity.GOOD, Severity.NEUTRAL}]
    outcome, sure = _outcome_of(hits, cards.usable)
    confidence = max((sure, *(hit.rule.confidence for hit in hits.hits if hit.rule.weakens)), key=_CONFIDENCES.index)
    ordered = _ordered(hits.hits, None)
    return Judgement(
        verdict=Verdict.READY_WITH_NOTES if remarks else Verdict.READY,
        outcome=outcome,
        confidence=confidence,
        primary=next((hit for hit in ordered if _is_weighty(hit)), None),
        closing=closing_rule("READY_WITH_NOTES" if remarks else "READY"),
        hits=ordered,
        demoted=_demoted(hits, ()),
        rows=rows,
        gpu_indexes=cards.usable,
    )


def _is_weighty(hit: Hit) -> bool:
    """Whether a remark is the main thing to say: a warning, or one that changes how TensorFlow starts."""
    return hit.rule.severity in {Severity.WARNING, Severity.BLOCKED} or hit.rule.outcome is not None


def _outcome_of(hits: Hits, usable: tuple[int, ...]) -> tuple[Outcome, Confidence]:
    cards = [hits.cards[index] for index in usable]
    if all(card.get("gpu.code") == CodeKind.NATIVE.value for card in cards):
        return Outcome.NATIVE, Confidence.HIGH
    is_read = all(card.get("gpu.code_is_fully_read") for card in cards)
    return Outcome.JIT_AT_FIRST_START, Confidence.HIGH if is_read else Confidence.MEDIUM


def _demoted(hits: Hits, deciding: Sequence[Hit]) -> frozenset[str]:
    """Give the card rules that block, but not enough to decide."""
    chosen = {hit.rule.id for hit in deciding}
    return frozenset(
        hit.rule.id for hit in hits.hits if hit.gpu_indexes and hit.is_blocking and hit.rule.id not in chosen
    )


def _ordered(hits: Sequence[Hit], primary: Hit | None) -> tuple[Hit, ...]:
    """Sort hits: the deciding one, then by severity and priority."""
    rest = sorted(
        (hit for hit in hits if hit is not primary),
        key=lambda hit: (_SEVERITIES.index(hit.rule.severity), hit.rule.priority, hit.rule.id),
    )
    return (primary, *rest) if primary else tuple(rest)
