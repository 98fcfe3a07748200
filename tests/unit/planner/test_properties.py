"""What must hold of every plan, on every recorded machine, with every model, precision and optimizer we offer."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.plan import Fit, MemoryPart, TrainingPlan
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.units import GIB
from gpuconfig_app.core.workload import Optimizer, Precision, Requests, Workload
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.knowledge.models import load_training_facts
from gpuconfig_app.planner.make_plan import PlanRequest, make_plan
from gpuconfig_app.planner.memory import DeviceMemory, StepMemory
from gpuconfig_app.planner.network import describe_network
from gpuconfig_app.scriptgen.templates import load_template
from tests.source_files import ROOT
from tests.unit.planner.machines import images, table

FACTS = load_training_facts()
PICTURE_MODELS = sorted(load_template("image_classification").models)
TABLE_MODELS = sorted(load_template("tabular").models)
SLOTS = {Optimizer.SGD: 0, Optimizer.MOMENTUM: 1, Optimizer.RMSPROP: 1, Optimizer.ADAM: 2, Optimizer.ADAMW: 2}
NOTHING_SURE = {"planner.warning-no-batch-fits"}


@cache
def machines_with_cards() -> tuple[str, ...]:
    """Names of recorded machines whose cards tell their memory."""
    folders = sorted(folder for folder in (ROOT / "tests" / "machines").iterdir() if folder.is_dir())
    return tuple(
        folder.name for folder in folders if any(gpu.memory_total_bytes for gpu in load_machine(folder).report.gpus)
    )


@cache
def report_of(name: str) -> SystemReport:
    return load_machine(ROOT / "tests" / "machines" / name).report


def with_free_share(report: SystemReport, share: float) -> SystemReport:
    """Give the machine with so much of every card and slice free, and no program on it."""

    def changed(gpu: Gpu) -> Gpu:
        total = gpu.memory_total_bytes
        slices = tuple(
            replace(item, memory_used_bytes=round((item.memory_total_bytes or 0) * (1 - share)))
            for item in gpu.mig_instances
        )
        free = None if total is None else round(total * share)
        return replace(gpu, memory_free_bytes=free, processes=(), mig_instances=slices)

    return replace(report, gpus=tuple(changed(gpu) for gpu in report.gpus))


requests = st.builds(
    Requests,
    precision=st.sampled_from([None, *Precision]),
    accumulation_steps=st.sampled_from([None, None, 1, 4]),
    jit_compile=st.sampled_from([None, None, True]),
)
pictures = st.builds(
    images,
    st.sampled_from(PICTURE_MODELS),
    st.sampled_from([32, 96, 224, 384, 640]),
    optimizer=st.sampled_from(Optimizer),
    is_backbone_frozen=st.booleans(),
    sample_count=st.sampled_from([None, 300, 20_691, 1_000_000]),
    requests=requests,
)
tables = st.builds(
    lambda model, units, **fields: table(100_000, model_id=model, model_options={"hidden_units": units}, **fields),
    st.sampled_from(TABLE_MODELS),
    st.integers(4, 8192),
    optimizer=st.sampled_from(Optimizer),
    requests=requests,
)
workloads = st.one_of(pictures, pictures, tables)


def planned(workload: Workload, report: SystemReport) -> TrainingPlan:
    return make_plan(PlanRequest(workload=workload, report=report))


@given(st.sampled_from(machines_with_cards()), workloads, st.floats(0.02, 1), st.floats(0.02, 1))
@settings(max_examples=250, deadline=None)
@example("healthy-1x4090", images("convnext_tiny", 384), 0.2, 0.16)
def test_the_batch_never_grows_when_free_memory_shrinks(
    name: str, workload: Workload, one: float, other: float
) -> None:
    less, more = (planned(workload, with_free_share(report_of(name), share)) for share in sorted((one, other)))
    assume(less.devices == more.devices)

    assert less.per_replica_batch <= more.per_replica_batch


@given(st.sampled_from(machines_with_cards()), workloads, st.floats(0.02, 1))
@settings(max_examples=250, deadline=None)
def test_a_planned_batch_fits_its_own_prediction(name: str, workload: Workload, share: float) -> None:
    made = planned(workload, with_free_share(report_of(name), share))

    assert made.memory is not None
    is_warned = bool({warning.id for warning in made.warnings} & NOTHING_SURE)
    assert is_warned or made.memory.fit in (Fit.FITS, Fit.UNKNOWN)


@given(st.sampled_from(machines_with_cards()), workloads, st.floats(0.02, 1))
@settings(max_examples=100, deadline=None)
def test_the_parts_are_the_whole(name: str, workload: Workload, share: float) -> None:
    memory = planned(workload, with_free_share(report_of(name), share)).memory

    assert memory is not None
    assert [part.part for part in memory.parts] == list(MemoryPart)
    assert sum(part.size_bytes for part in memory.parts) == memory.total.expected
    assert min(part.size_bytes for part in memory.parts) >= 0


@given(workloads, st.integers(1, 512))
@settings(max_examples=150, deadline=None)
def test_slots_are_exact(workload: Workload, batch: int) -> None:
    memory = step_memory(workload)
    network = memory.network

    parts = {part.part: part.size_bytes for part in memory.predict(batch, DeviceMemory()).parts}

    assert parts[MemoryPart.OPTIMIZER] == SLOTS[workload.optimizer] * network.trainable_params * 4
    assert parts[MemoryPart.WEIGHTS] == network.params * 4


@given(workloads, st.integers(1, 2048), st.integers(1, 2048))
@settings(max_examples=150, deadline=None)
def test_memory_never_shrinks_with_the_batch(workload: Workload, one: int, other: int) -> None:
    memory = step_memory(workload)
    small, large = (memory.predict(batch, DeviceMemory()).total for batch in sorted((one, other)))

    assert small.low <= large.low
    assert small.expected <= large.expected
    assert small.high <= large.high


@given(st.sampled_from(PICTURE_MODELS), st.integers(32, 1024), st.integers(32, 1024), st.integers(1, 128))
@settings(max_examples=150, deadline=None)
@example("resnet50", 223, 224, 16)
def test_memory_never_shrinks_with_the_picture(model: str, one: int, other: int, batch: int) -> None:
    small, large = (expected(images(model, side), batch) for side in sorted((one, other)))

    assert small <= large


@given(st.integers(4, 256), st.integers(4, 256), st.integers(1, 5), st.integers(1, 128))
@settings(max_examples=100, deadline=None)
def test_memory_grows_with_the_width_of_our_own_network(one: int, other: int, blocks: int, batch: int) -> None:
    narrow, wide = (
        expected(images("small_cnn", 96, model_options={"width": width, "blocks": blocks}), batch)
        for width in sorted((one, other))
    )

    assert narrow <= wide


@given(st.integers(4, 8192), st.integers(4, 8192), st.integers(1, 12), st.integers(1, 2048))
@settings(max_examples=100, deadline=None)
def test_memory_grows_with_the_units_of_a_table_network(one: int, other: int, layers: int, batch: int) -> None:
    narrow, wide = (
        expected(table(model_options={"hidden_units": units, "hidden_layers": layers}), batch)
        for units in sorted((one, other))
    )
    deeper = expected(table(model_options={"hidden_units": one, "hidden_layers": layers + 1}), batch)

    assert narrow <= wide
    assert expected(table(model_options={"hidden_units": one, "hidden_layers": layers}), batch) <= deeper


@given(st.integers(1, 100_000), st.integers(1, 100_000), st.integers(1, 2048))
@settings(max_examples=50, deadline=None)
def test_memory_grows_with_the_columns_of_a_table(one: int, other: int, batch: int) -> None:
    few, many = (expected(table(input_shape=(columns,)), batch) for columns in sorted((one, other)))

    assert few <= many


def test_recorded_machines_are_there() -> None:
    assert len(machines_with_cards()) > 20
    assert any(
        (gpu.memory_total_bytes or 0) > 70 * GIB for name in machines_with_cards() for gpu in report_of(name).gpus
    )


def step_memory(workload: Workload) -> StepMemory:
    network = describe_network(workload, FACTS)
    assert network is not None
    precision = workload.requests.precision or Precision.FLOAT32
    return StepMemory(network=network, optimizer=workload.optimizer, precision=precision)


def expected(workload: Workload, batch: int) -> float:
    return step_memory(workload).predict(batch, DeviceMemory()).total.expected
