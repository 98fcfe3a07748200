"""Ways on from a blocked machine, for both faces: targets are asked where that is needed, kept proofs count."""

from __future__ import annotations

from gpuconfig_app.compat.ways_on import find_ways, has_ways
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.way_on import WaysOn
from gpuconfig_app.hardware.targets import TargetOptions, TargetSources, with_targets
from gpuconfig_app.storage.places import Places
from gpuconfig_app.workbench.prove import is_proven
from gpuconfig_app.workbench.targets import with_known_images


def find_ways_on(
    places: Places,
    report: SystemReport,
    compat: CompatReport,
    control: JobControl | None = None,
    sources: TargetSources | None = None,
    *,
    is_fresh: bool = False,
) -> WaysOn | None:
    """Give the ways on from a verdict, each step checked; None where there are none beyond the findings' fixes.

    Asks WSL, Windows and container engines (seconds), but only where a way leads there; a recorded machine is judged by
    what was recorded. Nothing is started or changed. Call it again to check the steps anew.

    Args:
        places: Folders of this user, where proofs are kept.
        report: The machine itself, as it was opened.
        compat: Its verdict in the environment that is looked at.
        sources: Where targets are looked for; default this machine.
        is_fresh: The machine was opened just now, so what it holds of WSL is not asked again.

    Raises:
        JobCancelledError: The user ended it.
    """
    if not has_ways(report, compat):
        return None
    if report.recorded_from is None:
        report = with_known_images(with_targets(report, TargetOptions(keeps_wsl=is_fresh), control, sources))
    return find_ways(report, compat, _proven(places, report))


def _proven(places: Places, report: SystemReport) -> frozenset[str]:
    if report.recorded_from is not None:
        return frozenset()
    named = (item for item in report.environments if item.executable)
    return frozenset(item.executable for item in named if is_proven(places, report, item))
