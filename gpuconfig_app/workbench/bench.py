"""The five verbs, composed once for the window and the command line.

Every method may take long (driver, disk, child process): the window calls them in the background only. Nothing here
knows a widget or prints.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from gpuconfig_app.compat.assume import apply_assumptions
from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.log_doctor import explain
from gpuconfig_app.compat.log_reading import read_log
from gpuconfig_app.compat.target_view import settled
from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.log_report import LogReport
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.login_shell import read_user_variables
from gpuconfig_app.hardware.python_envs import find_environments
from gpuconfig_app.storage.places import Places, user_places
from gpuconfig_app.storage.settings import Settings, load_settings
from gpuconfig_app.workbench.environment_choice import choose_environment, environment_at, find_environment
from gpuconfig_app.workbench.machine import NO_MACHINE, OpenMachine, open_machine, searched_folders, with_wsl_inside
from gpuconfig_app.workbench.prove import ProveOptions, prove_and_judge, with_kept_proof
from gpuconfig_app.workbench.script_verbs import ScriptVerbs
from gpuconfig_app.workbench.text import Texts, load_texts

logger = logging.getLogger(__name__)


class Workbench(ScriptVerbs):
    """What both faces work with.

    Args:
        places: Folders of this user; default the platform's.
        clock: Time.
    """

    def __init__(self, places: Places | None = None, clock: Clock | None = None) -> None:
        self.places = places or user_places()
        self.clock = clock or SystemClock()

    @property
    def texts(self) -> Texts:
        """All sentences."""
        return load_texts()

    def settings(self) -> tuple[Settings, Message | None]:
        """Read the settings; the second value says when a broken file was set aside."""
        return load_settings(self.places)

    def open_machine(
        self,
        name: str | None = None,
        control: JobControl | None = None,
        *,
        include_environments: bool = True,
    ) -> OpenMachine:
        """Survey this machine or read a recorded one.

        Raises:
            UnusableFileError: A recorded machine can't be read.
        """
        settings, _ = self.settings()
        return open_machine(name, self.places, settings, control, include_environments=include_environments)

    def find_environments(self, control: JobControl | None = None) -> SystemReport:
        """Find the Python environments of this machine without starting any, on Windows those in running WSL too.

        Returns:
            A report that holds nothing else: ``environments``, and with WSL ``targets`` and ``hosts_inside``.

        Raises:
            JobCancelledError: The user ended the search.
        """
        settings, _ = self.settings()
        folders = searched_folders(settings)
        return with_wsl_inside(
            lambda: SystemReport(environments=find_environments(folders, control, read_user_variables().values)),
            control,
        )

    def check(
        self,
        report: SystemReport,
        environment: PythonEnvironment | None,
        *,
        tensorflow: str | None = None,
        devices: Sequence[int] | None = None,
        all_releases: bool = False,
    ) -> CompatReport:
        """Give the verdict for one environment of a machine; a proof of it that was kept counts.

        Around the cards of a machine of which nothing else is known, an ordinary one is taken, and said so.

        Args:
            tensorflow: Release to judge instead of the installed one.
            devices: Cards to judge, None for all.
        """
        if report.is_cards_alone and environment is None:
            assumed = apply_assumptions(report, ())
            report, environment = assumed.report, assumed.environment
        options = CheckOptions(
            environment=environment,
            tensorflow=tensorflow,
            devices=tuple(devices) if devices is not None else None,
            all_releases=all_releases,
        )
        compat = check(report, options)
        installed = environment.tensorflow_version if environment is not None else None
        if tensorflow is not None and compat.tensorflow != installed:
            return compat  # of an environment that would be made
        return with_kept_proof(self.places, report, compat, environment, self.texts)

    def prove(
        self,
        report: SystemReport,
        environment: PythonEnvironment | None,
        control: JobControl | None = None,
        options: ProveOptions | None = None,
    ) -> CompatReport:
        """Try TensorFlow on the GPUs in an environment, keep what came out, and give the verdict with it.

        Raises:
            UsageError: Nothing can be tried: no Python, a recorded machine, or a card sleeps and may not be woken.
            StorageError: There is no room for the test's notes.
            JobCancelledError: The user ended it.
        """
        settings, _ = self.settings()
        wanted = options or ProveOptions()
        allowed = replace(wanted, may_wake=wanted.may_wake or settings.wakes_sleeping_gpus)
        return prove_and_judge(self.places, self.clock, report, environment, allowed, self.texts, control)

    def check_assuming(
        self,
        machine_name: str | None,
        assumptions: Sequence[str],
        *,
        python: str | None = None,
        tensorflow: str | None = None,
        all_releases: bool = False,
    ) -> CompatReport:
        """Give the verdict of a machine, changed by assumptions (``KEY=VALUE``), or made of them alone.

        Raises:
            UsageError: An assumption can't be understood, or ``python`` is not there.
            UnusableFileError: The recorded machine can't be read.
        """
        report = None if machine_name == NO_MACHINE else self.open_machine(machine_name).report
        if not assumptions and report is not None:
            environment = self.choose_environment(report, python)
            return self.check(report, environment, tensorflow=tensorflow, all_releases=all_releases)
        environment = self.choose_environment(report, python) if report is not None else None
        if report is not None:
            report, environment = settled(report, environment)  # assumptions are about where TensorFlow runs
        assumed = apply_assumptions(report, assumptions, environment)
        options = CheckOptions(
            environment=assumed.environment,
            tensorflow=tensorflow or assumed.tensorflow,
            all_releases=all_releases,
        )
        return check(assumed.report, options)  # of a machine that is not here no proof is kept

    def explain(self, log: bytes, machine_name: str | None = None, control: JobControl | None = None) -> LogReport:
        """Say what an error log means, with the facts of the machine it is from when that is named.

        Raises:
            UnusableFileError: It is too large, empty or no text, or the machine can't be read.
        """
        report = None if machine_name in {None, NO_MACHINE} else self.open_machine(machine_name, control).report
        environment = None if report is None else self.choose_environment(report)
        if report is not None:
            report, environment = settled(report, environment)
        return explain(read_log(log), report, environment, control)

    def choose_environment(self, report: SystemReport, wanted: str | None = None) -> PythonEnvironment | None:
        """Choose the environment to look at by the one rule.

        Raises:
            UsageError: ``wanted`` is not an environment of this machine.
        """
        settings, _ = self.settings()
        if wanted is not None and report.recorded_from is None and find_environment(report, wanted) is None:
            named = environment_at(wanted)
            if named is not None:
                return named
        return choose_environment(report, lambda item: self.check(report, item), wanted, settings.python)
