"""What the loader would find, without loading anything: the driver's library and CUDA libraries outside wheels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from gpuconfig_app.command import CommandResult, run_command
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import LibraryFacts

Run = Callable[..., CommandResult]

WSL_FOLDER = "/usr/lib/wsl/lib"
LIBCUDA = "libcuda.so.1"
LDCONFIG_LIMIT_S = 2.0
_COMPAT = "compat/"
# Not PATH alone: a user's PATH on Debian has no sbin.
_LDCONFIG_PLACES = ("/sbin/ldconfig", "/usr/sbin/ldconfig")
_WANTED = re.compile(
    r"lib(?:cuda|cudart|cudnn\w*|cublas|cublasLt|cufft|curand|cusolver|cusparse|cupti|nvrtc|nvJitLink|nccl|nvinfer"
    r"|nvinfer_plugin|amdhip64|ze_loader|ascendcl)\.so(?:\.\d+)*"
)
_WINDOWS_WANTED = re.compile(
    r"(?:(?:cudart|cudnn|cublas|cublasLt|cufft|curand|cusolver|cusparse)64_\d+|zlibwapi)\.dll", re.IGNORECASE
)
_CACHE_LINE = re.compile(r"^\s*(\S+) \(([^)]*)\) => (\S.*)$")
_WORD_SIZE = {"x86_64": "x86-64", "aarch64": "AArch64"}


def read_linux_libraries(
    root: Path, variables: Mapping[str, str], architecture: str | None, run: Run = run_command
) -> tuple[LibraryFacts, dict[str, Message]]:
    """Look for libraries as the loader does: folders of ``LD_LIBRARY_PATH`` first, then the loader's cache.

    Args:
        root: ``/``; another folder in tests.
        variables: The user's.
        architecture: Of the machine; libraries of another one are passed over.
        run: Starts ``ldconfig -p``.
    """
    absent: dict[str, Message] = {}
    found: dict[str, str] = {}
    cache = _ask_cache(root, run)
    if cache is None:
        absent["libraries.libraries"] = Message("host.tool-gave-nothing", {"program": "ldconfig"})
    found |= dict(parse_loader_cache(cache or "", architecture))
    found |= dict(reversed(list(_in_folders(root, variables.get("LD_LIBRARY_PATH", "").split(":")))))
    wsl = (root / WSL_FOLDER.lstrip("/") / LIBCUDA).exists()
    libcuda = found.pop(LIBCUDA, None)
    if libcuda is not None and _COMPAT in libcuda:
        libcuda = _with_version(root, libcuda)  # its driver tells what the compatibility package stands for
    found.pop("libcuda.so", None)
    facts = LibraryFacts(
        libcuda=libcuda,
        wsl_libcuda=wsl,
        has_dxg=(root / "dev/dxg").exists(),
        libraries={name: _with_version(root, path) for name, path in sorted(found.items())},
    )
    return facts, absent


def parse_loader_cache(text: str, architecture: str | None) -> Iterable[tuple[str, str]]:
    """Read ``ldconfig -p``: name and path of the libraries that matter, of each name the first, as the loader does."""
    word = _WORD_SIZE.get(architecture or "")
    seen: set[str] = set()
    for line in text.splitlines():
        parts = _CACHE_LINE.match(line)
        if parts is None or parts.group(1) in seen or not _WANTED.fullmatch(parts.group(1)):
            continue
        if word is None or word in parts.group(2):
            seen.add(parts.group(1))
            yield parts.group(1), parts.group(3).strip()


def find_windows_libraries(path_variable: str, system_root: str, separator: str = ";") -> LibraryFacts:
    """Look through the folders of ``PATH`` as Windows does; the driver's library lies in System32."""
    found: dict[str, str] = {}
    for folder in filter(None, path_variable.split(separator)):
        for name, path in _names(Path(folder), _WINDOWS_WANTED):
            found.setdefault(name.lower(), path)
    driver = Path(system_root) / "System32" / "nvcuda.dll"
    return LibraryFacts(libcuda=str(driver) if driver.exists() else None, libraries=dict(sorted(found.items())))


def _ask_cache(root: Path, run: Run) -> str | None:
    for place in _LDCONFIG_PLACES:
        if (root / place.lstrip("/")).exists():
            try:
                result = run([place, "-p"], time_limit_s=LDCONFIG_LIMIT_S)
            except CommandError:
                return None
            return result.stdout if result.is_good else None
    return None


def _in_folders(root: Path, folders: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Give name and path of wanted libraries folder by folder; an empty entry (the present folder) is left out."""
    for folder in folders:
        if folder.startswith("/"):
            yield from ((name, f"{folder.rstrip('/')}/{name}") for name, _ in _names(root / folder[1:], _WANTED))


def _with_version(root: Path, path: str) -> str:
    """Give the file a link beside it leads to, as its name holds the version: ``libcudnn.so.9`` -> ``….so.9.10.2``."""
    link = root / path.lstrip("/")
    try:
        real = link.resolve()
        is_beside = real.parent == link.parent.resolve()
    except (OSError, RuntimeError):
        return path
    return f"{path.rpartition('/')[0]}/{real.name}" if is_beside else path


def _names(folder: Path, wanted: re.Pattern[str]) -> list[tuple[str, str]]:
    try:
        return sorted((path.name, str(path)) for path in folder.iterdir() if wanted.fullmatch(path.name))
    except (OSError, ValueError):
        return []
