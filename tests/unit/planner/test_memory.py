from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.core.plan import Fit, MemoryPart
from gpuconfig_app.core.system import MemoryInfo
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.core.workload import Optimizer, Precision, Requests
from gpuconfig_app.knowledge.models import load_training_facts
from gpuconfig_app.planner.calibration import Calibration
from gpuconfig_app.planner.cards import Card
from gpuconfig_app.planner.make_plan import PlanRequest, memory_at_batches
from gpuconfig_app.planner.memory import DeviceMemory, StepMemory, card_memory, processor_memory
from gpuconfig_app.planner.network import describe_network
from tests.unit.planner.machines import HOST, card, images, machine, plan, table

FACTS = load_training_facts()
MODELS = [model.id for model in FACTS.models if model.keras_name is not None]
WORKLOADS = st.one_of(
    st.builds(images, st.sampled_from([*MODELS, "small_cnn"]), st.sampled_from([32, 96, 224, 384])),
    st.just(table()),
)


def step_memory(workload, **fields) -> StepMemory:
    network = describe_network(workload, FACTS)
    assert network is not None
    return StepMemory(network=network, optimizer=workload.optimizer, **fields)


@given(WORKLOADS, st.sampled_from(list(Precision)), st.integers(1, 4096), st.integers(1, 4096))
def test_memory_grows_with_the_batch(workload, precision: Precision, one: int, other: int) -> None:
    memory = step_memory(workload, precision=precision)
    small, large = sorted((one, other))

    before, after = memory.predict(small, DeviceMemory()).total, memory.predict(large, DeviceMemory()).total

    assert before.expected <= after.expected
    assert before.low <= after.low
    assert before.high <= after.high


@given(
    WORKLOADS,
    st.sampled_from(list(Precision)),
    st.sampled_from(list(Optimizer)),
    st.integers(1, 2048),
    st.booleans(),
    st.one_of(st.none(), st.integers(1 * MIB, 64 * GIB)),
)
def test_parts_add_up_exactly(workload, precision, optimizer, batch, copies, peak) -> None:
    found = () if peak is None else (Calibration(precision=precision, optimizer=optimizer, peak_bytes=peak),)
    memory = step_memory(replace(workload, optimizer=optimizer), precision=precision, copies=copies, calibrations=found)

    predicted = memory.predict(batch, DeviceMemory())

    assert [part.part for part in predicted.parts] == list(MemoryPart)
    assert sum(part.size_bytes for part in predicted.parts) == predicted.total.expected
    assert min(part.size_bytes for part in predicted.parts) >= 0
    assert predicted.total.low <= predicted.total.expected <= predicted.total.high


@pytest.mark.parametrize(
    ("optimizer", "slots"),
    [
        (Optimizer.SGD, 0),
        (Optimizer.MOMENTUM, 1),
        (Optimizer.RMSPROP, 1),
        (Optimizer.ADAM, 2),
        (Optimizer.ADAMW, 2),
    ],
)
def test_slots_are_exact(optimizer: Optimizer, slots: int) -> None:
    memory = step_memory(images("resnet50", optimizer=optimizer))

    parts = {part.part: part.size_bytes for part in memory.predict(32, DeviceMemory()).parts}

    trainable = 23_534_592 + 2049 * 37
    assert parts[MemoryPart.OPTIMIZER] == slots * trainable * 4
    assert parts[MemoryPart.WEIGHTS] == (23_587_712 + 2049 * 37) * 4


def test_a_frozen_backbone_has_slots_for_its_head_only() -> None:
    memory = step_memory(images("resnet50", is_backbone_frozen=True))

    parts = {part.part: part.size_bytes for part in memory.predict(32, DeviceMemory()).parts}

    assert parts[MemoryPart.OPTIMIZER] == 2 * 2049 * 37 * 4
    whole = step_memory(images("resnet50")).predict(32, DeviceMemory())
    assert memory.predict(32, DeviceMemory()).total.expected < whole.total.expected / 2


@pytest.mark.parametrize(("kind", "kept"), [("1080ti", 500), ("v100", 1050), ("4090", 1536), ("h100", 1800)])
def test_tensorflow_leaves_memory_by_capability(kind: str, kept: int) -> None:
    gpu = card(kind)

    found = card_memory(Card(gpu), HOST.memory, FACTS)

    assert gpu.memory_free_bytes is not None
    assert found.usable_bytes == gpu.memory_free_bytes - (350 + kept) * MIB
    assert found.kept_free_bytes is not None
    assert found.usable_bytes + found.kept_free_bytes == gpu.memory_total_bytes


@pytest.mark.parametrize(
    ("kind", "usable_mib"),
    # Printed by TensorFlow at its start: lambdal/lambda-tensorflow-benchmark, logs (V100-SXM3-32GB, RTX 3090 as 24 GiB)
    [("v100", 30_262)],
)
def test_usable_memory_is_near_what_tensorflow_printed(kind: str, usable_mib: int) -> None:
    found = card_memory(Card(card(kind)), HOST.memory, FACTS)

    assert found.usable_bytes == pytest.approx(usable_mib * MIB, rel=0.05)


def test_memory_of_other_programs_is_not_usable() -> None:
    idle = card_memory(Card(card("4090")), HOST.memory, FACTS)
    busy = card_memory(Card(card("4090", memory_free_bytes=10 * GIB)), HOST.memory, FACTS)

    assert idle.usable_bytes is not None
    assert busy.usable_bytes is not None
    assert busy.usable_bytes < idle.usable_bytes - 10 * GIB
    assert busy.used_bytes is not None
    assert busy.used_bytes > 13 * GIB


def test_shared_memory_gets_a_limit_and_leaves_room_for_the_system() -> None:
    spark = card("4090", memory_is_shared=True, memory_total_bytes=119 * GIB, memory_free_bytes=None)

    made = plan(images(), spark)

    assert made.memory_growth is False
    assert made.memory_limit_bytes is not None
    assert made.memory_limit_bytes <= 96 * GIB * 0.75


def test_unknown_memory_leaves_the_fit_unknown() -> None:
    unknown = card("4090", name="NVIDIA Graphics Device", memory_total_bytes=None, memory_free_bytes=None)

    made = plan(images(), unknown)

    assert made.memory is not None
    assert made.memory.fit is Fit.UNKNOWN
    assert made.memory.usable_bytes is None


def test_the_host_limit_of_a_container_counts() -> None:
    found = processor_memory(MemoryInfo(total_bytes=128 * GIB, available_bytes=96 * GIB, limit_bytes=8 * GIB))

    assert found.usable_bytes == 8 * GIB


@pytest.mark.parametrize(
    ("side", "precision", "optimizer", "batch", "usable_gib", "fit"),
    [
        # RTX 2080 Ti with 11 GB runs ResNet50 at 224 with 64 in float32, V100 16 GB with 128 (tf_cnn_benchmarks logs)
        (224, Precision.FLOAT32, Optimizer.MOMENTUM, 64, 9.95, Fit.FITS),
        (224, Precision.FLOAT32, Optimizer.MOMENTUM, 128, 14.5, Fit.FITS),
        # An RTX 3080 with 10 GB takes 48 pictures of 240 x 320 with Adam and no more: 277 x 277 has as many pixels
        (277, Precision.FLOAT32, Optimizer.ADAM, 48, 7.94, Fit.MAY_FAIL),
        (277, Precision.FLOAT32, Optimizer.ADAM, 72, 7.94, Fit.TOO_BIG),
    ],
)
def test_public_limits_of_real_cards(side, precision, optimizer, batch, usable_gib, fit) -> None:
    memory = step_memory(images("resnet50", side, optimizer=optimizer, output_units=1000), precision=precision)

    predicted = memory.predict(batch, DeviceMemory(usable_bytes=round(usable_gib * GIB)))

    assert predicted.fit is fit


def test_xla_widens_the_interval() -> None:
    plain = plan(images(), card("4090"), requests=Requests(per_replica_batch=32))
    compiled = plan(images(), card("4090"), requests=Requests(per_replica_batch=32, jit_compile=True))

    assert plain.memory is not None
    assert compiled.memory is not None
    assert compiled.memory.total.high > plain.memory.total.high
    assert compiled.memory.total.low < plain.memory.total.low


def test_a_measured_peak_replaces_the_estimate() -> None:
    workload = images(requests=Requests(per_replica_batch=32))
    measured = Calibration(
        gpu_name="NVIDIA GeForce RTX 4090",
        template_id=workload.template_id,
        model_id=workload.model_id,
        precision=Precision.MIXED_BFLOAT16,
        optimizer=workload.optimizer,
        input_shape=workload.input_shape,
        per_replica_batch=32,
        peak_bytes=3 * GIB,
        steps=34,
        step_s=0.05,
    )

    made = plan(workload, card("4090"), calibrations=(measured,))
    elsewhere = plan(workload, card("3060"), calibrations=(measured,))

    assert made.memory is not None
    assert made.memory.source == "measured"
    assert made.memory.total.expected == 3 * GIB
    assert made.memory.total.high < 3.2 * GIB
    assert made.time.source == "measured"
    assert made.time.step is not None
    assert made.time.step.expected == pytest.approx(0.05)
    assert elsewhere.memory is not None
    assert elsewhere.memory.source == "trace"


def test_memory_at_other_batches_is_told_without_a_new_plan() -> None:
    found = memory_at_batches(PlanRequest(workload=images(), report=machine(card("3060"))), (8, 64, 512))

    assert [batch for batch, _ in found] == [8, 64, 512]
    assert [item.fit for _, item in found] == [Fit.FITS, Fit.FITS, Fit.TOO_BIG]
