"""Makes ``resources/knowledge/step_memory.toml`` out of traced training steps; a maintainer's tool.

    step_memory_table.py FOLDER [--write] [--report]

FOLDER holds what ``make_step_memory.py trace`` wrote. Published networks get a curve for each case; for networks of
free shape a few sums over their layers are weighed so that no traced step is more than a little above (non-negative
least squares on relative errors), and how far they miss is the rule's interval.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gpuconfig_app.core.step_graph import parse_step_graph  # noqa: E402  # a tool, no package
from gpuconfig_app.core.workload import Workload  # noqa: E402  # a tool, no package
from gpuconfig_app.knowledge.models import load_training_facts  # noqa: E402  # a tool, no package
from gpuconfig_app.planner.allocator import Regime, least_limit_bytes  # noqa: E402  # a tool, no package
from gpuconfig_app.planner.liveness import StepPeak, StepTraces, step_peak  # noqa: E402  # a tool, no package
from gpuconfig_app.planner.own_networks import BEND, own_network_sums, rule_sizes  # noqa: E402  # a tool, no package
from gpuconfig_app.planner.step_curve import StepCurve  # noqa: E402  # a tool, no package

TARGET = ROOT / "resources" / "knowledge" / "step_memory.toml"
PRECISIONS = ("float32", "mixed_float16", "mixed_bfloat16")
OPTIMIZERS = ("adam", "adamw", "momentum", "rmsprop", "sgd")
CLASSES, USUAL_SIDE, LARGE_BATCH = 10, 224, 37
CHECKED_ON = time.strftime("%Y-%m-%d", time.gmtime())
KNOTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536)
_FILE = re.compile(r"^(?P<model>.+?)-(?P<precision>float32|mixed_float16|mixed_bfloat16)-(?P<optimizer>\w+)$")

# What each kind of rule may weigh: sums that grow with the batch, that don't, and that are needed at least.
GROWING = ("computed", "largest", "pooled", "input")
FIXED = ("trained", "one")
FLOOR = {"mlp": ("trained", "adjacent"), "small_cnn": ("trained",)}

# A floor is read off a curve whose smallest batch lies so far above its line.
BENT = 1.05
JUDGED_FROM = 16 * 1024**2
CARD_BYTES, MOST_BATCH = 10 * 1024**3, 65536
OWN = ("mlp", "small_cnn")

HEAD = """\
# Memory of the training steps of the networks that templates write, beside weights and the optimizer's slots.
# Made by packaging/step_memory_table.py from traces of packaging/make_step_memory.py: don't edit.
#
# [[network]]: published networks. batches, live_bytes, gradient_bytes: knots of a curve that is straight between them;
# low_bytes, high_bytes: its interval; extent: the allocator's region over all that lives. sizes: growth with each
# sample at another picture size. Other optimizers than Adam were traced at one small batch; what they need more there
# is added to Adam's curve everywhere.
# [[rule]]: networks of free shape, as weighed sums over their layers (planner/own_networks.py).
schema = 1
"""


@dataclass(frozen=True)
class Traced:
    """One case.

    Attributes:
        batches: Knots.
        live: Bytes beside weights and slots at each.
        gradients: Of them, gradients of weights.
        lows: Lower end of the interval at each.
        highs: Upper end.
        extent: The allocator's region as a share of all that lives.
    """

    model: str
    precision: str
    optimizer: str
    batches: tuple[int, ...]
    live: tuple[int, ...]
    gradients: tuple[int, ...]
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    extent: float

    @property
    def curve(self) -> StepCurve:
        """The curve that the planner makes of it."""
        return StepCurve(
            knots=tuple(zip(map(float, self.batches), map(float, self.live), strict=True)),
            gradients=tuple(map(float, self.gradients)),
            lows=tuple(map(float, self.lows)),
            highs=tuple(map(float, self.highs)),
            extent=self.extent,
            basis="traced",
        )

    @property
    def line(self) -> tuple[float, float]:
        """What does not grow with the batch, and what each sample adds, where the batch is large."""
        slope = (self.live[-1] - self.live[-2]) / (self.batches[-1] - self.batches[-2])
        return self.live[-1] - slope * self.batches[-1], slope


def read_case(path: Path) -> Traced:
    """Walk the graphs of one file."""
    found = _FILE.match(path.stem)
    if found is None:
        raise ValueError(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    read = (parse_step_graph(line) for line in lines if json.loads(line)["record"] == "graph")
    graphs = list({graph.batch: graph for graph in read}.values())
    traces = StepTraces(graphs)
    fixed = sum(item.size_bytes for item in graphs[0].variables)
    first = step_peak(graphs[0])
    if len(graphs) == 1:
        knots = [(graphs[0].batch, first.peak_bytes)]
    else:
        curve = traces.curve(KNOTS)
        if curve is None:
            raise ValueError(f"the graphs of {path} are not alike")
        knots = list(curve.knots)
    peaks = [_peak_at(traces, batch) for batch, _ in knots]
    live = [peak.peak_bytes - fixed for peak in peaks]
    return Traced(
        model=found["model"],
        precision=found["precision"],
        optimizer=found["optimizer"],
        batches=tuple(batch for batch, _ in knots),
        live=tuple(live),
        gradients=tuple(peak.parts.gradients_bytes for peak in peaks),
        lows=tuple(peak.low_bytes - fixed for peak in peaks),
        highs=tuple(peak.high_bytes - fixed for peak in peaks),
        extent=_extent(_of_size(traces, first, knots)),
    )


def _of_size(traces: StepTraces, first: StepPeak, knots: Sequence[tuple[int, int]]) -> StepPeak:
    """Give the step with about as much memory as cards have; the one there is where only one batch was traced."""
    if len(knots) < 2:
        return first
    (before, low), (after, high) = knots[-2:]
    batch = before + (CARD_BYTES - low) * (after - before) / (high - low)
    return _peak_at(traces, min(MOST_BATCH, max(1, round(batch))))


def _peak_at(traces: StepTraces, batch: int) -> StepPeak:
    graph = traces.at(batch)
    if graph is None:
        raise ValueError(batch)
    return step_peak(graph)


def _extent(peak: StepPeak) -> float:
    """Give the least memory, taken as the scripts take it, in which steps come to their end, over what lives."""
    released = {number for number, size in peak.allocations if size == 0}
    resident = [size for number, size in peak.allocations if size and number not in released]
    step = [item for item in peak.allocations if item[0] in released]
    return least_limit_bytes(resident, step, regime=Regime.GROWTH) / peak.peak_bytes


def workload_of(model: str) -> Workload:
    """Give the workload that a network of free shape belongs to."""
    if found := re.fullmatch(r"small_cnn_w(\d+)_b(\d+)_(\d+)", model):
        width, blocks, side = map(int, found.groups())
        return Workload(
            model_id="small_cnn",
            model_options={"width": width, "blocks": blocks},
            input_shape=(side, side, 3),
            output_units=CLASSES,
        )
    found = re.fullmatch(r"mlp_f(\d+)_l(\d+)_u(\d+)", model)
    if found is None:
        raise ValueError(model)
    features, layers, units = map(int, found.groups())
    return Workload(
        model_id="mlp",
        model_options={"hidden_layers": layers, "hidden_units": units},
        input_shape=(features,),
        output_units=CLASSES,
    )


def weigh(rows: Sequence[Sequence[float]], wanted: Sequence[float]) -> list[float]:
    """Give weights, none negative, that bring each row's sum near to what is wanted, relative errors counted."""
    scaled = [[value / aim for value in row] for row, aim in zip(rows, wanted, strict=True)]
    count = len(rows[0])
    norms = [sum(row[place] ** 2 for row in scaled) or 1.0 for place in range(count)]
    weights = [0.0] * count
    for _ in range(20_000):
        change = 0.0
        for place in range(count):
            slope = sum(row[place] * (1 - sum(map(_times, row, weights))) for row in scaled)
            new = max(0.0, weights[place] + slope / norms[place])
            change = max(change, abs(new - weights[place]) * math.sqrt(norms[place]))
            weights[place] = new
        if change < 1e-9:
            break
    return weights


def _times(one: float, other: float) -> float:
    return one * other


def make_rule(kind: str, cases: Sequence[Traced], report: list[str]) -> list[str]:
    """Fit the rule of one kind of network in one precision, and judge it with each network left out."""
    fitted = _fit(kind, cases)
    errors = []
    for left_out in cases:
        rule = _fit(kind, [case for case in cases if case is not left_out])
        for batch, size in _points(left_out):
            errors.append((_predict(rule, left_out.model, batch) / size, left_out.model, batch))
    inside = sorted(1 / error for error, _, _ in errors)
    low, high = inside[int(0.03 * len(inside))], inside[min(len(inside) - 1, int(0.97 * len(inside)))]
    missed = [abs(error - 1) for error, _, _ in errors]
    worst = sorted(errors)
    report.append(
        f"{kind} {cases[0].precision}: left out each, median {statistics.median(missed):.1%}, "
        f"worst {worst[0][0] - 1:+.1%} {worst[0][1:]} {worst[-1][0] - 1:+.1%} {worst[-1][1:]}"
    )
    large = [(case.lows[-1] / case.live[-1], case.highs[-1] / case.live[-1]) for case in cases]
    own_low, own_high = min(ends[0] for ends in large), max(ends[1] for ends in large)
    return [
        f"per_sample = {_inline(fitted.per_sample)}",
        f"fixed = {_inline(fitted.fixed)}",
        f"floor = {_inline(fitted.floor)}",
        f"low = {max(0.5, min(low, 1.0) - (1 - own_low)):.3f}",
        f"high = {max(high, 1.0) + own_high - 1:.3f}",
        f"extent = {max(case.extent for case in cases):.3f}",
    ]


def _inline(weights: Mapping[str, float]) -> str:
    return "{ " + ", ".join(f"{name} = {weight}" for name, weight in weights.items()) + " }"


def _points(case: Traced) -> list[tuple[int, int]]:
    """Give batches at which a rule is judged: those whose step holds enough to matter on any card."""
    points = ((batch, round(case.curve.at(batch))) for batch in (1, 8, 32, 128, 512, 2048, 8192))
    return [(batch, size) for batch, size in points if size >= JUDGED_FROM]


@dataclass(frozen=True)
class Weights:
    """What a rule weighs its sums with."""

    per_sample: Mapping[str, float]
    fixed: Mapping[str, float]
    floor: Mapping[str, float]


def _fit(kind: str, cases: Sequence[Traced]) -> Weights:
    sums = {case.model: own_network_sums(workload_of(case.model)) or {} for case in cases}
    floors = []
    for case in cases:
        line = sum(case.line)
        if case.curve.at(1) > line * BENT:
            floors.append((case, (case.curve.at(1) ** BEND - max(line, 0.0) ** BEND) ** (1 / BEND)))
    return Weights(
        per_sample=_weights(GROWING, [sums[case.model] for case in cases], [case.line[1] for case in cases]),
        fixed=_weights(FIXED, [sums[case.model] for case in cases], [max(case.line[0], 4096.0) for case in cases]),
        floor=_weights(FLOOR[kind], [sums[case.model] for case, _ in floors], [size for _, size in floors]),
    )


def _weights(names: Sequence[str], sums: Sequence[Mapping[str, int]], wanted: Sequence[float]) -> dict[str, float]:
    if not sums:
        return {}
    found = weigh([[float(item[name]) for name in names] for item in sums], wanted)
    return {name: float(f"{weight:.5g}") for name, weight in zip(names, found, strict=True) if weight > 1e-9}


def _predict(rule: Weights, model: str, batch: int) -> float:
    return rule_sizes(rule, own_network_sums(workload_of(model)) or {}, [batch])[0]


def make_network(model: str, cases: Mapping[str, Traced], report: list[str]) -> list[str]:
    """Give the lines of one published network."""
    curves = []
    for precision in PRECISIONS:
        adam = cases.get(f"{model}_{USUAL_SIDE}-{precision}-adam")
        for optimizer in OPTIMIZERS if adam is not None else ():
            curve = adam if optimizer == "adam" or adam is None else _other(optimizer, cases, adam)
            if curve is not None:
                curves.append(_curve_line(curve, is_frozen=False))
        head = cases.get(f"{model}_{USUAL_SIDE}_head-{precision}-adam")
        if head is not None:
            curves.append(_curve_line(head, is_frozen=True))
    sizes = []
    for precision in PRECISIONS[:2]:
        usual = cases.get(f"{model}_{USUAL_SIDE}-{precision}-adam")
        others = [(side, cases.get(f"{model}_{side}-{precision}-adam")) for side in (128, 384)]
        for side, other in others:
            if usual is not None and other is not None:
                base, slope = usual.line
                factor = (other.live[-1] - base) / LARGE_BATCH / slope
                report.append(f"{model} {precision} {side}: factor {factor:.4f}, pixels {(side / USUAL_SIDE) ** 2:.4f}")
                sizes.append(f'  {{ precision = "{precision}", side = {side}, factor = {factor:.4f} }},')
    report.append(f"{model}: {len(curves)} curves, {len(sizes)} sizes")
    return [
        "",
        "[[network]]",
        f'id = "{model}"',
        f"classes = {CLASSES}",
        f"usual_side = {USUAL_SIDE}",
        "curves = [",
        *curves,
        "]",
        "sizes = [",
        *sizes,
        "]",
    ]


def _other(optimizer: str, cases: Mapping[str, Traced], adam: Traced) -> Traced | None:
    """Give another optimizer's curve: Adam's, and at every batch what its update needs beyond at the traced one.

    Weights that are copied because they are decayed while they are still read lie there during the whole step.
    """
    traced_in = "float32" if adam.precision == "mixed_bfloat16" else adam.precision
    found = cases.get(f"{adam.model}-{traced_in}-{optimizer}")
    beside = cases.get(f"{adam.model}-{traced_in}-adam")
    if found is None or beside is None:
        return None
    batch = found.batches[0]
    usual, highest = round(beside.curve.at(batch)), round(beside.curve.high_at(batch) - beside.curve.at(batch))
    more = max(0, found.live[0] - usual)
    wider = max(0, found.highs[0] - found.live[0] - highest)
    return replace(
        adam,
        optimizer=optimizer,
        live=tuple(size + more for size in adam.live),
        lows=tuple(size + more for size in adam.lows),
        highs=tuple(size + more + wider for size in adam.highs),
        extent=max(found.extent, adam.extent) if found.live[0] > JUDGED_FROM * 64 else adam.extent,
    )


def _curve_line(case: Traced, *, is_frozen: bool) -> str:
    frozen = ", is_backbone_frozen = true" if is_frozen else ""
    return (
        f'  {{ precision = "{case.precision}", optimizer = "{case.optimizer}", side = {USUAL_SIDE}{frozen}, '
        f"batches = {list(case.batches)}, live_bytes = {list(case.live)}, gradient_bytes = {list(case.gradients)}, "
        f"low_bytes = {list(case.lows)}, high_bytes = {list(case.highs)}, extent = {case.extent:.3f} }},"
    )


def make_table(folder: Path, report: list[str]) -> str:
    """Give the whole table."""
    cases = {path.stem: read_case(path) for path in sorted(folder.glob("*.jsonl"))}
    first = next(folder.glob("*.jsonl")).read_text(encoding="utf-8").splitlines()
    versions = next(row for row in map(json.loads, first) if row["record"] == "graph")
    traced_with = f"TensorFlow {versions['tensorflow']}, Keras {versions['keras']}, graph mode"
    source = f'source = [{{ title = "GPUConfig: traced with resources/probes/trace_step.py, {traced_with}" }}]'
    lines = [HEAD.rstrip("\n")]
    for model in [item.id for item in load_training_facts().models if item.keras_name is not None]:
        lines += [*make_network(model, cases, report), source, f'checked_on = "{CHECKED_ON}"']
    for kind in OWN:
        for precision in PRECISIONS:
            own = [case for case in cases.values() if case.model.startswith(kind) and case.precision == precision]
            lines += ["", "[[rule]]", f'id = "{kind}-{precision}"', f'model = "{kind}"', f'precision = "{precision}"']
            lines += make_rule(kind, own, report)
            lines += [source, f'checked_on = "{CHECKED_ON}"']
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print how good the rules are, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    report: list[str] = []
    text = make_table(arguments.folder, report)
    sys.stdout.write("\n".join(report) + "\n")
    if arguments.write:
        TARGET.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
