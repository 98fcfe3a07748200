"""The house style, as far as a machine can check it: sizes, documentation, names, words that must not appear.

What ruff checks (form, complexity, annotations, banned constructs) is not repeated here.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.source_files import (
    ROOT,
    SourceFile,
    files_of_tests,
    functions,
    length,
    package_files,
    text_files,
    tool_files,
)

FILE_LINES = 400
CLASS_LINES = 250
FUNCTION_LINES = 60
MAIN_WINDOW_LINES = 250

# Whole module names that say nothing.
EMPTY_NAMES = {"manager", "helper", "helpers", "utils", "util", "common", "data", "info", "misc", "tools"}

# Words of other places: folders of the machine it was written on, addresses of registries, and a habit of pip that
# would tie the lock files to one. Written in pieces, so that this file does not hold them.
FOREIGN_WORDS = (
    "/wo" + r"rk/(?:main|shared)",
    r"(?<![\w.])/ro" + "ot/",
    "shared/" + "facts",
    r"pypi\." + "org",
    "python" + r"hosted\.org",
    "registry" + r"\.npmjs",
    r"deb\." + r"debian\.org",
    "--(?:extra-)?index-" + r"url\s+http",
)
# Recorded machines and their like may hold paths of the machines they were taken from, the lock files are hashes.
_FREE_OF_WORDS = ("tests/machines/", "tests/data/", "packaging/locks/", "resources/knowledge/pci.ids")


def test_sizes_stay_below_the_caps() -> None:
    too_long = []
    for file in (*package_files(), *files_of_tests(), *tool_files()):
        if file.line_count > FILE_LINES:
            too_long.append(f"{file.name}: {file.line_count} lines, at most {FILE_LINES}")
        for node in ast.walk(file.tree):
            cap = CLASS_LINES if isinstance(node, ast.ClassDef) else FUNCTION_LINES
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and length(node) > cap:
                too_long.append(f"{file.name}: {node.name} has {length(node)} lines, at most {cap}")

    assert not too_long


def test_what_is_public_is_documented() -> None:
    bare = [file.name for file in package_files() if not ast.get_docstring(file.tree)]
    for file in package_files():
        bare += [f"{file.name}: {name}" for name, node in _public_definitions(file.tree) if not ast.get_docstring(node)]

    assert not bare


def test_annotations_are_postponed() -> None:
    without = [
        file.name
        for file in (*package_files(), *files_of_tests())
        if any(not isinstance(node, ast.Expr) for node in file.tree.body)
        and "from __future__ import annotations" not in file.text
    ]

    assert not without


def test_names_say_something() -> None:
    empty = [file.name for file in package_files() if Path(file.name).stem in EMPTY_NAMES]
    stray = [file.name for file in package_files() if "/ui/pages/" in file.name and not _is_page_part(file)]

    assert not empty
    assert not stray, "files of ui/pages are pages, or lie in folders named after one"


def test_nothing_is_printed_outside_the_command_line() -> None:
    prints = [
        f"{file.name}:{node.lineno}"
        for file in package_files()
        if file.room != "cli"
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]

    assert not prints


def test_no_module_keeps_changing_state() -> None:
    found = [
        f"{file.name}:{node.lineno}"
        for file in package_files()
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Global)
    ]
    found += [
        f"{file.name}:{node.lineno}"
        for file in package_files()
        for node in file.tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_empty_container(node.value)
    ]

    assert not found, "an empty container at module level is there to be filled"


def test_exceptions_to_the_linters_have_a_reason() -> None:
    exception = re.compile(r"#\s*(noqa|type:\s*ignore)")
    reasoned = re.compile(r"#\s*(noqa(:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*)|type:\s*ignore\[[\w, -]+\])\s+#\s*\S+")
    bare = [
        f"{file.name}:{number}"
        for file in (*package_files(), *tool_files())
        for number, line in enumerate(file.text.splitlines(), 1)
        if exception.search(line) and not reasoned.search(line)
    ]

    assert not bare, "a code and a reason belong there"


def test_the_main_window_stays_small() -> None:
    (size,) = [file.line_count for file in package_files() if file.name.endswith("ui/main_window.py")]

    assert size < MAIN_WINDOW_LINES


def test_tests_neither_sleep_nor_skip() -> None:
    """Programs that a test writes for a child may sleep: they stand in texts."""
    banned = {"time.sleep", "sleep", "QTest.qWait", "qtbot.wait", "pytest.skip", "pytest.importorskip"}
    banned |= {"pytest.mark.skip", "pytest.mark.skipif", "pytest.mark.xfail"}
    found = [
        f"{file.name}:{node.lineno}: {ast.unparse(node)}"
        for file in files_of_tests()
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Attribute | ast.Name) and ast.unparse(node) in banned
    ]

    assert not found


def test_nothing_tells_where_it_was_written() -> None:
    pattern = re.compile("|".join(FOREIGN_WORDS))
    found = []
    for path in text_files():
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(_FREE_OF_WORDS):
            found += [f"{name}: {match.group()}" for match in pattern.finditer(path.read_text("utf-8", "replace"))]

    assert not found


def test_nothing_is_left_open() -> None:
    pattern = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b")
    found = [file.name for file in package_files() if pattern.search(file.text)]

    assert not found


def test_what_the_checks_above_look_for_is_found() -> None:
    tree = ast.parse(
        "class A:\n    def b(self):\n        pass\n    def _c(self):\n        pass\n\ndef d():\n    pass\n"
    )

    assert [name for name, _ in _public_definitions(tree)] == ["A", "b", "d"]
    assert _is_empty_container(ast.parse("x = {}").body[0].value)  # type: ignore[attr-defined]
    assert not _is_empty_container(ast.parse("x = {1: 2}").body[0].value)  # type: ignore[attr-defined]
    assert functions(package_files()[-1]) is not None


def _public_definitions(tree: ast.Module) -> list[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    found: list[tuple[str, ast.ClassDef | ast.FunctionDef]] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            found.append((node.name, node))
            if isinstance(node, ast.ClassDef):
                found += [(item.name, item) for item in node.body if _is_public_method(item)]  # type: ignore[misc]
    return found


def _is_public_method(node: ast.stmt) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
        return False
    names = {ast.unparse(item).rsplit(".", 1)[-1] for item in node.decorator_list}
    return not names & {"override", "overload"}  # Qt documents what its own methods mean


def _is_empty_container(node: ast.expr | None) -> bool:
    if isinstance(node, ast.List | ast.Set):
        return not node.elts
    if isinstance(node, ast.Dict):
        return not node.keys
    return isinstance(node, ast.Call) and ast.unparse(node) in ("dict()", "list()", "set()")


def _is_page_part(file: SourceFile) -> bool:
    parts = file.name.split("/")
    below = parts[parts.index("pages") + 1 :]
    return len(below) > 1 or below[0].endswith("_page.py") or below[0] == "__init__.py"
