"""What the parts of the page show, already in words; they know neither the engine nor the state."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OptionShown:
    """One line of a choice.

    Attributes:
        value: What is answered.
        reason: Why it can't be chosen; empty when it can. It stays visible.
    """

    value: str
    text: str
    reason: str = ""


@dataclass(frozen=True)
class ChoiceShown:
    """A choice with what speaks for the chosen line.

    Attributes:
        value: Of the chosen option.
        remark: Below it, one or two lines.
    """

    options: tuple[OptionShown, ...] = ()
    value: str = ""
    remark: str = ""


@dataclass(frozen=True)
class FormShown:
    """What is made.

    Attributes:
        folder: As typed.
        folder_problem: Why it can't be used, empty when it can.
        place: Index, folder or lock file that belongs to the chosen source.
        place_problem: Why it can't be used.
    """

    folder: str = ""
    folder_problem: str = ""
    releases: ChoiceShown = ChoiceShown()
    pythons: ChoiceShown = ChoiceShown()
    sources: ChoiceShown = ChoiceShown()
    place: str = ""
    place_problem: str = ""


@dataclass(frozen=True)
class CommandShown:
    """One step before it runs.

    Attributes:
        time: How long it takes, empty when that is not known.
        lines: The command for each shell, by ``sh`` and ``powershell``.
    """

    title: str
    time: str
    lines: dict[str, str]


@dataclass(frozen=True)
class CheckShown:
    """One thing that was looked at before anything is made.

    Attributes:
        severity: ``good``, ``warning``, ``blocked`` or ``neutral`` when it could not be found out.
        found: What was found, one or two sentences.
    """

    severity: str
    name: str
    found: str


@dataclass(frozen=True)
class PackageShown:
    """A package on its way.

    Attributes:
        share: From 0 to 1, None when it is not known.
        size: In words.
    """

    name: str
    size: str
    share: float | None
    is_done: bool = False


@dataclass(frozen=True)
class StepShown:
    """One step while it is made.

    Attributes:
        state: ``done``, ``now``, ``to_come``, ``failed`` or ``stopped``.
        time: How long it took, takes or will take.
        doing: What is happening in it right now.
    """

    state: str
    title: str
    time: str = ""
    doing: str = ""


@dataclass(frozen=True)
class LoadShown:
    """How far the download is.

    Attributes:
        number: What has come, without its unit.
        unit: Its unit and what is expected in all.
        pace: Speed and what is left.
        count: Packages of how many.
        share: From 0 to 1, None when it is not known.
        packages: The largest ones.
    """

    number: str = ""
    unit: str = ""
    pace: str = ""
    count: str = ""
    share: float | None = None
    packages: tuple[PackageShown, ...] = ()
