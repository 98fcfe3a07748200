"""What would the verdict be on another machine: an open one with changes, or one that is not here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gpuconfig_app.compat.assume import apply_assumptions
from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.versions import parse_version
from gpuconfig_app.knowledge.catalogue import load_catalogue
from gpuconfig_app.knowledge.cuda_drivers import load_cuda_table
from gpuconfig_app.knowledge.tensorflow_releases import load_releases

Assumptions = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class WhatIfAnswer:
    """What would be.

    Attributes:
        compat: The verdict; None when an assumption can't be understood.
        report: The machine after the changes.
        environment: Python with the packages that were assumed.
        problems: What is wrong, by key of the assumption; empty key when it is several together.
        ordinary: What was not said of a machine that is not here, and taken as ordinary.
    """

    compat: CompatReport | None = None
    report: SystemReport | None = None
    environment: PythonEnvironment | None = None
    problems: Mapping[str, UsageError] = field(default_factory=dict)
    ordinary: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WhatIfChoices:
    """What the tables offer, newest first; anything else may be typed.

    Attributes:
        cards: Names of the catalogue.
        drivers: Branches.
        pythons: Series with a wheel of some release.
        releases: Series of TensorFlow.
    """

    cards: tuple[str, ...]
    drivers: tuple[str, ...]
    pythons: tuple[str, ...]
    releases: tuple[str, ...]


def what_if(
    report: SystemReport | None, environment: PythonEnvironment | None, assumptions: Assumptions
) -> WhatIfAnswer:
    """Give the verdict of a machine changed by assumptions, or made of them alone.

    Args:
        report: The machine that is changed; None lets it consist of the assumptions.
        environment: The Python that would be judged without them.
        assumptions: Values by key of ``--assume``; only ``gpu`` may have several.

    Raises:
        UnusableFileError: A fact table can't be used.
    """
    problems = {key: error for key, values in assumptions.items() if (error := _problem(key, values)) is not None}
    if problems:
        return WhatIfAnswer(problems=problems)
    pairs = [f"{key}={value}" for key, values in assumptions.items() for value in values]
    try:
        assumed = apply_assumptions(report, pairs, environment if report is not None else None)
    except UsageError as error:
        return WhatIfAnswer(problems={"": error})
    options = CheckOptions(environment=assumed.environment, tensorflow=assumed.tensorflow, all_releases=True)
    return WhatIfAnswer(
        compat=check(assumed.report, options),  # of a machine that is not here no proof is kept
        report=assumed.report,
        environment=assumed.environment,
        ordinary=assumed.ordinary,
    )


def what_if_choices() -> WhatIfChoices:
    """Give what the tables offer.

    Raises:
        UnusableFileError: A fact table can't be used.
    """
    releases = load_releases()
    return WhatIfChoices(
        cards=tuple(dict.fromkeys(row.driver_name or row.name for row in load_catalogue())),
        drivers=_newest_first({row.branch.removeprefix("R") for row in load_cuda_table().branches}),
        pythons=_newest_first({series for row in releases for series in row.python}),
        releases=_newest_first({row.series for row in releases}),
    )


def _problem(key: str, values: Sequence[str]) -> UsageError | None:
    """Say what is wrong with one assumption, whatever the others are."""
    try:
        apply_assumptions(None, [f"{key}={value}" for value in values])
    except UsageError as error:
        return error
    return None


def _newest_first(versions: set[str]) -> tuple[str, ...]:
    readable = [version for version in versions if parse_version(version) is not None]
    return tuple(sorted(readable, key=lambda version: parse_version(version) or (), reverse=True))
