"""What the tests of environments share: orders, makings by real pip, and what the disk holds before and after."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

from gpuconfig_app.core.clock import SystemClock
from gpuconfig_app.core.environment_made import MadeEnvironment, MakeProgress
from gpuconfig_app.core.environment_plan import EnvironmentOrder, EnvironmentPlan
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Language
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.workbench.make_environment import make_environment, plan_environment
from gpuconfig_app.workbench.text import load_texts

Snapshot = dict[str, str]


def order(ground: Path, folder: str = "work/new/it's 中文/.venv", **more: str) -> EnvironmentOrder:
    wheels = str(ground / "wheels")
    return EnvironmentOrder(
        folder=str(ground / folder), **{"python": sys.executable, "wheelhouse": wheels, "tensorflow": "2.21.0", **more}
    )


def plan(ground: Path, report: SystemReport, **more: str) -> EnvironmentPlan:
    return plan_environment(user_places(), report, order(ground, **more))


def make(
    plan: EnvironmentPlan,
    report: SystemReport,
    control: JobControl | None = None,
    on_progress: Callable[[MakeProgress], None] | None = None,
) -> MadeEnvironment:
    return make_environment(
        user_places(), SystemClock(), load_texts(), report, plan, control or JobControl(), on_progress
    )


def snapshot(ground: Path) -> Snapshot:
    """Every path with what it holds; caches of installers are no rubbish and left out."""
    found: Snapshot = {}
    for place, folders, files in os.walk(ground):
        for name in (*folders, *files):
            path = Path(place) / name
            if path.is_relative_to(ground / "cache"):
                continue
            is_file = path.is_file() and not path.is_symlink()
            found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest() if is_file else "folder or link"
    return found


def english(made: MadeEnvironment) -> str:
    texts = load_texts()
    words = texts.render(made.headline, Language.ENGLISH)
    return words if made.failure is None else f"{words} {texts.render(made.failure.sentence, Language.ENGLISH)}"
