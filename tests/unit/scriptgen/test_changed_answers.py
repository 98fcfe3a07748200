from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.workload import Precision, Requests
from gpuconfig_app.scriptgen.answers import check_answers
from gpuconfig_app.scriptgen.changed_answers import changed_answers
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.scriptgen.workload import describe_workload
from tests.unit.planner.machines import card, plan

PICTURES, TABLE = load_template("image_classification"), load_template("tabular")


@pytest.mark.parametrize(
    ("change", "answers"),
    [
        ({"requests.precision": "float32"}, {"precision": "float32"}),
        (
            {"requests.per_replica_batch": 8, "requests.accumulation_steps": 4},
            {"batch_size": 8, "accumulation_steps": 4},
        ),
        ({"optimizer": "momentum"}, {"optimizer": "momentum"}),
        ({"input_shape": [160, 160, 3]}, {"image_size": 160}),
        ({"is_backbone_frozen": True}, {"trained_part": "head"}),
        ({"model_options.width": 16}, {"width": 16}),
        ({"requests.jit_compile": True}, {"xla": "on"}),
    ],
)
def test_a_change_of_the_job_is_an_answer(change, answers) -> None:
    assert changed_answers(PICTURES, change) == answers


@pytest.mark.parametrize(
    "change", [{}, {"is_backbone_frozen": True}, {"requests.cache": "memory"}, {"no_such": 1}, {"input_shape": [1, 2]}]
)
def test_what_a_template_does_not_ask_has_no_answer(change) -> None:
    assert changed_answers(TABLE, change) is None


@pytest.mark.parametrize(
    ("template", "answers"),
    [
        (PICTURES, {"model": "densenet121", "image_size": 320, "batch_size": 500, "precision": "float32"}),
        (PICTURES, {"model": "small_cnn", "image_size": 512, "batch_size": 500, "pretrained": False}),
        (TABLE, dict(TABLE.example) | {"hidden_units": 8192, "hidden_layers": 12, "batch_size": 2048}),
    ],
    ids=["ready-made", "own", "table"],
)
def test_every_change_that_the_planner_names_can_be_answered(template, answers) -> None:
    """Answered so, the job is the one that the measure was computed for."""

    def workload_of(given):
        return describe_workload(template, check_answers(template, given, None).values)

    made = plan(replace(workload_of(answers), sample_count=100_000), card("t4"))
    changes = [measure.change for measure in made.measures if measure.change]

    assert len(changes) >= 3
    for change in changes:
        found = changed_answers(template, change)
        assert found is not None
        workload = workload_of(dict(answers) | found)
        for name, value in change.items():
            holder = workload.requests if name.startswith("requests.") else workload
            field = name.removeprefix("requests.")
            if field.startswith("model_options."):
                assert workload.model_options[field.removeprefix("model_options.")] == value
            else:
                got = getattr(holder, field)
                assert (list(got) if isinstance(got, tuple) else got) == value


def test_precisions_keep_their_words() -> None:
    answers = changed_answers(PICTURES, {"requests.precision": Precision.MIXED_BFLOAT16.value})

    assert answers is not None
    values = check_answers(PICTURES, answers, None).values
    assert describe_workload(PICTURES, values).requests == Requests(precision=Precision.MIXED_BFLOAT16)
