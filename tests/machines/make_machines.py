"""Write the recorded machines of the tests and of the demo anew: ``python tests/machines/make_machines.py``.

Maintainer's tool. The same recipes give the same bytes; a test compares what lies here with what the recipes give.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from gpuconfig_app.core.privacy import Redaction  # noqa: E402  # the checkout is put on the path first
from gpuconfig_app.hardware.recorded import MachineDocument  # noqa: E402
from gpuconfig_app.hardware.recorder import write_machine  # noqa: E402
from tests.machine_recipes.converted import converted_machines  # noqa: E402
from tests.machine_recipes.field_cases import field_machines  # noqa: E402
from tests.machine_recipes.healthy import healthy_machines  # noqa: E402
from tests.machine_recipes.recipe import Recipe  # noqa: E402
from tests.machine_recipes.targets import target_machines  # noqa: E402
from tests.machine_recipes.troubled import troubled_machines  # noqa: E402


def all_recipes() -> tuple[Recipe, ...]:
    """Give every machine, by name."""
    recipes = (
        *healthy_machines(), *troubled_machines(), *converted_machines(), *field_machines(), *target_machines()
    )  # fmt: skip
    return tuple(sorted(recipes, key=lambda recipe: recipe.name))


def write_recipe(recipe: Recipe, folder: Path) -> None:
    """Write one machine below ``folder``; its expectation only where the tests look for it."""
    document = MachineDocument(
        title=recipe.title,
        origin=recipe.origin,
        source=recipe.source,
        licence=recipe.licence,
        report=recipe.report,
    )
    samples = recipe.samples() if recipe.samples else ()
    how = Redaction(salt=recipe.name, home="", user="")
    write_machine(document, samples, folder / recipe.name, how=how, overwrite=True)


def write_expected(recipe: Recipe, folder: Path) -> None:
    """Write what ``check`` must say about a machine."""
    text = json.dumps(asdict(recipe.expected), ensure_ascii=False, indent=2) + "\n"
    (folder / recipe.name / "expected.json").write_text(text, encoding="utf-8")


def main(recipes: Iterable[Recipe]) -> None:
    """Write the machines into ``tests/machines`` and the shipped ones into ``resources/machines`` too."""
    for recipe in recipes:
        write_recipe(recipe, ROOT / "tests" / "machines")
        write_expected(recipe, ROOT / "tests" / "machines")
        if recipe.is_shipped:
            write_recipe(recipe, ROOT / "resources" / "machines")


if __name__ == "__main__":
    main(all_recipes())
