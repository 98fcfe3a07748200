"""WSL as ``wsl.exe`` tells of it, in whatever language Windows speaks.

Its words are translated, so nothing here reads words: distributions are known by columns, versions by numbers, trouble
by error codes and by the addresses in the text. Output is UTF-16 (``command.decode_output`` sees that). Nothing that is
asked here starts a distribution.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from gpuconfig_app.command import CommandResult, run_command
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.target_facts import Wsl, WslDistribution, WslState

Run = Callable[..., CommandResult]

PROGRAM = "wsl.exe"
LIST_LIMIT_S = 8.0
TELL_LIMIT_S = 5.0
DISTRIBUTION_LIMIT = 64

_ROW = re.compile(r"^\s*(?P<default>\*)?\s*(?P<name>\S.*?)\s{2,}(?P<state>\S.*?)\s+(?P<version>[12])\s*$")
_NARROW_ROW = re.compile(r"^\s*(?P<default>\*)?\s*(?P<name>\S+)\s+(?P<state>\S+)\s+(?P<version>[12])\s*$")
_CODE = re.compile(r"\bWsl/\S*[A-Za-z0-9_]|\b0x8[0-9a-fA-F]{7}\b")
_HEX_CODE = re.compile(r"\b0x8[0-9a-fA-F]{7}\b")
_VERSION = re.compile(r"[:：]\s*(\d+(?:\.\d+){2,}\S*)\s*$")
_ONE_OR_TWO = re.compile(r"[:：]\s*([12])\s*$")
# Of a wsl.exe that is only a pointer, or so old that it knows no lists, every call prints its usage.
_USAGE = ("--exec", "--distribution")
_NO_FEATURE = ("aka.ms/wslinstall", "0x8007019e", "WSL_E_WSL_OPTIONAL_COMPONENT_REQUIRED", "0x8004032d")
_NO_DISTRIBUTION = ("aka.ms/wslstore", "--list --online", "WSL_E_DEFAULT_DISTRO_NOT_FOUND")
_NO_VIRTUALIZATION = ("aka.ms/enablevirtualization", "0x80370102", "WSL_E_VIRTUAL_MACHINE_PLATFORM_REQUIRED")


def read_wsl(run: Run = run_command, program: str = PROGRAM) -> Wsl:
    """Ask ``wsl.exe`` for itself and its distributions; never raises, starts none of them.

    Args:
        run: Starts the program.
        program: Its path.
    """
    listed = _ask(run, program, "-l", "-v", limit_s=LIST_LIMIT_S)
    if listed is None:
        return Wsl(state=WslState.ABSENT)
    if listed.timed_out:
        return Wsl(state=WslState.NO_ANSWER)
    wsl = parse_list(listed)
    if wsl.state is not WslState.READY:
        return wsl
    status = _text(_ask(run, program, "--status", limit_s=TELL_LIMIT_S))
    versions = _versions(_text(_ask(run, program, "--version", limit_s=TELL_LIMIT_S)))
    running = _running(run, program) if wsl.distributions else frozenset()
    return replace(
        wsl,
        version=versions[0] if versions else None,
        kernel=versions[1] if len(versions) > 1 else None,
        default_version=_default_version(status),
        needs_virtualization=_has_any(status, _NO_VIRTUALIZATION),
        error_code=wsl.error_code or (_code(status) if _has_any(status, _NO_VIRTUALIZATION) else None),
        distributions=tuple(_with_state(item, running) for item in wsl.distributions),
    )


def parse_list(result: CommandResult) -> Wsl:
    """Read what ``wsl -l -v`` answered, a list or one of the ways of saying that there is none."""
    text = _text(result)
    distributions = tuple(filter(None, map(_distribution, text.splitlines())))[:DISTRIBUTION_LIMIT]
    if distributions and result.is_good:
        return Wsl(state=WslState.READY, distributions=distributions)
    code, needs_virtualization = _code(text), _has_any(text, _NO_VIRTUALIZATION)
    if _has_any(text, _NO_DISTRIBUTION):
        return Wsl(state=WslState.READY, needs_virtualization=needs_virtualization)
    if _has_any(text, _NO_FEATURE) or all(word in text for word in _USAGE) or "--install" in text:
        return Wsl(state=WslState.NOT_INSTALLED, error_code=code, needs_virtualization=needs_virtualization)
    if code is None and result.is_good:
        return Wsl(state=WslState.READY)
    return Wsl(state=WslState.FAILED, error_code=code, needs_virtualization=needs_virtualization)


def error_code(text: str) -> str | None:
    """Give the number in an error of WSL (``0x80370102``), else its name (``Wsl/Service/…``); None without one."""
    return _code(text)


def _distribution(line: str) -> WslDistribution | None:
    row = _ROW.match(line) or _NARROW_ROW.match(line)
    if row is None:
        return None
    return WslDistribution(name=row["name"], version=int(row["version"]), is_default=row["default"] is not None)


def _running(run: Run, program: str) -> frozenset[str] | None:
    """Give the names of the distributions that run; None when that was not told.

    The words in the list are translated; this list holds names only. None running is an error with words.
    """
    result = _ask(run, program, "--list", "--running", "--quiet", limit_s=TELL_LIMIT_S)
    if result is None or result.timed_out:
        return None
    return frozenset(line.strip() for line in result.stdout.splitlines()) if result.is_good else frozenset()


def _with_state(item: WslDistribution, running: frozenset[str] | None) -> WslDistribution:
    return replace(item, is_running=None if running is None else item.name in running)


def _versions(text: str) -> list[str]:
    """Give the versions of ``wsl --version`` in their order: WSL, kernel, and others."""
    return [found.group(1) for line in text.splitlines() if (found := _VERSION.search(line))]


def _default_version(status: str) -> int | None:
    found = (_ONE_OR_TWO.search(line) for line in status.splitlines())
    return next((int(match.group(1)) for match in found if match), None)


def _code(text: str) -> str | None:
    found = _HEX_CODE.search(text) or _CODE.search(text)
    return found.group() if found else None


def _has_any(text: str, words: tuple[str, ...]) -> bool:
    flat = text.lower()
    return any(word.lower() in flat for word in words)


def _text(result: CommandResult | None) -> str:
    return f"{result.stdout}\n{result.stderr}".replace("\0", "") if result is not None else ""


def _ask(run: Run, program: str, *words: str, limit_s: float) -> CommandResult | None:
    try:
        return run([program, *words], time_limit_s=limit_s)
    except CommandError:
        return None
