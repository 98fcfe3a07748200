"""Every sentence a person may read: there in both languages, fitting its values, used, and not known to be wrong."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from functools import cache

import pytest

from tests.source_files import ROOT, SourceFile, package_files

TEXTS = sorted((ROOT / "resources" / "text").glob("*.toml"))
ID = re.compile(r"^[a-z][a-z0-9_]*\.[a-z0-9][a-z0-9-]*$")
KEBAB = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*$")
CHINESE = re.compile(r"[\u4e00-\u9fff]")

# Claims that go round and are wrong; a reader would act on them. Each is a pattern over one line of text.
BANNED_CLAIMS = {
    "determinism is not checkpointing": r"enable_op_determinism.*checkpoint|checkpoint.*enable_op_determinism",
    "a deprecated yes/no check": r"is_gpu_available",
    "never existed": r"distribute\.experimental\.tpu",
    "a removed package as advice": r"pip install[^\n]*tensorflow-gpu",
    "a private module": r"device_lib",
    "no flag of any launcher of ours": r"--gpus=",
    "2250 TFLOPS is a B200's peak": r"A100.*\b2250\b|\b2250\b.*A100",
    "61 TFLOPS is another card's figure": r"\b61 TFLOPS.*4090|4090.*\b61 TFLOPS",
    "the A5000 has no MIG": r"A5000.*\bMIG\b|\bMIG\b.*A5000",
    "TF32 is not ten times as fast": r"TF32.*(10\s?[x×]|10\s?倍)|(10\s?[x×]|10\s?倍).*TF32",
    "80 PLUS is for power supplies": r"(?i)(card|RTX|显卡).*80\s?PLUS|80\s?PLUS.*(card|RTX|显卡)",
    "not what the nightly is built with": r"nightly.*(CUDA 12\.1|cuDNN 8\.9)",
    "no term of any vendor": r"\bCNPU\b",
}


@cache
def rows() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for path in TEXTS:
        for name, row in tomllib.loads(path.read_text(encoding="utf-8")).items():
            found[f"{path.stem}.{name}"] = row
    return found


def test_there_are_sentences() -> None:
    assert len(rows()) > 10


def test_ids_are_kebab_case() -> None:
    assert [name for name in rows() if not KEBAB.match(name.split(".", 1)[1])] == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_rows_hold_both_languages_and_nothing_else(path) -> None:
    table = tomllib.loads(path.read_text(encoding="utf-8"))

    for name, row in table.items():
        assert set(row) == {"en", "zh_cn"}, name
        assert all(isinstance(text, str) and text.rstrip() == text and text for text in row.values()), name


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_placeholders_are_the_same_in_both_languages(path) -> None:
    table = tomllib.loads(path.read_text(encoding="utf-8"))

    unlike = [name for name, row in table.items() if _placeholders(row["en"]) != _placeholders(row["zh_cn"])]

    assert not unlike


def test_chinese_is_chinese() -> None:
    """A sentence of several words without one Chinese character was forgotten; names and symbols stay."""
    forgotten = [
        name
        for name, row in rows().items()
        if not CHINESE.search(row["zh_cn"]) and re.search(r"[a-z]{3,} [a-z]{3,}", _without_placeholders(row["zh_cn"]))
    ]

    assert not forgotten


def test_every_sentence_named_in_the_code_exists() -> None:
    missing = []
    for file in package_files():
        missing += [f"{file.name}: {name}" for name in _named_directly(file) if name not in rows()]
        missing += [
            f"{file.name}: {pattern}"
            for pattern in _name_patterns(file)
            if not any(re.fullmatch(pattern, name) for name in rows())
        ]

    assert not missing


def test_values_given_in_the_code_fill_every_placeholder() -> None:
    wrong = []
    for file in package_files():
        for call in _message_calls(file):
            name, params = _literal(call.args[0]), call.args[1] if len(call.args) > 1 else None
            given = _keys(params)
            if name in rows() and given is not None and (lacking := _placeholders(rows()[name]["en"]) - given):
                wrong.append(f"{file.name}: {name} lacks {sorted(lacking)}")

    assert not wrong


def test_no_sentence_is_left_over() -> None:
    words, patterns = _words_of_the_product()
    unused = [
        name for name in rows() if name not in words and not any(re.fullmatch(pattern, name) for pattern in patterns)
    ]

    assert not unused


def test_nothing_repeats_a_claim_known_to_be_wrong() -> None:
    patterns = {reason: re.compile(pattern) for reason, pattern in BANNED_CLAIMS.items()}
    suffixes = {".toml", ".md", ".j2", ".py", ".ts"}
    places = [ROOT / "resources", ROOT / "gpuconfig_app", *ROOT.glob("*.md")]
    files = [path for place in places for path in ([place] if place.is_file() else place.rglob("*"))]
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {line.strip()[:100]} ({reason})"
        for path in files
        if path.suffix in suffixes
        for line in path.read_text(encoding="utf-8").splitlines()
        for reason, pattern in patterns.items()
        if pattern.search(line)
    ]

    assert not found


def _placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def _without_placeholders(text: str) -> str:
    return re.sub(r"\{[^}]*\}|`[^`]*`", "", text)


def _message_calls(file: SourceFile) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(file.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Message" and node.args
    ]


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _keys(node: ast.expr | None) -> set[str] | None:
    """Keys of a literal dictionary; None when they can't be read off."""
    if node is None:
        return set()
    if not isinstance(node, ast.Dict):
        return None
    keys = [_literal(key) if key is not None else None for key in node.keys]
    return None if None in keys else {key for key in keys if key is not None}


def _named_directly(file: SourceFile) -> set[str]:
    return {name for call in _message_calls(file) if (name := _literal(call.args[0])) is not None}


def _name_patterns(file: SourceFile) -> set[str]:
    """Ids built from an f-string, as patterns."""
    return {
        pattern
        for call in _message_calls(file)
        if isinstance(call.args[0], ast.JoinedStr) and (pattern := _pattern(call.args[0])) is not None
    }


def _pattern(node: ast.JoinedStr) -> str | None:
    parts = [re.escape(str(item.value)) if isinstance(item, ast.Constant) else "[a-z0-9_.-]+?" for item in node.values]
    text = "".join(parts)
    return text if re.match(r"^[a-z_]+\\\.", text) else None


def _words_of_the_product() -> tuple[set[str], set[str]]:
    """Ids that stand anywhere in code or tables, and patterns of those that are put together."""
    words: set[str] = set()
    patterns: set[str] = set()
    for file in package_files():
        for node in ast.walk(file.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and ID.match(node.value):
                words.add(node.value)
            elif isinstance(node, ast.JoinedStr) and (pattern := _pattern(node)) is not None:
                patterns.add(pattern)
    for path in (ROOT / "resources").rglob("*.toml"):
        if path.parent.name != "text":
            words |= set(re.findall(r'"([a-z][a-z0-9_]*\.[a-z0-9][a-z0-9-]*)"', path.read_text(encoding="utf-8")))
    return words, patterns
