"""The model of training times against the public figures: leaving each card out, the promises hold.

The figures lie in tests/data/throughput/public.json; ``packaging/fit_throughput.py`` prints the whole report.
"""

from __future__ import annotations

import importlib.util
import json
import math
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gpuconfig_app.knowledge.throughput import load_throughput_facts
from gpuconfig_app.planner.cards import Arithmetic
from gpuconfig_app.planner.roofline import CONVOLUTION, DEPTHWISE, TRANSFORMER, Speed, Work, time_of
from gpuconfig_app.resources import resource_path
from tests.source_files import ROOT


@pytest.fixture(scope="module")
def command() -> ModuleType:
    path = list(sys.path)
    spec = importlib.util.spec_from_file_location("fit_throughput", ROOT / "packaging" / "fit_throughput.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    sys.path[:] = path
    return made


@pytest.fixture(scope="module")
def figures(command: ModuleType) -> Any:
    return command.model.read_figures()


@pytest.fixture(scope="module")
def by_card(command: ModuleType, figures: Any) -> Any:
    return command.model.leave_out(figures, figures.chip)


def test_the_promises_hold_when_the_card_was_left_out(command, figures, by_card) -> None:
    """On all figures, odd ones too: error, band and order as promised."""
    quality = command.judge(figures, by_card)

    assert quality.median <= 0.15
    assert quality.covered >= 0.80
    assert quality.covered_by_card >= 0.80
    assert quality.width <= 2.5
    assert quality.order[0] >= 0.95
    assert quality.order[1] > 3000


def test_no_card_is_far_off(figures, by_card) -> None:
    error = figures.log_time - by_card
    medians = {chip: float(np.median(error[figures.chip == chip])) for chip in np.unique(figures.chip)}

    assert {chip: value for chip, value in medians.items() if abs(value) > math.log(1.3)} == {}


def test_order_of_cards_counted_once_each(command, figures, by_card) -> None:
    """One pair for each two cards and job; without the three figures that contradict their own system."""
    kept = ~figures.is_odd
    right, pairs = command.order_of_cells(figures.where(kept), by_card[kept])

    assert int(figures.is_odd.sum()) == 3
    assert right >= 0.95
    assert pairs > 1000


def test_the_order_can_be_wrong(command, figures) -> None:
    assert command.order_of_records(figures, -figures.log_time)[0] == 0


def test_what_was_left_out_did_not_teach(command, figures) -> None:
    """Changing a card's own figures does not change what is predicted for it."""
    own = figures.chip == "RTX 3070"
    changed = type(figures)(**vars(figures) | {"log_time": np.where(own, figures.log_time + 1, figures.log_time)})
    count = int(figures.network.max()) + 1

    one, other = (command.model.fit(data.where(~own), count) for data in (figures, changed))

    assert np.array_equal(one, other)


def test_the_shipped_table_is_a_fresh_fit(command, figures, by_card) -> None:
    model = command.model
    theta = model.fit(figures, int(figures.network.max()) + 1)
    known = command.half_width(figures, by_card, figures.chip)
    by_network = model.leave_out(figures, figures.network)
    other = command.half_width(figures, by_network, figures.network, command.COVERED_OF_NETWORKS)
    new = math.hypot(known, other)

    fresh = tomllib.loads(command.table_text(theta, known, new))
    shipped = tomllib.loads(resource_path("knowledge", "throughput.toml").read_text(encoding="utf-8"))

    assert list(fresh) == list(shipped)
    for kind in set(fresh) - {"schema"}:
        for row, held in zip(fresh[kind], shipped[kind], strict=True):
            assert _texts(row) == _texts(held)
            assert _numbers(row) == pytest.approx(_numbers(held), rel=5e-3), row["id"]


def _texts(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if not isinstance(value, int | float)}


def _numbers(row: dict[str, Any]) -> dict[str, float]:
    return {key: value for key, value in row.items() if isinstance(value, int | float)}


def test_the_planner_predicts_what_was_fitted(command, figures) -> None:
    """The formula of the program is the formula whose errors are reported."""
    model = command.model
    theta = model.fit(figures, int(figures.network.max()) + 1)
    fitted = np.exp(model.predict(theta, figures, int(figures.network.max()) + 1))
    cards, networks = model.read_cards(), model.read_networks()
    for place, record in enumerate(model.read_records()):
        predicted = _by_planner(model, record, cards[record["card"]], networks[record["network"]])
        assert predicted == pytest.approx(fitted[place], rel=0.02), record


def _by_planner(model: ModuleType, record: dict[str, Any], card: dict[str, Any], network: dict[str, Any]) -> float:
    facts = load_throughput_facts()
    name, batch = record["network"], record["batch"] or 64
    is_mixed, kind = record["precision"] != "float32", model.arithmetic(record, card)
    of_kind = DEPTHWISE if name in model.DEPTHWISE else TRANSFORMER if name in model.TRANSFORMERS else CONVOLUTION
    counted = network["mixed_bfloat16" if is_mixed else "float32"]
    xla = facts.numbers["xla-mixed" if is_mixed else "xla-float32"] if record["is_xla"] else 1.0
    work = Work(
        operations=6 * network["macs"],
        sample_bytes=counted["sample_bytes"] * xla,
        step_bytes=(counted["step_bytes"] + 32 * network["params"]) * xla,
        layer_count=network["layer_count"],
        kind=of_kind,
        network_id=model.SAME_NETWORK.get(name, name),
        is_mixed=is_mixed,
        uses_xla=of_kind != CONVOLUTION,
    )
    speed = Speed(
        arithmetic=Arithmetic(kind),
        peak_flops=card[f"{kind}_tflops"] * 1e12,
        bandwidth_bytes_per_s=card["bandwidth_gbs"] * 1e9,
        maker=card["vendor"],
    )
    return time_of(work, speed).at(batch) / batch


def test_every_figure_names_its_source(command) -> None:
    assert all(record["source"] for record in command.model.read_records())
    assert all("catalogue" in row or row["source"] for row in command.model.read_cards().values())


def test_a_fresh_count_is_the_stored_one(tensorflow_python: Path) -> None:
    """The two networks that templates write themselves, counted again."""
    asked = (
        "import json, count_traffic as c\n"
        "print(json.dumps([c.count(name, c.OFFERED[name], is_fused=False) for name in ('small_cnn', 'mlp')]))"
    )
    folder = ROOT / "packaging"
    done = subprocess.run(
        [tensorflow_python, "-c", asked], cwd=folder, capture_output=True, text=True, timeout=300, check=True
    )
    stored = json.loads((ROOT / "tests/data/throughput/networks.json").read_text(encoding="utf-8"))["networks"]

    fresh = {row["name"]: row for row in json.loads(done.stdout.splitlines()[-1])}

    assert fresh == {row["name"]: row for row in stored if row["name"] in fresh}
