"""Asks the package index, through uv or pip, whether it answers and has what is wanted."""

from __future__ import annotations

import logging
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from gpuconfig_app.command import run_command
from gpuconfig_app.core.environment_plan import CheckKind, CheckState, EnvironmentOrder, PackageSize, PlanCheck
from gpuconfig_app.core.errors import CommandError, UsageError
from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.core.paths import is_file, is_there
from gpuconfig_app.runner.environment_checks import check_result
from gpuconfig_app.runner.environment_commands import masked
from gpuconfig_app.runner.environment_sizes import Resolved
from gpuconfig_app.storage.places import read_text

logger = logging.getLogger(__name__)
ASK_LIMIT_S = 60.0
_SHOWN_LENGTH = 240
LOCK_LIMIT_BYTES = 8 * 1024**2
_VERSIONS = re.compile(r"^Available versions: (.+)$", re.MULTILINE)
_LOCKED = re.compile(
    r"^\s*(?P<name>tensorflow|tensorflow-cpu|tensorflow-intel)(?:\[[^\]]*\])?\s*==\s*(?P<version>[0-9][\w.+!-]*)",
    re.MULTILINE | re.IGNORECASE,
)
_BROKEN = re.compile(r"after connection broken by (?P<quote>['\"])(?P<why>.+)(?P=quote): /")
_OBJECT = re.compile(r"\w+(?:Error|Exception|Timeout)\(['\"]?|<[^<>]*>: ")
_REQUIREMENT = re.compile(r"^\s*[A-Za-z0-9]", re.MULTILINE)


def source_options(order: EnvironmentOrder) -> tuple[str, ...]:
    """Give the options that say where packages come from, with the true address."""
    if order.wheelhouse is not None:
        return ("--no-index", f"--find-links={order.wheelhouse}")
    return (f"--index-url={order.index_url}",) if order.index_url is not None else ()


def read_lock(path: Path) -> tuple[str, bool]:
    """Read which TensorFlow a lock file holds.

    Returns:
        Its version, and whether every requirement has a hash.

    Raises:
        UnusableFileError: It is not there or can't be read.
        UsageError: It names no exact TensorFlow.
    """
    if is_there(path) and not is_file(path):
        raise UsageError(Message("environment.lock-no-file", {"path": str(path)}))
    if _is_utf16(path):
        raise UsageError(Message("environment.lock-utf16", {"path": str(path)}))
    text = read_text(path, limit_bytes=LOCK_LIMIT_BYTES)
    joined = text.replace("\\\r\n", " ").replace("\\\n", " ")
    found = _LOCKED.search(joined)
    if found is None:
        raise UsageError(Message("environment.lock-without-tensorflow", {"path": str(path)}))
    lines = [line for line in joined.splitlines() if _REQUIREMENT.match(line)]
    return found["version"], all("--hash" in line for line in lines)


def _is_utf16(path: Path) -> bool:
    """Whether a file is what ``>`` writes in older PowerShells, which installers do not all read."""
    try:
        with path.open("rb") as file:
            return file.read(2) in {BOM_UTF16_LE, BOM_UTF16_BE}
    except (OSError, ValueError):
        return False


def is_index_address(text: str) -> bool:
    """Whether a package index could be meant: http, https or file, a host or a path, a port that exists."""
    if any(character.isspace() or not character.isprintable() for character in text):
        return False
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises where it is none
    except ValueError:
        return False
    return (parts.scheme in {"http", "https"} and bool(parts.hostname)) or (parts.scheme == "file" and bool(parts.path))


def ask_pip(python: str, version: str, options: Sequence[str], variables: Mapping[str, str]) -> PlanCheck:
    """Ask pip which versions of TensorFlow it can get for an interpreter."""
    words = [python, "-m", "pip", "index", "versions", "tensorflow", "--retries", "1", "--timeout", "10"]
    if "rc" in version or "dev" in version:
        words.append("--pre")
    try:
        result = run_command([*words, *options], time_limit_s=ASK_LIMIT_S, environment=variables)
    except CommandError as error:
        params: dict[str, MessageValue] = {"detail": str(error.message.params.get("detail", ""))}
        return check_result(CheckKind.INDEX, CheckState.UNKNOWN, "index-not-asked", params)
    if result.timed_out:
        return check_result(CheckKind.INDEX, CheckState.BAD, "index-silent", {"detail": f"{ASK_LIMIT_S:.0f} s"})
    found = _VERSIONS.search(result.stdout)
    if found is None:
        return _no_versions(result.stderr.strip() or result.stdout)
    if version in {item.strip() for item in found[1].split(",")}:
        return check_result(CheckKind.INDEX, CheckState.GOOD, "index-has", {"version": version})
    return check_result(CheckKind.INDEX, CheckState.BAD, "index-lacks", {"version": version})


def try_wheelhouse(
    python: str, requirements: Sequence[str], options: Sequence[str], variables: Mapping[str, str]
) -> Resolved | None:
    """Let pip look whether a folder of wheels has everything, without installing; None when this pip can't."""
    words = [python, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", *options, *requirements]
    try:
        result = run_command(words, time_limit_s=ASK_LIMIT_S, environment=variables)
    except CommandError as error:
        logger.info("pip: %s", error)
        return None
    if result.is_good:
        return Resolved()
    said = result.stderr.strip() or result.stdout.strip()
    return None if result.timed_out or "no such option" in said else Resolved(problem=said or "?")


def resolved_check(version: str | None, resolved: Resolved) -> PlanCheck:
    """Say what uv's answer means."""
    if resolved.problem is None:
        params: dict[str, MessageValue] = {"version": version or "", "count": len(resolved.packages)}
        return check_result(CheckKind.INDEX, CheckState.GOOD, "index-resolves", params)
    name = "index-silent" if _is_connection(resolved.problem) else "index-no-solution"
    if _is_about_settings(resolved.problem):
        name = "index-settings"
    return check_result(CheckKind.INDEX, CheckState.BAD, name, {"detail": _last_words(resolved.problem)})


def wheelhouse_check(version: str | None, wheels: Sequence[PackageSize]) -> PlanCheck:
    """Say whether a folder of wheels holds the wanted TensorFlow."""
    held = {item.version for item in wheels if item.name in {"tensorflow", "tensorflow-cpu", "tensorflow-intel"}}
    if version is None or version in held:
        params: dict[str, MessageValue] = {"version": version or "", "count": len(wheels)}
        return check_result(CheckKind.INDEX, CheckState.GOOD, "folder-has", params)
    known = ", ".join(sorted(item for item in held if item))
    if not known:
        return check_result(CheckKind.INDEX, CheckState.BAD, "folder-without", {"count": len(wheels)})
    return check_result(CheckKind.INDEX, CheckState.BAD, "folder-lacks", {"version": version, "held": known})


def _no_versions(said: str) -> PlanCheck:
    words = _last_words(said)
    if _is_about_settings(said):
        return check_result(CheckKind.INDEX, CheckState.BAD, "index-settings", {"detail": words})
    if "no matching distribution" in said.lower() and not _is_connection(said):
        return check_result(CheckKind.INDEX, CheckState.BAD, "index-empty", {"detail": words})
    if _is_connection(said):
        return check_result(CheckKind.INDEX, CheckState.BAD, "index-silent", {"detail": words})
    return check_result(CheckKind.INDEX, CheckState.UNKNOWN, "index-not-asked", {"detail": words})


_CONNECTION_WORDS = (
    "connection", "name resolution", "timed out", "timeout", "unreachable", "refused", "could not fetch url",
    "failed to fetch", "error sending request", "dns error", "certificate", "proxy", "max retries", " 401", " 403",
    " 407", " 502", " 503",
)  # fmt: skip


_SETTINGS_WORDS = (
    "is not a valid value for", "error occurred during configuration", "configuration file", "require-hashes mode",
    "hashes are required", "environment variable",
)  # fmt: skip


def _is_about_settings(said: str) -> bool:
    """Whether the installer stumbled over its own settings, before it looked for anything."""
    lowered = said.lower()
    return any(word in lowered for word in _SETTINGS_WORDS)


def _is_connection(said: str) -> bool:
    lowered = said.lower()
    return any(word in lowered for word in _CONNECTION_WORDS)


def _last_words(said: str) -> str:
    """Give the last line that tells of the connection, else the last one; of a long one its end, which tells most."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    stumbled = [line for line in lines if _is_about_settings(line)][:1]
    telling = [line for line in lines if _is_connection(line)] or lines
    if stumbled:
        return masked(stumbled[0])[:_SHOWN_LENGTH]
    return _plain(masked(telling[-1]))[-_SHOWN_LENGTH:] if telling else "?"


def _plain(line: str) -> str:
    """Take the Python objects out of pip's words for a broken connection."""
    broken = _BROKEN.search(line)
    if broken is None:
        return line
    return _OBJECT.sub("", broken["why"]).strip("'\"() ") or line
