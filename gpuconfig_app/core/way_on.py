"""Ways on from a machine on which TensorFlow does not use the GPU, step by step, each step checked.

Made by ``compat.ways_on`` from facts alone; the commands are shown to people, never run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.finding import Source
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.record import Record, public_text


class WayConfidence(StrEnum):
    """How sure it is that a way leads to TensorFlow on the GPU.

    ``known_to_work``: users and vendors report it. ``not_proven``: concluded, so a proof closes it. ``native``: as
    TensorFlow is built. ``cpu_only``: it works, without the GPU.
    """

    KNOWN_TO_WORK = "known_to_work"
    NOT_PROVEN = "not_proven"
    NATIVE = "native"
    CPU_ONLY = "cpu_only"


class StepState(StrEnum):
    """How far a step is.

    ``waiting``: it can't be begun before an earlier step is done. ``impossible``: this machine cannot do it.
    ``unknown``: it could not be read whether it is done. ``info``: nothing to do, worth knowing.
    """

    DONE = "done"
    NEEDS_RESTART = "needs_restart"
    TO_DO = "todo"
    WAITING = "waiting"
    UNKNOWN = "unknown"
    IMPOSSIBLE = "impossible"
    INFO = "info"


class StepAction(StrEnum):
    """What a face may offer as a button beside a step; nothing is done without being asked."""

    RESTART = "restart"
    ENVIRONMENT = "environment"
    PROVE = "prove"
    ADVISOR = "advisor"
    SCRIPT = "script"


@dataclass(frozen=True, kw_only=True)
class WayStep(Record):
    """One step.

    Attributes:
        needs: What it needs, in a few words.
        found: What is there; None when nothing was looked for.
        commands: Lines to copy, in order.
        shell: ``sh`` or ``powershell``.
        runs_in: Where the commands are typed: ``here``, ``wsl``.
        changes: What the commands change.
        explanation: What to know or do.
        minutes: About how long it takes, None when that can't be told.
        download_bytes: What it downloads, None for nothing or unknown.
        action: What a face may offer.
        tensorflow: Release an environment would be made with.
    """

    id: str = public_text("")
    name: LocalText
    state: StepState
    needs: LocalText | None = None
    found: Message | None = None
    commands: tuple[str, ...] = field(default=(), metadata={"privacy": "path"})
    shell: str = public_text("sh")
    runs_in: str = public_text("here")
    changes: LocalText | None = None
    explanation: LocalText | None = None
    minutes: float | None = None
    download_bytes: int | None = None
    action: StepAction | None = None
    tensorflow: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class Way(Record):
    """One way on.

    Attributes:
        summary: What it is and what it costs, one or two sentences.
        leads_to: Kind of target: ``wsl``, ``container``, ``local``; None where it leads to another machine.
        is_main: It has steps worth a page of its own; the others are shown beside it.
    """

    id: str = public_text("")
    title: LocalText
    summary: LocalText
    confidence: WayConfidence
    leads_to: str | None = public_text()
    is_main: bool = False
    steps: tuple[WayStep, ...] = ()
    source: Source = field(default_factory=Source)

    @property
    def done(self) -> int:
        """How many steps are done."""
        return sum(step.state is StepState.DONE for step in self.steps)

    @property
    def count(self) -> int:
        """How many steps there are to do in all; what is only worth knowing does not count."""
        return sum(step.state is not StepState.INFO for step in self.steps)

    @property
    def next_step(self) -> WayStep | None:
        """The step to do now, None when all are done or none can be."""
        open_states = {StepState.NEEDS_RESTART, StepState.TO_DO, StepState.UNKNOWN, StepState.IMPOSSIBLE}
        return next((step for step in self.steps if step.state in open_states), None)

    @property
    def is_possible(self) -> bool:
        """Whether no step is impossible on this machine."""
        return all(step.state is not StepState.IMPOSSIBLE for step in self.steps)

    @property
    def minutes_left(self) -> float | None:
        """About how long the steps that are not done take; None when none of them can be told."""
        left = [step.minutes for step in self.steps if step.state is not StepState.DONE and step.minutes is not None]
        return sum(left) if left else None


@dataclass(frozen=True, kw_only=True)
class WaysOn(Record):
    """All ways on from what stands in the way, the best one first.

    Attributes:
        code: Of the finding that stands in the way.
        title: That finding's title.
        text: That finding's text.
        page_title: What a page about them is called.
        will_not_help: What people try in vain.
        source: Where the cause is known from.
    """

    code: str = public_text("")
    title: LocalText
    text: LocalText
    page_title: LocalText
    ways: tuple[Way, ...] = ()
    will_not_help: tuple[LocalText, ...] = ()
    source: Source = field(default_factory=Source)
