"""Pages are thrown away when the language changes, the state lives on: how its signals may be connected.

Qt ends a connection with its receiver only when it knows the receiver: a method of the page, never a lambda or a
partial. Such a one would go on calling the page that is gone.
"""

from __future__ import annotations

import ast
import re

from tests.source_files import SourceFile, package_files

# What outlives a page, by the last word of its name in the code.
LONG_LIVED = re.compile(r"(^|[._])(state|draft|background|bridge|sampling|clock|app|current_theme\(\)|styleHints\(\))$")

# Places that may, as (file, signal): reason.
MAY = {
    # a helper of the self-test that ends with the process; its loop is the only receiver
    ("gpuconfig_app/ui/self_check.py", "state.compat_changed"),
    ("gpuconfig_app/ui/self_check.py", "state.background.failed"),
}


def test_signals_of_what_lives_longer_are_connected_to_methods() -> None:
    wrong = [
        f"{file.name}:{line} {signal}"
        for file in package_files()
        if file.room == "ui"
        for line, signal in _loose_connections(file)
        if (file.name, signal) not in MAY
    ]

    assert not wrong


def _loose_connections(file: SourceFile) -> list[tuple[int, str]]:
    """Give line and signal of each ``signal.connect`` to a lambda or partial on something that lives longer."""
    found = []
    for node in ast.walk(file.tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "connect"):
            continue
        signal = node.func.value
        if not (isinstance(signal, ast.Attribute) and LONG_LIVED.search(ast.unparse(signal.value))):
            continue
        if node.args and isinstance(node.args[0], ast.Lambda | ast.Call):
            found.append((node.lineno, ast.unparse(signal)))
    return found
