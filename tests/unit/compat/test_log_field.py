"""Logs from public issue threads that no rule was written after word for word: the code has to come out right."""

from __future__ import annotations

import pytest

from tests.unit.compat.logs import ask, field_logs


def test_there_are_many():
    assert len(field_logs()) >= 25
    assert len({log["id"] for log in field_logs()}) == len(field_logs())


@pytest.mark.parametrize("log", field_logs(), ids=lambda log: log["id"])
def test_log_from_the_field(log):
    report = ask(log["text"])

    assert report.primary.code == log["code"]
    assert log["source"].startswith("https://github.com/")
    if "severity" in log:
        assert report.primary.severity.value == log["severity"]


@pytest.mark.parametrize("log", field_logs(), ids=lambda log: log["id"])
def test_what_is_shown_is_complete(log):
    """No empty value in a text, no gap in a command, both languages, a way on."""
    report = ask(log["text"])

    for item in report.findings:
        assert "{" not in item.finding.text.en.replace("${", "")
        assert "{" not in item.finding.title.zh_cn
        assert item.lines
        assert item.finding.fixes
        assert item.finding.source.address
    if report.is_known and report.findings:
        assert report.primary == report.findings[0].finding
