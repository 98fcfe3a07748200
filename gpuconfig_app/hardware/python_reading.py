"""What one Python environment is, read from its files: kind, version, packages, what is broken about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import is_file, is_folder, is_there
from gpuconfig_app.core.python_environment import TENSORFLOW_PACKAGES, EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.hardware.python_packages import (
    is_relevant,
    nvidia_library_folders,
    read_conda_packages,
    read_packages,
    read_path_packages,
)
from gpuconfig_app.hardware.python_pins import Pins, read_pins
from gpuconfig_app.hardware.python_places import PythonPlaces
from gpuconfig_app.hardware.python_tools import tool_of
from gpuconfig_app.hardware.small_files import read_small

_INTERPRETERS = ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe")
_LIBRARY = re.compile(r"(?P<kind>python|pypy)(?P<version>3\.\d+)t?")
_VERSION = re.compile(r"(?<!\d)(3\.\d{1,2}(?:\.\d{1,2})?(?:(?:a|b|rc)\d+)?)(?![\d])")
_WINDOWS_FOLDER = re.compile(r"(?i)python(3)(\d{1,2})(?:-\d+|-arm64)?")
_PLAIN_NAMES = frozenset({".venv", "venv", "env", ".env"})


@dataclass(frozen=True)
class _Layout:
    """Where an environment keeps its parts."""

    site_folders: tuple[Path, ...]
    version: str | None
    implementation: str | None


@dataclass(frozen=True)
class _Seen:
    """Packages by where they come from: ``PYTHONPATH`` stands before the user's own folder, that before the site's."""

    own: Mapping[str, str]
    user: Mapping[str, str]
    path: Mapping[str, str]

    @property
    def packages(self) -> dict[str, str]:
        """What an import gets; a module on the path that tells no version leaves the installed one standing."""
        told = {name: version for name, version in self.path.items() if version}
        return dict(sorted({**self.own, **self.user, **told}.items()))

    @property
    def hidden(self) -> dict[str, str]:
        """What is installed in the environment and gets hidden by another version."""
        first = {**self.user, **self.path}
        return {name: version for name, version in sorted(self.own.items()) if first.get(name, version) != version}


def is_environment(prefix: Path) -> bool:
    """Tell whether a folder is an environment of any kind; cheap, called for thousands of folders."""
    if is_file(prefix / "pyvenv.cfg") or is_folder(prefix / "conda-meta"):
        return True
    return is_file(prefix / "python.exe") or (is_there(prefix / "bin/python3") and _layout(prefix).version is not None)


def read_environment(prefix: Path, places: PythonPlaces, *, is_current: bool = False) -> PythonEnvironment:
    """Read an environment without starting it.

    Args:
        prefix: Its folder.
        places: For the user's own packages, which come first unless it is a venv.
    """
    if is_file(prefix / "pyvenv.cfg"):
        return _read_venv(prefix, places, is_current=is_current)
    layout = _layout(prefix)
    conda = read_conda_packages(prefix) if is_folder(prefix / "conda-meta") else {}
    kind = _kind_of(prefix, places, is_conda=bool(conda) or is_folder(prefix / "conda-meta"))
    version = conda["python"][0] if "python" in conda else _version_of_name(prefix.name) or layout.version
    interpreter = _interpreter(prefix)
    problem = None
    if kind is EnvironmentKind.CONDA and interpreter is None:
        problem = Message("host.environment-conda-without-python")
    builds: dict[str, JsonValue] = {name: build for name, (_, build) in conda.items() if is_relevant(name)}
    return _assembled(
        prefix,
        kind,
        _name_of(prefix, kind),
        version,
        layout,
        places,
        own={name: version for name, (version, _) in conda.items() if is_relevant(name)},
        is_current=is_current,
        problem=problem or _broken_interpreter(prefix),
        extra={"conda_builds": builds} if builds else {},
    )


def read_system_python(interpreter: Path, places: PythonPlaces) -> PythonEnvironment:
    """Read a Python of the system, known by its interpreter ``…/bin/python3.12``."""
    prefix = interpreter.parent.parent
    version = interpreter.name.removeprefix("python").removesuffix("t")
    folders = (
        prefix / f"local/lib/python{version}/dist-packages",
        prefix / f"lib/python{version}/site-packages",
        prefix / f"lib64/python{version}/site-packages",
        prefix / f"lib/python{version}/dist-packages",
        prefix / "lib/python3/dist-packages",
    )
    implementation = _implementation(interpreter.name)
    layout = _Layout(tuple(folder for folder in folders if is_folder(folder)), version, implementation)
    kind = EnvironmentKind.SYSTEM
    return _assembled(prefix, kind, "system", version, layout, places, own={}, interpreter=interpreter)


def read_store_alias(alias: Path) -> PythonEnvironment:
    """Give a Microsoft Store Python: of itself only the pointer can be seen, its packages lie in the user's folder.

    Args:
        alias: ``…/Microsoft/WindowsApps/python3.12.exe``.
    """
    version = alias.name.lower().removeprefix("python").removesuffix(".exe")
    site = _store_site(alias.parents[2], version)
    packages = read_packages([site]) if site is not None else {}
    return PythonEnvironment(
        executable=str(alias),
        prefix=str(alias.parent),
        kind=EnvironmentKind.STORE,
        name="Microsoft Store",
        python_version=version,
        implementation="CPython",
        packages=packages,
        problem=Message("host.environment-store-alias") if site is None else None,
    )


def _store_site(local: Path, version: str) -> Path | None:
    """Give the folder of packages that pip installed for a Store Python; None before the first one."""
    pattern = f"Packages/PythonSoftwareFoundation.Python.{version}_*/LocalCache/local-packages"
    found = local.glob(f"{pattern}/Python{version.replace('.', '')}/site-packages")
    return next((folder for folder in sorted(found) if is_folder(folder)), None)


def read_missing(prefix: Path) -> PythonEnvironment:
    """Give the environment that is said to be active but is not there."""
    return PythonEnvironment(
        prefix=str(prefix),
        name=prefix.name,
        is_current=True,
        problem=Message("host.environment-without-interpreter", {"path": str(prefix)}),
    )


def parse_venv_settings(text: str) -> dict[str, str]:
    """Read ``pyvenv.cfg``: ``name = value`` lines, names in lower case."""
    pairs = (line.split("=", 1) for line in text.splitlines() if "=" in line)
    return {name.strip().lower(): value.strip() for name, value in pairs}


def _read_venv(prefix: Path, places: PythonPlaces, *, is_current: bool) -> PythonEnvironment:
    settings = parse_venv_settings(read_small(prefix / "pyvenv.cfg") or "")
    layout = _layout(prefix)
    told = _VERSION.search(settings.get("version_info") or settings.get("version") or "")
    problem = _broken_interpreter(prefix)
    if problem is None and not layout.site_folders:
        problem = Message("host.environment-without-packages")
    base = Path(settings["home"]).parent if settings.get("home") else None
    sees_base = settings.get("include-system-site-packages", "false").lower() == "true"
    kind = EnvironmentKind.UV if "uv" in settings else EnvironmentKind.VENV
    prompt = settings.get("prompt", "").strip("'\"")
    return _assembled(
        prefix,
        kind,
        prompt if prompt and prompt not in _PLAIN_NAMES else _name_of(prefix, kind),
        told.group(1) if told else layout.version,
        layout,
        places,
        own={},
        below=_layout(base).site_folders if base is not None and sees_base else (),
        sees_user_site=sees_base,
        made_by=tool_of(prefix, settings),
        is_current=is_current,
        problem=problem,
    )


def _assembled(
    prefix: Path,
    kind: EnvironmentKind,
    name: str,
    version: str | None,
    layout: _Layout,
    places: PythonPlaces,
    *,
    own: dict[str, str],
    below: tuple[Path, ...] = (),
    sees_user_site: bool = True,
    interpreter: Path | None = None,
    made_by: str | None = None,
    is_current: bool = False,
    problem: Message | None = None,
    extra: dict[str, JsonValue] | None = None,
) -> PythonEnvironment:
    """Put an environment together; packages of the user's own folder hide its own, as they do in Python."""
    user = _user_site(places, version) if sees_user_site and not places.variables.get("PYTHONNOUSERSITE") else ()
    site = [*layout.site_folders, *below]
    path = read_path_packages(_path_folders(places))
    seen = _Seen(own=own | read_packages(site), user=read_packages(user), path=path)
    packages = seen.packages
    pins = read_pins([*user, *site], packages, version) if _has_tensorflow(packages) else Pins()
    executable = interpreter or _interpreter(prefix)
    return PythonEnvironment(
        executable=str(executable) if executable else "",
        prefix=str(prefix),
        kind=kind,
        name=name,
        python_version=version,
        implementation=layout.implementation,
        made_by=made_by,
        packages=packages,
        is_current=is_current,
        nvidia_library_folders=tuple(str(path) for path in nvidia_library_folders([*user, *site])),
        user_site_packages=seen.user,
        path_packages=seen.path,
        hidden_packages=seen.hidden,
        pins=pins.by_package,
        unmet_pins=pins.unmet,
        problem=problem,
        extra=extra or {},
    )


def _has_tensorflow(packages: Mapping[str, str]) -> bool:
    return any(name in packages for name in TENSORFLOW_PACKAGES)


def _path_folders(places: PythonPlaces) -> tuple[Path, ...]:
    """Give the folders of ``PYTHONPATH``; a relative one means another folder each time, so it is left out."""
    separator = ";" if places.platform == "win32" else ":"
    parts = (part.strip() for part in places.variables.get("PYTHONPATH", "").split(separator))
    folders = (Path(part) for part in parts if part)
    return tuple(folder for folder in folders if folder.is_absolute())


def _layout(prefix: Path) -> _Layout:
    folders: list[Path] = []
    version = implementation = None
    for library in _library_folders(prefix):
        found = _LIBRARY.fullmatch(library.name)
        if found is None:
            continue
        version = version or found["version"]
        implementation = implementation or _implementation(library.name)
        folders += [folder for folder in (library / "site-packages",) if is_folder(folder)]
    if not folders and is_folder(prefix / "Lib/site-packages"):
        folders, implementation = [prefix / "Lib/site-packages"], "CPython"
    return _Layout(tuple(folders), version, implementation)


def _implementation(name: str) -> str:
    """Tell the interpreter by the name of its folder or file; free-threaded builds need packages of their own."""
    if name.startswith("pypy"):
        return "PyPy"
    return "CPython without GIL" if name.endswith("t") else "CPython"


def _library_folders(prefix: Path) -> Iterable[Path]:
    for name in ("lib", "lib64"):
        folder = prefix / name
        if folder.is_symlink():  # lib64 of a venv leads to its lib
            continue
        try:
            yield from sorted((path for path in folder.iterdir() if _LIBRARY.fullmatch(path.name)), reverse=True)
        except OSError:
            continue


def _interpreter(prefix: Path) -> Path | None:
    return next((prefix / name for name in _INTERPRETERS if is_there(prefix / name)), None)


def _broken_interpreter(prefix: Path) -> Message | None:
    """Tell which interpreter is gone when none of those an environment has leads anywhere."""
    if _interpreter(prefix) is not None:
        return None
    links = [prefix / name for name in _INTERPRETERS if (prefix / name).is_symlink()]
    gone = str(links[0].readlink()) if links else str(prefix / _INTERPRETERS[0])
    return Message("host.environment-without-interpreter", {"path": gone})


def _kind_of(prefix: Path, places: PythonPlaces, *, is_conda: bool) -> EnvironmentKind:
    if is_conda:
        return EnvironmentKind.CONDA
    parts = {part.lower() for part in prefix.parts}
    if ".pyenv" in parts or "pyenv-win" in parts or _is_below(prefix, places.variables.get("PYENV_ROOT")):
        return EnvironmentKind.PYENV
    if prefix.name.startswith(("cpython-", "pypy-", "graalpy-")):
        return EnvironmentKind.UV
    if is_file(prefix / "python.exe") or "Python.framework" in prefix.parts:
        return EnvironmentKind.SYSTEM
    return EnvironmentKind.OTHER


def _is_below(path: Path, folder: str | None) -> bool:
    return bool(folder) and path.is_relative_to(str(folder))


def _name_of(prefix: Path, kind: EnvironmentKind) -> str:
    if kind is EnvironmentKind.CONDA and (is_folder(prefix / "condabin") or is_folder(prefix / "envs")):
        return "base"
    return prefix.parent.name if prefix.name in _PLAIN_NAMES and prefix.parent.name else prefix.name


def _version_of_name(name: str) -> str | None:
    """Read a version from a folder's name: ``3.11.7``, ``cpython-3.12.8-linux…``, ``Python311``."""
    found = _VERSION.search(name)
    if found:
        return found.group(1)
    windows = _WINDOWS_FOLDER.fullmatch(name)
    return f"{windows.group(1)}.{windows.group(2)}" if windows else None


def _user_site(places: PythonPlaces, version: str | None) -> tuple[Path, ...]:
    if version is None:
        return ()
    short = ".".join(version.split(".")[:2])
    base = places.variables.get("PYTHONUSERBASE")
    if places.platform == "win32":
        roaming = Path(base) if base else Path(places.variables.get("APPDATA", "")) / "Python"
        folder = roaming / f"Python{short.replace('.', '')}" / "site-packages"
    elif places.platform == "darwin" and not base:
        folder = places.home / f"Library/Python/{short}/lib/python/site-packages"
    else:
        folder = (Path(base) if base else places.home / ".local") / f"lib/python{short}/site-packages"
    return (folder,) if is_folder(folder) else ()
