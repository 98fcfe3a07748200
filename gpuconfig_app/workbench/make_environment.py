"""Makes a working TensorFlow environment: the plan with every command, the making, the proof, and the way back.

All verbs may take long (disk, index, child processes): the window calls them in the background only.
"""

from __future__ import annotations

from collections.abc import Callable

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.environment_made import Leftover, MadeEnvironment, MakeProgress, Removal
from gpuconfig_app.core.environment_plan import EnvironmentOrder, EnvironmentPlan
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.storage.places import Places
from gpuconfig_app.workbench.prove import ProveOptions
from gpuconfig_app.workbench.text import Texts

OnProgress = Callable[[MakeProgress], None]


def plan_environment(
    places: Places,
    report: SystemReport,
    order: EnvironmentOrder,
    control: JobControl | None = None,
    *,
    asks_index: bool = True,
) -> EnvironmentPlan:
    """Decide release, Python, pins and commands for a machine, and check beforehand what can be checked.

    Nothing is written or changed. Takes seconds, because interpreters and the package index are asked.

    Args:
        report: The machine with its environments; a recorded one gives a plan that can be read but not carried out.
        asks_index: Ask the package index for releases and sizes; without it both come from the fact tables, at once.

    Raises:
        UsageError: The folder, release, Python, wheelhouse or lock file asked for can't be meant; one sentence.
        UnusableFileError: A fact table cannot be used.
        JobCancelledError: The user ended it.
    """
    raise NotImplementedError


def make_environment(
    places: Places,
    clock: Clock,
    texts: Texts,
    report: SystemReport,
    plan: EnvironmentPlan,
    control: JobControl | None = None,
    on_progress: OnProgress | None = None,
    options: ProveOptions | None = None,
) -> MadeEnvironment:
    """Carry a plan out: make, install, prove. A cancelled or failed making removes exactly what it made.

    Args:
        control: Its cancellation ends the process tree and cleans up; the answer is then ``CANCELLED``, nothing is
            raised.
        on_progress: Called from the caller's thread, at most ten times a second and at each change of step.
        options: How the proof is run; a sleeping card that may not be woken gives ``NOT_PROVEN``.

    Raises:
        UsageError: The plan can't be carried out (``EnvironmentPlan.can_start``), or the folder is not empty any more.
        StorageError: The journal can't be written, without which nothing is begun.
    """
    raise NotImplementedError


def plan_script(plan: EnvironmentPlan, shell: str) -> str:
    """Give all commands of a plan as a script to save or copy.

    Args:
        shell: ``sh`` or ``powershell``.
    """
    raise NotImplementedError


def find_leftovers(places: Places) -> tuple[Leftover, ...]:
    """Give makings that were cut off and whose remains still lie there; those that still run are left out."""
    raise NotImplementedError


def clean_leftover(places: Places, leftover: Leftover) -> Removal:
    """Remove what a making left that was cut off; what the user put there stays."""
    raise NotImplementedError


def remove_environment(places: Places, folder: str) -> Removal:
    """Remove an environment that was made here ("Remove it again…"); what the user put there stays.

    Raises:
        UsageError: It was not made by this program, or something else stands there now.
    """
    raise NotImplementedError
