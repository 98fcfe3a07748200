"""Answers become a workload by the manifest's rows alone."""

from __future__ import annotations

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.workload import Optimizer, Precision, Requests, Workload
from gpuconfig_app.scriptgen.answers import check_answers
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.scriptgen.workload import describe_workload
from tests.unit.scriptgen.plans import pictures_facts, table_facts


def workload_of(template_id: str, answers: dict[str, JsonValue], dataset: DatasetFacts | None = None) -> Workload:
    template = load_template(template_id)
    return describe_workload(template, check_answers(template, answers, dataset).values, dataset)


def test_pictures() -> None:
    workload = workload_of("image_classification", {"trained_part": "head", "image_size": 96}, pictures_facts())

    assert workload.task == "image_classification"
    assert workload.model_id == "efficientnet_v2_b0"
    assert workload.input_shape == (96, 96, 3)
    assert workload.output_units == 2
    assert workload.is_pretrained
    assert workload.is_backbone_frozen
    assert workload.sample_count == 160
    assert workload.sample_bytes == 10_000
    assert workload.decoded_sample_bytes == 96 * 96 * 3
    assert workload.data_path == "/data/pets"
    assert workload.requests == Requests()


def test_what_the_user_insists_on() -> None:
    answers: dict[str, JsonValue] = {
        "model": "small_cnn",
        "color": "grayscale",
        "precision": "mixed_float16",
        "batch_size": 12,
        "accumulation_steps": 2,
        "learning_rate": 0.1,
        "xla": "on",
        "cache": "disk",
        "optimizer": "momentum",
    }

    workload = workload_of("image_classification", answers)

    assert workload.input_shape == (224, 224, 1)
    assert workload.optimizer is Optimizer.MOMENTUM
    assert workload.model_options == {"width": 32, "blocks": 3, "patience": 8}
    assert workload.requests == Requests(
        precision=Precision.MIXED_FLOAT16,
        per_replica_batch=12,
        accumulation_steps=2,
        learning_rate=0.1,
        jit_compile=True,
        cache="disk",
    )


def test_tables() -> None:
    classes = workload_of("tabular", {}, table_facts())
    amounts = workload_of("tabular", {"target": "price"}, table_facts())

    assert (classes.task, classes.output_units, classes.input_shape) == ("tabular_classification", 3, (3,))
    assert (amounts.task, amounts.output_units, amounts.input_shape) == ("tabular_regression", 1, (3,))
    assert classes.sample_count == round(178 * 0.8)


def test_without_data_nothing_is_invented() -> None:
    workload = workload_of("image_classification", {})

    assert workload.sample_count is None
    assert workload.sample_bytes is None
    assert workload.data_path is None
