"""The last gate before a script leaves: it compiles, and it does nothing that its template did not write.

Constants hold literals only, a module does nothing on import but set environment variables, every name is defined,
only known modules are imported, and nothing that runs text as a program is called. The linter's finer points are
checked by the tests over all cases; this gate runs for every user.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterator

from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.messages import Message

KNOWN_MODULES = frozenset(
    {
        *("__future__", "argparse", "collections", "contextlib", "csv", "dataclasses", "hashlib", "importlib", "json"),
        *("math", "os", "pathlib", "random", "shutil", "signal", "subprocess", "sys", "tempfile", "time", "typing"),
        *("keras", "numpy", "pyarrow", "tensorflow", "train"),
    }
)
FORBIDDEN_CALLS = frozenset(
    {"eval", "exec", "compile", "__import__", "breakpoint", "input", "os.system", "os.popen", "importlib.import_module"}
)
MODULE_NAMES = frozenset({"__name__", "__file__", "__doc__", "__annotations__"})
_IMPORT_TIME_CALLS = frozenset({"os.environ.setdefault"})


class UnsafeScriptError(GpuConfigError):
    """A rendered script did not pass the gate; it is never written. A defect of a template."""


def verify_script(name: str, text: str) -> None:
    """Check a rendered Python file.

    Args:
        name: File name, for the sentence.

    Raises:
        UnsafeScriptError: It would not run, or would do more than its template says.
    """
    for problem in find_problems(text):
        raise UnsafeScriptError(Message("scriptgen.script-not-safe", {"file": name, "detail": problem}))


def find_problems(text: str) -> Iterator[str]:
    """Name what is wrong with a script, worst first; for developers, in English."""
    try:
        tree = ast.parse(text)
        compile(tree, "train.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        yield f"does not compile: {error}"
        return
    yield from _form_problems(text)
    for statement in tree.body:
        yield from _statement_problems(statement)
    for node in ast.walk(tree):
        yield from _import_problems(node)
        yield from _call_problems(node)
    yield from _undefined_names(text)


def _form_problems(text: str) -> Iterator[str]:
    if not text.endswith("\n") or text.endswith("\n\n"):
        yield "does not end with one newline"
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip():
            yield f"line {number} ends with a blank"
        if any(not char.isprintable() for char in line):
            yield f"line {number} holds an invisible character"


def _statement_problems(statement: ast.stmt) -> Iterator[str]:
    """What stands at the top level runs on import, so only these forms may."""
    if isinstance(statement, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
        return
    if isinstance(statement, ast.Expr) and (_is_text(statement.value) or _is_environment_default(statement.value)):
        return
    if isinstance(statement, ast.If) and ast.unparse(statement.test) == "__name__ == '__main__'":
        return
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = ast.unparse(statement.targets[0])
        if _is_literal(statement.value) and (target.isidentifier() or target == "os.environ['KERAS_BACKEND']"):
            return
    yield f"line {statement.lineno} does something on import"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_environment_default(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and ast.unparse(node.func) in _IMPORT_TIME_CALLS
        and not node.keywords
        and all(_is_text(argument) for argument in node.args)
    )


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return False
    return True


def _import_problems(node: ast.AST) -> Iterator[str]:
    names: list[str] = []
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = [node.module or "."]
    for name in names:
        if name.split(".")[0] not in KNOWN_MODULES:
            yield f"imports {name}"


def _call_problems(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.Call):
        return
    name = ast.unparse(node.func)
    if name in FORBIDDEN_CALLS:
        yield f"line {node.lineno} calls {name}"
    if name.startswith("subprocess.") and not (node.args and _is_literal(node.args[0])):
        yield f"line {node.lineno} starts a program that is not written out"
    if any(keyword.arg == "shell" for keyword in node.keywords):
        yield f"line {node.lineno} uses a shell"


def _undefined_names(text: str) -> Iterator[str]:
    module = symtable.symtable(text, "train.py", "exec")
    defined = {symbol.get_name() for symbol in module.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    defined |= {table.get_name() for table in module.get_children()}
    defined |= set(dir(builtins)) | MODULE_NAMES
    for table in _tables(module):
        for symbol in table.get_symbols():
            is_outside = symbol.is_global() or table is module
            if symbol.is_referenced() and is_outside and symbol.get_name() not in defined:
                yield f"uses the undefined name {symbol.get_name()}"


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)
