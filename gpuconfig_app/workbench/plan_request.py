"""From a template's answers and an open machine to what the planner is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.target_view import settled
from gpuconfig_app.core.calibration import Calibration
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.errors import AnswerError
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.messages import Language, Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.planner.make_plan import PlanRequest
from gpuconfig_app.scriptgen.answers import check_answers
from gpuconfig_app.scriptgen.manifest import Template
from gpuconfig_app.scriptgen.workload import describe_workload
from gpuconfig_app.storage.places import Places
from gpuconfig_app.workbench.machine import OpenMachine
from gpuconfig_app.workbench.measured_runs import find_measured, take_finished
from gpuconfig_app.workbench.text import load_texts


def usable_values(
    template: Template, answers: Mapping[str, JsonValue], dataset: DatasetFacts | None
) -> Mapping[str, JsonValue]:
    """Check answers and give a value for every question.

    Raises:
        AnswerError: The answers hold problems; it names all of them.
    """
    checked = check_answers(template, answers, dataset)
    if checked.problems:
        texts = load_texts()
        named = (f"{item.question_id}: {texts.render(item.message, Language.ENGLISH)}" for item in checked.problems)
        raise AnswerError(Message("workbench.answers-unusable", {"problems": "; ".join(named)}))
    return checked.values


def plan_request(
    template: Template,
    answers: Mapping[str, JsonValue],
    machine: OpenMachine,
    environment: PythonEnvironment | None,
    dataset: DatasetFacts | None,
    compat: CompatReport | None,
    devices: Sequence[int] | None,
    places: Places | None = None,
) -> PlanRequest:
    """Put together what the planner needs; a verdict that is not there yet is made.

    How fast this machine's disk is says nothing of a recorded one.

    Args:
        places: Where what earlier runs measured is kept; None for a plan without it.

    Raises:
        AnswerError: The answers hold problems.
    """
    workload = describe_workload(template, usable_values(template, answers, dataset), dataset)
    if devices is not None:
        workload = replace(workload, requests=replace(workload.requests, devices=tuple(devices)))
    report, python = settled(machine.report, environment)
    verdict = compat if compat is not None else check(machine.report, CheckOptions(environment=environment))
    measured: tuple[Calibration, ...] = ()
    if places is not None and not machine.is_recorded:
        take_finished(places)
        tensorflow = (python.tensorflow_version if python is not None else None) or verdict.tensorflow
        measured = find_measured(places, report, tensorflow, template.id)
    return PlanRequest(
        workload=workload,
        report=report,
        dataset=dataset if dataset is None or not machine.is_recorded else replace(dataset, disk_speed=None),
        compat=verdict,
        python=python,
        calibrations=measured,
        is_for_this_machine=not machine.is_recorded,
    )
