"""Which interpreter a new environment is made with: a suitable one that is here, else one of uv's, else of conda's.

An interpreter that is here is asked before it is taken: Debian's Python can't make environments until a further package
is installed, a conda environment's may be broken, a 32-bit one has no TensorFlow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.core.environment_plan import PythonChoice, PythonOrigin
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded, is_file, is_folder, is_there
from gpuconfig_app.core.python_environment import EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.versions import release_series
from gpuconfig_app.runner.environment_tools import PythonAnswer, Tools, ask_python

MOST_ASKED = 10
Ask = Callable[[str, Mapping[str, str]], PythonAnswer | None]

# A Python that stands alone before one that another environment may take away.
_RANK = {
    EnvironmentKind.PYENV: 0,
    EnvironmentKind.UV: 0,
    EnvironmentKind.SYSTEM: 1,
    EnvironmentKind.OTHER: 2,
    EnvironmentKind.CONDA: 3,
    EnvironmentKind.VENV: 4,
    EnvironmentKind.STORE: 5,
}
_VERSION = re.compile(r"[1-9]\.\d{1,2}(?:\.\d{1,3})?")
_INTERPRETERS = ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe")


@dataclass(frozen=True, kw_only=True)
class PythonDecision:
    """The interpreter that is taken, and what else could be.

    Attributes:
        taken: None when none suits; ``reason`` then says what is missing.
        answer: Of the interpreter taken; None for one that is downloaded, and on a machine that is not here.
        choices: All that could be taken, ``taken`` first.
    """

    taken: PythonChoice | None
    reason: Message
    answer: PythonAnswer | None = None
    choices: tuple[PythonChoice, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    choice: PythonChoice
    answer: PythonAnswer | None
    rank: tuple[int, int]


def choose_python(
    report: SystemReport, series: Sequence[str], tools: Tools, wanted: str | None = None, ask: Ask = ask_python
) -> PythonDecision:
    """Choose.

    Args:
        series: Python series the release has wheels for, the one to download first.
        wanted: Version or path that was asked for; only that is taken then.

    Raises:
        UsageError: ``wanted`` is a path at which no Python answers, or a Python the release has no wheel for.
    """
    if wanted is not None and not _VERSION.fullmatch(wanted.strip()):
        return _asked_for(wanted.strip(), series, tools, ask)
    asked = wanted.strip() if wanted is not None else None
    if asked is not None and release_series(asked) not in series:
        raise UsageError(_no_wheel(asked, series))
    allowed = [item for item in series if asked is None or item == release_series(asked)]
    found, refused = _found(report, allowed, asked, tools, ask)
    loaded = _loadable(allowed if asked is None or asked.count(".") == 1 else [asked], tools)
    choices = (*(item.choice for item in found), *loaded)
    if found:
        first = found[0]
        reason = Message("environment.python-found", {"lowest": _lowest(series), "highest": _highest(series)})
        return PythonDecision(taken=first.choice, reason=reason, answer=first.answer, choices=choices)
    if loaded:
        reason = refused or _why_loaded(loaded[0], series, is_asked=asked is not None)
        return PythonDecision(taken=loaded[0], reason=reason, choices=choices)
    params = {"lowest": _lowest(series), "highest": _highest(series)}
    return PythonDecision(taken=None, reason=refused or Message("environment.python-none", params))


def here_series(report: SystemReport) -> frozenset[str]:
    """Give the Python series of all usable environments, for choosing a release by what is there."""
    told = (item.python_version for item in report.environments if _is_usable(item))
    return frozenset(release_series(version) or "" for version in told if version)


def _found(
    report: SystemReport, series: Sequence[str], asked: str | None, tools: Tools, ask: Ask
) -> tuple[list[_Candidate], Message | None]:
    """Ask those that might do, best first; also give why the last one was refused."""
    waiting = [
        item
        for item in report.environments
        if _is_usable(item) and release_series(item.python_version or "") in series and _is_version(item, asked)
    ]
    waiting.sort(
        key=lambda item: (_RANK[item.kind] >= _RANK[EnvironmentKind.CONDA], -_minor(item.python_version or ""))
    )
    found: list[_Candidate] = []
    refused: Message | None = None
    for item in waiting[:MOST_ASKED]:
        answer = ask(item.executable, tools.variables) if tools.are_known else None
        problem = _problem(answer, item, tools) if tools.are_known else None
        if problem is not None:
            refused = refused or problem
            continue
        found.append(_candidate(item, answer))
    found.sort(key=lambda item: item.rank)
    by_version: dict[str, _Candidate] = {}
    for candidate in found:
        by_version.setdefault(candidate.choice.version, candidate)
    return list(by_version.values()), refused


def _candidate(item: PythonEnvironment, answer: PythonAnswer | None) -> _Candidate:
    version = answer.version if answer is not None else item.python_version or ""
    place = item.kind.value if item.name is None or item.name.startswith(version) else item.name
    choice = PythonChoice(
        id=item.executable,
        origin=PythonOrigin.FOUND,
        version=version,
        executable=item.executable,
        label=Message("environment.python-label-found", {"version": version, "name": place}),
    )
    return _Candidate(choice=choice, answer=answer, rank=(int(_is_borrowed(item)), -_minor(version)))


def _is_borrowed(item: PythonEnvironment) -> bool:
    """Whether it belongs to another environment, with which it may go."""
    return _RANK[item.kind] >= _RANK[EnvironmentKind.CONDA]


def _problem(answer: PythonAnswer | None, item: PythonEnvironment, tools: Tools) -> Message | None:
    params = {"path": item.executable}
    if answer is None:
        return Message("environment.python-silent", params)
    if not answer.is_cpython or not answer.is_64_bit:
        return Message("environment.python-other-kind", params)
    if not answer.can_make and tools.uv is None:
        version = release_series(answer.version) or answer.version
        return Message("environment.python-cannot-make", {**params, "version": version})
    return None


def _asked_for(wanted: str, series: Sequence[str], tools: Tools, ask: Ask) -> PythonDecision:
    if not tools.are_known:
        raise UsageError(Message("environment.python-path-elsewhere", {"path": wanted}))
    executable = _interpreter_at(expanded(wanted))
    answer = ask(executable, tools.variables) if executable is not None else None
    if executable is None or answer is None:
        raise UsageError(Message("environment.python-silent", {"path": wanted}))
    if release_series(answer.version) not in series:
        raise UsageError(_no_wheel(answer.version, series))
    fake = PythonEnvironment(executable=executable, prefix=executable, python_version=answer.version)
    problem = _problem(answer, fake, tools)
    if problem is not None:
        raise UsageError(problem)
    label = Message("environment.python-label-found", {"version": answer.version, "name": executable})
    taken = PythonChoice(
        id=executable, origin=PythonOrigin.FOUND, version=answer.version, executable=executable, label=label
    )
    reason = Message("environment.python-asked")
    return PythonDecision(taken=taken, reason=reason, answer=answer, choices=(taken,))


def _interpreter_at(place: Path) -> str | None:
    """Give the interpreter at a path, made absolute without following links, which would leave a venv."""
    if is_folder(place):
        return next((str((place / name).absolute()) for name in _INTERPRETERS if is_there(place / name)), None)
    return str(place.absolute()) if is_file(place) else None


def _loadable(series: Sequence[str], tools: Tools) -> tuple[PythonChoice, ...]:
    """Give the Pythons that uv or conda would bring; on a machine that is not here uv is taken as there."""
    made: list[PythonChoice] = []
    if tools.uv is not None or not tools.are_known:
        made += [_loaded(item, PythonOrigin.UV_MANAGED, "uv") for item in series]
    if tools.conda is not None:
        made += [_loaded(item, PythonOrigin.CONDA, Path(tools.conda).stem) for item in series]
    return tuple(made)


def _loaded(series: str, origin: PythonOrigin, program: str) -> PythonChoice:
    label = Message("environment.python-label-loaded", {"version": series, "program": program})
    return PythonChoice(id=series, origin=origin, version=series, label=label)


def _why_loaded(choice: PythonChoice, series: Sequence[str], *, is_asked: bool) -> Message:
    program = "uv" if choice.origin is PythonOrigin.UV_MANAGED else "conda"
    if is_asked:
        return Message("environment.python-asked-loaded", {"version": choice.version, "program": program})
    params = {"lowest": _lowest(series), "highest": _highest(series), "program": program}
    return Message("environment.python-loaded", params)


def _no_wheel(version: str, series: Sequence[str]) -> Message:
    params = {"version": version, "lowest": _lowest(series), "highest": _highest(series)}
    return Message("environment.python-no-wheel", params)


def _is_usable(item: PythonEnvironment) -> bool:
    is_plain = item.kind is not EnvironmentKind.STORE and item.implementation in {None, "CPython"}
    return item.problem is None and bool(item.executable) and is_plain


def _is_version(item: PythonEnvironment, asked: str | None) -> bool:
    return asked is None or asked.count(".") == 1 or item.python_version in {asked, release_series(asked)}


def _minor(version: str) -> int:
    part = version.split(".")[1] if version.count(".") else "0"
    return int(part) if part.isdigit() else 0


def _lowest(series: Sequence[str]) -> str:
    return min(series, key=_minor)


def _highest(series: Sequence[str]) -> str:
    return max(series, key=_minor)
