"""Where the tools that make Python environments keep them: their usual folders, and those their settings name.

Only lists of folders; which of them hold an environment is decided elsewhere.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.hardware.small_files import read_small

_CONDA_ROOTS = (
    "miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", "miniconda", "anaconda", "mambaforge3",
)  # fmt: skip
_CONDA_SETTINGS = (".condarc", ".mambarc", ".config/conda/.condarc", ".config/conda/condarc", ".conda/.condarc")
# Variables whose folder holds environments side by side, with what lies between.
_BY_VARIABLE = (
    ("WORKON_HOME", ""),
    ("UV_PYTHON_INSTALL_DIR", ""),
    ("UV_TOOL_DIR", ""),
    ("PIPX_HOME", "venvs"),
    ("PIPX_GLOBAL_HOME", "venvs"),
    ("POETRY_VIRTUALENVS_PATH", ""),
    ("POETRY_CACHE_DIR", "virtualenvs"),
    ("PYENV_ROOT", "versions"),
    ("PYENV", "versions"),
    ("PDM_VENV_LOCATION", ""),
    ("RYE_HOME", "py"),
    ("ASDF_DATA_DIR", "installs/python"),
    ("MISE_DATA_DIR", "installs/python"),
)
# Below the folder for data of programs: ~/.local/share, ~/Library/Application Support, %LOCALAPPDATA%.
_IN_DATA = (
    "virtualenvs", "uv/python", "uv/tools", "pipx/venvs", "pdm/venvs", "pdm/python", "mise/installs/python",
)  # fmt: skip
_IN_HOME = (
    ".virtualenvs", ".venvs", "Envs", ".pyenv/versions", ".pyenv/pyenv-win/versions", ".local/pipx/venvs",
    "pipx/venvs", ".cache/pypoetry/virtualenvs", "Library/Caches/pypoetry/virtualenvs", ".rye/py", ".rye/tools",
    ".asdf/installs/python",
)  # fmt: skip
_TOOL_FOLDERS = (
    ("/pypoetry/", "poetry"), ("/pipx/venvs/", "pipx"), ("/uv/tools/", "uv tool"), ("/hatch/env/", "hatch"),
    ("/pdm/venvs/", "pdm"), ("/share/virtualenvs/", "pipenv"), ("/.virtualenvs/", "virtualenvwrapper"),
    ("/.pyenv/versions/", "pyenv-virtualenv"), ("/.rye/", "rye"),
)  # fmt: skip
_YAML_ITEM = re.compile(r"^\s*-\s+(.+?)\s*$")
_YAML_KEY = re.compile(r"^(\w+)\s*:\s*(.*?)\s*$")


def collections_of(home: Path, variables: Mapping[str, str], root: Path) -> Iterator[Path]:
    """Give the folders in which tools keep environments side by side."""
    for name, below in _BY_VARIABLE:
        if variables.get(name):
            yield Path(variables[name]) / below
    yield from (home / name for name in _IN_HOME)
    yield from (folder / name for folder in _data_folders(home, variables) for name in _IN_DATA)
    yield from _poetry(home, variables)
    if variables.get("LOCALAPPDATA"):
        local = Path(variables["LOCALAPPDATA"])
        yield from (local / "pypoetry/Cache/virtualenvs", local / "Programs/Python")
    pyenv = Path(variables["PYENV_ROOT"]) if variables.get("PYENV_ROOT") else home / ".pyenv"
    yield from (folder / "envs" for folder in _folders(pyenv / "versions"))  # pyenv-virtualenv
    yield from _folders(home / ".rye/py")  # older releases keep the interpreter in "install" below
    yield root / "Library/Frameworks/Python.framework/Versions"


def nested_collections(home: Path, variables: Mapping[str, str]) -> Iterator[tuple[Path, int]]:
    """Give folders in which environments lie deeper, each with the depth: Hatch keeps project, state and name apart."""
    if variables.get("HATCH_DATA_DIR"):
        yield Path(variables["HATCH_DATA_DIR"]) / "env/virtual", 3
    if variables.get("HATCH_ENV_TYPE_VIRTUAL_PATH"):
        yield Path(variables["HATCH_ENV_TYPE_VIRTUAL_PATH"]), 3
    yield from ((folder / "hatch/env/virtual", 3) for folder in _data_folders(home, variables))


def conda_roots(home: Path, variables: Mapping[str, str], root: Path) -> Iterator[Path]:
    """Give the folders a conda, mamba or micromamba may be installed in."""
    yield from (home / name for name in _CONDA_ROOTS)
    yield from (root / "opt" / name for name in ("conda", "mamba", *_CONDA_ROOTS))
    for name in ("CONDA_EXE", "MAMBA_EXE"):
        if variables.get(name):
            yield Path(variables[name]).parent.parent
    for name in ("MAMBA_ROOT_PREFIX", "CONDA_ROOT"):
        if variables.get(name):
            yield Path(variables[name])
    for name in ("LOCALAPPDATA", "PROGRAMDATA"):
        if variables.get(name):
            yield from (Path(variables[name]) / folder for folder in _CONDA_ROOTS)


def conda_collections(home: Path, variables: Mapping[str, str]) -> Iterator[Path]:
    """Give the folders of conda environments beside those of an installation: usual ones, named by variable or file."""
    yield from (home / ".conda/envs", home / ".local/share/mamba/envs", home / "micromamba/envs")
    separator = ";" if variables.get("SYSTEMDRIVE") else ":"
    for name in ("CONDA_ENVS_DIRS", "CONDA_ENVS_PATH"):
        yield from (Path(part.strip()) for part in variables.get(name, "").split(separator) if part.strip())
    files = [home / name for name in _CONDA_SETTINGS]
    files += [Path(variables[name]) for name in ("CONDARC", "MAMBARC") if variables.get(name)]
    for file in files:
        yield from (_expanded(text, home, variables) for text in yaml_list(read_small(file) or "", "envs_dirs"))


def yaml_list(text: str, key: str) -> tuple[str, ...]:
    """Give the items of one list at the top of a simple YAML file: ``- item`` lines or ``[a, b]``; empty for none."""
    found: list[str] = []
    is_in = False
    for line in (full.split(" #", 1)[0] for full in text.splitlines()):
        head = _YAML_KEY.match(line)
        if head is not None:
            is_in = head.group(1) == key
            if is_in and head.group(2).startswith("["):
                found += [part.strip(" '\"") for part in head.group(2).strip("[]").split(",")]
            continue
        item = _YAML_ITEM.match(line)
        if is_in and item is not None:
            found.append(item.group(1).strip("'\""))
    return tuple(part for part in found if part)


def tool_of(prefix: Path, settings: Mapping[str, str]) -> str | None:
    """Give the tool that made an environment, as its folder or its ``pyvenv.cfg`` tells; None for plain ``venv``.

    Args:
        settings: Of ``pyvenv.cfg``.
    """
    path = f"{prefix.as_posix()}/"
    for part, tool in _TOOL_FOLDERS:
        if part in path:
            return tool
    return next((tool for tool in ("uv", "virtualenv") if tool in settings), None)


def _poetry(home: Path, variables: Mapping[str, str]) -> Iterator[Path]:
    """Give the folder of environments that Poetry's settings name."""
    folders = [home / ".config/pypoetry", home / "Library/Application Support/pypoetry"]
    folders += [Path(variables[name]) for name in ("POETRY_CONFIG_DIR",) if variables.get(name)]
    folders += [Path(variables[name]) / "pypoetry" for name in ("APPDATA", "XDG_CONFIG_HOME") if variables.get(name)]
    for folder in folders:
        settings = _toml(folder / "config.toml")
        environments = settings.get("virtualenvs")
        named = environments.get("path") if isinstance(environments, dict) else None
        cache = settings.get("cache-dir")
        if isinstance(cache, str):
            yield _expanded(cache, home, variables) / "virtualenvs"
        if isinstance(named, str):
            base = _expanded(cache, home, variables) if isinstance(cache, str) else home / ".cache/pypoetry"
            yield _expanded(named.replace("{cache-dir}", str(base)), home, variables)


def _toml(path: Path) -> dict[str, JsonValue]:
    try:
        return tomllib.loads(read_small(path) or "")
    except tomllib.TOMLDecodeError:
        return {}


def _expanded(text: str, home: Path, variables: Mapping[str, str]) -> Path:
    """Give a path of a settings file with home folder and variables filled in."""
    filled = re.sub(r"\$\{?(\w+)\}?", lambda found: variables.get(found.group(1), found.group(0)), text)
    return home / filled[2:] if filled.startswith(("~/", "~\\")) else Path(filled)


def _data_folders(home: Path, variables: Mapping[str, str]) -> Iterator[Path]:
    yield from (home / ".local/share", home / "Library/Application Support")
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "APPDATA"):
        if variables.get(name):
            yield Path(variables[name])


def _folders(folder: Path) -> tuple[Path, ...]:
    try:
        return tuple(sorted(folder.iterdir()))
    except (OSError, ValueError):
        return ()
