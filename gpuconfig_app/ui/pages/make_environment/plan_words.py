"""A plan in the words of the window; pure functions over plan and answers."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from gpuconfig_app.core.environment_plan import (
    CheckKind,
    CheckState,
    EnvironmentPlan,
    PlanGoal,
    ReleaseChoice,
    SizeEstimate,
)
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.ui.pages.make_environment.command_card import POWERSHELL, SH
from gpuconfig_app.ui.pages.make_environment.plan_desk import PlanDesk
from gpuconfig_app.ui.pages.make_environment.plan_form import INDEX, LOCK, PIP, WHEELS
from gpuconfig_app.ui.pages.make_environment.shown import (
    CheckShown,
    ChoiceShown,
    CommandShown,
    FormShown,
    OptionShown,
)
from gpuconfig_app.ui.pages.make_environment.sizes_text import UNKNOWN, bytes_of, time_of, time_text
from gpuconfig_app.ui.widgets.metric_strip import Metric

Render = Callable[[Message | LocalText | None], str]
_SEVERITIES = {
    CheckState.GOOD: "good",
    CheckState.WARNING: "warning",
    CheckState.BAD: "blocked",
    CheckState.UNKNOWN: "neutral",
}
_GOALS = {
    PlanGoal.GPU: "good",
    PlanGoal.GPU_TO_BE_PROVEN: "note",
    PlanGoal.CPU_ONLY: "warning",
    PlanGoal.IMPOSSIBLE: "blocked",
}


def form_shown(desk: PlanDesk, text: Render) -> FormShown:
    """Say what is asked for, with what speaks for it."""
    plan = desk.plan
    shown = plan or desk.choices
    problem = next((check for check in plan.blockers if check.kind is CheckKind.FOLDER), None) if plan else None
    return FormShown(
        folder=desk.folder or (short_folder(shown.order.folder) if shown is not None else ""),
        folder_problem=text(problem.text) if problem is not None else "",
        releases=_releases(desk, shown, text),
        pythons=_pythons(desk, shown, text),
        sources=_sources(desk, plan, text),
        place=desk.place,
    )


def short_folder(folder: str) -> str:
    """Write the home folder of this machine as ``~`` where a shell would understand it."""
    home = str(Path.home())
    is_below = os.name == "posix" and folder.startswith(f"{home}/")
    return f"~{folder[len(home) :]}" if is_below else folder


def commands_shown(plan: EnvironmentPlan, text: Render) -> tuple[CommandShown, ...]:
    """Say every command in both shells."""
    return tuple(
        CommandShown(
            title=text(step.title),
            time=time_text(step.time_s),
            lines={SH: step.command.posix, POWERSHELL: step.command.powershell},
        )
        for step in plan.steps
        if step.command is not None
    )


def shell_of(desk: PlanDesk, plan: EnvironmentPlan) -> str:
    """Give the shell whose commands are shown: the chosen one, else the one of the plan's machine."""
    return desk.shell or (POWERSHELL if plan.platform == "windows" else SH)


def checks_shown(plan: EnvironmentPlan, text: Render) -> tuple[CheckShown, ...]:
    """Say what was looked at."""
    return tuple(CheckShown(_SEVERITIES[check.state], text(check.title), text(check.text)) for check in plan.checks)


def notes_shown(plan: EnvironmentPlan, text: Render) -> tuple[CheckShown, ...]:
    """Say what is pinned, what is left out of the environment of the shell, and what else is good to know."""
    notes = [CheckShown("note", pin.requirement, text(pin.reason)) for pin in plan.pins]
    notes += [CheckShown("note", item.name, text(item.reason)) for item in plan.neutralised]
    notes += [CheckShown("note", "", text(item)) for item in plan.remarks]
    return tuple(notes)


def tiles_shown(plan: EnvironmentPlan) -> tuple[Metric, ...]:
    """Say what it costs; what is not known is a dash with its reason."""
    size = plan.size
    nothing = QCoreApplication.translate("MakeEnvironment", "Not known beforehand")
    download, unit = bytes_of(size.download_bytes)
    disk, disk_unit = bytes_of(size.disk_bytes)
    time, time_unit = time_of(size.time_s)
    return (
        Metric(
            QCoreApplication.translate("MakeEnvironment", "Download"),
            download,
            unit,
            _cached(size) if size.download_bytes is not None else nothing,
        ),
        Metric(
            QCoreApplication.translate("MakeEnvironment", "On disk"),
            disk,
            disk_unit,
            _free(plan) if size.disk_bytes is not None else nothing,
            _room_severity(plan),
        ),
        Metric(
            QCoreApplication.translate("MakeEnvironment", "Time"),
            time,
            time_unit,
            QCoreApplication.translate("MakeEnvironment", "with the proof")
            if time != UNKNOWN
            else QCoreApplication.translate("MakeEnvironment", "Depends on the network"),
        ),
    )


def goal_shown(plan: EnvironmentPlan) -> tuple[str, str]:
    """Give severity and word of what comes out."""
    words = {
        PlanGoal.GPU: QCoreApplication.translate("MakeEnvironment", "TensorFlow on the GPU"),
        PlanGoal.GPU_TO_BE_PROVEN: QCoreApplication.translate("MakeEnvironment", "The proof must decide"),
        PlanGoal.CPU_ONLY: QCoreApplication.translate("MakeEnvironment", "On the processor only"),
        PlanGoal.IMPOSSIBLE: QCoreApplication.translate("MakeEnvironment", "Can't be made here"),
    }
    return _GOALS[plan.goal], words[plan.goal]


def why_not(desk: PlanDesk, text: Render, *, is_recorded: bool) -> str:
    """Say why the button can't be pressed now; empty when it can."""
    plan = desk.plan
    if desk.lacks_place:
        return QCoreApplication.translate("MakeEnvironment", "Name where the packages come from")
    if plan is None:
        return "" if desk.error is not None else QCoreApplication.translate("MakeEnvironment", "Working out the plan…")
    if is_recorded or not plan.is_here:
        return QCoreApplication.translate("MakeEnvironment", "A plan for a recorded machine: copy it and run it there")
    if plan.goal is PlanGoal.IMPOSSIBLE:
        return goal_shown(plan)[1]
    if desk.is_planning:
        if desk.is_asking_index:
            return QCoreApplication.translate("MakeEnvironment", "Asking the package index for sizes…")
        return QCoreApplication.translate("MakeEnvironment", "Working out the plan…")
    return text(plan.blockers[0].text) if plan.blockers else ""


def _releases(desk: PlanDesk, plan: EnvironmentPlan | None, text: Render) -> ChoiceShown:
    if plan is None:
        return ChoiceShown()
    if desk.source == LOCK:
        word = plan.tensorflow or QCoreApplication.translate("MakeEnvironment", "As the lock file says")
        return ChoiceShown((OptionShown("", word),), "", text(plan.release_reason))
    options = [OptionShown(item.version, _release_text(item), _refusal(item, text)) for item in plan.releases]
    value = plan.tensorflow or "" if desk.plan is not None else desk.release or plan.tensorflow or ""
    if value and all(option.value != value for option in options):
        options.insert(0, OptionShown(value, value))
    return ChoiceShown(tuple(options), value, text(plan.release_reason))


def _release_text(release: ReleaseChoice) -> str:
    if release.is_best:
        best = QCoreApplication.translate("MakeEnvironment", "{version}, best for this machine")
        return best.format(version=release.version)
    if release.goal is PlanGoal.CPU_ONLY:
        return QCoreApplication.translate("MakeEnvironment", "{version}, processor only").format(
            version=release.version
        )
    return release.version


def _refusal(release: ReleaseChoice, text: Render) -> str:
    if release.goal is not PlanGoal.IMPOSSIBLE:
        return ""
    return text(release.reason) or QCoreApplication.translate("MakeEnvironment", "not for this machine")


def _pythons(desk: PlanDesk, plan: EnvironmentPlan | None, text: Render) -> ChoiceShown:
    if plan is None:
        return ChoiceShown()
    options = tuple(OptionShown(item.id, text(item.label)) for item in plan.pythons)
    taken = plan.python.id if plan.python is not None else ""
    value = taken if desk.plan is not None else desk.python or taken
    return ChoiceShown(options, value, text(plan.python_reason))


def _sources(desk: PlanDesk, plan: EnvironmentPlan | None, text: Render) -> ChoiceShown:
    options = (
        OptionShown(PIP, QCoreApplication.translate("MakeEnvironment", "As pip is set up")),
        OptionShown(INDEX, QCoreApplication.translate("MakeEnvironment", "Another index")),
        OptionShown(WHEELS, QCoreApplication.translate("MakeEnvironment", "A folder of wheels")),
        OptionShown(LOCK, QCoreApplication.translate("MakeEnvironment", "A lock file")),
    )
    return ChoiceShown(options, desk.source, text(plan.packages_from) if plan is not None else "")


def _cached(size: SizeEstimate) -> str:
    if size.cached_bytes is None:
        return QCoreApplication.translate("MakeEnvironment", "less what is cached already")
    if not size.cached_bytes:
        return QCoreApplication.translate("MakeEnvironment", "nothing cached yet")
    cached = QCoreApplication.translate("MakeEnvironment", "{size} of it already cached")
    return cached.format(size=format_bytes(size.cached_bytes))


def _free(plan: EnvironmentPlan) -> str:
    room = next((item for item in plan.checks if item.kind is CheckKind.DISK), None)
    told = room.text.params.get("free_bytes") if room is not None else None
    free = told if room is None or room.free_bytes is None else room.free_bytes
    if not isinstance(free, int):
        return QCoreApplication.translate("MakeEnvironment", "free room not known")
    return QCoreApplication.translate("MakeEnvironment", "{size} free").format(size=format_bytes(free))


def _room_severity(plan: EnvironmentPlan) -> str:
    room = [item for item in plan.checks if item.kind in (CheckKind.DISK, CheckKind.QUOTA)]
    return "blocked" if any(item.state is CheckState.BAD for item in room) else ""
