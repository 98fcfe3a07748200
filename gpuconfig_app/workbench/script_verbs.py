"""The verbs from answers to a script, as part of the workbench: templates, data, plan, bundle.

Planner, templates and data readers are imported by the verb that needs them: a verdict needs none of them, and half the
start of ``gpuconfig check`` would go into loading them.
"""

# ruff: noqa: PLC0415  # see above

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gpuconfig_app.core.bundle import BundleRecipe, ScriptBundle
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.core.plan import MemoryPrediction, TrainingPlan
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.workbench.machine import OpenMachine

if TYPE_CHECKING:
    from gpuconfig_app.scriptgen.answers import CheckedAnswers
    from gpuconfig_app.scriptgen.manifest import Template
    from gpuconfig_app.storage.places import Places

Answers = Mapping[str, JsonValue]


class ScriptVerbs:
    """What leads from a template to a script.

    Attributes:
        places: Folders of this user; the workbench sets them.
    """

    places: Places

    def templates(self) -> tuple[Template, ...]:
        """Give all training templates."""
        from gpuconfig_app.scriptgen.templates import load_templates

        return load_templates()

    def template(self, template_id: str) -> Template:
        """Give one template.

        Raises:
            UsageError: There is none of that name.
        """
        from gpuconfig_app.scriptgen.templates import load_template, load_templates

        if template_id not in {item.id for item in load_templates()}:
            raise UsageError(Message("workbench.no-such-template", {"id": template_id}))
        return load_template(template_id)

    def scan_data(self, path: Path, control: JobControl | None = None, python: str | None = None) -> DatasetFacts:
        """Look into a data folder or table; ``python`` may read what needs a library (Parquet).

        Raises:
            UnusableFileError: It is not there or can't be read.
            JobCancelledError: The user ended the scan.
        """
        from gpuconfig_app.workbench.data_scan import look_into_data

        return look_into_data(path, python, control)

    def scan_answers_data(
        self, template: Template, answers: Answers, control: JobControl | None = None, python: str | None = None
    ) -> DatasetFacts | None:
        """Look into the data that the answers name; None when they name none.

        Raises:
            UnusableFileError: It is not there or can't be read.
            JobCancelledError: The user ended the scan.
        """
        from gpuconfig_app.scriptgen.manifest import QuestionKind

        question = next((item for item in template.questions if item.kind is QuestionKind.PATH), None)
        path = answers.get(question.id) if question is not None else None
        return self.scan_data(expanded(path), control, python) if isinstance(path, str) and path else None

    def example_answers(self, template: Template) -> dict[str, JsonValue]:
        """Give answers that need no data, for a first look and for the self-test."""
        return dict(template.example)

    def check_answers(self, template: Template, answers: Answers, dataset: DatasetFacts | None) -> CheckedAnswers:
        """Check answers; defaults are filled in."""
        from gpuconfig_app.scriptgen.answers import check_answers

        return check_answers(template, answers, dataset)

    def plan(
        self,
        template: Template,
        answers: Answers,
        machine: OpenMachine,
        environment: PythonEnvironment | None,
        dataset: DatasetFacts | None = None,
        compat: CompatReport | None = None,
        devices: Sequence[int] | None = None,
    ) -> TrainingPlan:
        """Decide everything a script needs.

        Args:
            devices: Cards the user insists on, None lets the planner choose.

        Raises:
            AnswerError: The answers hold problems.
        """
        from gpuconfig_app.planner.make_plan import make_plan
        from gpuconfig_app.workbench.plan_request import plan_request

        return make_plan(plan_request(template, answers, machine, environment, dataset, compat, devices, self.places))

    def memory_at_batches(
        self,
        batches: Sequence[int],
        template: Template,
        answers: Answers,
        machine: OpenMachine,
        environment: PythonEnvironment | None,
        dataset: DatasetFacts | None = None,
        compat: CompatReport | None = None,
        devices: Sequence[int] | None = None,
    ) -> tuple[tuple[int, MemoryPrediction], ...]:
        """Predict the memory for other batches, everything else as ``plan`` decides; empty where it can't be told.

        Raises:
            AnswerError: The answers hold problems.
        """
        from gpuconfig_app.planner.make_plan import memory_at_batches
        from gpuconfig_app.workbench.plan_request import plan_request

        request = plan_request(template, answers, machine, environment, dataset, compat, devices, self.places)
        return memory_at_batches(request, batches)

    def generate(
        self, template: Template, answers: Answers, plan: TrainingPlan, dataset: DatasetFacts | None = None
    ) -> ScriptBundle:
        """Render the script bundle in memory.

        Raises:
            AnswerError: The answers hold problems.
        """
        from gpuconfig_app.scriptgen.generate import generate
        from gpuconfig_app.workbench.plan_request import usable_values

        return generate(template, usable_values(template, answers, dataset), plan, dataset)

    def write_bundle(self, bundle: ScriptBundle, folder: Path, *, overwrite: bool = False) -> tuple[Path, ...]:
        """Write a bundle.

        Raises:
            StorageError: It can't be written, or files are there and ``overwrite`` is False.
        """
        from gpuconfig_app.scriptgen.write import write_bundle

        return write_bundle(bundle, folder, overwrite=overwrite)

    def open_bundle(self, folder: Path) -> BundleRecipe:
        """Read what a bundle was made of, to open it in the wizard again.

        Raises:
            UnusableFileError: It is no bundle or can't be read.
        """
        from gpuconfig_app.scriptgen.write import open_bundle

        return open_bundle(folder)
