"""Whether the pins of an extra can still be installed, and which release pip would take for one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from gpuconfig_app.knowledge.harvest.package_index import IndexFile
from gpuconfig_app.knowledge.harvest.wheel_facts import glibc_of_tags, platform_of_tags, python_of_tags

ListFiles = Callable[[str], tuple[IndexFile, ...]]

# The C library that the question is asked for: that of the oldest long-term distributions still served.
_GLIBC = Version("2.31")


def installable_pythons(
    pins: Mapping[str, str], pythons: Iterable[str], platform: str, list_files: ListFiles
) -> tuple[str, ...]:
    """Give the Python series for which every pin has a wheel that pip would take.

    Source archives don't count: those of the CUDA libraries fetch wheels from elsewhere.
    """
    return tuple(
        python
        for python in pythons
        if all(best_wheel(list_files(name), bounds, python, platform) is not None for name, bounds in pins.items())
    )


def best_wheel(files: Iterable[IndexFile], bounds: str, python: str, platform: str) -> IndexFile | None:
    """Give the wheel that pip would take for a requirement, None when there is none."""
    wanted = SpecifierSet(bounds)
    is_exact = any(item.operator == "==" for item in wanted)
    fitting = [
        file
        for file in files
        if file.is_wheel
        and (is_exact or not file.is_yanked)
        and wanted.contains(file.version, prereleases=is_exact)
        and _fits_python(file, python)
        and _fits_platform(file, platform)
    ]
    return max(fitting, key=lambda file: (file.version, file.name), default=None)


def _fits_python(file: IndexFile, python: str) -> bool:
    short = python.replace(".", "")
    if "none" in file.abis and {"py3", f"py{short}", f"cp{short}"} & set(file.pythons):
        return True
    return python_of_tags(file.pythons, file.abis) == python or (
        "abi3" in file.abis and any(tag.startswith("cp3") and _minor(tag) <= _minor(python) for tag in file.pythons)
    )


def _fits_platform(file: IndexFile, platform: str) -> bool:
    if file.platforms == ("any",):
        return True
    if platform_of_tags(file.platforms) != platform:
        return False
    glibc = glibc_of_tags(file.platforms)
    return glibc is None or Version(glibc) <= _GLIBC


def _minor(text: str) -> int:
    digits = text.removeprefix("cp3").removeprefix("3.")
    return int(digits) if digits.isdigit() else 0
