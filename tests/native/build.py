"""Builds our stand-in for ``libnvidia-ml.so.1`` with the system's compiler, and tells how to run a program on it.

The library is cached by a hash of its sources, the compiler and the functions left out, so a test session compiles
each flavour once. Functions named in a profile's ``missing`` lines are really absent from the library's symbol table,
as they are in an old driver.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "src"
PROFILES = HERE / "profiles"
LIBRARY = "libnvidia-ml.so.1"
FLAGS = ("-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden")


class NoCompilerError(RuntimeError):
    """There is no C compiler on this machine."""


def compiler() -> str:
    """Give the C compiler: ``$CC``, else cc, gcc or clang.

    Raises:
        NoCompilerError: None of them is installed.
    """
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        found = shutil.which(name) if name else None
        if found:
            return found
    raise NoCompilerError("the stand-in for NVIDIA's library needs a C compiler (Debian: apt install gcc libc6-dev)")


def build_stand_in(folder: Path, missing: Sequence[str] = ()) -> Path:
    """Build the library below ``folder`` unless it is there already.

    Args:
        folder: Where built flavours are kept.
        missing: Functions that this flavour must not have.

    Returns:
        The folder that holds ``libnvidia-ml.so.1``, for LD_LIBRARY_PATH.

    Raises:
        NoCompilerError: No compiler is installed.
        subprocess.CalledProcessError: It does not compile.
    """
    program = compiler()
    made = folder / _fingerprint(program, missing)
    if (made / LIBRARY).exists():
        return made
    made.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=made) as work:
        script = Path(work, "exports.map")
        hidden = " ".join(f"{name};" for name in sorted(missing))
        script.write_text(f"{{ global: nvml*; local: {hidden} *; }};\n", encoding="utf-8")
        target = Path(work, LIBRARY)
        linking = (f"-Wl,-soname,{LIBRARY}", f"-Wl,--version-script={script}", "-lm", "-lpthread")
        sources = [str(path) for path in sorted(SOURCES.glob("*.c"))]
        subprocess.run([program, *FLAGS, "-o", str(target), *sources, *linking], check=True)
        target.replace(made / LIBRARY)
    return made


def missing_functions(profile: Path) -> tuple[str, ...]:
    """Give the functions that the profile's driver does not have."""
    names: list[str] = []
    for line in profile.read_text(encoding="utf-8").splitlines():
        key, equals, value = line.split("#", 1)[0].partition("=")
        if equals and key.strip() == "missing":
            names += value.split()
    return tuple(names)


def profile_path(name_or_path: str) -> Path:
    """Give a ready profile by name (``8xa100-mig``) or any profile by path.

    Raises:
        FileNotFoundError: There is neither.
    """
    for path in (PROFILES / f"{name_or_path}.profile", Path(name_or_path)):
        if path.is_file():
            return path.resolve()
    ready = ", ".join(sorted(path.stem for path in PROFILES.glob("*.profile")))
    raise FileNotFoundError(f"no profile {name_or_path}; ready ones: {ready}")


def stand_in_environment(
    profile: Path, folder: Path, base: Mapping[str, str], calls: Path | None = None
) -> dict[str, str]:
    """Give an environment in which a program finds the stand-in instead of a driver.

    Args:
        profile: What the machine looks like; it is read again whenever the file is replaced.
        folder: Where built libraries are kept.
        base: Environment to extend.
        calls: File to which each call is written as ``function slot thread``.
    """
    library = build_stand_in(folder, missing_functions(profile))
    before = base.get("LD_LIBRARY_PATH")
    environment = dict(base) | {
        "LD_LIBRARY_PATH": f"{library}{os.pathsep}{before}" if before else str(library),
        "GPUCONFIG_NVML_PROFILE": str(profile),
    }
    if calls is not None:
        environment["GPUCONFIG_NVML_CALLS"] = str(calls)
    return environment


def _fingerprint(program: str, missing: Sequence[str]) -> str:
    digest = hashlib.sha256(" ".join([program, *FLAGS, *sorted(missing)]).encode())
    for path in sorted(SOURCES.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
