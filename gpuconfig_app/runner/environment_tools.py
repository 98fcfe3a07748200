"""The programs and settings an environment is made with: uv, conda, pip's own configuration, and the interpreters.

Each is asked, with a time limit, in the user's own environment; what can't be asked is not known.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gpuconfig_app.command import CommandResult, run_command
from gpuconfig_app.core.environment_plan import NeutralisedVariable
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message

logger = logging.getLogger(__name__)
Run = Callable[..., CommandResult]
ASK_LIMIT_S = 20.0

# What decides where pip looks and whom it trusts; uv reads none of it.
PIP_SOURCE_OPTIONS = (
    "index-url", "extra-index-url", "find-links", "no-index", "trusted-host", "cert", "client-cert", "proxy",
    "constraint", "keyring-provider",
)  # fmt: skip
# What would put packages elsewhere than into the new environment.
PIP_PLACE_OPTIONS = ("target", "prefix", "root")
_UV_SOURCE_VARIABLES = ("UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS")
_CONDA_PROGRAMS = ("mamba", "micromamba", "conda")
# Each would change where packages go or which files Python reads, so the commands run without it.
_BREAKING = {
    "PYTHONPATH": "foreign-packages",
    "PYTHONHOME": "other-library",
    "PIP_USER": "elsewhere",
    "PIP_TARGET": "elsewhere",
    "PIP_PREFIX": "elsewhere",
    "PIP_ROOT": "elsewhere",
    "PIP_PYTHON": "elsewhere",
    "PIP_REQUIRE_VIRTUALENV": "refuses",
    "PIP_DRY_RUN": "refuses",
    "PIP_NO_DEPS": "incomplete",
    "UV_SYSTEM_PYTHON": "elsewhere",
    "UV_PYTHON": "elsewhere",
    "UV_NO_DEPS": "incomplete",
    "UV_OFFLINE": "offline",
}  # fmt: skip
_OFF = frozenset({"0", "false", "no", "off", "n", "f"})
_PROBE = """
import json, sys
try:
    import ensurepip, venv
    pip, can_make = ensurepip.version(), True
except Exception:
    pip, can_make = None, False
try:
    import pip as installed
    has_pip = True
except Exception:
    has_pip = False
print(json.dumps({"version": "%d.%d.%d" % sys.version_info[:3], "kind": sys.implementation.name,
    "bits": 64 if sys.maxsize > 2**32 else 32, "can_make": can_make, "pip": pip, "has_pip": has_pip}))
"""


@dataclass(frozen=True, kw_only=True)
class PythonAnswer:
    """What an interpreter says of itself.

    Attributes:
        can_make: ``venv`` and ``ensurepip`` are there; Debian's Python lacks them until python3-venv is installed.
        has_pip: ``python -m pip`` works.
        pip_version: Of the pip that a new environment gets, None without ``ensurepip``.
    """

    version: str
    is_cpython: bool
    is_64_bit: bool
    can_make: bool
    has_pip: bool
    pip_version: str | None = None


@dataclass(frozen=True, kw_only=True)
class Tools:
    """What environments can be made with.

    Attributes:
        uv: Program, None when it is not there; ``conda`` is mamba, micromamba or conda.
        variables: The user's environment.
        are_known: False for a machine that is not here.
    """

    uv: str | None = None
    conda: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    are_known: bool = True

    @property
    def is_uv_set_up(self) -> bool:
        """Whether uv has been told where packages come from."""
        return any(self.variables.get(name) for name in _UV_SOURCE_VARIABLES) or self._has_uv_file()

    def _has_uv_file(self) -> bool:
        home = Path(self.variables.get("HOME") or "~")
        base = self.variables.get("XDG_CONFIG_HOME") or str(home / ".config")
        named = self.variables.get("UV_CONFIG_FILE")
        places = [Path(named)] if named else [Path(base) / "uv/uv.toml", Path("/etc/uv/uv.toml")]
        return any(place.is_file() for place in places)


def find_tools(variables: Mapping[str, str]) -> Tools:
    """Find the programs on the user's own search path, and where their installers put them."""
    path = variables.get("PATH", "")
    home = Path(variables.get("HOME") or variables.get("USERPROFILE") or "~")
    uv = shutil.which("uv", path=path) or _existing(home / ".local/bin/uv", home / ".cargo/bin/uv")
    named = variables.get("MAMBA_EXE") or variables.get("CONDA_EXE")
    conda = next((found for name in _CONDA_PROGRAMS if (found := shutil.which(name, path=path))), None)
    return Tools(uv=uv, conda=conda or (_existing(Path(named)) if named else None), variables=dict(variables))


def ask_python(executable: str, variables: Mapping[str, str], run: Run = run_command) -> PythonAnswer | None:
    """Ask an interpreter what it is; None when it can't be started or does not answer."""
    environment = {name: value for name, value in variables.items() if name not in _BREAKING}
    try:
        result = run([executable, "-I", "-c", _PROBE], time_limit_s=ASK_LIMIT_S, environment=environment)
        told = json.loads(result.stdout) if result.is_good else None
    except (CommandError, ValueError) as error:
        logger.info("%s: %s", executable, error)
        return None
    if not isinstance(told, dict):
        return None
    return PythonAnswer(
        version=str(told["version"]),
        is_cpython=told["kind"] == "cpython",
        is_64_bit=told["bits"] == 64,
        can_make=bool(told["can_make"]),
        has_pip=bool(told["has_pip"]),
        pip_version=str(told["pip"]) if told["pip"] else None,
    )


def read_pip_settings(
    python: str | None, variables: Mapping[str, str], run: Run = run_command
) -> dict[str, tuple[str, bool]] | None:
    """Ask pip for its own settings.

    Args:
        python: An interpreter with pip; None asks the pip on the user's path, if there is one.

    Returns:
        Value, and whether it is from a variable, by option (``index-url``); None when pip can't be asked.
    """
    pip = shutil.which("pip3", path=variables.get("PATH")) or shutil.which("pip", path=variables.get("PATH"))
    words = [python, "-m", "pip"] if python is not None else [pip] if pip is not None else None
    if words is None:
        return None
    try:
        result = run([*words, "config", "list"], time_limit_s=ASK_LIMIT_S, environment=dict(variables))
    except CommandError as error:
        logger.info("pip settings: %s", error)
        return None
    return parse_pip_settings(result.stdout) if result.is_good else None


def parse_pip_settings(text: str) -> dict[str, tuple[str, bool]]:
    """Read ``pip config list``: ``global.index-url='…'``, ``:env:.find-links='…'``; a later line overrides."""
    found: dict[str, tuple[str, bool]] = {}
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        section, dot, option = name.rpartition(".")
        if equals and dot and section in {"global", "install", ":env:"}:
            found[option] = (value.strip().strip("'\""), section == ":env:")
    return found


def breaking_variables(variables: Mapping[str, str]) -> tuple[NeutralisedVariable, ...]:
    """Give the user's variables that would break the making; one that says "off" breaks nothing."""
    return tuple(
        NeutralisedVariable(
            name=name, value=variables[name], reason=Message(f"environment.breaks-{reason}", {"name": name})
        )
        for name, reason in _BREAKING.items()
        if variables.get(name) and variables[name].lower() not in _OFF
    )


def child_variables(variables: Mapping[str, str], unset: Sequence[str]) -> dict[str, str]:
    """Give the environment of the commands: the user's without what breaks them, plain output, no questions."""
    kept = {name: value for name, value in variables.items() if name not in unset}
    quiet = {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", "PIP_NO_COLOR": "1"}
    return kept | quiet | {"PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "UV_NO_PROGRESS": "1"}


def _existing(*paths: Path) -> str | None:
    return next((str(path) for path in paths if path.is_file() and os.access(path, os.X_OK)), None)
