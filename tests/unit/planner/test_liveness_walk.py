from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.core.step_graph import StepGraph, StepOperation, StepVariable, VariableRole
from gpuconfig_app.planner.liveness import peak_bytes, step_peak
from gpuconfig_app.planner.liveness_kernels import FORWARDS, MERGES, SWITCHES, UPDATES, VIEWS, VIEWS_WHEN_EQUAL
from gpuconfig_app.planner.liveness_lists import LISTS
from gpuconfig_app.planner.liveness_memory import GRAIN, rounded
from gpuconfig_app.planner.liveness_order import Order
from gpuconfig_app.planner.liveness_walk import Walk
from gpuconfig_app.planner.liveness_wiring import wire
from tests.unit.planner.step_graphs import Sketch

KILO = 1024


def live_at_peak(sketch: Sketch) -> int:
    """Peak beside the variables and the batch, in KiB."""
    graph = sketch.graph()
    resident = sum(rounded(item.size_bytes) for item in graph.variables) + sum(map(rounded, graph.data_bytes))
    return (peak_bytes(graph) - resident) // KILO


def order_of(graph: StepGraph, order: Order) -> list[str]:
    walk = Walk(graph, order, wire(graph))
    walk.run()
    return [graph.names[number] for number in walk.order]


@pytest.mark.parametrize(("asked", "given"), [(0, 0), (1, GRAIN), (256, 256), (257, 512)])
def test_the_allocator_hands_out_multiples(asked: int, given: int) -> None:
    assert rounded(asked) == given


@pytest.mark.parametrize("kind", ["Identity", "Reshape", "ExpandDims", "Squeeze", "StopGradient", "CheckNumerics"])
def test_a_view_takes_no_memory_and_keeps_what_it_shows(kind: str) -> None:
    sketch = Sketch()
    first = sketch.add("Conv2D", [sketch.data(KILO)], 8 * KILO)
    view = sketch.add(kind, [first], 8 * KILO)
    sketch.result(sketch.add("Conv2D", [sketch.add("Conv2D", [view], KILO)], 4 * KILO))

    assert live_at_peak(sketch) == 9


def test_all_of_identity_n_are_views() -> None:
    sketch = Sketch()
    one = sketch.add("Conv2D", [sketch.data(KILO)], 4 * KILO)
    both = sketch.add("IdentityN", [one, one], 4 * KILO, 4 * KILO)
    sketch.result(sketch.add("Concat", [both, both + 1], 8 * KILO))

    assert live_at_peak(sketch) == 12


@pytest.mark.parametrize(("size", "expected"), [(4, 4), (2, 6)])
def test_nothing_reduced_is_nothing_copied(size: int, expected: int) -> None:
    sketch = Sketch()
    value = sketch.add("Conv2D", [sketch.data(KILO)], 4 * KILO)
    sketch.result(sketch.add("Sum", [value], size * KILO))

    assert live_at_peak(sketch) == expected


@pytest.mark.parametrize("kind", ["Split", "Unpack", "Transpose"])
def test_what_the_probe_calls_a_view_is_one(kind: str) -> None:
    for view, expected in ((True, 4), (False, 8)):
        sketch = Sketch()
        value = sketch.add("Conv2D", [sketch.data(KILO)], 4 * KILO)
        sketch.result(sketch.add(kind, [value], 4 * KILO, view=view))

        assert live_at_peak(sketch) == expected


@pytest.mark.parametrize("kind", ["Relu", "Mul", "BiasAdd", "ReluGrad", "AddN", "Softmax", "Sqrt"])
def test_an_elementwise_operation_overwrites_an_input_nobody_needs(kind: str) -> None:
    sketch = Sketch()
    value = sketch.add("Conv2D", [sketch.data(KILO)], 4 * KILO)
    sketch.result(sketch.add(kind, [value], 4 * KILO))

    assert live_at_peak(sketch) == 4


def test_it_does_not_overwrite_what_is_needed_later() -> None:
    sketch = Sketch()
    value = sketch.add("Conv2D", [sketch.data(KILO)], 4 * KILO)
    sketch.result(sketch.add("AddN", [sketch.add("Relu", [value], 4 * KILO), value], 4 * KILO))

    assert live_at_peak(sketch) == 8


def test_it_does_not_overwrite_the_same_value_given_twice() -> None:
    sketch = Sketch()
    value = sketch.add("Conv2D", [sketch.data(KILO)], 4 * KILO)
    sketch.result(sketch.add("Mul", [value, value], 4 * KILO))

    assert live_at_peak(sketch) == 8


@pytest.mark.parametrize("types", [["half"], ["bool"]])
def test_it_does_not_overwrite_another_type(types: list[str]) -> None:
    sketch = Sketch()
    value = sketch.add("Conv2D", [sketch.data(KILO)], 4 * KILO)
    sketch.result(sketch.add("Mul", [value], 4 * KILO, types=types))

    assert live_at_peak(sketch) == 8


def test_it_does_not_overwrite_the_batch_nor_a_weight() -> None:
    sketch = Sketch()
    weight = sketch.read(sketch.variable(4 * KILO))
    sketch.result(sketch.add("Mul", [sketch.data(4 * KILO), weight], 4 * KILO))

    assert live_at_peak(sketch) == 4


def test_a_choice_is_made_in_place_when_condition_and_values_are_alike() -> None:
    for condition, expected in ((1, 5), (0.25, 8.25)):
        sketch = Sketch()
        data = sketch.data(KILO)
        asked = sketch.add("Less", [data], int(condition * KILO), types=["bool"])
        value = sketch.add("Conv2D", [data], 4 * KILO)
        sketch.result(sketch.add("SelectV2", [asked, value, data], 4 * KILO))

        assert live_at_peak(sketch) == int(expected)


def test_what_nobody_reads_is_released_at_once() -> None:
    sketch = Sketch()
    data = sketch.data(KILO)
    used = sketch.add("FusedBatchNormV3", [data], KILO, 8 * KILO)
    sketch.result(sketch.add("Conv2D", [sketch.add("Conv2D", [used], KILO)], 9 * KILO))

    assert live_at_peak(sketch) == 10


def test_constants_take_no_memory_of_the_step() -> None:
    sketch = Sketch()
    sketch.result(sketch.add("Add", [sketch.data(KILO), sketch.add("Const", [], 64 * KILO)], KILO))

    assert live_at_peak(sketch) == 1


def test_an_update_in_place_copies_only_what_is_still_to_be_read() -> None:
    for reads_later, expected in ((False, 8), (True, 17)):
        sketch = Sketch()
        kernel = sketch.variable(8 * KILO)
        value = sketch.add("MatMul", [sketch.data(KILO)], 8 * KILO)
        late = sketch.add("Conv2D", [value], KILO) if reads_later else None
        before = sketch.read(kernel) if reads_later else None
        sketch.add("AssignSubVariableOp", [kernel, value])
        if late is not None and before is not None:
            chain = late
            for _ in range(4):
                chain = sketch.add("Conv2D", [chain], KILO)
            sketch.result(sketch.add("MatMul", [chain, before], KILO))

        assert live_at_peak(sketch) == expected


def test_a_table_that_rows_are_scattered_into_is_copied_by_who_reads_it() -> None:
    sketch = Sketch()
    table = sketch.variable(8 * KILO)
    rows = sketch.add("GatherV2", [sketch.read(table)], KILO)
    sketch.add("ResourceScatterSub", [table, rows])

    assert peak_bytes(sketch.graph()) == 8 * KILO + 8 * KILO + KILO


def test_an_assigned_value_becomes_the_variable() -> None:
    sketch = Sketch()
    state = sketch.variable(8 * KILO, VariableRole.STATE)
    sketch.add("AssignVariableOp", [state, sketch.add("Conv2D", [sketch.data(KILO)], 8 * KILO)])
    graph = sketch.graph()

    peak = step_peak(graph)
    released = {number for number, size in peak.allocations if not size}

    assert peak.peak_bytes == 17 * KILO
    assert 0 in released, "the old value"


def branches(takes: bool) -> StepGraph:
    sketch = Sketch()
    data = sketch.data(KILO)
    asked = sketch.add("Less", [data], 1, types=["bool"])
    value = sketch.add("Conv2D", [data], KILO)
    switch = sketch.add("Switch", [value, asked], KILO, KILO)
    yes = sketch.add("Conv2D", [switch + 1], 16 * KILO)
    no = sketch.add("Conv2D", [switch], 2 * KILO)
    merged = sketch.add("Merge", [sketch.add("Conv2D", [yes], KILO), sketch.add("Conv2D", [no], KILO)], KILO, 4)
    sketch.result(sketch.add("Conv2D", [merged], KILO))
    graph = sketch.graph()
    walk = Walk(graph, Order.GPU, wire(graph), takes_branch=takes)
    walk.run()
    assert len(walk.order) == len(graph.operations), "what is not taken is passed over, not waited for"
    assert walk.memory.live_bytes == 2 * KILO, "the batch and the result"
    return graph


def test_one_branch_is_taken() -> None:
    graph = branches(takes=True)
    branches(takes=False)
    peaks = [Walk(graph, Order.GPU, wire(graph), takes_branch=takes).run().peak_bytes for takes in (True, False)]

    assert [peak // KILO for peak in peaks] == [18, 4]


def loop(rounds: int) -> StepGraph:
    """A loop that keeps 4 KiB of each round in a list, and a second one that takes them out again."""
    sketch = Sketch()
    data = sketch.data(KILO)
    limit = sketch.add("Const", [], 4, types=["int32"])
    sketch.scalars[sketch.last] = rounds
    empty = sketch.add("EmptyTensorList", [], 0, types=["variant"])
    leaves = []
    start = [sketch.add("Enter", [data], KILO), sketch.add("Enter", [empty], 0, types=["variant"])]
    collected = sketch.loop(start, limit, _keep_round)
    leaves.append(collected[1])
    again = [sketch.add("Enter", [data], KILO), sketch.add("Enter", [leaves[0]], 0, types=["variant"])]
    taken = sketch.loop(again, limit, _take_round)
    sketch.result(taken[0])
    return sketch.graph()


def _keep_round(sketch: Sketch, value: int, kept: int) -> tuple[int, int]:
    wide = sketch.add("Conv2D", [value], 4 * KILO)
    return sketch.add("Conv2D", [wide], KILO), sketch.add("TensorListPushBack", [kept, wide], 0, types=["variant"])


def _take_round(sketch: Sketch, value: int, kept: int) -> tuple[int, int]:
    popped = sketch.add("TensorListPopBack", [kept, kept], 0, 4 * KILO, types=["variant", "float32"])
    return sketch.add("Conv2D", [popped + 1, value], KILO), popped


@pytest.mark.parametrize("rounds", [1, 5, 50])
def test_a_loop_keeps_something_of_each_round(rounds: int) -> None:
    graph = loop(rounds)
    memory = Walk(graph, Order.GPU, wire(graph)).run()

    assert 4 * rounds < memory.peak_bytes // KILO <= 4 * rounds + 8
    assert memory.live_bytes <= 3 * KILO, "nothing is forgotten"


def test_a_loop_without_a_limit_still_ends() -> None:
    graph = loop(3)
    open_ended = tuple(
        StepOperation(item.kind, item.inputs, item.controls, item.outputs, item.types) for item in graph.operations
    )
    endless = StepGraph(
        batch=1,
        operations=open_ended,
        tensor_bytes=graph.tensor_bytes,
        variables=(),
        data_bytes=graph.data_bytes,
    )

    assert peak_bytes(endless) > 16 * 4 * KILO


def fork() -> StepGraph:
    """A chain of three, and three others beside it."""
    sketch = Sketch()
    data = sketch.data(KILO)
    chain = data
    sides = []
    for _ in range(3):
        sides.append(sketch.add("MatMul", [chain], KILO))
        chain = sketch.add("Conv2D", [chain], KILO)
    for side in sides:
        sketch.add("Sum", [side], 4)
    return sketch.graph()


def test_a_gpu_is_first_come_first_served() -> None:
    assert order_of(fork(), Order.GPU) == [
        "_Arg_0", "MatMul_1", "Conv2D_2", "Sum_7", "MatMul_3", "Conv2D_4", "Sum_8", "MatMul_5", "Conv2D_6", "Sum_9",
    ]  # fmt: skip


def test_a_processor_goes_on_with_the_latest() -> None:
    assert order_of(fork(), Order.PROCESSOR) == [
        "_Arg_0", "Conv2D_2", "Conv2D_4", "Conv2D_6", "MatMul_5", "Sum_9", "MatMul_3", "Sum_8", "MatMul_1", "Sum_7",
    ]  # fmt: skip


KINDS = sorted({*VIEWS, *VIEWS_WHEN_EQUAL, *FORWARDS, *UPDATES, *MERGES, *SWITCHES, *LISTS, "Conv2D", "Const", "_Arg",
                "_Retval", "LoopCond", "Less", "IdentityN", "ReadVariableOp", "AssignVariableOp", "Split"})  # fmt: skip


@st.composite
def any_graph(draw: st.DrawFn) -> StepGraph:
    count = draw(st.integers(1, 25))
    outputs = [draw(st.integers(0, 3)) for _ in range(count)]
    tensors = sum(outputs)
    operations, first = [], 0
    places = st.lists(st.integers(0, max(0, tensors - 1)), max_size=3 if tensors else 0)
    for number in range(count):
        made = tuple(range(first, first + outputs[number]))
        first += outputs[number]
        operations.append(
            StepOperation(
                kind=draw(st.sampled_from(KINDS)),
                inputs=tuple(draw(places)),
                controls=tuple(draw(st.lists(st.integers(0, count - 1), max_size=2))),
                outputs=made,
                types=tuple(draw(st.sampled_from(["float32", "resource", "variant"])) for _ in made),
                variable=draw(st.sampled_from([None, None, 0])),
                scalar=draw(st.sampled_from([None, 3])),
            )
        )
    return StepGraph(
        batch=1,
        operations=tuple(operations),
        tensor_bytes=tuple(draw(st.integers(0, 5000)) for _ in range(tensors)),
        variables=(StepVariable("v", VariableRole.TRAINABLE, 512),),
        data_bytes=(1024,),
        open_sizes=draw(st.integers(0, 1)),
    )


@given(any_graph())
def test_any_graph_is_walked_to_an_end(graph: StepGraph) -> None:
    peak = step_peak(graph)

    assert peak.low_bytes <= peak.peak_bytes <= peak.high_bytes
    assert peak.peak_bytes >= 512 + 1024
