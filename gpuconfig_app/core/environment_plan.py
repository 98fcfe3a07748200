"""What ``env create`` is asked for and what it would do: release, Python, commands, sizes and checks, before any start.

Frozen words only. A plan is complete in itself: a face shows it and hands it back to be carried out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.finding import Fix
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.record import Record, path_text, public_text


class PlanGoal(StrEnum):
    """What TensorFlow will run on in the environment, as far as can be told before it is proven."""

    GPU = "gpu"
    GPU_TO_BE_PROVEN = "gpu_to_be_proven"
    CPU_ONLY = "cpu_only"
    IMPOSSIBLE = "impossible"


class Installer(StrEnum):
    """The program that installs the packages."""

    UV = "uv"
    PIP = "pip"


class PythonOrigin(StrEnum):
    """Where the interpreter comes from; all but ``FOUND`` are downloaded first."""

    FOUND = "found"
    UV_MANAGED = "uv_managed"
    CONDA = "conda"


class StepKind(StrEnum):
    """The steps of a making, in their order; ``FETCH_PYTHON`` only where uv brings one."""

    FETCH_PYTHON = "fetch_python"
    MAKE = "make"
    INSTALL = "install"
    PROVE = "prove"


class CheckKind(StrEnum):
    """What is looked at beforehand."""

    FOLDER = "folder"
    DISK = "disk"
    QUOTA = "quota"
    TEMPORARY = "temporary"
    CACHE = "cache"
    DRIVER = "driver"
    INDEX = "index"
    SETTINGS = "settings"


class CheckState(StrEnum):
    """How a check came out; only ``BAD`` keeps the making from being started."""

    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"
    UNKNOWN = "unknown"


class SizeSource(StrEnum):
    """Where the sizes come from: the index's own figures, the fact table, or nowhere."""

    INDEX = "index"
    FACTS = "facts"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class EnvironmentOrder(Record):
    """What the user asks for.

    Attributes:
        folder: New folder, as typed; ``~`` and relative paths are resolved by the plan.
        tensorflow: Release or series; None takes the best for the machine.
        python: Interpreter, its environment's folder, or a version like ``3.12``; None chooses.
        index_url: Package index instead of the one pip is set up for. May hold a password: never shown as it is.
        wheelhouse: Folder of wheels; nothing else is asked then.
        lock_file: Requirements with exact versions, with or without hashes.
    """

    folder: str = path_text("")
    tensorflow: str | None = public_text()
    python: str | None = path_text()
    index_url: str | None = None
    wheelhouse: str | None = path_text()
    lock_file: str | None = path_text()


@dataclass(frozen=True, kw_only=True)
class CommandLine(Record):
    """One command as it is started, and as a person would type it.

    Attributes:
        words: Program and arguments; a password in an address is masked, it is put back when the command is started.
        unset: Environment variables taken away from this command.
        set: Environment variables given to it.
        posix: For bash, zsh and other POSIX shells, quoted, ``unset`` and ``set`` included.
        powershell: The same for PowerShell.
    """

    words: tuple[str, ...] = path_text(())
    unset: tuple[str, ...] = field(default=(), metadata={"privacy": "public"})
    set: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "path"})
    posix: str = path_text("")
    powershell: str = path_text("")


@dataclass(frozen=True, kw_only=True)
class Range(Record):
    """A number that is not known exactly; ``low`` equals ``high`` when it is."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class PlanStep(Record):
    """One step.

    Attributes:
        title: ``Install TensorFlow 2.21.0 with its CUDA libraries``.
        command: None only when there is nothing to type.
        time_s: Seconds it takes, None when it can't be told.
    """

    kind: StepKind
    title: Message
    command: CommandLine | None = None
    time_s: Range | None = None


@dataclass(frozen=True, kw_only=True)
class PackageSize(Record):
    """One package that would be installed.

    Attributes:
        download_bytes: None when the index does not tell.
        is_cached: It need not be downloaded again; None when it can't be told.
    """

    name: str = public_text("")
    version: str | None = public_text()
    download_bytes: int | None = None
    is_cached: bool | None = None


@dataclass(frozen=True, kw_only=True)
class SizeEstimate(Record):
    """What the making costs.

    Attributes:
        source: Whose figures they are; ``source_text`` says it in a sentence.
        download_bytes: Of all packages, cached ones included; None when not known.
        cached_bytes: Part of them that lies in the cache; None when it can't be told.
        disk_bytes: Of the finished environment; None when not known.
        time_s: Seconds from start to proof; None when not known. ``time_text`` says what it assumes.
        packages: By size, largest first; empty when they are not known one by one.
    """

    source: SizeSource = SizeSource.UNKNOWN
    source_text: Message | None = None
    download_bytes: Range | None = None
    cached_bytes: int | None = None
    disk_bytes: Range | None = None
    time_s: Range | None = None
    time_text: Message | None = None
    packages: tuple[PackageSize, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PlanCheck(Record):
    """One thing looked at beforehand.

    Attributes:
        title: ``Disk``; two or three words.
        text: What was found beside what is needed; for ``BAD`` what to do.
        free_bytes: Room found, None when it is not about room or not known; ``needed_bytes`` alike.
    """

    kind: CheckKind
    state: CheckState
    title: Message
    text: Message
    free_bytes: int | None = None
    needed_bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class PythonChoice(Record):
    """An interpreter the environment can be made with.

    Attributes:
        id: What to put into ``EnvironmentOrder.python`` to have this one.
        executable: None for one that is downloaded.
        version: ``3.12.8``, or ``3.12`` for one that is downloaded.
        label: ``3.12.8, already here``.
    """

    id: str = path_text("")
    origin: PythonOrigin
    version: str = public_text("")
    executable: str | None = path_text()
    label: Message


@dataclass(frozen=True, kw_only=True)
class ReleaseChoice(Record):
    """A release the environment can be made with.

    Attributes:
        version: What to put into ``EnvironmentOrder.tensorflow`` to have this one.
        goal: What it would run on.
        is_best: The one that is taken when nothing is asked for.
        reason: Short.
    """

    version: str = public_text("")
    goal: PlanGoal
    is_best: bool = False
    reason: LocalText | None = None


@dataclass(frozen=True, kw_only=True)
class Pin(Record):
    """A requirement beside TensorFlow itself, with the reason it is there."""

    requirement: str = public_text("")
    reason: Message


@dataclass(frozen=True, kw_only=True)
class NeutralisedVariable(Record):
    """A variable of the user that would break the making and is taken away from its commands only.

    Attributes:
        value: As the user has it; private, it may hold anything.
        reason: What it would do.
    """

    name: str = public_text("")
    value: str | None = None
    reason: Message


@dataclass(frozen=True, kw_only=True)
class EnvironmentPlan(Record):
    """What would be made, how, and whether it can be.

    Attributes:
        order: As it was asked, ``folder`` made absolute.
        is_here: For this very machine, so that it can be carried out; False for a recorded or assumed one.
        goal: ``IMPOSSIBLE`` when nothing can be made; ``headline`` and ``ways_on`` say why and what else.
        headline: One sentence: what comes out.
        remarks: What to mind: XLA off, a release without corrections.
        tensorflow: Exact version, None when the lock file decides or nothing can be made.
        requirements: As they are given to the installer.
        release_reason: Why this release, for under the field; ``python_reason`` alike.
        steps: In order; empty when nothing can be made.
        checks: In the order to be shown.
        releases: All that can be chosen, newest first.
        pythons: All that can be chosen, the one taken first.
        packages_from: Where packages come from: pip's own settings, an address, a folder.
        ways_on: Where it goes on when there is no GPU to be had here, best first.
        platform: ``linux``, ``windows``, ``macos``: decides the shell that is shown first.
    """

    order: EnvironmentOrder = EnvironmentOrder()
    is_here: bool = True
    goal: PlanGoal
    headline: Message
    remarks: tuple[LocalText, ...] = ()
    tensorflow: str | None = public_text()
    requirements: tuple[str, ...] = field(default=(), metadata={"privacy": "public"})
    pins: tuple[Pin, ...] = ()
    installer: Installer | None = None
    release_reason: LocalText | None = None
    python: PythonChoice | None = None
    python_reason: Message | None = None
    interpreter: str = path_text("")
    steps: tuple[PlanStep, ...] = ()
    size: SizeEstimate = SizeEstimate()
    checks: tuple[PlanCheck, ...] = ()
    releases: tuple[ReleaseChoice, ...] = ()
    pythons: tuple[PythonChoice, ...] = ()
    packages_from: Message | None = None
    neutralised: tuple[NeutralisedVariable, ...] = ()
    ways_on: tuple[Fix, ...] = ()
    platform: str = public_text("linux")

    @property
    def blockers(self) -> tuple[PlanCheck, ...]:
        """The checks that keep the making from being started."""
        return tuple(check for check in self.checks if check.state is CheckState.BAD)

    @property
    def can_start(self) -> bool:
        """Whether ``make_environment`` takes it."""
        return self.is_here and self.goal is not PlanGoal.IMPOSSIBLE and bool(self.steps) and not self.blockers

    def step(self, kind: StepKind) -> PlanStep | None:
        """Give the step of a kind, None when the plan has none."""
        return next((step for step in self.steps if step.kind is kind), None)
