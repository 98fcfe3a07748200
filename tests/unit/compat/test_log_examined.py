"""An examiner's logs: the public kinds in other words, further kinds, several faults, healthy logs, foreign errors."""

from __future__ import annotations

import re
import tomllib
from functools import cache

import pytest

from gpuconfig_app.core.finding import Severity
from tests.source_files import ROOT
from tests.unit.compat.logs import ask, everything_said, first_remedy

LOGS = ROOT / "tests" / "data" / "logs"
KINDS = ("same_kinds", "further_kinds", "several_faults", "second_look", "third_look", "healthy_logs")
QUIET = {"UNKNOWN_ERROR", "NOTHING_WRONG_SEEN", "OK_BENIGN_LINES"}


@cache
def _rows(name: str) -> tuple[dict[str, str], ...]:
    return tuple(tomllib.loads((LOGS / f"{name}.toml").read_text(encoding="utf-8"))["log"])


KNOWN = [pytest.param(log, id=f"{name}-{log['id']}") for name in KINDS for log in _rows(name)]
FOREIGN = [pytest.param(log, id=log["id"]) for log in _rows("foreign_logs")]


@pytest.mark.parametrize("log", KNOWN)
def test_log_is_recognised(log):
    report = ask(log["text"], log.get("machine"))

    assert report.primary.code == log["code"]
    if "first" in log:
        assert re.search(log["first"], first_remedy(report)), first_remedy(report)
    if "never" in log:
        assert not re.search(log["never"], everything_said(report))


@pytest.mark.parametrize("log", KNOWN)
def test_what_is_said_has_no_gap(log):
    report = ask(log["text"], log.get("machine"))

    for item in report.findings:
        for text in (item.finding.title.en, item.finding.text.en, item.finding.title.zh_cn):
            assert "{" not in text.replace("${", "")
            assert "unknown (" not in text
        assert item.finding.fixes or item.finding.severity is Severity.NOTE or item.consequence_of


@pytest.mark.parametrize("log", KNOWN)
def test_log_is_recognised_through_docker_compose_and_cut_by_a_terminal(log):
    text = "".join(f"trainer-1  | 2025-03-02T10:11:12.345678901Z {line}\n" for line in log["text"].splitlines())
    cut = [line[at : at + 120] for line in text.splitlines() for at in range(0, len(line), 120)]

    assert ask(text, log.get("machine")).primary.code == log["code"]
    assert ask("\n".join(cut), log.get("machine")).primary.code == log["code"]


@pytest.mark.parametrize(
    ("log", "machine"),
    [
        ("C:\\Users\\ann\\venv\\lib\\site-packages\nNum GPUs Available:  0", "healthy-1x4090"),
        ("5.15.146.1-microsoft-standard-WSL2\nUNKNOWN ERROR (303)\nfailed call to cuInit", "windows-native"),
        ("Linux orin 5.10.104-tegra aarch64\nNum GPUs Available:  0", "healthy-1x4090"),
        ("name: NVIDIA GeForce RTX 5090\nno kernel image is available for execution on the device", "healthy-1x4090"),
    ],
)
def test_a_log_of_another_system_is_not_judged_by_this_machine(log, machine):
    report = ask(log, machine)

    assert report.is_of_other_machine
    assert not report.has_machine
    assert report.primary.code == ask(log).primary.code


def test_a_log_of_this_system_is_judged_by_it():
    report = ask("/usr/lib/python3/dist-packages/x.py\nAttributeError: _ARRAY_API not found", "healthy-1x4090")

    assert report.has_machine
    assert not report.is_of_other_machine


@pytest.mark.parametrize("log", FOREIGN)
def test_an_error_of_others_gets_no_cause_of_ours(log):
    assert ask(log["text"]).primary.code in QUIET


@pytest.mark.parametrize("log", _rows("healthy_logs"), ids=lambda log: log["id"])
def test_healthy_log_is_good_also_on_a_machine(log):
    assert ask(log["text"], "healthy-1x4090").primary.severity is Severity.GOOD


def test_there_are_enough_and_no_two_are_alike():
    assert sum(len(_rows(name)) for name in KINDS) >= 350
    for name in (*KINDS, "foreign_logs"):
        assert len({log["id"] for log in _rows(name)}) == len(_rows(name))
        assert len({log["text"] for log in _rows(name)}) == len(_rows(name))
