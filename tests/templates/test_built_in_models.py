"""What ships about memory is about the networks that the generated scripts build, and equals a fresh trace."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.knowledge.step_memory import load_step_memory
from gpuconfig_app.planner.own_networks import own_network_sums, rule_sizes
from gpuconfig_app.scriptgen.generate import generate
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.scriptgen.write import write_bundle
from tests.templates.running import ScriptRunner
from tests.templates.test_tables import wine_facts, write_table_bundle
from tests.unit.scriptgen.plans import make_plan_by_hand, pictures_facts

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.insert(0, str(PACKAGING))

import make_step_memory  # noqa: E402  # a maintainer's tool, no package
import step_memory_table  # noqa: E402  # as above

TEN = tuple("abcdefghij")
SIDE = 96


def write_pictures_bundle(folder: Path, **answers: object) -> Path:
    given = {"image_size": SIDE, "epochs": 1, "pretrained": False, **answers}
    dataset = pictures_facts(str(folder), TEN)
    plan = make_plan_by_hand("cpu", "image_classification", given, dataset)
    write_bundle(generate(load_template("image_classification"), given, plan, dataset), folder)
    return folder / "train.py"


def test_traced_networks_are_those_of_the_scripts(runner: ScriptRunner, wine: Path, tmp_path: Path) -> None:
    pictures = [
        ({"model": model}, f"{model}_{SIDE}")
        for model in ("resnet50", "mobilenet_v2", "mobilenet_v3_large", "efficientnet_v2_b0", "densenet121")
    ]
    pictures.append(
        ({"model": "convnext_tiny", "trained_part": "head", "pretrained": True}, f"convnext_tiny_{SIDE}_head")
    )
    pictures.append(({"model": "small_cnn", "width": 24, "blocks": 4}, f"small_cnn_w24_b4_{SIDE}"))
    jobs = [
        [str(write_pictures_bundle(tmp_path / name, **answers)), [SIDE, 10], name]  # type: ignore[arg-type]  # JSON
        for answers, name in pictures
    ]
    table = write_table_bundle(tmp_path / "table", wine_facts(wine), hidden_layers=3, hidden_units=48)
    preparation = {"means": [0.0] * 13, "variances": [1.0] * 13, "vocabularies": [], "class_names": list("abc")}
    jobs.append([str(table), [preparation], "mlp_f13_l3_u48_c3"])
    (tmp_path / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")

    done = runner.helper("compare_models.py", PACKAGING, tmp_path / "jobs.json", tmp_path / "answers.json")

    assert done.returncode == 0, done.stderr[-2000:]
    differences = json.loads((tmp_path / "answers.json").read_text(encoding="utf-8"))
    assert differences == {name: [] for _, _, name in jobs}


def fresh(case: make_step_memory.Case, python: Path, folder: Path) -> step_memory_table.Traced:
    """Trace a case now."""
    told = make_step_memory.trace(case, folder, str(python), make_step_memory.PROBE)
    assert told.endswith(" s"), told
    return step_memory_table.read_case(folder / f"{case.name}.jsonl")


@pytest.mark.parametrize(
    ("model", "precision", "optimizer", "is_frozen"),
    [("mobilenet_v2", "float32", "adam", False), ("resnet50", "mixed_float16", "adam", True)],
)
def test_shipped_curves_equal_a_fresh_trace(
    model: str, precision: str, optimizer: str, is_frozen: bool, tensorflow_python: Path, tmp_path: Path
) -> None:
    name = f"{model}_224{'_head' if is_frozen else ''}"
    case = make_step_memory.Case(name, precision, optimizer, make_step_memory.BATCHES)

    traced = fresh(case, tensorflow_python, tmp_path)

    network = load_step_memory().network(model)
    assert network is not None
    shipped = network.curve(Precision(precision), Optimizer(optimizer), is_frozen=is_frozen)
    assert shipped is not None
    assert (traced.batches, traced.live, traced.gradients) == (
        shipped.batches,
        shipped.live_bytes,
        shipped.gradient_bytes,
    )


def test_a_shipped_rule_tells_a_network_it_never_saw(tensorflow_python: Path, tmp_path: Path) -> None:
    model = "small_cnn_w20_b4_112"
    assert model not in set(make_step_memory.own_networks())
    traced = fresh(
        make_step_memory.Case(model, "mixed_float16", "adam", make_step_memory.BATCHES), tensorflow_python, tmp_path
    )

    rule = load_step_memory().rules_of("small_cnn")[Precision.MIXED_FLOAT16]
    sums = own_network_sums(step_memory_table.workload_of(model)) or {}
    batches = (8, 64, 512)

    for batch, told in zip(batches, rule_sizes(rule, sums, batches), strict=True):
        assert told == pytest.approx(traced.curve.at(batch), rel=0.02)


@pytest.mark.nightly
def test_the_whole_table_equals_fresh_traces(tensorflow_python: Path, tmp_path: Path) -> None:
    """All cases: hours on two cores."""
    for case in make_step_memory.all_cases():
        told = make_step_memory.trace(case, tmp_path, str(tensorflow_python), make_step_memory.PROBE)
        assert told.endswith(" s"), told

    made = subprocess.run(
        [sys.executable, str(PACKAGING / "step_memory_table.py"), str(tmp_path)],
        capture_output=True, text=True, check=True, timeout=3000,
    )  # fmt: skip

    text = step_memory_table.make_table(tmp_path, [])
    shipped = step_memory_table.TARGET.read_text(encoding="utf-8")
    undated = [line for line in shipped.splitlines() if not line.startswith("checked_on")]
    assert made.returncode == 0
    assert [line for line in text.splitlines() if not line.startswith("checked_on")] == undated
