"""Our own source files, parsed once for the tests that read them."""

from __future__ import annotations

import ast
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "gpuconfig_app"
_LEFT_OUT = (".venv", ".git", "build", "dist", "shots", "__pycache__")


@dataclass(frozen=True)
class SourceFile:
    """One Python file.

    Attributes:
        name: Path from the top of the checkout, with ``/``.
        text: Its content.
        tree: Its syntax tree.
    """

    name: str
    text: str
    tree: ast.Module

    @property
    def line_count(self) -> int:
        """Lines of the file."""
        return len(self.text.splitlines())

    @property
    def room(self) -> str:
        """First folder or module below the package: ``core``, ``command`` …"""
        parts = Path(self.name).with_suffix("").parts
        return parts[1] if len(parts) > 1 else parts[0]


@cache
def package_files() -> tuple[SourceFile, ...]:
    """All files of the package."""
    return tuple(_read(path) for path in sorted(PACKAGE.rglob("*.py")) if "_resources" not in path.parts)


@cache
def files_of_tests() -> tuple[SourceFile, ...]:
    """All Python files of the tests, but not what they feed to the program."""
    fed = ("machines", "golden", "data")
    paths = (path for path in sorted((ROOT / "tests").rglob("*.py")) if not set(path.parts) & set(fed))
    return tuple(_read(path) for path in paths)


@cache
def tool_files() -> tuple[SourceFile, ...]:
    """``run.py`` and what is in ``packaging``."""
    return tuple(_read(path) for path in (ROOT / "run.py", *sorted((ROOT / "packaging").glob("*.py"))))


@cache
def text_files() -> tuple[Path, ...]:
    """Every text file under version control, or about to be, but the lock files and the licence."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode == 0:
        paths = [ROOT / line for line in listed.stdout.splitlines()]
    else:  # an unpacked archive
        paths = [path for path in ROOT.rglob("*") if not set(path.relative_to(ROOT).parts) & set(_LEFT_OUT)]
    return tuple(sorted(path for path in paths if path.is_file() and _is_text(path)))


def functions(file: SourceFile) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions and methods of a file."""
    return [node for node in ast.walk(file.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def length(node: ast.stmt) -> int:
    """Lines of a definition, without its decorators."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _read(path: Path) -> SourceFile:
    text = path.read_text(encoding="utf-8")
    return SourceFile(path.relative_to(ROOT).as_posix(), text, ast.parse(text))


def _is_text(path: Path) -> bool:
    with path.open("rb") as file:
        return b"\0" not in file.read(8192)
