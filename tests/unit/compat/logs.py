"""What the tests of the log doctor share: the public cases, logs from the field, and how they are asked."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cache

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.log_doctor import explain
from gpuconfig_app.compat.log_reading import read_log
from gpuconfig_app.core.log_report import LogReport
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.workbench.environment_choice import choose_environment
from tests.source_files import ROOT

CASES = ROOT / "tests" / "data" / "cases"
LOGS = ROOT / "tests" / "data" / "logs" / "field_logs.toml"


@dataclass(frozen=True)
class Case:
    """One public case.

    Attributes:
        machine: Recorded machine that fits it, None when there is none.
        first: Pattern of the first remedy, None when none is wanted.
        never: Patterns nothing that is said may match.
        needs_facts: Its words are those of another case: without a machine or its environment they are not told apart.
    """

    id: str
    environment: str
    log: str
    code: str
    machine: str | None
    first: str | None
    never: tuple[str, ...]
    needs_facts: bool


@cache
def public_cases() -> tuple[Case, ...]:
    judgements = tomllib.loads((CASES / "judgement.toml").read_text(encoding="utf-8"))
    rows = json.loads((CASES / "a_cases.json").read_text(encoding="utf-8"))
    return tuple(
        Case(
            id=row["id"],
            environment=row["environment"],
            log=(CASES / row["log_file"]).read_text(encoding="utf-8"),
            code=row["expected_code"],
            machine=judgements[row["id"]].get("machine"),
            first=judgements[row["id"]].get("first"),
            never=tuple(judgements[row["id"]]["never"]),
            needs_facts=judgements[row["id"]].get("needs_facts", False),
        )
        for row in rows
    )


@cache
def field_logs() -> tuple[dict[str, str], ...]:
    return tuple(tomllib.loads(LOGS.read_text(encoding="utf-8"))["log"])


@cache
def recorded(name: str) -> tuple[SystemReport, PythonEnvironment | None]:
    report = load_machine(ROOT / "tests" / "machines" / name).report
    return report, choose_environment(report, lambda item: check(report, CheckOptions(environment=item)))


def ask(log: str | bytes, machine: str | None = None) -> LogReport:
    text = read_log(log.encode() if isinstance(log, str) else log)
    return explain(text, *recorded(machine)) if machine else explain(text)


def everything_said(report: LogReport) -> str:
    findings = [report.primary, *(item.finding for item in report.findings if item.consequence_of is None)]
    parts = [part for finding in findings for part in (finding.title.en, finding.text.en)]
    for finding in findings:
        for fix in finding.fixes:
            parts += [fix.text.en, *fix.commands, fix.changes.en if fix.changes else ""]
    return "\n".join([*parts, *(item.text.en for item in report.harmless)])


def first_remedy(report: LogReport) -> str:
    fix = report.primary.fixes[0]
    return "\n".join([fix.text.en, *fix.commands])
