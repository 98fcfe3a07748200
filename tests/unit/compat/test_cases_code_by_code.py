"""Every public case through ``explain`` and, where its environment is told, ``check``; the end of the run lists them.

The table is printed by ``pytest_terminal_summary`` in ``tests/conftest.py``, one line for each case.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from gpuconfig_app.compat.assume import apply_assumptions
from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.system import SystemReport
from tests.unit.compat.logs import Case, ask, everything_said, first_remedy, public_cases, recorded

Told = tuple[SystemReport, CheckOptions]


def _recorded(name: str) -> Told:
    report, environment = recorded(name)
    return report, CheckOptions(environment=environment)


def _with_packages(name: str, **packages: str) -> Told:
    report, environment = recorded(name)
    assert environment is not None
    named = {key.replace("_", "-"): version for key, version in packages.items()}
    packages = {**environment.packages, **named}
    return report, CheckOptions(environment=replace(environment, packages=packages, python_version="3.11.9"))


def _laptop_without_driver_bound() -> Told:
    report, options = _recorded("laptop-hybrid-asleep")
    return replace(report, gpus=tuple(replace(gpu, bound_driver=None) for gpu in report.gpus)), options


def _assumed(*pairs: str) -> Told:
    assumed = apply_assumptions(None, pairs)
    return assumed.report, CheckOptions(environment=assumed.environment, tensorflow=assumed.tensorflow)


# Environments that no recording holds, told by a change of one; the words are those of the case.
TOLD_OTHERWISE: dict[str, Callable[[], Told]] = {
    "P-A05": lambda: _assumed("gpu=H100", "driver=535.104.05", "tensorflow=2.15.1", "python=3.11"),
    "P-A13": lambda: _with_packages("healthy-1x4090", tensorflow="2.19.0", protobuf="6.30.2"),
    "P-A14": lambda: _with_packages(
        "healthy-1x4090", tensorflow="2.15.1", keras="3.3.3", numpy="1.26.4", protobuf="4.25.3"
    ),
    "P-A25": lambda: _assumed("gpu=GTX 960M", "driver=535.104.05", "tensorflow=2.18.0", "python=3.11"),
    "P-A33": _laptop_without_driver_bound,
}
# What went wrong is in the log alone: the machine of the case is sound, and ``check`` has to say nothing against it.
ONLY_IN_THE_LOG = {
    "P-A06", "P-A10", "P-A15", "P-A19", "P-A20", "P-A21", "P-A22", "P-A28", "P-A31", "P-A32",
}  # fmt: skip


def _verdict(case: Case) -> str | None:
    """Give the code ``check`` puts first for the environment of a case, None when it has nothing against it."""
    assert case.machine or case.id in TOLD_OTHERWISE
    report, options = TOLD_OTHERWISE[case.id]() if case.id in TOLD_OTHERWISE else _recorded(case.machine or "")
    primary = check(report, options).primary
    return None if primary is None else primary.code


def _is_right(case: Case, log: str, machine: str | None = None) -> bool:
    report = ask(log, machine)
    if report.primary.code != case.code or any(re.search(item, everything_said(report)) for item in case.never):
        return False
    if case.first is None:
        return report.primary.severity is Severity.GOOD
    return re.search(case.first, first_remedy(report)) is not None


@pytest.mark.parametrize("case", public_cases(), ids=lambda case: f"{case.id}-{case.code}")
def test_case(case, record_property):
    alone = _is_right(case, case.log)
    told = _is_right(case, f"{case.environment}\n{case.log}")
    on_machine = _is_right(case, case.log, case.machine) if case.machine else None
    verdict = _verdict(case)

    words = {True: "right", False: "wrong", None: "none recorded"}
    alone_word = "open, and said so" if case.needs_facts and not alone else words[alone]
    shown = "nothing wrong, as it should" if verdict is None and case.id in ONLY_IN_THE_LOG else verdict
    record_property(
        "code by code",
        f"{case.id} {case.code:36} log: {alone_word:18} with its environment: {words[told]:6} "
        f"on a machine: {words[on_machine]:14} check: {shown}",
    )
    assert told
    assert alone or case.needs_facts
    assert on_machine is not False
    assert verdict == (None if case.id in ONLY_IN_THE_LOG else case.code)


def test_every_case_is_asked():
    assert len(public_cases()) == 33
    assert {case.id for case in public_cases()} >= ONLY_IN_THE_LOG | set(TOLD_OTHERWISE)
