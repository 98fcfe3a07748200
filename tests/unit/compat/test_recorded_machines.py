"""Every recorded machine gets the verdict, outcome and primary cause that lie beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.finding import Verdict
from gpuconfig_app.hardware.recorded import load_machine, machine_folders

FOLDERS = machine_folders(Path(__file__).resolve().parents[2] / "machines")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_recorded_machine_is_judged_as_expected(folder):
    report = load_machine(folder).report
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    environment = next((item for item in report.environments if item.is_current), None)

    found = check(report, CheckOptions(environment=environment, all_releases=bool(expected.get("releases"))))

    seen = {
        "verdict": found.verdict.value,
        "outcome": found.outcome.value,
        "primary_code": found.primary.code if found.primary else None,
    }
    assert seen == {key: expected[key] for key in seen}, expected["why"]
    assert set(expected["also"]) <= {item.code for item in found.findings}
    codes = {item.series: item.primary_code for item in found.releases}
    assert expected.get("releases", {}).items() <= codes.items()
    assert found.variables_of == "recorded"


def _is_windows_or_rtx_50(folder):
    report = load_machine(folder).report
    is_blackwell = any((gpu.compute_capability or "").startswith(("10.", "12.")) for gpu in report.gpus)
    return report.host.os.family.value == "windows" or is_blackwell


@pytest.mark.parametrize("folder", tuple(filter(_is_windows_or_rtx_50, FOLDERS)), ids=lambda folder: folder.name)
def test_no_recorded_windows_or_rtx_50_is_ready_with_a_current_release(folder):
    report = load_machine(folder).report

    found = [
        check(report, CheckOptions(environment=environment)).verdict
        for environment in report.environments
        if environment.target is None
    ]

    assert found
    assert Verdict.READY not in found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_blocked_environment_of_every_recorded_machine_has_a_cause(folder):
    report = load_machine(folder).report

    found = [
        check(report, CheckOptions(environment=environment))
        for environment in report.environments
        if environment.target is None
    ]

    assert all(item.primary is not None for item in found if item.verdict is Verdict.BLOCKED)
