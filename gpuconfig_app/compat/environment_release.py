"""Which release a new environment gets on a machine, what is installed beside it, and what it will run on.

The verdict decides (``releases``, ``check``); nothing is judged a second time here. Which interpreter is taken is
decided by whoever knows the machine's interpreters.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.gpu_facts import candidates, capability_of, code_for
from gpuconfig_app.compat.machine_code import CodeKind
from gpuconfig_app.compat.releases import JudgedRelease, best_release, judge_releases, release_verdicts
from gpuconfig_app.compat.subject import make_subject, platform_of
from gpuconfig_app.core.environment_plan import Pin, PlanGoal, ReleaseChoice
from gpuconfig_app.core.finding import CompatReport, Outcome, Verdict
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.versions import is_below
from gpuconfig_app.knowledge.cuda_drivers import CudaTable, load_cuda_table
from gpuconfig_app.knowledge.identify import fill_from_catalogue
from gpuconfig_app.knowledge.tensorflow_releases import TensorflowRelease, is_allowed

CUDA_PLATFORM = "linux-x86_64"
NUMPY_2_FROM = "2.18"
_ABLE = frozenset({Verdict.READY, Verdict.READY_WITH_NOTES})
_DEAD = frozenset({Outcome.IMPORT_FAILS, Outcome.CANNOT_INSTALL})
_LIKED_PYTHON = ("3.12", "3.11", "3.13", "3.10")


@dataclass(frozen=True, kw_only=True)
class ReleaseDecision:
    """A release for a machine.

    Attributes:
        row: The release, None when the table does not hold the one that was asked for.
        version: Exact, for the installer.
        goal: What it would run on.
        with_cuda: The ``and-cuda`` extra is asked for.
        pins: Further requirements, each with its reason.
        compat: The verdict on a fresh environment with it; its primary finding says why there is no GPU.
    """

    row: TensorflowRelease | None
    version: str
    goal: PlanGoal
    with_cuda: bool
    pins: tuple[Pin, ...]
    compat: CompatReport

    @property
    def requirements(self) -> tuple[str, ...]:
        """All requirements for the installer, TensorFlow first."""
        extra = "[and-cuda]" if self.with_cuda else ""
        return (f"tensorflow{extra}=={self.version}", *(pin.requirement for pin in self.pins))


@dataclass(frozen=True, kw_only=True)
class JudgedMachine:
    """A machine with every release judged once.

    Attributes:
        judged: Oldest first, each with a Python that suits it.
    """

    report: SystemReport
    platform: str | None
    judged: tuple[JudgedRelease, ...]

    def rows(self) -> tuple[TensorflowRelease, ...]:
        """Give the releases with a wheel for this platform, oldest first."""
        return tuple(item.row for item in self.judged)


def judge_machine(report: SystemReport) -> JudgedMachine:
    """Judge every release in a fresh environment of its own.

    Raises:
        UnusableFileError: A fact table cannot be used.
    """
    filled = fill_from_catalogue(report)
    platform = platform_of(filled.host.os)
    judged = judge_releases(filled, None, None, load_cuda_table(), any_python=True)
    offered = tuple(item for item in judged if "dev" not in item.row.newest)  # nightlies are another package
    return JudgedMachine(report=filled, platform=platform, judged=offered)


def release_choices(machine: JudgedMachine) -> tuple[ReleaseChoice, ...]:
    """Give what can be chosen, newest first; what cannot be installed or not be started is left out."""
    best = best_version(machine)
    made = [
        ReleaseChoice(
            version=item.row.newest,
            goal=_goal(item.judgement.verdict, item.judgement.outcome),
            is_best=item.row.newest == best,
            reason=_short_reason(item),
        )
        for item in machine.judged
        if item.judgement.outcome not in _DEAD
    ]
    return tuple(reversed(made))


def best_version(machine: JudgedMachine, python: Collection[str] | None = None) -> str | None:
    """Give the release to take: the best with a GPU, else the newest try, else the newest that starts.

    Args:
        python: Series there are (``3.12``); None takes any.

    Returns:
        None when no release can be installed and started.
    """
    fitting = [item for item in machine.judged if python is None or set(item.row.python) & set(python)]
    best = best_release(tuple(fitting))
    if best is not None:
        return best.row.newest
    stable = [item for item in fitting if not item.row.is_preview and item.judgement.outcome not in _DEAD]
    tries = [item for item in stable if _is_worth_a_try(machine, item)]
    left = tries or stable
    return left[-1].row.newest if left else None


def _is_worth_a_try(machine: JudgedMachine, item: JudgedRelease) -> bool:
    """Whether a GPU may come out of it, and the environment itself brings all that takes."""
    is_open = _goal(item.judgement.verdict, item.judgement.outcome) is PlanGoal.GPU_TO_BE_PROVEN
    return is_open and machine.platform == CUDA_PLATFORM and item.row.has_and_cuda


def fitting_pythons(machine: JudgedMachine, row: TensorflowRelease) -> tuple[str, ...]:
    """Give the Python series with which a release does best on a machine, the one to download first."""
    goals = {series: decide_release(machine, row.newest, series).goal for series in suiting_pythons(row)}
    best = min(goals.values(), key=list(PlanGoal).index)
    return tuple(series for series, goal in goals.items() if goal is best)


def decide_release(machine: JudgedMachine, version: str, python_version: str) -> ReleaseDecision:
    """Judge one release as it would be made, with the Python that was found for it.

    Args:
        version: Exact.
        python_version: Of the interpreter, ``3.12.8`` or ``3.12``.
    """
    table = load_cuda_table()
    fresh = PythonEnvironment(kind=EnvironmentKind.VENV, python_version=python_version)
    compat = check(machine.report, CheckOptions(environment=fresh, tensorflow=version))
    row = next((item for item in machine.rows() if version in item.versions), None)
    with_cuda = row is not None and _wants_cuda(machine, row, compat, fresh, table)
    goal = _goal(compat.verdict, compat.outcome)
    pins = _pins(machine, row, version, table, with_cuda=with_cuda)
    return ReleaseDecision(row=row, version=version, goal=goal, with_cuda=with_cuda, pins=pins, compat=compat)


def suiting_pythons(row: TensorflowRelease) -> tuple[str, ...]:
    """Give the Python series a release can be made with, the one to download first: not the very newest."""
    liked = [series for series in _LIKED_PYTHON if series in row.python]
    others = [series for series in reversed(row.python) if series not in liked]
    return (*liked, *others)


def _wants_cuda(
    machine: JudgedMachine,
    row: TensorflowRelease,
    compat: CompatReport,
    fresh: PythonEnvironment,
    table: CudaTable,
) -> bool:
    """Whether the CUDA libraries are worth their gigabytes: a card could use them, now or once the driver is mended."""
    if machine.platform != CUDA_PLATFORM or not row.has_and_cuda:
        return False
    if compat.verdict in _ABLE or compat.verdict is Verdict.UNKNOWN:
        return True
    if compat.outcome is not Outcome.CPU_ONLY:
        return False
    subject = make_subject(machine.report, fresh, row.newest, is_fresh=True)
    cards = candidates(subject)
    codes = [code_for(subject, card, table) for card in cards]
    return any(code is not None and code.kind is not CodeKind.BROKEN for code in codes)


def _pins(
    machine: JudgedMachine, row: TensorflowRelease | None, version: str, table: CudaTable, *, with_cuda: bool
) -> tuple[Pin, ...]:
    pins: list[Pin] = []
    if is_below(version, NUMPY_2_FROM):
        reason = Message("environment.pin-numpy", {"version": version})
        pins.append(Pin(requirement="numpy<2", reason=reason))
    if with_cuda and row is not None:
        pins.extend(_cudnn_pins(machine, row, table))
    return tuple(pins)


def _cudnn_pins(machine: JudgedMachine, row: TensorflowRelease, table: CudaTable) -> list[Pin]:
    """Hold cuDNN where a card would be dropped by the one pip brings."""
    package = f"nvidia-cudnn-cu{row.cuda_major}"
    bounds, resolved = row.and_cuda.get(package), row.cudnn_resolved
    subject = make_subject(machine.report, None, row.newest, is_fresh=True)
    for card in candidates(subject):
        capability = capability_of(card)
        pin = table.cudnn_to_stay_at(capability) if capability is not None else None
        if capability is None or pin is None or not is_allowed(pin, bounds):
            continue
        if resolved is not None and table.cudnn_serves(resolved, capability) is not False:
            continue
        reason = Message("environment.pin-cudnn", {"name": card.name or f"GPU {card.index}"})
        return [Pin(requirement=f"{package}=={pin}", reason=reason)]
    return []


def _goal(verdict: Verdict, outcome: Outcome) -> PlanGoal:
    if outcome in _DEAD:
        return PlanGoal.IMPOSSIBLE
    if verdict in _ABLE:
        return PlanGoal.GPU
    if verdict is Verdict.UNKNOWN and outcome not in {Outcome.CPU_ONLY, Outcome.GPU_FAILS}:
        return PlanGoal.GPU_TO_BE_PROVEN
    return PlanGoal.CPU_ONLY


def _short_reason(item: JudgedRelease) -> LocalText | None:
    return release_verdicts((item,), None)[0].reason
