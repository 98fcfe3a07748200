"""What the steps of a way are judged by: the machine, its verdict, its proofs, and the words filled into texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpuconfig_app.compat.facts_view import quoted
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target_facts import TargetFacts
from gpuconfig_app.core.way_on import StepAction, StepState, WayStep
from gpuconfig_app.knowledge.ways_on import Deed, ImageRow, WayTable

_OPEN = frozenset(
    {StepState.TO_DO, StepState.NEEDS_RESTART, StepState.WAITING, StepState.IMPOSSIBLE, StepState.UNKNOWN}
)


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What is known when ways are looked for.

    Attributes:
        report: The machine itself, not as seen from a target.
        compat: The verdict that stands in the way.
        proven: Names of the environments for which a proof stands.
        card: The card the way is for.
        image: The container image that is offered.
        needs_image: The way leads to a container, whose image asks more of the driver.
        values: Words for the placeholders of all texts.
    """

    report: SystemReport
    compat: CompatReport
    proven: frozenset[str]
    table: WayTable
    image: ImageRow
    card: Gpu | None
    needs_image: bool = False
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def targets(self) -> TargetFacts:
        """What is known of targets; empty when nobody asked."""
        return self.report.targets or TargetFacts()

    def text(self, text: LocalText | None, **more: str) -> LocalText | None:
        """Fill a text."""
        return text.filled({**self.values, **more}) if text is not None else None

    def step(
        self, name: str, state: StepState, found: Message | None = None, deed: str | None = None, **more: str
    ) -> WayStep:
        """Make a step.

        Args:
            name: Id of its row.
            deed: Id of what to do; None when there is nothing to do.
            more: Further words for its texts and commands.
        """
        row = self.table.step(name)
        done = self.table.deed(deed) if deed is not None else None
        values = {**self.values, **more}
        return WayStep(
            id=name,
            name=row.name.filled(values),
            state=state,
            needs=self.text(row.needs, **more),
            found=found,
            commands=tuple(_command(line, done.shell, values) for line in done.commands) if done is not None else (),
            shell=done.shell if done is not None else "sh",
            runs_in=done.runs_in if done is not None else "here",
            changes=self.text(done.changes, **more) if done is not None else None,
            explanation=self.text(done.explanation, **more) if done is not None else None,
            minutes=_minutes(done, state),
            download_bytes=done.download_bytes if done is not None else None,
            action=StepAction.RESTART if state is StepState.NEEDS_RESTART else row.action,
            tensorflow=more.get("release"),
        )


def is_open(earlier: tuple[WayStep, ...], *names: str) -> bool:
    """Whether one of the named earlier steps is not done, or not known to be; without names any of them."""
    return any(step.state in _OPEN for step in earlier if not names or step.id in names)


def is_missing(earlier: tuple[WayStep, ...], *names: str) -> bool:
    """Whether one of the named earlier steps is known not to be done; without names any of them."""
    missing = _OPEN - {StepState.UNKNOWN}
    return any(step.state in missing for step in earlier if not names or step.id in names)


def _command(line: str, shell: str, values: Mapping[str, str]) -> str:
    """Fill a command; each value is one word of the shell."""
    for name, value in values.items():
        line = line.replace(f"{{{name}}}", quoted(value, shell))
    return line


def _minutes(deed: Deed | None, state: StepState) -> float | None:
    return deed.minutes if deed is not None and state is not StepState.DONE else None
