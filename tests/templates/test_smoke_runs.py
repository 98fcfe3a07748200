"""``--smoke`` of many bundles with real TensorFlow: a small set in every test run, hundreds in the nightly target."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.generate import generate
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.scriptgen.write import write_bundle
from tests.templates.running import ScriptRunner, read_events
from tests.templates.test_trouble import run_many
from tests.unit.scriptgen.cases import Case, load_cases

CASES = load_cases()
SYNCHRONIZED = Case(
    "image_classification", "synchronized", "two_gpus_accumulating", {"model": "small_cnn", "image_size": 32}
)
AMOUNTS = Case("tabular", "amounts", "two_gpus", {"target": "price", "optimizer": "momentum"})
WEIGHTED = Case("tabular", "weighted", "two_gpus_accumulating", {"class_weights": True, "schedule": "constant"})
NIGHTLY = pytest.mark.nightly


def smoke(runner: ScriptRunner, folder: Path, cases: list[Case], *options: str) -> None:
    """Write the bundles and smoke-run them in one interpreter."""
    for case in cases:
        write_bundle(case.bundle(), folder / case.id)
    jobs = [[str(folder / case.id / "train.py"), "--smoke", "--out", str(folder / case.id / "out")] for case in cases]

    codes = run_many(runner, folder, jobs, *options)

    assert dict(zip([case.id for case in cases], codes, strict=True)) == {case.id: 0 for case in cases}
    for case in cases:
        events = {event["event"]: event for event in read_events(folder / case.id / "out" / "metrics.jsonl")}
        assert {"start", "devices", "data", "epoch", "result", "exit"} <= set(events)
        assert events["epoch"]["loss"] is not None


def test_pairs_of_options(runner: ScriptRunner, tmp_path: Path) -> None:
    smoke(runner, tmp_path, [case for case in CASES if case.run == "ci"])


@pytest.mark.parametrize(
    "case", [SYNCHRONIZED, AMOUNTS, pytest.param(WEIGHTED, marks=NIGHTLY)], ids=lambda case: case.name
)
def test_two_devices_in_one_strategy(runner: ScriptRunner, tmp_path: Path, case: Case) -> None:
    """One process each: collective operations of one strategy are remembered and disturb the next."""
    smoke(runner, tmp_path, [case], "--two-devices")


@pytest.mark.nightly
@pytest.mark.parametrize("case", [case for case in CASES if case.run == "nightly"], ids=lambda case: case.id)
def test_every_network(runner: ScriptRunner, tmp_path: Path, case: Case) -> None:
    smoke(runner, tmp_path, [case])


def _products() -> list[Case]:
    """Every optimizer, schedule and kind of plan with every yes and no: 320 bundles."""
    plans = ("cpu", "cpu_accumulating", "cpu_float16", "cpu_bfloat16_accumulating")
    optimizers = ("sgd", "momentum", "rmsprop", "adam", "adamw")
    pairs = itertools.product(plans, optimizers, ("cosine", "constant"), (False, True), (False, True))
    cases: list[Case] = []
    for number, (plan, optimizer, schedule, weights, flag) in enumerate(pairs):
        common: dict[str, JsonValue] = {"optimizer": optimizer, "schedule": schedule, "clip_norm": 1.0 if flag else 0.0}
        pictures = common | {"model": "small_cnn", "image_size": 32, "augment": flag, "class_weights": weights}
        cases.append(Case("image_classification", f"product_{number}", plan, pictures))
        table = common | ({"class_weights": flag} if weights else {"target": "price"})
        cases.append(Case("tabular", f"product_{number}", plan, table))
    return cases


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(16))
def test_products_of_options_train_save_and_resume(runner: ScriptRunner, tmp_path: Path, part: int) -> None:
    cases = _products()[part::16]
    smoke(runner, tmp_path, cases)

    again = [
        [str(tmp_path / case.id / "train.py"), "--smoke", "--resume", "--out", str(tmp_path / case.id / "out")]
        for case in cases
    ]
    assert run_many(runner, tmp_path, again) == [0] * len(cases)


def test_the_products_are_many() -> None:
    cases = _products()

    assert len(cases) >= 240
    assert len({case.id for case in cases}) == len(cases)
    for case in cases[:4]:
        assert generate(load_template(case.template), case.answers, case.bundle().recipe.plan, case.dataset).files
