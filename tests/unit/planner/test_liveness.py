from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.core.step_graph import StepGraph, VariableRole
from gpuconfig_app.planner.liveness import StepTraces, step_peak
from gpuconfig_app.planner.liveness_batches import pair_up
from gpuconfig_app.planner.liveness_memory import rounded
from gpuconfig_app.planner.liveness_order import Order
from tests.unit.planner.step_graphs import Sketch, random_net, small_net

KILO = 1024


def test_parts_add_up_to_the_peak() -> None:
    peak = step_peak(small_net(batch=4))
    parts = peak.parts

    assert peak.peak_bytes == (
        parts.weights_bytes
        + parts.slots_bytes
        + parts.gradients_bytes
        + parts.activations_bytes
        + parts.temporaries_bytes
    )
    assert peak.low_bytes <= peak.peak_bytes <= peak.high_bytes


def test_weights_and_slots_are_exact() -> None:
    parts = step_peak(small_net(batch=4)).parts

    assert parts.weights_bytes == 2 * 64 * KILO
    assert parts.slots_bytes == 4 * 64 * KILO


def test_a_chain_keeps_two_tensors() -> None:
    sketch = Sketch(batch=1)
    data = sketch.data(10 * KILO)
    for _ in range(5):
        data = sketch.add("Conv2D", [data], 10 * KILO)
    sketch.result(data)

    assert step_peak(sketch.graph()).peak_bytes == 30 * KILO


def test_what_is_kept_for_the_backward_pass_is_alive_at_the_peak() -> None:
    sketch = Sketch(batch=1)
    data = sketch.data(KILO)
    first = sketch.add("Conv2D", [data], 10 * KILO)
    second = sketch.add("Conv2D", [first], 10 * KILO)
    gradient = sketch.add("Conv2DBackpropInput", [second], 10 * KILO, backward=True)
    sketch.result(sketch.add("Conv2DBackpropFilter", [gradient, first], KILO, backward=True))

    peak = step_peak(sketch.graph())

    assert peak.peak_bytes == 31 * KILO
    assert peak.operation == "Conv2DBackpropInput_3"
    assert peak.parts.activations_bytes == 21 * KILO


def test_gradients_that_wait_for_the_update_are_told_apart() -> None:
    sketch = Sketch(batch=1)
    kernel = sketch.variable(8 * KILO, VariableRole.TRAINABLE)
    data = sketch.data(KILO)
    out = sketch.add("MatMul", [data, sketch.read(kernel)], KILO)
    gradient = sketch.add("MatMul", [out], 8 * KILO, backward=True)
    sketch.assign_sub(kernel, sketch.add("Cast", [gradient], 8 * KILO))

    parts = step_peak(sketch.graph()).parts

    assert (parts.gradients_bytes, parts.temporaries_bytes) == (8 * KILO, 8 * KILO)


def test_any_batch_between_and_beyond_two_traces() -> None:
    traces = StepTraces([small_net(batch=8), small_net(batch=32)])
    for batch in (1, 8, 20, 32, 100):
        graph = traces.at(batch)
        assert graph is not None
        assert step_peak(graph).peak_bytes == step_peak(small_net(batch=batch)).peak_bytes


def test_one_trace_tells_its_own_batch_only() -> None:
    traces = StepTraces([small_net(batch=8)])

    assert traces.at(8) is not None
    assert traces.at(9) is None
    assert traces.curve() is None


def test_graphs_that_differ_are_not_mixed() -> None:
    one, other = small_net(batch=8), small_net(batch=32)
    place = next(number for number, item in enumerate(other.operations) if item.kind == "MatMul")
    operations = list(other.operations)
    operations[place] = replace(operations[place], kind="Conv2D")
    changed = replace(other, operations=tuple(operations))

    assert pair_up(one, other) is not None
    assert pair_up(one, changed) is None
    assert StepTraces([one, changed]).at(16) is None


def test_the_curve_meets_the_traces_and_is_never_too_low() -> None:
    curve = StepTraces([small_net(batch=32), small_net(batch=64)]).curve()

    assert curve is not None
    assert curve.floor_bytes == step_peak(small_net(batch=1)).peak_bytes
    for batch in (1, 2, 3, 24, 32, 64, 77, 640, 100_000):
        true = step_peak(small_net(batch=batch)).peak_bytes
        assert true * 0.998 <= curve.at(batch) <= true * 1.3
    assert curve.sample_bytes > 0
    assert len(curve.knots) < 10


@given(random_net(), st.integers(1, 200), st.integers(1, 200))
def test_memory_grows_with_the_batch(nets: tuple[StepGraph, StepGraph], one: int, other: int) -> None:
    small, large = sorted((one, other))

    pair = pair_up(*nets)
    assert pair is not None
    before, after = (step_peak(pair.at(batch)) for batch in (small, large))

    assert before.peak_bytes <= after.peak_bytes
    assert before.high_bytes <= after.high_bytes


@given(random_net())
def test_slots_are_exact_and_parts_add_up(nets: tuple[StepGraph, StepGraph]) -> None:
    graph = nets[1]
    peak = step_peak(graph)
    parts = peak.parts
    slots = [item.size_bytes for item in graph.variables if item.role is VariableRole.SLOT]

    assert parts.slots_bytes == sum(map(rounded, slots))
    assert peak.peak_bytes == (
        parts.weights_bytes
        + parts.slots_bytes
        + parts.gradients_bytes
        + parts.activations_bytes
        + parts.temporaries_bytes
    )


@given(random_net())
def test_every_allocation_is_released_once_or_stays(nets: tuple[StepGraph, StepGraph]) -> None:
    peak = step_peak(nets[1])
    alive: dict[int, int] = {}
    highest = 0
    for number, size in peak.allocations:
        if size:
            assert number not in alive
            alive[number] = size
        else:
            del alive[number]
        highest = max(highest, sum(alive.values()))

    assert highest == peak.peak_bytes


def convolutions(precision: str = "float32") -> StepGraph:
    sketch = Sketch(batch=1)
    sketch.result(sketch.add("Conv2D", [sketch.data(8 * KILO)], 100 * KILO))
    return replace(sketch.graph(), precision=precision)


def test_the_interval_leaves_room_for_a_layout_that_was_not_traced() -> None:
    plain, half = step_peak(convolutions()), step_peak(convolutions("mixed_float16"))

    assert plain.high_bytes > half.high_bytes
    assert plain.laid_out_bytes is None


def test_a_traced_layout_is_in_the_interval() -> None:
    sketch = Sketch(batch=1)
    first = sketch.add("Conv2D", [sketch.add("Transpose", [sketch.data(8 * KILO)], 8 * KILO)], 100 * KILO)
    sketch.result(sketch.add("Transpose", [first], 100 * KILO))

    peak = step_peak(convolutions(), sketch.graph())

    assert peak.peak_bytes == 108 * KILO
    assert peak.laid_out_bytes == 208 * KILO
    assert peak.low_bytes < 108 * KILO < 208 * KILO < peak.high_bytes


@pytest.mark.parametrize("change", [{"is_optimized": False}, {"jit_compile": True}])
def test_what_cannot_be_followed_has_a_wide_interval(change: dict[str, object]) -> None:
    sure = step_peak(small_net(batch=8))
    unsure = step_peak(replace(small_net(batch=8), **change))

    assert unsure.high_bytes > 1.3 * sure.high_bytes
    assert unsure.low_bytes < sure.low_bytes


@pytest.mark.parametrize(("known", "is_wide"), [(1, True), (10_000, False)])
def test_a_size_that_had_to_be_guessed_widens_the_interval_where_it_matters(known: int, is_wide: bool) -> None:
    sketch = Sketch(batch=1)
    small = sketch.add("Conv3DBackprop", [sketch.data(known * KILO)], KILO)
    sketch.result(sketch.add("GatherV2", [small], 0))
    peak = step_peak(replace(sketch.graph(), open_sizes=1))

    assert peak.peak_bytes == (known + 2) * KILO, "as large as its input"
    assert (peak.high_bytes > 1.4 * peak.peak_bytes) is is_wide


def test_a_processor_keeps_other_tensors_than_a_gpu() -> None:
    sketch = Sketch(batch=1)
    chain = sketch.data(KILO)
    for _ in range(4):
        side = sketch.add("MatMul", [chain], 16 * KILO)
        chain = sketch.add("Conv2D", [chain], KILO)
        sketch.add("MaxPool", [side], KILO)

    gpu, processor = (step_peak(sketch.graph(), order=order) for order in (Order.GPU, Order.PROCESSOR))

    assert gpu.peak_bytes == gpu.gpu_order_bytes == processor.gpu_order_bytes
    assert processor.peak_bytes == gpu.processor_order_bytes
    assert gpu.peak_bytes != processor.peak_bytes
    assert gpu.low_bytes < processor.peak_bytes < gpu.high_bytes
    assert processor.low_bytes < processor.peak_bytes < processor.high_bytes


@pytest.mark.parametrize("kind", ["PartitionedCall", "LoopCond"])
def test_a_piece_that_cannot_be_looked_into_widens_the_interval(kind: str) -> None:
    sketch = Sketch(batch=1)
    sketch.result(sketch.add(kind, [sketch.data(8 * KILO)], 100 * KILO))
    peak = step_peak(sketch.graph())

    assert peak.high_bytes > 1.4 * peak.peak_bytes
