from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig_app.core.codec import decode, encode
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.finding import CompatReport, Confidence, Outcome, Verdict
from gpuconfig_app.core.gpu import ComputeMode, GpuState
from gpuconfig_app.core.plan import ChoiceGroup, TrainingPlan
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.workload import Optimizer, Precision, Requests
from tests.unit.planner.machines import CARDS, card, images, plan, table

CARD = st.builds(
    lambda kind, state, mode, screen: (kind, {"state": state, "compute_mode": mode, "display_active": screen}),
    st.sampled_from(sorted(CARDS)),
    st.sampled_from(list(GpuState)),
    st.sampled_from([None, *ComputeMode]),
    st.booleans(),
)
REQUESTS = st.builds(
    Requests,
    precision=st.one_of(st.none(), st.sampled_from(list(Precision))),
    per_replica_batch=st.one_of(st.none(), st.integers(1, 4096)),
    accumulation_steps=st.one_of(st.none(), st.integers(1, 16)),
    jit_compile=st.one_of(st.none(), st.booleans()),
    devices=st.one_of(st.none(), st.lists(st.integers(0, 4), max_size=4).map(tuple)),
    cache=st.one_of(st.none(), st.sampled_from(["none", "memory", "disk"])),
)
UNUSABLE = {GpuState.LOST, GpuState.DRIVER_MISSING, GpuState.NO_ANSWER, GpuState.NO_PERMISSION, GpuState.FAILED}


@given(
    st.lists(CARD, max_size=4),
    st.sampled_from(["resnet50", "mobilenet_v2", "small_cnn", "unknown", "mlp"]),
    st.one_of(st.none(), st.integers(1, 10**7)),
    st.sampled_from(list(Optimizer)),
    REQUESTS,
)
@settings(max_examples=150, deadline=None)
def test_a_plan_never_breaks_its_own_rules(kinds, model, count, optimizer, requests) -> None:
    gpus = [card(kind, index, **changes) for index, (kind, changes) in enumerate(kinds)]
    workload = table() if model == "mlp" else images(model)

    made = plan(replace(workload, sample_count=count, optimizer=optimizer), *gpus, requests=requests)

    by_index = {gpu.index: gpu for gpu in gpus}
    assert not {by_index[device.index].state for device in made.devices} & UNUSABLE
    assert bool(made.devices) == (made.strategy != "cpu")
    assert (len(made.devices) > 1) == (made.strategy == "mirrored")
    assert made.global_batch == made.per_replica_batch * max(1, len(made.devices)) * made.accumulation_steps
    assert not (made.strategy == "mirrored" and made.jit_compile)
    assert not (made.memory_growth and made.memory_limit_bytes is not None)
    assert made.per_replica_batch >= 1
    assert decode(TrainingPlan, encode(made)) == made


def test_every_choice_has_words_and_a_reason() -> None:
    made = plan(images(), card("4090"), card("3060", 1))

    assert len({choice.id for choice in made.choices}) == len(made.choices)
    groups = [list(ChoiceGroup).index(choice.group) for choice in made.choices]
    assert groups == sorted(groups)
    ids = {choice.id for choice in made.choices}
    assert ids >= {
        "devices",
        "strategy",
        "memory-growth",
        "precision",
        "batch",
        "accumulation",
        "learning-rate",
        "jit-compile",
        "readers",
        "prefetch",
        "cache",
        "shuffle",
        "checkpoint",
        "early-stopping",
    }


def test_the_same_request_gives_the_same_plan() -> None:
    assert plan(images(), card("4090")) == plan(images(), card("4090"))


@pytest.mark.parametrize(
    ("packages", "tensorflow", "keras"),
    [
        ({"tensorflow": "2.21.0", "keras": "3.15.1"}, "2.21.0", "3.15.1"),
        ({"tensorflow": "2.15.1"}, "2.15.1", "2.15.1"),
        ({"tensorflow": "2.16.2"}, "2.16.2", None),
        ({}, None, None),
    ],
)
def test_versions_come_from_the_environment(packages, tensorflow, keras) -> None:
    environment = PythonEnvironment(executable="/env/bin/python", packages=packages)

    made = plan(images(), card("4090"), python=environment)

    assert (made.tensorflow_version, made.keras_version, made.python) == (tensorflow, keras, "/env/bin/python")


def test_a_tensorflow_that_does_not_start_is_warned_of() -> None:
    report = CompatReport(verdict=Verdict.BLOCKED, outcome=Outcome.IMPORT_FAILS, confidence=Confidence.HIGH)

    made = plan(images(), card("4090"), compat=report)

    assert made.devices
    assert "planner.warning-tensorflow-not-ready" in {warning.id for warning in made.warnings}


def test_broken_files_have_a_row() -> None:
    made = plan(images(), card("4090"), dataset=DatasetFacts(broken_count=12))

    row = next(choice for choice in made.choices if choice.id == "broken-files")
    assert row.value == 12


def test_the_patience_of_the_answers_is_shown() -> None:
    made = plan(images(model_options={"patience": 8}), card("4090"))

    row = next(choice for choice in made.choices if choice.id == "early-stopping")
    assert row.shown.params == {"patience": 8}
