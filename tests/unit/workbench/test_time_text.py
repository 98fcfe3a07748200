"""What is said beside a predicted time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.messages import Language
from gpuconfig_app.core.plan import Interval, PlannedDevice, TimePrediction, TrainingPlan
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.workbench.text import load_texts
from gpuconfig_app.workbench.time_text import time_notes

STEP = Interval(low=0.1, expected=0.2, high=0.4)
PLAN = TrainingPlan(workload=Workload(), devices=(PlannedDevice(index=0),), time=TimePrediction(step=STEP))


def said(plan: TrainingPlan) -> list[str]:
    texts = load_texts()
    return [texts.render(message, Language.ENGLISH) for message in time_notes(plan)]


def test_the_first_steps_are_told_apart_as_a_range():
    time = replace(PLAN.time, warm_up=Interval(low=7.0, expected=20.0, high=55.0))

    assert said(replace(PLAN, time=time)) == ["Plus 7.0 – 55 s once, before the first step"]


@pytest.mark.parametrize(
    ("limit", "word"), [("compute", "arithmetic"), ("memory_bandwidth", "memory"), ("input", "reading the data")]
)
def test_what_limits_is_named(limit, word):
    (text,) = said(replace(PLAN, time=replace(PLAN.time, limited_by=limit)))

    assert text.startswith("What limits the speed: ")
    assert word in text


def test_a_processor_is_not_called_a_card():
    time = replace(PLAN.time, limited_by="compute")

    assert said(replace(PLAN, devices=(), time=time)) == []


def test_nothing_is_said_of_an_unknown_time():
    time = TimePrediction(warm_up=STEP, limited_by="input")

    assert said(replace(PLAN, time=time)) == []
    assert said(PLAN) == []
