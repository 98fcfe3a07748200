"""Plans and data written by hand, so that script generation is tested without the planner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gpuconfig_app.core.dataset import ClassFacts, ColumnFacts, ColumnKind, DataKind, DatasetFacts
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import (
    Choice,
    ChoiceGroup,
    InputPlan,
    Interval,
    MemoryPrediction,
    PlannedDevice,
    TrainingPlan,
)
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.workload import Precision, StrategyKind
from gpuconfig_app.scriptgen.answers import check_answers
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.scriptgen.workload import describe_workload

GIB = 1024**3
CARD = PlannedDevice(
    index=0,
    name="NVIDIA GeForce RTX 4090",
    uuid="GPU-0b7f2a51-6f0c-4c2e-9d6e-7a1f5f0f2b11",
    memory_total_bytes=24 * GIB,
    compute_capability="8.9",
)
SECOND_CARD = replace(CARD, index=1, uuid="GPU-5c1d9e02-3a44-4b6f-8f1a-2d9be01c77aa")

CHOICES = (
    Choice(
        id="batch",
        group=ChoiceGroup.NUMBERS,
        value=8,
        shown=Message("planner.shown-batch", {"batch": 8}),
        reason=Message("scriptgen.below-minimum", {"minimum": 8}),
        step="model",
    ),
)

PLANS: Mapping[str, Mapping[str, object]] = {
    "cpu": {},
    "one_gpu": {"strategy": StrategyKind.ONE_GPU, "devices": (CARD,), "is_for_this_machine": True},
    "one_gpu_elsewhere": {"strategy": StrategyKind.ONE_GPU, "devices": (CARD,)},
    "one_gpu_float16": {
        "strategy": StrategyKind.ONE_GPU,
        "devices": (CARD,),
        "precision": Precision.MIXED_FLOAT16,
        "memory_growth": False,
        "memory_limit_bytes": 6 * GIB,
    },
    "one_gpu_whole_card": {"strategy": StrategyKind.ONE_GPU, "devices": (CARD,), "memory_growth": False},
    "one_gpu_xla": {"strategy": StrategyKind.ONE_GPU, "devices": (CARD,), "jit_compile": True},
    "cpu_accumulating": {"accumulation_steps": 4},
    "cpu_float16": {"precision": Precision.MIXED_FLOAT16},
    "cpu_bfloat16_accumulating": {"precision": Precision.MIXED_BFLOAT16, "accumulation_steps": 2},
    "oldest_tensorflow": {"tensorflow_version": "2.16.2", "keras_version": "3.10.0"},
    "unknown_tensorflow": {"tensorflow_version": None, "keras_version": None},
    "cpu_disk_cache": {"input": InputPlan(parallel_calls=2, cache="disk", shuffle_buffer=500)},
    "cpu_memory_cache": {"input": InputPlan(parallel_calls=2, cache="memory", shuffle_buffer=2000)},
    "two_gpus": {
        "strategy": StrategyKind.MIRRORED,
        "devices": (CARD, SECOND_CARD),
        "is_for_this_machine": True,
        "precision": Precision.MIXED_BFLOAT16,
    },
    "two_gpus_elsewhere": {"strategy": StrategyKind.MIRRORED, "devices": (CARD, SECOND_CARD)},
    "two_gpus_accumulating": {
        "strategy": StrategyKind.MIRRORED,
        "devices": (CARD, SECOND_CARD),
        "accumulation_steps": 2,
    },
}


def make_plan_by_hand(
    name: str,
    template_id: str,
    answers: Mapping[str, JsonValue],
    dataset: DatasetFacts | None = None,
    **changes: object,
) -> TrainingPlan:
    """Give a plan of the list above for a template's answers."""
    template = load_template(template_id)
    values = check_answers(template, answers, dataset).values
    plan = TrainingPlan(
        workload=describe_workload(template, values, dataset),
        choices=CHOICES,
        per_replica_batch=8,
        learning_rate=0.001,
        memory=MemoryPrediction(total=Interval(low=1.0 * GIB, expected=1.2 * GIB, high=1.5 * GIB)),
        tensorflow_version="2.21.0",
        keras_version="3.15.1",
    )
    plan = replace(plan, **{**PLANS[name], **changes})
    replicas = max(1, len(plan.devices))
    return replace(plan, global_batch=plan.per_replica_batch * replicas * plan.accumulation_steps)


def pictures_facts(path: str = "/data/pets", names: tuple[str, ...] = ("cat", "dog")) -> DatasetFacts:
    """A folder of class folders as the scan tells it."""
    return DatasetFacts(
        path=path,
        kind=DataKind.IMAGE_FOLDERS,
        sample_count=100 * len(names),
        total_bytes=2_000_000,
        classes=tuple(ClassFacts(name=name, count=100) for name in names),
        image_size=(200, 300, 3),
        image_formats=("jpeg",),
        fingerprint="0123456789abcdef",
    )


def table_facts(path: str = "/data/wine.csv") -> DatasetFacts:
    """A table as the scan tells it."""
    return DatasetFacts(
        path=path,
        kind=DataKind.TABLE,
        sample_count=178,
        total_bytes=11_000,
        columns=(
            ColumnFacts(name="id", kind=ColumnKind.IDENTIFIER, distinct_count=178),
            ColumnFacts(name="alcohol", kind=ColumnKind.NUMBER, minimum=11.0, maximum=14.8),
            ColumnFacts(name="region", kind=ColumnKind.CATEGORY, distinct_count=4, missing_count=3),
            ColumnFacts(name="price", kind=ColumnKind.NUMBER, minimum=3.0, maximum=80.0),
            ColumnFacts(name="kind", kind=ColumnKind.NUMBER, is_integer=True, distinct_count=3),
        ),
        table_format="csv",
        delimiter=",",
        has_header=True,
    )
