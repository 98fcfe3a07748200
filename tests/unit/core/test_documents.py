"""Every kind of document that is written has a golden file for each of its schemas, and all of them stay readable.

A golden file changes only together with its schema number; ``GPUCONFIG_UPDATE_GOLDEN=1`` writes missing ones.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
from functools import cache

import pytest

from gpuconfig_app.core.codec import DocumentKind, dump_document, load_document
from tests.record_examples import example
from tests.source_files import ROOT, package_files

GOLDEN = ROOT / "tests" / "golden" / "documents"


@cache
def document_kinds() -> tuple[DocumentKind, ...]:
    """All kinds that the package declares at the top of a module."""
    kinds = []
    for file in package_files():
        for node in file.tree.body:
            call = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            if isinstance(call, ast.Call) and ast.unparse(call.func).split("[")[0] == "DocumentKind":
                module = importlib.import_module(file.name.removesuffix(".py").replace("/", "."))
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                kinds.append(getattr(module, ast.unparse(target)))
    return tuple(kinds)


@pytest.mark.parametrize("kind", document_kinds(), ids=lambda kind: kind.name)
def test_the_newest_schema_is_what_its_golden_file_shows(kind) -> None:
    path = GOLDEN / f"{kind.name}-{kind.schema}.json"
    text = dump_document(kind, example(kind.type))
    if os.environ.get("GPUCONFIG_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")

    assert path.exists(), f"write it with GPUCONFIG_UPDATE_GOLDEN=1: {path.name}"
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("kind", document_kinds(), ids=lambda kind: kind.name)
def test_every_schema_ever_written_is_still_read(kind) -> None:
    for schema in range(1, kind.schema + 1):
        text = (GOLDEN / f"{kind.name}-{schema}.json").read_text(encoding="utf-8")

        load_document(kind, text)


@pytest.mark.parametrize("kind", document_kinds(), ids=lambda kind: kind.name)
def test_there_is_one_migration_per_step(kind) -> None:
    assert set(kind.migrations) == set(range(1, kind.schema))


def test_no_two_kinds_share_a_name() -> None:
    names = [kind.name for kind in document_kinds()]

    assert len(names) == len(set(names))


def test_golden_files_belong_to_a_kind() -> None:
    known = {f"{kind.name}-{schema}.json" for kind in document_kinds() for schema in range(1, kind.schema + 1)}

    assert {path.name for path in GOLDEN.glob("*.json")} == known
    assert all(json.loads(path.read_text(encoding="utf-8"))["schema"] for path in GOLDEN.glob("*.json"))
