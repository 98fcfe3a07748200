"""Reads the ``cases.toml`` of every template: answers and plans that must always give a good script."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig_app.core.bundle import ScriptBundle
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.resources import resource_path
from gpuconfig_app.scriptgen.generate import generate
from gpuconfig_app.scriptgen.templates import load_template, load_templates
from tests.unit.scriptgen.plans import make_plan_by_hand, pictures_facts, table_facts


@dataclass(frozen=True)
class Case:
    """One row of a ``cases.toml``.

    Attributes:
        run: ``ci``, ``nightly`` or empty: whether it is really run with TensorFlow.
    """

    template: str
    name: str
    plan: str
    answers: Mapping[str, JsonValue]
    golden: bool = False
    run: str = ""

    @property
    def id(self) -> str:
        """Name among all cases."""
        return f"{self.template}-{self.name}"

    @property
    def dataset(self) -> DatasetFacts:
        """Data that fit the template."""
        return pictures_facts() if self.template == "image_classification" else table_facts()

    def bundle(self) -> ScriptBundle:
        """Render the case."""
        plan = make_plan_by_hand(self.plan, self.template, self.answers, self.dataset)
        return generate(load_template(self.template), self.answers, plan, self.dataset)


def load_cases() -> tuple[Case, ...]:
    """Give the cases of all templates."""
    cases: list[Case] = []
    for template in load_templates():
        path = resource_path("templates", template.id, "cases.toml")
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["case"]
        cases += [Case(template=template.id, **row) for row in rows]
    return tuple(cases)
