"""Which package index is asked: the one that pip uses, told by pip itself. No address is written in this program.

pip prints what is configured (``pip config list``, variables included); its own default stands in its help text.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from gpuconfig_app.command import parsing_environment, run_command
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded, is_file
from gpuconfig_app.knowledge.harvest.trouble import RefreshError
from gpuconfig_app.resources import is_frozen

ASK_LIMIT_S = 30.0

_SETTING = re.compile(r"(?P<section>:env:|[\w-]+)\.(?P<name>[\w-]+)=(?P<value>.*)")
_DEFAULT_INDEX = re.compile(r"--index-url\s*<?\w*>?(?P<words>.*?)--extra-index-url", re.DOTALL)
_ADDRESS = re.compile(r"https?://[^\s)\],]+")
_SECTIONS = ("global", "install", "download", ":env:")  # later ones win, as in pip


_BROKEN_SETTINGS = re.compile(r"(?i)configuration file|error occurred during configuration|not a valid value for")


@dataclass(frozen=True, kw_only=True)
class IndexSettings:
    """How pip reaches packages; addresses may hold credentials and are kept out of every text.

    Attributes:
        indexes: Addresses of simple indexes, the main one first.
        find_links: Folders or pages with files.
        cert: File or folder of certificates, None for the system's.
        trusted_hosts: Hosts whose certificates are not checked.
    """

    indexes: tuple[str, ...] = field(default=(), repr=False)
    find_links: tuple[str, ...] = field(default=(), repr=False)
    cert: str | None = None
    client_cert: str | None = None
    proxy: str | None = field(default=None, repr=False)
    trusted_hosts: tuple[str, ...] = ()


def without_credentials(address: str) -> str:
    """Give an address as it may be shown: no user, no password, no query."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        port = ""
    return urlunsplit((parts.scheme, host + port, parts.path, "", ""))


def read_pip_settings(
    python: str | None = None, *, others: Sequence[str] = (), variables: Mapping[str, str] | None = None
) -> IndexSettings:
    """Ask pip which index it uses.

    Args:
        python: Interpreter whose pip is asked; None takes the first one found that has pip.
        others: Interpreters to try when those on the path have no pip.
        variables: Environment as the user has it; None for this program's own.

    Raises:
        RefreshError: There is no pip, it does not tell, or it can't read its own settings.
    """
    environment = dict(parsing_environment() if variables is None else variables)
    named = _interpreter(python) if python is not None else None
    candidates = (named,) if named is not None else (*_candidates(environment), *others)
    for candidate in dict.fromkeys(candidates):
        listing = _ask(candidate, ["config", "list"], environment)
        if listing is None:
            continue
        values = parse_listing(listing)
        main = values.get("index-url")
        if main is None and not _is_closed(values):
            main = _own_default(candidate, environment)
        return settings_of(values, main, environment)
    if python is not None:
        raise RefreshError(Message("harvest.no-pip-there", {"path": python}), Message("harvest.no-pip-there-hint"))
    raise RefreshError(Message("harvest.no-pip"), Message("harvest.no-pip-hint"))


def parse_listing(text: str) -> dict[str, str]:
    """Read ``pip config list``: the value in force for each name."""
    found: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        match = _SETTING.fullmatch(line.strip())
        if match is None:
            continue
        try:
            value = ast.literal_eval(match["value"])
        except (ValueError, SyntaxError):
            continue
        found.setdefault(match["section"], {})[match["name"]] = str(value)
    merged: dict[str, str] = {}
    for section in _SECTIONS:
        merged |= found.get(section, {})
    return merged


def settings_of(values: Mapping[str, str], main: str | None, variables: Mapping[str, str]) -> IndexSettings:
    """Put what pip told into one object.

    Args:
        values: Setting by name.
        main: Address of the main index, None when there is none.
        variables: For the variables that pip's network library reads.
    """
    indexes = () if _is_closed(values) else (*((main,) if main else ()), *values.get("extra-index-url", "").split())
    bundle = next((variables[name] for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE") if variables.get(name)), None)
    settings = IndexSettings(
        indexes=tuple(dict.fromkeys(indexes)),
        find_links=tuple(dict.fromkeys(values.get("find-links", "").split())),
        cert=values.get("cert") or bundle,
        client_cert=values.get("client-cert"),
        proxy=values.get("proxy"),
        trusted_hosts=tuple(values.get("trusted-host", "").split()),
    )
    if not settings.indexes and not settings.find_links:
        raise RefreshError(Message("harvest.no-index"))
    for address in (*settings.indexes, *settings.find_links):
        _check_address(address)
    return settings


def default_index(help_text: str) -> str | None:
    """Find pip's own default index in its help text, None when it names none."""
    found = _DEFAULT_INDEX.search(help_text)
    address = _ADDRESS.search(found["words"]) if found else None
    return address.group() if address else None


def _is_closed(values: Mapping[str, str]) -> bool:
    """Whether pip is told to use no index at all, only folders."""
    return values.get("no-index", "").lower() in {"1", "true", "yes", "on"}


def _own_default(python: str, environment: Mapping[str, str]) -> str | None:
    """Ask pip for its default with every configuration switched off."""
    bare = {name: value for name, value in environment.items() if not name.startswith("PIP_")}
    text = _ask(python, ["download", "--help"], bare | {"PIP_CONFIG_FILE": os.devnull})
    return default_index(text) if text else None


def _ask(python: str, words: Sequence[str], environment: Mapping[str, str]) -> str | None:
    plain = {"COLUMNS": "500", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "NO_COLOR": "1", "PYTHONUTF8": "1", "LC_ALL": "C"}
    try:
        answer = run_command(
            [python, "-m", "pip", *words], time_limit_s=ASK_LIMIT_S, environment={**environment, **plain}
        )
    except CommandError:
        return None
    if not answer.is_good and _BROKEN_SETTINGS.search(answer.stderr + answer.stdout):
        raise RefreshError(Message("harvest.pip-settings-broken"), Message("harvest.pip-settings-broken-hint"))
    return answer.stdout if answer.is_good else None


def _interpreter(text: str) -> str:
    """Give the interpreter that was named, also by the folder of its environment."""
    place = expanded(text)
    inside = (place / name for name in ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe"))
    return next((str(path) for path in inside if is_file(path)), str(place) if place.parts[1:] else text)


def _check_address(address: str) -> None:
    """Refuse what no address can look like, before anything is asked.

    Raises:
        RefreshError: With no word of the address, which may hold a password.
    """
    try:
        _ = urlsplit(address).port
    except ValueError as error:
        raise RefreshError(Message("harvest.bad-address"), Message("harvest.bad-address-hint")) from error


def _candidates(environment: Mapping[str, str]) -> tuple[str, ...]:
    active = environment.get("VIRTUAL_ENV") or environment.get("CONDA_PREFIX")
    found: list[str | None] = []
    if active:
        places = ("bin/python", "python.exe", "Scripts/python.exe")
        found += [str(path) for place in places if (path := Path(active) / place).is_file()]
    found += [shutil.which(name, path=environment.get("PATH")) for name in ("python3", "python", "py")]
    if not is_frozen():
        found.append(sys.executable)
    return tuple(item for item in found if item)
