"""Where the packages of a new environment come from, through which installer, what they weigh, and what was checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gpuconfig_app.compat.environment_release import ReleaseDecision
from gpuconfig_app.core.environment_plan import (
    CheckKind,
    CheckState,
    EnvironmentOrder,
    Installer,
    PackageSize,
    PlanCheck,
    PythonOrigin,
    SizeEstimate,
)
from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.messages import MessageValue
from gpuconfig_app.core.system import Disk, SystemReport
from gpuconfig_app.runner.environment_checks import (
    check_folder,
    check_quota,
    check_result,
    check_room,
    demands,
)
from gpuconfig_app.runner.environment_index import (
    ask_pip,
    resolved_check,
    source_options,
    try_wheelhouse,
    wheelhouse_check,
)
from gpuconfig_app.runner.environment_python import PythonDecision
from gpuconfig_app.runner.environment_sizes import Resolved, estimate, resolve_with_uv, wheel_folder_packages
from gpuconfig_app.runner.environment_tools import (
    PIP_PLACE_OPTIONS,
    PIP_SOURCE_OPTIONS,
    Tools,
    breaking_variables,
    child_variables,
    read_pip_settings,
)

_ADDRESS_OPTIONS = frozenset({"index-url", "extra-index-url", "find-links", "no-index"})


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The answer.

    Attributes:
        settings: Names of pip's own settings that decide where packages come from.
        given: Variables the installation is given against a setting that would break it.
    """

    installer: Installer
    size: SizeEstimate
    checks: tuple[PlanCheck, ...]
    settings: tuple[str, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class _Chosen:
    installer: Installer
    settings: tuple[str, ...]
    given: Mapping[str, str]
    check: PlanCheck | None


def look_at_sources(
    order: EnvironmentOrder,
    decision: ReleaseDecision,
    python: PythonDecision,
    tools: Tools,
    report: SystemReport,
    platform: str | None,
    *,
    asks_index: bool,
) -> Sources:
    """Choose the installer, ask the index and check this machine beforehand.

    Args:
        asks_index: False leaves the index alone; sizes come from the table.
    """
    variables = child_variables(tools.variables, [item.name for item in breaking_variables(tools.variables)])
    chosen = _choose(order, python, tools, variables)
    wheels = wheel_folder_packages(Path(order.wheelhouse)) if order.wheelhouse is not None else None
    resolved = None
    if asks_index and chosen.installer is Installer.UV and tools.uv is not None:
        resolved = _resolve(order, decision, python, tools.uv, variables)
    size = estimate(decision.version, platform, resolved, wheels, with_cuda=decision.with_cuda)
    checks: list[PlanCheck] = []
    if tools.are_known:
        folder = Path(order.folder)
        checks.append(check_folder(folder))
        checks += check_room(demands(folder, chosen.installer, size, tools.variables))
        checks.append(check_quota(folder, size.disk_bytes, tools.variables))
    else:
        checks += _recorded_room(report, size)
    checks += _driver(decision)
    if tools.are_known and (asks_index or wheels is not None):
        checks.append(_index(order, decision, python, chosen.installer, variables, resolved, wheels))
    checks += [chosen.check] if chosen.check is not None else []
    return Sources(
        installer=chosen.installer, size=size, checks=tuple(checks), settings=chosen.settings, given=chosen.given
    )


def _choose(order: EnvironmentOrder, python: PythonDecision, tools: Tools, variables: Mapping[str, str]) -> _Chosen:
    """Uv where it is there, unless pip has been told where packages come from, which uv would not know."""
    answer, taken = python.answer, python.taken
    executable = taken.executable if taken is not None else None
    asked = executable if answer is not None and answer.has_pip else None
    settings = (read_pip_settings(asked, variables) or {}) if tools.are_known else {}
    counted = set(PIP_SOURCE_OPTIONS) - (_ADDRESS_OPTIONS if order.index_url or order.wheelhouse else set())
    names = tuple(sorted(counted & settings.keys()))
    origin = taken.origin if taken is not None else PythonOrigin.FOUND
    must_be_uv = origin is PythonOrigin.UV_MANAGED or (answer is not None and not answer.can_make)
    likes_uv = tools.uv is not None and origin is not PythonOrigin.CONDA and (not names or tools.is_uv_set_up)
    given = {"PIP_USER": "0"} if settings.get("user", ("", False))[0].lower() in {"1", "true", "yes", "on"} else {}
    if must_be_uv or likes_uv:
        check = None
        if names and not tools.is_uv_set_up:
            check = check_result(
                CheckKind.SETTINGS, CheckState.WARNING, "settings-not-read-by-uv", {"names": ", ".join(names)}
            )
        elif tools.uv is None:
            check = check_result(CheckKind.SETTINGS, CheckState.UNKNOWN, "settings-needs-uv", {})
        return _Chosen(installer=Installer.UV, settings=(), given={}, check=check)
    elsewhere = [name for name in PIP_PLACE_OPTIONS if name in settings]
    check = None
    if elsewhere:
        params: dict[str, MessageValue] = {"names": ", ".join(elsewhere)}
        check = check_result(CheckKind.SETTINGS, CheckState.BAD, "settings-elsewhere", params)
    return _Chosen(installer=Installer.PIP, settings=names, given=given, check=check)


def _resolve(
    order: EnvironmentOrder, decision: ReleaseDecision, python: PythonDecision, uv: str, variables: Mapping[str, str]
) -> Resolved | None:
    version = python.taken.version if python.taken is not None else ""
    options = source_options(order)
    return resolve_with_uv(uv, decision.requirements, version, options, variables, order.lock_file)


def _index(
    order: EnvironmentOrder,
    decision: ReleaseDecision,
    python: PythonDecision,
    installer: Installer,
    variables: Mapping[str, str],
    resolved: Resolved | None,
    wheels: tuple[PackageSize, ...] | None,
) -> PlanCheck:
    executable = python.taken.executable if python.taken is not None else None
    if wheels is not None:
        found = wheelhouse_check(decision.version, wheels)
        can_ask = resolved is None and executable is not None and python.answer is not None and python.answer.has_pip
        if can_ask and executable is not None and order.lock_file is None and found.state is CheckState.GOOD:
            resolved = try_wheelhouse(executable, decision.requirements, source_options(order), variables)
        is_lacking = found.state is CheckState.GOOD and resolved is not None and resolved.problem is not None
        return resolved_check(decision.version, resolved) if is_lacking and resolved is not None else found
    if resolved is not None:
        return resolved_check(decision.version, resolved)
    if installer is Installer.PIP and executable is not None and python.answer is not None and python.answer.has_pip:
        return ask_pip(executable, decision.version, source_options(order), variables)
    return check_result(CheckKind.INDEX, CheckState.UNKNOWN, "index-not-asked", {"detail": "–"})


def _driver(decision: ReleaseDecision) -> list[PlanCheck]:
    """Say what the verdict says of the driver, where CUDA libraries are installed."""
    row = next((item for item in decision.compat.requirements if item.id == "driver"), None)
    if row is None or row.needs is None or not decision.with_cuda:
        return []
    needed = row.needs.params.get("value", "?")
    found = row.found.params.get("value") if row.found is not None else None
    state = {
        Severity.GOOD: CheckState.GOOD, Severity.NEUTRAL: CheckState.UNKNOWN,
    }.get(row.severity, CheckState.WARNING)  # fmt: skip
    params: dict[str, MessageValue] = {"needed": needed}
    if found is None:
        return [check_result(CheckKind.DRIVER, state, "driver-unknown", params)]
    name = "driver-good" if state is CheckState.GOOD else "driver-bad"
    return [check_result(CheckKind.DRIVER, state, name, {**params, "found": found})]


def _recorded_room(report: SystemReport, size: SizeEstimate) -> list[PlanCheck]:
    """Compare with the disks of a recorded machine; which one holds the folder is not known."""
    disks: list[Disk] = [disk for disk in report.host.disks if disk.free_bytes is not None]
    if not disks or size.disk_bytes is None:
        return [check_result(CheckKind.DISK, CheckState.UNKNOWN, "room-recorded-unknown", {})]
    largest = max(disks, key=lambda disk: disk.free_bytes or 0)
    free, needed = largest.free_bytes or 0, round(size.disk_bytes.high)
    state = CheckState.GOOD if free >= needed else CheckState.BAD
    params: dict[str, MessageValue] = {"path": largest.mount, "free_bytes": free, "needed_bytes": needed}
    check = check_result(CheckKind.DISK, state, "room-good" if state is CheckState.GOOD else "room-missing", params)
    return [check]
