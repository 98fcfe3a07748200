"""Predictions against what real trainings on real cards did: largest batches, failures, peaks."""

from __future__ import annotations

import re

import pytest

from gpuconfig_app.core.plan import Interval
from tests.unit.planner.public_facts import KINDS, Fact, Predict, Verdict, facts, networks, predict, rows

FACTS = facts()


def _scaled(factor: float) -> Predict:
    def wrong(fact: Fact, batch: int) -> Interval:
        total = predict(fact, batch)
        return Interval(low=total.low * factor, expected=total.expected * factor, high=total.high * factor)

    return wrong


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact.id}-{fact.way}")
def test_no_prediction_contradicts_a_public_fact(fact: Fact) -> None:
    assert fact.judge(predict) is not Verdict.CONTRADICTION, _described(fact)


def test_most_predictions_need_no_looser_bound() -> None:
    verdicts = [fact.judge(predict) for fact in FACTS]

    assert verdicts.count(Verdict.CONSISTENT) >= 0.75 * len(verdicts)


@pytest.mark.parametrize(("factor", "least"), [(2.0, 18), (0.5, 15), (1.5, 8), (0.67, 8)])
def test_the_table_rejects_a_predictor_that_is_wrong(factor: float, least: int) -> None:
    """What the table can see; errors of a tenth are beyond it."""
    caught = {fact.id for fact in FACTS if fact.judge(_scaled(factor)) is Verdict.CONTRADICTION}

    assert len(caught) >= least


def test_rows_say_what_they_are_and_where_they_are_from() -> None:
    found = rows()["fact"]
    assert len(found) >= 60
    assert len({row["id"] for row in found}) == len(found)
    for row in found:
        assert row["kind"] in KINDS, row["id"]
        assert row["network"] in networks(), row["id"]
        assert all(row[name] for name in ("card", "framework")), row["id"]
        assert row["source"]["title"], row["id"]
        assert row["source"]["address"].startswith("https://"), row["id"]
        assert re.fullmatch(r"20\d\d-[01]\d-[0-3]\d", row["checked_on"]), row["id"]
        assert ("fails_at" in row) == (row["kind"] == "largest"), row["id"]
        assert ("peak_bytes" in row) == (row["kind"] == "peak_bytes"), row["id"]
        assert sum(name in row for name in ("usable_bytes", "card_bytes", "peak_bytes")) == 1, row["id"]
        loose = row.get("fits_factor", 1.0) != 1.0 or row.get("fails_factor", 1.0) != 1.0
        assert "why" in row or not loose, f"{row['id']}: a looser bound has a reason"


def test_bounds_hold_on_both_sides() -> None:
    fact = next(fact for fact in FACTS if fact.kind == "largest")

    assert fact.judge(_always(1.0)) is Verdict.CONTRADICTION
    assert fact.judge(_always(fact.most_usable * 3)) is Verdict.CONTRADICTION
    assert fact.judge(_always((fact.least_usable + fact.most_usable) / 2)) is Verdict.CONSISTENT


def _always(size: float) -> Predict:
    return lambda _fact, _batch: Interval(low=size, expected=size, high=size)


def _described(fact: Fact) -> str:
    batches = [batch for batch in (fact.batch, fact.fails_at) if batch is not None]
    totals = {batch: predict(fact, batch) for batch in batches}
    told = [f"batch {batch}: {total.low / 1e9:.2f} to {total.high / 1e9:.2f} GB" for batch, total in totals.items()]
    bounds = f"{fact.least_usable / 1e9:.2f} to {fact.most_usable / 1e9:.2f} GB"
    return f"{fact.kind} at {fact.batch} in {bounds}; predicted {', '.join(told)}"
