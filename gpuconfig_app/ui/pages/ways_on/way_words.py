"""Ways on in the words of the window; pure functions over ``core.way_on``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication

from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.units import GB
from gpuconfig_app.core.way_on import StepAction, StepState, Way, WayConfidence, WaysOn, WayStep

Render = Callable[[Message | LocalText | None], str]
_LOOKS: Mapping[StepState, tuple[str, str | None]] = MappingProxyType(
    {
        StepState.DONE: ("good", None),
        StepState.NEEDS_RESTART: ("warning", "power"),
        StepState.TO_DO: ("neutral", "circle"),
        StepState.WAITING: ("neutral", "hourglass"),
        StepState.UNKNOWN: ("neutral", "circle-help"),
        StepState.IMPOSSIBLE: ("blocked", None),
        StepState.INFO: ("note", None),
    }
)


@dataclass(frozen=True)
class Badge:
    """State as severity, word and icon; an icon of None is the severity's own."""

    severity: str
    word: str
    icon: str | None = None


@dataclass(frozen=True)
class StepShown:
    """One step.

    Attributes:
        number: From 1, in its way.
        needs: Small, below the name.
        effort: Time and download, small, at the right of the explanation.
        is_done: It counts as done.
        is_current: The step to do now.
        action: What a button beside it does, None for no button.
        tensorflow: Release for the action.
    """

    number: int
    name: str
    badge: Badge
    needs: str = ""
    found: str = ""
    explanation: str = ""
    commands: tuple[str, ...] = ()
    shell: str = "sh"
    changes: str = ""
    effort: str = ""
    is_done: bool = False
    is_current: bool = False
    action: StepAction | None = None
    tensorflow: str | None = None

    @property
    def has_more(self) -> bool:
        """Whether there is more than one line to show."""
        return bool(self.commands or self.explanation or self.changes or self.action)


def steps_shown(way: Way, text: Render) -> tuple[StepShown, ...]:
    """Say the steps of a way."""
    return tuple(_step(number, step, way, text) for number, step in enumerate(way.steps, start=1))


def confidence_badge(confidence: WayConfidence) -> Badge:
    """Say how sure it is that a way leads to the GPU."""
    translate = QCoreApplication.translate
    return {
        WayConfidence.KNOWN_TO_WORK: Badge("good", translate("WayWords", "Known to work")),
        WayConfidence.NOT_PROVEN: Badge("neutral", translate("WayWords", "Not proven"), "flask-conical"),
        WayConfidence.NATIVE: Badge("good", translate("WayWords", "Native")),
        WayConfidence.CPU_ONLY: Badge("neutral", translate("WayWords", "Without the GPU"), "cpu"),
    }[confidence]


def minutes_text(minutes: float) -> str:
    """Say a time roughly."""
    if minutes < 90:
        return QCoreApplication.translate("WayWords", "about {minutes} min").format(minutes=max(round(minutes), 1))
    return QCoreApplication.translate("WayWords", "about {hours} h").format(hours=f"{minutes / 60:.1f}")


def ways_as_text(ways: WaysOn, text: Render) -> str:
    """Give everything as plain text, to be sent or kept."""
    lines = [text(ways.title), text(ways.text)]
    for number, way in enumerate(ways.ways, start=1):
        lines += [
            "",
            f"{number}. {text(way.title)} ({confidence_badge(way.confidence).word})",
            f"   {text(way.summary)}",
        ]
        for step in steps_shown(way, text):
            found = f": {step.found}" if step.found else ""
            lines.append(f"   {step.number}) [{step.badge.word}] {step.name}{found}")
            lines += [f"      {step.explanation}"] if step.explanation else []
            lines += [f"      {command}" for command in step.commands if not step.is_done]
    if ways.will_not_help:
        lines += ["", QCoreApplication.translate("WayWords", "Will not help:")]
        lines += [f"- {text(item)}" for item in ways.will_not_help]
    return "\n".join(lines) + "\n"


def _step(number: int, step: WayStep, way: Way, text: Render) -> StepShown:
    is_done = step.state is StepState.DONE
    return StepShown(
        number=number,
        name=text(step.name),
        badge=_badge(step.state),
        needs=text(step.needs),
        found=text(step.found),
        explanation="" if is_done else text(step.explanation),
        commands=() if is_done else step.commands,
        shell=step.shell,
        changes="" if is_done else text(step.changes),
        effort="" if is_done else _effort(step),
        is_done=is_done,
        is_current=step is way.next_step,
        action=step.action if _can_act(step, way) else None,
        tensorflow=step.tensorflow,
    )


def _can_act(step: WayStep, way: Way) -> bool:
    """Whether a button may do something: only on this very machine's own Pythons, and never a restart."""
    if step.action is StepAction.SCRIPT:
        return True
    if step.state in {StepState.WAITING, StepState.IMPOSSIBLE} or way.leads_to != "local" or step.runs_in != "here":
        return False
    return step.action is StepAction.PROVE or (step.action is StepAction.ENVIRONMENT and step.state is StepState.TO_DO)


def _badge(state: StepState) -> Badge:
    translate = QCoreApplication.translate
    word = {
        StepState.DONE: translate("WayWords", "Done"),
        StepState.NEEDS_RESTART: translate("WayWords", "Needs restart"),
        StepState.TO_DO: translate("WayWords", "To do"),
        StepState.WAITING: translate("WayWords", "Waits"),
        StepState.UNKNOWN: translate("WayWords", "Not known"),
        StepState.IMPOSSIBLE: translate("WayWords", "Not possible"),
        StepState.INFO: translate("WayWords", "Note"),
    }[state]
    severity, icon = _LOOKS[state]
    return Badge(severity, word, icon)


def _effort(step: WayStep) -> str:
    parts = []
    if step.download_bytes:
        size = step.download_bytes
        shown = f"{size / GB:.1f} GB" if size >= GB else f"{max(round(size / 10**6), 1)} MB"
        parts.append(QCoreApplication.translate("WayWords", "download about {size}").format(size=shown))
    if step.minutes is not None:
        parts.append(minutes_text(step.minutes))
    return " · ".join(parts)
