"""Every template with every kind of answer and plan: passes the gate, is linted and formatted, and repeats itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.manifest import Question, QuestionKind, Template
from gpuconfig_app.scriptgen.templates import load_templates
from gpuconfig_app.scriptgen.verify import find_problems
from gpuconfig_app.scriptgen.write import write_bundle
from gpuconfig_app.storage.places import write_text
from tests.unit.scriptgen.cases import Case, load_cases
from tests.unit.scriptgen.plans import PLANS

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "templates"
CASES = load_cases()
# what a careful colleague's linter asks for; I001 needs to know that train.py lies beside predict.py
RULES = "A,ARG,B,BLE,C4,E,ERA,F,FLY,FURB,G,I,ICN,ISC,N,NPY,PERF,PGH,PIE,PLC,PLE,PLW,RET,RSE,RUF,SIM,TID,UP,W,YTT"
IGNORED = (
    "E402,"  # KERAS_BACKEND is set before the imports it is meant for
    "ARG002,"  # callbacks have the arguments Keras gives them
    "BLE001,"  # Keras raises bare Exception when a download fails
    "PLC0415"  # pyarrow is imported where it is needed, for a clear sentence without it
)


def case_id(case: Case) -> str:
    return case.id


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_scripts_pass_the_gate(case: Case) -> None:
    bundle = case.bundle()

    for name in ("train.py", "predict.py"):
        assert list(find_problems(bundle.file(name).content)) == []


def test_scripts_are_linted_and_formatted(tmp_path: Path) -> None:
    for case in CASES:
        write_bundle(case.bundle(), tmp_path / case.id)

    lint = _ruff(tmp_path, "check", "--select", RULES, "--ignore", IGNORED, "--line-length", "88")
    form = _ruff(tmp_path, "format", "--diff")

    assert lint.returncode == 0, lint.stdout
    assert form.returncode == 0, form.stdout


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_an_identical_plan_gives_identical_bytes(case: Case) -> None:
    assert case.bundle() == case.bundle()


@pytest.mark.parametrize("case", [case for case in CASES if case.golden], ids=case_id)
def test_golden_bundles_have_not_changed(case: Case) -> None:
    folder = GOLDEN / case.id
    bundle = case.bundle()
    if os.environ.get("GPUCONFIG_WRITE_GOLDEN"):
        for file in bundle.files:
            write_text(folder / f"{file.name}.txt", file.content)

    # kept as .txt: they follow the rules for generated code, not those of this repository
    expected = {path.name.removesuffix(".txt"): path.read_text(encoding="utf-8") for path in folder.iterdir()}

    assert {file.name: file.content for file in bundle.files} == expected


@pytest.mark.parametrize("template", load_templates(), ids=lambda template: template.id)
def test_every_option_and_plan_has_a_case(template: Template) -> None:
    cases = [case for case in CASES if case.template == template.id]
    wanted = {(question.id, value) for question in template.questions for value in _values(question)}
    plain = [question for question in template.questions if not isinstance(question.default, list)]
    defaults = {(question.id, question.default) for question in plain}
    used = {(name, value) for case in cases for name, value in case.answers.items() if not isinstance(value, list)}
    # what the planner decides from the answer, so that the script depends on the plan alone
    planned = {(name, value) for name, value in wanted if name in ("precision", "cache")}

    assert wanted - defaults - used - planned == set()
    assert {case.plan for case in cases} <= set(PLANS)


def _values(question: Question) -> list[JsonValue]:
    if question.kind is QuestionKind.CHOICE:
        return [option.value for option in question.options]
    return [True, False] if question.kind is QuestionKind.BOOL else []


def _ruff(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ruff", *arguments, "--isolated", "--no-cache", "."]
    source = ["--config", "src = ['*']"]
    return subprocess.run([*command, *source], cwd=folder, capture_output=True, text=True, check=False)
