"""How old the fact tables are that verdicts and plans rest on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

from gpuconfig_app.knowledge import tensorflow_packages, tensorflow_releases
from gpuconfig_app.knowledge.catalogue import load_catalogue
from gpuconfig_app.knowledge.models import load_models
from gpuconfig_app.knowledge.table import is_refreshed_newer


@dataclass(frozen=True)
class FactTable:
    """One table.

    Attributes:
        id: ``releases``, ``packages``, ``cards`` or ``models``.
        checked_on: Newest date in it, ISO, empty when it holds no rows.
        first: Oldest release, for the releases.
        last: Newest release.
        is_refreshed: Read from the package index by this user.
    """

    id: str
    count: int
    checked_on: str
    first: str = ""
    last: str = ""
    is_refreshed: bool = False


def read_fact_tables() -> tuple[FactTable, ...]:
    """Read the tables; takes some tens of milliseconds, so not on the window's thread."""
    releases, packages = tensorflow_releases.load_releases(), tensorflow_packages.load_packages()
    cards, models = load_catalogue(), load_models()
    versions = sorted({release.newest for release in releases}, key=_order)
    return (
        FactTable(
            "releases",
            len(versions),
            _newest(release.checked_on for release in releases),
            versions[0] if versions else "",
            versions[-1] if versions else "",
            is_refreshed_newer(tensorflow_releases.TABLE),
        ),
        FactTable(
            "packages",
            len(packages),
            _newest(package.checked_on for package in packages),
            is_refreshed=is_refreshed_newer(tensorflow_packages.TABLE),
        ),
        FactTable("cards", len(cards), _newest(card.checked_on for card in cards)),
        FactTable("models", len(models), _newest(model.checked_on for model in models)),
    )


def _newest(dates: Iterable[str]) -> str:
    return max(dates, default="")


def _order(version: str) -> Version:
    try:
        return Version(version)
    except InvalidVersion:
        return Version("0")
