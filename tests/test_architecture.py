"""The walls of the house: who may import whom, who may start processes, what may be imported early.

The import rules themselves are contracts of import-linter in pyproject.toml; here they are run.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.source_files import PACKAGE, ROOT, SourceFile, package_files

ROOMS = {
    "__main__", "ui", "cli", "workbench", "runner", "compat", "planner", "scriptgen", "dataset", "telemetry",
    "hardware", "knowledge", "storage", "command", "resources", "core", "__init__",
}  # fmt: skip
PROCESS_MODULES = {"subprocess", "multiprocessing", "pty"}


def test_import_rules_hold(tmp_path: Path) -> None:
    # In a process of its own: import-linter sets up logging anew, which silences the loggers of all later tests.
    code = "import sys; from importlinter import cli; sys.exit(cli.lint_imports(sys.argv[1], cache_dir=sys.argv[2]))"
    arguments = [sys.executable, "-c", code, str(ROOT / "pyproject.toml"), str(tmp_path)]

    found = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)

    assert found.returncode == 0, found.stdout + found.stderr


def test_there_are_no_rooms_beside_the_plan() -> None:
    assert {file.room for file in package_files()} <= ROOMS


def test_one_door_to_outside_programs() -> None:
    call = re.compile(r"\bos\.(?:system|popen|exec\w*|spawn\w*|fork|startfile)\b|QProcess\b")
    doors = {
        file.name
        for file in package_files()
        if {name.split(".")[0] for name in _imports(file)} & PROCESS_MODULES or call.search(_code(file))
    }

    assert doors == {"gpuconfig_app/command.py"}


def test_pages_do_not_know_each_other() -> None:
    crossing = []
    for file in package_files():
        if "/ui/pages/" not in file.name or file.name.endswith("pages/__init__.py"):
            continue
        names = {name for name in _imports(file) if name.startswith("gpuconfig_app.ui.pages.")}
        pages = {_page_of(name.replace(".", "/")) for name in names}
        crossing += [f"{file.name} knows {page}" for page in pages - {_page_of(file.name)}]

    assert not crossing


def test_the_core_needs_only_the_standard_library() -> None:
    foreign = {
        f"{file.name}: {name}"
        for file in package_files()
        if file.room == "core"
        for name in _imports(file)
        if name.split(".")[0] not in sys.stdlib_module_names and not name.startswith("gpuconfig_app.core")
    }

    assert not foreign


def test_every_import_comes_from_the_application_s_lock() -> None:
    locked = {_normal(line.split("==")[0]) for line in _lock("app").splitlines() if "==" in line}
    providers = packages_distributions()
    missing = set()
    for file in package_files():
        for name in _imports(file):
            top = name.split(".")[0]
            if top in sys.stdlib_module_names or top == "gpuconfig_app":
                continue
            distributions = {_normal(item) for item in providers.get(top, [])}
            if not distributions & locked:
                missing.add(f"{file.name}: {top}")

    assert not missing


def test_every_module_imports_alone(tmp_path: Path) -> None:
    """One interpreter, every module, offscreen: nothing needs an order, a display or a variable."""
    modules = [file.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for file in package_files()]
    code = f"import importlib\nfor name in {modules!r}:\n    importlib.import_module(name)\n"

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path, env=_child_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


def test_starting_the_window_imports_nothing_heavy(tmp_path: Path) -> None:
    """Before the first paint there is Qt, ``resources`` and the shell (design decision 8)."""
    code = (
        "import sys, gpuconfig_app.__main__, gpuconfig_app.ui.application\n"
        "heavy = {'numpy', 'pyqtgraph', 'jinja2', 'psutil', 'pynvml', 'tensorflow', 'packaging', 'defusedxml'}\n"
        "print(' '.join(sorted(heavy & set(sys.modules))))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, env=_child_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


@pytest.mark.parametrize("name", ["app", "dev", "tensorflow"])
def test_lock_files_hold_hashes_and_no_addresses(name: str) -> None:
    text = _lock(name)
    pins = re.findall(r"^[a-z0-9]\S*==\S+", text, re.MULTILINE)

    assert pins
    assert "://" not in text
    assert all("--hash=sha256:" in block for block in re.split(r"\n(?=[a-z0-9])", text) if "==" in block)


def test_the_development_lock_agrees_with_the_application_s() -> None:
    app, dev = (set(re.findall(r"^([a-z0-9]\S*==\S+)", _lock(name), re.MULTILINE)) for name in ("app", "dev"))

    assert app <= dev


def test_the_lock_covers_what_the_project_declares() -> None:
    import tomllib

    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    names = {_normal(re.split(r"[<>=!~ \[;]", item, maxsplit=1)[0]) for item in declared}
    locked = {_normal(line.split("==")[0]) for line in _lock("app").splitlines() if "==" in line}

    assert names <= locked


def _imports(file: SourceFile) -> set[str]:
    found = set()
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            found |= {item.name for item in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}:{node.lineno} relative import"
            found.add(node.module or "")
            if (PACKAGE.parent / (node.module or "").replace(".", "/")).is_dir():
                found |= {f"{node.module}.{item.name}" for item in node.names}
    return found


def _code(file: SourceFile) -> str:
    """The file without its texts and comments."""
    tree = ast.parse(file.text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.unparse(tree)


def _page_of(name: str) -> str:
    below = name.split("/ui/pages/", 1)[-1].removesuffix(".py").split("/")
    return below[0].removesuffix("_page")


def _lock(name: str) -> str:
    return (ROOT / "packaging" / "locks" / f"{name}.lock").read_text(encoding="utf-8")


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def _child_environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1"}
