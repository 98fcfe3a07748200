"""How the making of an environment goes on, and what came out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.environment_plan import CommandLine, EnvironmentPlan, StepKind
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.log_report import LogReport
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import Record, path_text, public_text


class StepState(StrEnum):
    """Where a step stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class MakeOutcome(StrEnum):
    """What came out.

    ``PROVEN``: TensorFlow computed on a GPU. ``CPU_PROVEN``: it computed, no GPU took part, and none was expected.
    ``NOT_PROVEN``: the environment is whole and kept, but the proof did not show what was hoped for (``compat`` says
    why). ``FAILED`` and ``CANCELLED``: everything that was made is gone again (see ``left_behind``).
    """

    PROVEN = "proven"
    CPU_PROVEN = "cpu_proven"
    NOT_PROVEN = "not_proven"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, kw_only=True)
class StepProgress(Record):
    """One step as it stands; ``elapsed_s`` is None before it started."""

    kind: StepKind
    state: StepState = StepState.WAITING
    elapsed_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class PackageProgress(Record):
    """One package on its way.

    Attributes:
        total_bytes: None when nobody told.
        done_bytes: None while it can't be told; equals the total when it is done.
    """

    name: str = public_text("")
    total_bytes: int | None = None
    done_bytes: int | None = None
    is_done: bool = False


@dataclass(frozen=True, kw_only=True)
class InstallerLine(Record):
    """One line the installer printed, as it is; ``at`` is wall time in seconds since the epoch."""

    at: float
    text: str = path_text("")


@dataclass(frozen=True, kw_only=True)
class MakeProgress(Record):
    """How far a making is; complete in itself, a face may drop all but the newest.

    Attributes:
        message: What is happening, one sentence; during the proof its own steps.
        packages: Those whose download was announced, largest first.
        packages_done: Downloads finished or installed, of ``packages_total``; None when not known.
        downloaded_bytes: So far, of ``download_bytes``; None when it can't be told.
        rate_bytes_per_s: Over the last seconds; None before there is one.
        left_s: Seconds until the download ends; None when it can't be told.
        lines: Last lines of the installer, oldest first, at most ``LINES_SHOWN``; the log has all.
        is_cleaning: The making was ended and what was made is being removed.
    """

    steps: tuple[StepProgress, ...] = ()
    message: Message | None = None
    packages: tuple[PackageProgress, ...] = ()
    packages_done: int | None = None
    packages_total: int | None = None
    downloaded_bytes: int | None = None
    download_bytes: int | None = None
    rate_bytes_per_s: float | None = None
    left_s: float | None = None
    lines: tuple[InstallerLine, ...] = ()
    is_cleaning: bool = False

    @property
    def current(self) -> StepKind | None:
        """The step that is running, None before the first and after the last."""
        return next((step.kind for step in self.steps if step.state is StepState.RUNNING), None)


LINES_SHOWN = 500


@dataclass(frozen=True, kw_only=True)
class MakeFailure(Record):
    """Why a making failed.

    Attributes:
        step: The step that failed, None when it was not started.
        sentence: One sentence: what happened and what to do.
        explained: What the log doctor says of the installer's output; None when there was none.
        exit_code: Of the program, None when it ended otherwise.
    """

    step: StepKind | None = None
    sentence: Message
    explained: LogReport | None = None
    exit_code: int | None = None


@dataclass(frozen=True, kw_only=True)
class MadeEnvironment(Record):
    """What came out.

    Attributes:
        headline: One sentence: what there is now, or that it failed and was removed.
        interpreter: Of the new environment; empty when there is none.
        packages: Version by normalised name.
        compat: Verdict with the proof; None when it did not come that far.
        steps: With the time each took.
        disk_bytes: What the environment takes, None when there is none or it can't be read.
        activate: Line for a terminal; ``sync`` makes the same environment elsewhere from the lock file.
        lock_text: Requirements with exact versions, with hashes where they are known; empty without an environment.
        log: File with everything the installer printed; None when it could not be kept.
        left_behind: What could not be removed, or was not ours to remove.
    """

    outcome: MakeOutcome
    headline: Message
    plan: EnvironmentPlan
    folder: str = path_text("")
    interpreter: str = path_text("")
    python_version: str | None = public_text()
    packages: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "public"})
    compat: CompatReport | None = None
    failure: MakeFailure | None = None
    steps: tuple[StepProgress, ...] = ()
    duration_s: float = 0.0
    disk_bytes: int | None = None
    activate: CommandLine | None = None
    sync: CommandLine | None = None
    lock_text: str = public_text("")
    log: str | None = path_text()
    left_behind: tuple[str, ...] = path_text(())


@dataclass(frozen=True, kw_only=True)
class Leftover(Record):
    """A making that was cut off (the program was killed, the power went): what lies there can be removed.

    Attributes:
        id: Of its journal.
        started_at: Seconds since the epoch.
    """

    id: str = public_text("")
    folder: str = path_text("")
    started_at: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Removal(Record):
    """What a removal did.

    Attributes:
        folder: What was asked for.
        is_gone: The folder is not there any more.
        kept: What stayed because it is not ours or could not be removed.
    """

    folder: str = path_text("")
    is_gone: bool = True
    kept: tuple[str, ...] = path_text(())
