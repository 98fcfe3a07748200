"""The wine table of scikit-learn, and a table with everything that tables have: gaps, words, rare classes."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.dataset import ColumnFacts, ColumnKind, DatasetFacts
from gpuconfig_app.scriptgen.generate import generate
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.scriptgen.write import write_bundle
from tests.templates.running import ScriptRunner, read_events
from tests.unit.scriptgen.plans import make_plan_by_hand, table_facts


def wine_facts(file: Path) -> DatasetFacts:
    """What the scan tells of the wine table."""
    with file.open(encoding="utf-8", newline="") as lines:
        names = next(csv.reader(lines))
    columns = [ColumnFacts(name=name, kind=ColumnKind.NUMBER) for name in names[:-1]]
    target = ColumnFacts(name=names[-1], kind=ColumnKind.NUMBER, is_integer=True, distinct_count=3)
    return replace(table_facts(str(file)), columns=(*columns, target))


def write_table_bundle(folder: Path, dataset: DatasetFacts, **answers: object) -> Path:
    """Write a bundle for a table; its train.py."""
    given = {"epochs": 60, "patience": 20, **answers}
    plan = make_plan_by_hand("cpu", "tabular", given, dataset, per_replica_batch=16)
    write_bundle(generate(load_template("tabular"), given, plan, dataset), folder)
    return folder / "train.py"


def test_wine_is_told_apart(runner: ScriptRunner, wine: Path, tmp_path: Path) -> None:
    script = write_table_bundle(tmp_path, wine_facts(wine), class_weights=True)

    trained = runner.run(script)
    guessed = runner.run(tmp_path / "predict.py", wine)

    assert trained.returncode == 0, trained.stderr
    result = next(event for event in read_events(tmp_path / "out" / "metrics.jsonl") if event["event"] == "result")
    assert result["test_accuracy"] >= 0.9
    lines = [json.loads(line) for line in guessed.stdout.splitlines()]
    with wine.open(encoding="utf-8", newline="") as rows:
        truth = [row["target"] for row in csv.DictReader(rows)]
    assert len(lines) == len(truth) == 178
    assert sum(line["class"] == name for line, name in zip(lines, truth, strict=True)) / 178 >= 0.95


def test_amounts_with_gaps_and_words_are_learnt(runner: ScriptRunner, tmp_path: Path) -> None:
    table = tmp_path / "prices.csv"
    factors = {"red": 1, "green": 5, "blue": 9}
    rows = ["id;size;colour;price"]
    for number in range(600):
        colour = list(factors)[number % 3]
        size = (number * 7) % 50
        shown = "n/a" if number % 40 == 0 else f"{size}.0" if number % 41 else "about 9"
        rows.append(f"{number};{shown};{colour if number % 30 else ''};{1000 + size * factors[colour]}")
    rows[5] = "5;3.0;red;"
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    columns = (
        ColumnFacts(name="id", kind=ColumnKind.IDENTIFIER),
        ColumnFacts(name="size", kind=ColumnKind.NUMBER, missing_count=15),
        ColumnFacts(name="colour", kind=ColumnKind.CATEGORY, distinct_count=3),
        ColumnFacts(name="price", kind=ColumnKind.NUMBER),
    )
    dataset = replace(table_facts(str(table)), columns=columns, delimiter=";")
    script = write_table_bundle(tmp_path / "bundle", dataset, target_task="regression", learning_rate=0.005)

    trained = runner.run(script)

    assert trained.returncode == 0, trained.stderr
    assert "1 row(s) without a target are left out" in trained.stdout
    assert "Column size: 14 cell(s) are no numbers" in trained.stdout
    events = read_events(tmp_path / "bundle" / "out" / "metrics.jsonl")
    result = next(event for event in events if event["event"] == "result")
    # guessing the mean is off by about 90
    assert result["test_mean_absolute_error"] < 30


@pytest.mark.nightly
def test_parquet_is_read_like_csv(runner: ScriptRunner, wine: Path, tmp_path: Path) -> None:
    parquet = tmp_path / "wine.parquet"
    program = tmp_path / "convert.py"
    program.write_text("import sys, pandas\npandas.read_csv(sys.argv[1]).to_parquet(sys.argv[2])\n", encoding="utf-8")
    assert runner.run(program, wine, parquet).returncode == 0
    dataset = replace(wine_facts(wine), path=str(parquet), table_format="parquet", delimiter=None)
    script = write_table_bundle(tmp_path / "bundle", dataset)

    trained = runner.run(script)

    assert trained.returncode == 0, trained.stderr
    events = read_events(tmp_path / "bundle" / "out" / "metrics.jsonl")
    assert next(event for event in events if event["event"] == "result")["test_accuracy"] >= 0.9
