"""Predictions of a step's memory against measured steps, from stored graphs; and stored graphs against fresh ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.planner.liveness import peak_bytes
from gpuconfig_app.planner.liveness_order import Order
from tests.memory_graphs import FOLDER, load, name_of
from tests.memory_report import Point, figures, lines_of_report, points_of, trace, truths


@pytest.fixture(scope="module")
def points() -> list[Point]:
    return list(points_of(truths()))


def test_every_measured_step_is_predicted(points: list[Point]) -> None:
    measured = [point for point in points if point.order is Order.GPU]

    assert len(measured) == len(truths())
    assert len(measured) >= 120


@pytest.mark.parametrize(("order", "least"), [(Order.GPU, 40), (Order.PROCESSOR, 12)])
def test_networks_that_were_held_out_are_met(points: list[Point], order: Order, least: int) -> None:
    group = [point for point in points if point.is_held_out and not point.is_cudnn and point.order is order]
    found = figures(group)

    assert found.count >= least
    assert found.median <= 0.03
    assert found.inside >= 0.90
    assert found.width <= 0.25
    if order is Order.GPU:  # too few points of the other for shares of them
        assert found.p95 <= 0.15
        assert found.too_low <= 0.03


def test_weights_and_slots_are_those_that_were_measured(points: list[Point]) -> None:
    measured = {(row["model"], row["precision"], row["optimizer"]): row["variable_bytes"] for row in truths()}
    for point in points:
        parts = point.predicted.parts
        key = (point.model, point.precision, point.optimizer)
        assert parts.weights_bytes + parts.slots_bytes == measured[key], key


def test_the_report_names_both_parts_and_recurrent_networks(points: list[Point]) -> None:
    text = "\n".join(lines_of_report(points))

    assert "TUNED" in text
    assert "HELD OUT" in text
    assert "CUDNN KERNEL" in text


def assert_fresh_equals_stored(model: str, python: Path, folder: Path) -> None:
    rows = [row for row in truths() if row["model"] == model and row["optimizer"] == "adam"]
    rows = [row for row in rows if row["precision"] == "float32"]
    assert rows

    assert trace(rows, python, folder) == []

    name = name_of(model, "float32", "adam")
    fresh, stored = load(folder / name), load(FOLDER / name)
    for row in rows:
        one, other = fresh.at(row["batch"]), stored.at(row["batch"])
        assert one is not None
        assert other is not None
        assert peak_bytes(one) == peak_bytes(other)


@pytest.mark.parametrize("model", ["small_cnn", "mlp_tabular"])
def test_a_fresh_trace_equals_the_stored_graph(model: str, tensorflow_python: Path, tmp_path: Path) -> None:
    assert_fresh_equals_stored(model, tensorflow_python, tmp_path)


@pytest.mark.nightly
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("model", sorted({row["model"] for row in truths()} - {"small_cnn", "mlp_tabular"}))
def test_every_fresh_trace_equals_the_stored_graph(model: str, tensorflow_python: Path, tmp_path: Path) -> None:
    assert_fresh_equals_stored(model, tensorflow_python, tmp_path)
