"""What is judged: which Python, which release in it, on which cards; and the judging, in a thread."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.workbench.bench import Workbench


@dataclass(frozen=True)
class Question:
    """What is judged on the open machine.

    Attributes:
        tensorflow: Release to judge instead of the installed one, None for that.
        devices: Cards to judge by index, None for all.
        python: Interpreter of the environment; None until one is chosen. It stands before its verdict does, so that
            a machine that is looked at again meanwhile is judged in it too.
    """

    tensorflow: str | None = None
    devices: tuple[int, ...] | None = None
    python: str | None = None

    def followed_by(
        self, asked: Question | None, executable: str | None, present: PythonEnvironment | None
    ) -> Question:
        """Give the next question.

        Args:
            asked: None asks as before; in another environment for what is installed there, on the same cards.
            executable: Environment that is chosen now, None keeps the one that was chosen before.
            present: Environment of the newest verdict, for want of a choice.
        """
        if asked is None:
            asked = self if executable is None else Question(devices=self.devices)
        kept = self.python or (present.executable if present is not None else None)
        return replace(asked, python=executable or asked.python or kept)

    def settled_on(self, environment: PythonEnvironment | None) -> Question:
        """Give the question with the environment that was judged in the end."""
        return replace(self, python=environment.executable if environment is not None else None)

    def as_installed(self) -> Question:
        """Give the question without a choice of release and cards."""
        return Question(python=self.python)


def judge(
    workbench: Workbench, report: SystemReport, asked: Question, *, is_chosen_now: bool
) -> tuple[PythonEnvironment | None, CompatReport]:
    """Give the environment and its verdict; in a thread.

    Args:
        is_chosen_now: The user has just named the environment. One that was chosen earlier and is gone meanwhile makes
            room for the best of the others.

    Raises:
        UsageError: The environment that was just named does not exist.
    """
    try:
        environment = workbench.choose_environment(report, asked.python)
    except UsageError:
        if is_chosen_now:
            raise
        environment = workbench.choose_environment(report)
    verdict = workbench.check(
        report, environment, tensorflow=asked.tensorflow, devices=asked.devices, all_releases=True
    )  # fmt: skip
    return environment, verdict


def verdicts_of(workbench: Workbench, report: SystemReport, control: JobControl) -> dict[str, CompatReport]:
    """Give the verdict of every environment by its interpreter; in a thread."""
    verdicts = {}
    for environment in report.environments:
        control.check()
        verdicts[environment.executable] = workbench.check(report, environment)
    return verdicts


def with_environments(report: SystemReport, found: SystemReport) -> SystemReport:
    """Give a report with the environments and targets that another search found."""
    return replace(report, environments=found.environments, targets=found.targets, hosts_inside=found.hosts_inside)
