"""From a template, answers and a plan to a bundle in memory: an identical plan gives identical bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import gpuconfig_app
from gpuconfig_app.core.bundle import BundleFile, BundleRecipe, ScriptBundle
from gpuconfig_app.core.codec import DocumentKind, dump_document
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.errors import AnswerError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.answers import check_answers
from gpuconfig_app.scriptgen.context import Constants, make_context
from gpuconfig_app.scriptgen.features import check_plan, check_target
from gpuconfig_app.scriptgen.launchers import make_launchers
from gpuconfig_app.scriptgen.manifest import Template
from gpuconfig_app.scriptgen.quoting import escape_surrogates
from gpuconfig_app.scriptgen.render import render
from gpuconfig_app.scriptgen.verify import verify_script

RECIPE_KIND: DocumentKind[BundleRecipe] = DocumentKind("bundle", 1, BundleRecipe, {})
RECIPE_FILE = "plan.json"


def generate(
    template: Template,
    answers: Mapping[str, JsonValue],
    plan: TrainingPlan,
    dataset: DatasetFacts | None = None,
) -> ScriptBundle:
    """Render and verify a bundle.

    Args:
        answers: By question id; checked again here.

    Raises:
        AnswerError: An answer or a combination is impossible, or the plan's TensorFlow is too old.
        UnsafeScriptError: The result did not pass the gate (a defect of the template).
    """
    checked = check_answers(template, answers, dataset)
    if checked.problems:
        problem = checked.problems[0]
        raise AnswerError(problem.message, Message("scriptgen.problem-at", {"question": problem.question_id}))
    check_target(plan)
    check_plan(template, checked.values, plan)

    recipe = BundleRecipe(
        template_id=template.id,
        template_version=template.version,
        product_version=gpuconfig_app.__version__,
        answers=checked.values,
        dataset=dataset,
        plan=_without_foreign_uuids(plan),
    )
    constants = Constants(plan)
    context = make_context(template, checked.values, plan, dataset, constants)
    train = BundleFile(name="train.py", content=render(f"{template.id}/train.py.j2", context))
    line_answers = constants.line_answers(train.content)
    files = (
        train,
        BundleFile(name="predict.py", content=render(f"{template.id}/predict.py.j2", context)),
        BundleFile(name="requirements.txt", content=render("_shared/requirements.txt.j2", context)),
        BundleFile(name="README.md", content=render("_shared/README.md.j2", context)),
        *make_launchers(checked.values.get("launchers"), context),
        BundleFile(name=RECIPE_FILE, content=escape_surrogates(dump_document(RECIPE_KIND, recipe))),
    )
    for file in files:
        if file.name.endswith(".py"):
            verify_script(file.name, file.content)
    return ScriptBundle(recipe=recipe, files=files, line_answers=line_answers)


def _without_foreign_uuids(plan: TrainingPlan) -> TrainingPlan:
    """UUIDs of a machine stay on it: a plan made for another one carries none."""
    if plan.is_for_this_machine:
        return plan
    return replace(plan, devices=tuple(replace(device, uuid=None) for device in plan.devices))
