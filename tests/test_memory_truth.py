"""The truth set of memory predictions: the replay of a step's events, the tool that makes it, the stored points."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.fakes import write_program
from tests.source_files import ROOT

FOLDER = ROOT / "tests" / "data" / "memory"
PROBE = ROOT / "resources" / "probes" / "measure_model.py"
POINTS: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "truth.jsonl").read_text(encoding="utf-8").splitlines()
]

# Writes the points it is asked for into the file of --out, but dies at one of them.
STAND_IN = """
import json, sys
out = sys.argv[sys.argv.index("--out") + 1]
for text in (word for word in sys.argv[1:] if word.startswith("architectures:")):
    name, precision, optimizer, batch = text.split(":")[1].split(",")[:4]
    if (name, precision, batch) == ("mlp_wide", "float32", "64"):
        sys.exit("killed for memory")
    row = {"model": name, "precision": precision, "optimizer": optimizer, "batch": int(batch), "spread": 0.0,
           "left_bytes": 9000 if name == "mlp_deep" else 0, "step_peak_bytes": 9999}
    with open(out, "a") as file:
        file.write(json.dumps(row) + "\\n")
"""


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def probe() -> ModuleType:
    """The maintainer's probe; TensorFlow is imported only by its functions that measure."""
    return _load(PROBE)


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    """The command that measures all points."""
    return _load(ROOT / "packaging" / "measure_truth.py")


class Notes:
    """Memory events as the profiler gives them, written by hand."""

    def __init__(self) -> None:
        self.events: list[tuple[int, int, dict[str, object]]] = []

    def asks(self, address: int, size: int, region: str = "output", kernel: str = "MatMul") -> Notes:
        stats = {"addr": address, "requested_bytes": size, "region_type": region, "tf_op": kernel}
        self.events.append((len(self.events), 1, stats))
        return self

    def frees(self, address: int, size: int) -> Notes:
        self.events.append((len(self.events), -1, {"addr": address, "requested_bytes": size}))
        return self


def test_replay_finds_the_highest_sum_in_whole_grains(probe: ModuleType) -> None:
    notes = Notes().asks(10, 1000).asks(20, 1).frees(10, 1000).asks(10, 300).asks(30, 0)

    assert probe.replay(notes.events) == (1024 + 256, 1024 + 256, 512 + 256)


def test_scratch_of_a_kernel_is_told_apart(probe: ModuleType) -> None:
    notes = Notes().asks(10, 512, kernel="Conv2D").asks(20, 4096, "temp", "Conv2D").frees(20, 4096).frees(10, 512)

    assert probe.replay(notes.events) == (512, 512 + 4096, 0)


def test_what_outlives_the_kernel_that_asked_for_scratch_is_a_tensor(probe: ModuleType) -> None:
    notes = Notes().asks(10, 4096, "temp", "Mean").asks(20, 512, kernel="Mul").frees(10, 4096)

    assert probe.replay(notes.events) == (4096 + 512, 4096 + 512, 512)


def test_the_old_value_of_a_variable_makes_room_for_its_new_one(probe: ModuleType) -> None:
    notes = Notes().asks(10, 2048, "temp", "AssignSub").asks(20, 256, kernel="Mul").frees(5, 2048).asks(30, 1024)

    assert probe.replay(notes.events) == (2048 + 256, 2048 + 256, 1024 + 256)


def test_an_address_is_used_again(probe: ModuleType) -> None:
    notes = Notes().asks(10, 1024, "temp", "Conv2D").frees(10, 1024).asks(10, 256, kernel="Conv2D").frees(10, 256)

    assert probe.replay(notes.events) == (256, 1024, 0)


def test_an_old_python_can_read_the_probe() -> None:
    ast.parse(PROBE.read_text(encoding="utf-8"), feature_version=(3, 7))


def test_a_process_that_fails_costs_the_point_it_was_at(maker: ModuleType, tmp_path: Path, capsys) -> None:
    python = write_program(tmp_path, "python", STAND_IN)
    into = tmp_path / "truth.jsonl"
    wanted = ["--python", str(python), "--into", str(into), "--only", "mlp_wide", "--only", "mlp_tabular"]

    assert maker.main(wanted) == 1

    rows = [json.loads(line) for line in into.read_text(encoding="utf-8").splitlines()]
    assert Counter(row["model"] for row in rows) == {"mlp_wide": 4, "mlp_tabular": 5}
    assert {(row["family"], row["is_held_out"], row["is_cudnn"]) for row in rows} == {("MLP", False, False)}
    assert "killed for memory" in capsys.readouterr().out


def test_points_that_are_there_are_not_measured_again(maker: ModuleType, tmp_path: Path) -> None:
    python = write_program(tmp_path, "python", STAND_IN)
    into = tmp_path / "truth.jsonl"
    wanted = ["--python", str(python), "--into", str(into), "--only", "mlp_tabular"]
    assert maker.main(wanted) == 0
    before = into.read_bytes()
    broken = write_program(tmp_path, "broken", "raise SystemExit('never started')")

    assert maker.main(["--python", str(broken), *wanted[2:]]) == 0

    assert into.read_bytes() == before


def test_a_step_that_leaves_tensors_behind_is_no_truth(maker: ModuleType, tmp_path: Path) -> None:
    python = write_program(tmp_path, "python", STAND_IN)
    into = tmp_path / "truth.jsonl"

    assert maker.main(["--python", str(python), "--into", str(into), "--only", "mlp_deep"]) == 1

    assert into.read_text(encoding="utf-8") == ""


def test_every_network_has_batches(maker: ModuleType) -> None:
    assert maker.BATCHES.keys() == maker.read_architectures().families.keys()


def test_the_stored_set_is_wide_enough() -> None:
    assert len(POINTS) >= 120
    assert len({point["model"] for point in POINTS}) >= 20
    assert {point["precision"] for point in POINTS} == {"float32", "mixed_float16", "mixed_bfloat16"}
    assert {point["optimizer"] for point in POINTS} == {"sgd", "momentum", "rmsprop", "adam", "adamw"}
    sizes = defaultdict(set)
    for point in POINTS:
        sizes[point["model"]].add(point["batch"])
    assert not [model for model, batches in sizes.items() if len(batches) < 2]


def test_stored_points_say_what_they_are(maker: ModuleType) -> None:
    known = maker.read_architectures()

    for point in POINTS:
        model = point["model"]
        assert (point["family"], point["is_held_out"], point["is_cudnn"]) == (
            known.families[model], model in known.held_out, model in known.cudnn,
        )  # fmt: skip
        assert point.keys() >= {"tensorflow", "keras", "measured_on"}
        assert maker.usable(point)


def test_stored_points_stand_in_order_and_once(maker: ModuleType) -> None:
    places = [maker.place(point) for point in POINTS]

    assert places == sorted(set(places))


def test_parts_of_a_stored_point_sum_to_the_whole() -> None:
    for point in POINTS:
        parts = ("variable_bytes", "input_bytes", "live_bytes")
        assert point["step_peak_bytes"] == sum(point[part] for part in parts)
        assert all(point[part] % 256 == 0 for part in parts)
        assert point["variable_bytes"] >= point["weight_bytes"] + point["optimizer_bytes"]


def test_a_larger_batch_took_more() -> None:
    series = defaultdict(list)
    for point in POINTS:
        series[point["model"], point["precision"], point["optimizer"]].append((point["batch"], point["live_bytes"]))

    for values in series.values():
        lives = [live for _, live in sorted(values)]
        assert lives == sorted(lives)


def test_whole_architectures_are_held_out(maker: ModuleType) -> None:
    known = maker.read_architectures()
    members = Counter(known.families.values())
    held = {known.families[model] for model in known.held_out}

    assert len(known.held_out & {point["model"] for point in POINTS}) >= 8
    assert {family for family, count in members.items() if count > 1} <= held
    assert 0.25 < sum(point["is_held_out"] for point in POINTS) / len(POINTS) < 0.5


def test_a_point_is_measured_again(tensorflow_python: Path, tmp_path: Path) -> None:
    out = tmp_path / "points.jsonl"
    cases = ("architectures:small_cnn,float32,adam,32", "architectures:small_cnn,mixed_float16,adam,0")
    words = [tensorflow_python, PROBE, "--path", FOLDER, "--out", out, *cases]

    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)

    if not sys.platform.startswith("linux"):
        assert "only possible on Linux" in done.stderr
        return
    measured, impossible = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    stored = next(
        point
        for point in POINTS
        if (point["model"], point["precision"], point["batch"]) == ("small_cnn", "float32", 32)
    )
    assert measured["step_peak_bytes"] == pytest.approx(stored["step_peak_bytes"], rel=0.01)
    assert measured["variable_bytes"] == stored["variable_bytes"]
    assert measured["spread"] <= 0.01
    assert "error" in impossible
