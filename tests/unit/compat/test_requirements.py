"""Needed beside found, as the Compatibility page shows it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.compat.assume import apply_assumptions
from gpuconfig_app.core.finding import Requirement, Severity, Verdict
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.system import Disk
from gpuconfig_app.hardware.recorded import load_machine
from tests.unit.compat.machines import card, machine, python, verdict_of, windows


def _rows(report, environment=None) -> dict[str, Requirement]:
    return {row.id: row for row in verdict_of(report, environment).requirements}


def test_healthy_machine_shows_needed_found_and_fits():
    rows = _rows(machine())

    assert list(rows) == [
        "driver", "cuda_libraries", "cudnn", "machine_code", "python", "glibc", "processor", "packages", "disk",
        "toolkit",
    ]  # fmt: skip
    driver = rows["driver"]
    assert driver.needs is not None
    assert driver.found is not None
    assert (driver.needs.params, driver.found.params) == ({"value": "525.60.13"}, {"value": "580.95.05"})
    assert driver.severity is Severity.GOOD
    assert driver.source is not None
    assert driver.source.title
    assert rows["machine_code"].verdict.id == "compat.requirement-native"
    assert rows["toolkit"].verdict.id == "compat.requirement-not-needed"
    assert rows["toolkit"].severity is Severity.NEUTRAL


def test_too_old_is_told_from_missing_and_unknown():
    rows = _rows(machine(), python(packages={"nvidia-cudnn-cu12": "8.9.7.29"}))
    assert rows["cudnn"].verdict.id == "compat.requirement-too-old"

    packages = {name: item for name, item in python().packages.items() if not name.startswith("nvidia-")}
    rows = _rows(machine(), replace(python(), packages=packages))
    assert rows["cuda_libraries"].verdict.id == "compat.requirement-missing"

    rows = _rows(replace(machine(), drivers=()))
    assert rows["driver"].verdict.id == "compat.requirement-unknown"
    assert rows["driver"].found is None
    assert rows["driver"].severity is Severity.NEUTRAL


def test_first_start_that_compiles_is_good_and_named_so():
    rows = _rows(machine(card("NVIDIA H100 PCIe", "9.0")))

    assert rows["machine_code"].verdict.id == "compat.requirement-jit"
    assert rows["machine_code"].severity is Severity.GOOD


def test_card_without_code_does_not_fit():
    rows = _rows(machine(card("RTX 5090", "12.0")), python("2.20.0"))

    assert rows["machine_code"].severity is Severity.BLOCKED


def test_full_disk_is_a_warning_and_no_obstacle():
    report = machine()
    report = replace(report, host=replace(report.host, disks=(Disk(mount="/", free_bytes=3 * 10**8),)))
    found = verdict_of(report)

    assert found.verdict == "ready_with_notes"
    assert {row.id: row for row in found.requirements}["disk"].severity is Severity.WARNING


def test_glibc_is_not_asked_for_on_windows():
    assert _rows(windows(machine()))["glibc"].verdict.id == "compat.requirement-not-needed"


@pytest.mark.parametrize("name", ["radeon-rx6700xt", "8xhygon-dcu", "ascend-910b3", "no-gpu"])
def test_what_cuda_brings_is_no_fault_where_no_card_takes_it(name, root):
    report = load_machine(root / "tests" / "machines" / name).report
    compat = verdict_of(report, report.environments[0])
    rows = {row.id: row for row in compat.requirements}

    for row in ("cuda_libraries", "cudnn", "machine_code", "toolkit"):
        assert rows[row].severity is Severity.NEUTRAL
        assert rows[row].verdict.id == "compat.requirement-not-needed"
    assert compat.verdict not in (Verdict.READY, Verdict.READY_WITH_NOTES)


def test_other_makers_card_without_a_rule_is_never_ready_for_want_of_red_rows():
    report = machine(replace(card("Thing", "1.0"), vendor=Vendor.OTHER, compute_capability=None))

    assert verdict_of(report).verdict is not Verdict.READY


def test_driver_of_another_maker_is_shown_without_nvidias_floor(root):
    report = load_machine(root / "tests" / "machines" / "radeon-rx6700xt").report
    driver = next(row for row in verdict_of(report, report.environments[0]).requirements if row.id == "driver")

    assert driver.needs is None
    assert driver.found is not None
    assert driver.found.params == {"value": "6.3.6"}


def test_packages_that_are_missing_are_named():
    packages = {name: item for name, item in python().packages.items() if name != "numpy"}
    row = _rows(machine(), replace(python(), packages=packages))["packages"]

    assert row.severity is Severity.BLOCKED
    assert row.found is not None
    assert row.found.params == {"value": "numpy"}


def test_driver_that_no_longer_serves_the_card_does_not_fit():
    assumed = apply_assumptions(machine(card("Tesla V100-SXM2-16GB", "7.0")), ["driver=595.10"], python("2.18.1"))
    compat = verdict_of(assumed.report, assumed.environment)

    assert compat.primary is not None
    assert compat.primary.code == "DRIVER_DROPPED_CARD"
    assert next(row for row in compat.requirements if row.id == "driver").severity is Severity.BLOCKED
