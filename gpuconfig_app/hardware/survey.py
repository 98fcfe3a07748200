"""``survey()``: what is in this machine. It asks everything side by side, each part with a limit, and never raises.

A part that hangs or breaks leaves a note and its field empty; the rest is there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from gpuconfig_app.core.clock import Clock, SystemClock
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import BackendState, BackendStatus, HostInfo, OsFamily, OsInfo, SystemReport
from gpuconfig_app.hardware.backend import BackendResult, DetectOptions, GpuBackend
from gpuconfig_app.hardware.host import HostSources, read_host
from gpuconfig_app.hardware.login_shell import UserVariables, read_user_variables
from gpuconfig_app.hardware.merge import merge_cards
from gpuconfig_app.hardware.pci import PciCard, bus_tells_all, scan_pci
from gpuconfig_app.hardware.python_envs import find_environments
from gpuconfig_app.hardware.registry import BACKENDS
from gpuconfig_app.hardware.time_limit import PendingAnswer

logger = logging.getLogger(__name__)
T = TypeVar("T")

# A back-end keeps its own limit twice (start, cards); this is the net below it.
_BACKEND_SLACK_S = 2.0
_HOST_LIMIT_S = 8.0
_ENVIRONMENTS_LIMIT_S = 15.0
_WAIT_STEP_S = 0.1


@dataclass(frozen=True, kw_only=True)
class SurveyOptions:
    """What a survey should do.

    Attributes:
        machine_id: Key of this installation's samples and proofs.
        wakes_sleeping_gpus: Ask cards that are powered down too.
        extra_python_folders: Further places of Python environments.
        include_environments: Look for Python environments.
        variables: The user's environment variables; None takes this program's, or the login shell's when it was
            started from the desktop.
        driver_limit_s: How long a driver may take to start up, and again for its cards to answer.
    """

    machine_id: str = "this"
    wakes_sleeping_gpus: bool = False
    extra_python_folders: tuple[Path, ...] = ()
    include_environments: bool = True
    variables: Mapping[str, str] | None = None
    driver_limit_s: float = 10.0


def _host_of(variables: UserVariables) -> HostInfo:
    return read_host(HostSources(variables=variables.values, variables_origin=variables.origin))


@dataclass(frozen=True)
class SurveyParts:
    """Who answers what; tests put recorded answers in.

    Attributes:
        environments: Called with folders, the job and the user's variables.
    """

    backends: Sequence[GpuBackend] = BACKENDS
    scan: Callable[[], tuple[PciCard, ...] | None] = scan_pci
    bus_tells_all: Callable[[], bool] = bus_tells_all
    variables: Callable[[], UserVariables] = read_user_variables
    host: Callable[[UserVariables], HostInfo] = _host_of
    environments: Callable[[Sequence[Path], JobControl | None, Mapping[str, str]], tuple[PythonEnvironment, ...]] = (
        find_environments
    )
    clock: Clock = field(default_factory=SystemClock)


def survey(
    options: SurveyOptions | None = None, control: JobControl | None = None, parts: SurveyParts | None = None
) -> SystemReport:
    """Give what is here: cards, host, drivers, Python environments.

    Raises:
        JobCancelledError: The user ended it; nothing else is raised.
    """
    return _Survey(options or SurveyOptions(), control or JobControl(), parts or SurveyParts()).report()


class _Survey:
    """One run of the survey: starts the parts, waits, puts the report together."""

    def __init__(self, options: SurveyOptions, control: JobControl, parts: SurveyParts) -> None:
        self._options = options
        self._control = control
        self._parts = parts
        self._notes: list[Message] = []

    def report(self) -> SystemReport:
        """Ask everything and give the report."""
        self._control.report(0.0, Message("host.looking-at-cards"))
        scanned = self._safe("PCI", self._parts.scan, otherwise=None)
        pending = self._ask_backends(scanned)
        variables = self._variables()
        host_answer = PendingAnswer(partial(self._parts.host, variables), "survey-host")
        environments_answer = self._ask_environments(variables)
        self._control.report(0.2, Message("host.looking-at-host"))
        host = self._wait(host_answer, _HOST_LIMIT_S, "host", HostInfo(os=OsInfo(family=OsFamily.OTHER)))
        self._control.report(0.4, Message("host.looking-at-cards"))
        limit_s = 2 * self._options.driver_limit_s + _BACKEND_SLACK_S
        results = [self._result_of(backend, answer, limit_s) for backend, answer in pending]
        self._control.report(0.7, Message("host.looking-for-environments"))
        environments: tuple[PythonEnvironment, ...] = ()
        if environments_answer is not None:
            environments = self._wait(environments_answer, _ENVIRONMENTS_LIMIT_S, "python", ())
        return SystemReport(
            machine_id=self._options.machine_id,
            taken_at=self._parts.clock.now(),
            host=host,
            gpus=merge_cards(results, scanned or (), is_container=host.os.container is not None),
            drivers=tuple(result.driver for result in results if result.driver is not None),
            backends=tuple(result.status for result in results),
            environments=environments,
            notes=tuple(self._notes),
        )

    def _ask_backends(
        self, scanned: tuple[PciCard, ...] | None
    ) -> list[tuple[GpuBackend, PendingAnswer[BackendResult]]]:
        tells_all = scanned is not None and self._safe("PCI", self._parts.bus_tells_all, otherwise=False)
        asleep = frozenset(card.bus_id for card in scanned or () if card.is_asleep)
        pending = []
        for backend in self._parts.backends:
            own = tuple(card.bus_id for card in scanned or () if card.vendor is backend.vendor)
            detect = DetectOptions(
                wakes_sleeping_gpus=self._options.wakes_sleeping_gpus,
                sleeping_bus_ids=asleep.intersection(own),
                pci_bus_ids=own if tells_all or own else None,
                time_limit_s=self._options.driver_limit_s,
            )
            name = f"survey-{backend.vendor.value}"
            pending.append((backend, PendingAnswer(partial(backend.detect, detect), name)))
        return pending

    def _variables(self) -> UserVariables:
        if self._options.variables is not None:
            return UserVariables(self._options.variables, "given")
        found = self._safe("variables", self._parts.variables, otherwise=UserVariables({}))
        if found.problem is not None:
            self._notes.append(found.problem)
        return found

    def _ask_environments(self, variables: UserVariables) -> PendingAnswer[tuple[PythonEnvironment, ...]] | None:
        if not self._options.include_environments:
            return None
        look = partial(self._parts.environments, self._options.extra_python_folders, self._control, variables.values)
        return PendingAnswer(look, "survey-python")

    def _result_of(self, backend: GpuBackend, answer: PendingAnswer[BackendResult], limit_s: float) -> BackendResult:
        silent = Message("host.backend-no-answer", {"limit_s": limit_s})
        status = BackendStatus(
            vendor=backend.vendor, state=BackendState.FAILED, code="no_answer", reason=silent, source=None
        )
        if not self._wait_for(answer, limit_s):
            return BackendResult(status=status)
        try:
            return answer.result()
        except Exception as error:  # a back-end that breaks its promise must not take the others along
            logger.exception("back-end %s", backend.vendor)
            detail = Message("host.part-failed", {"part": backend.vendor.value, "detail": type(error).__name__})
            broken = BackendStatus(vendor=backend.vendor, state=BackendState.FAILED, code="failed", reason=detail)
            return BackendResult(status=broken)

    def _wait(self, answer: PendingAnswer[T], limit_s: float, part: str, otherwise: T) -> T:
        if not self._wait_for(answer, limit_s):
            self._notes.append(Message("host.part-no-answer", {"part": part, "limit_s": limit_s}))
            return otherwise
        return self._safe(part, answer.result, otherwise=otherwise)

    def _wait_for(self, answer: PendingAnswer[T], limit_s: float) -> bool:
        """Wait in steps, so that a cancelled survey ends at once even while a driver hangs."""
        end = self._parts.clock.monotonic() + limit_s
        while not answer.wait(_WAIT_STEP_S):
            self._control.check()
            if self._parts.clock.monotonic() >= end:
                return False
        return True

    def _safe(self, part: str, work: Callable[[], T], *, otherwise: T) -> T:
        try:
            return work()
        except JobCancelledError:
            raise
        except Exception as error:  # the survey gives what it has, whatever breaks
            logger.exception("survey: %s", part)
            self._notes.append(Message("host.part-failed", {"part": part, "detail": type(error).__name__}))
            return otherwise
