"""Whatever is wrong with a machine, one more fault never makes it ready; a single fault is always seen."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.finding import CompatReport, Verdict
from tests.unit.compat.machines import FAULTS, PACKAGE_FAULTS, PACKAGES, card, machine, python

CARDS = (
    ("NVIDIA GeForce RTX 4090", "8.9"), ("NVIDIA H100 80GB HBM3", "9.0"), ("Tesla V100", "7.0"), ("GTX 1080", "6.1"),
    ("NVIDIA GeForce RTX 5090", "12.0"), ("Tesla K80", "3.7"), ("GTX 980", "5.2"), ("RTX 3090", "8.6"),
)  # fmt: skip
DRIVERS = (("580.95.05", "13.0"), ("535.54.03", "12.2"), ("470.82.01", "11.4"), ("595.71.05", "13.2"), (None, None))

machines = st.builds(
    lambda cards, driver: machine(
        *(card(name, capability, index) for index, (name, capability) in enumerate(cards)),
        driver=driver[0],
        level=driver[1],
    ),
    st.lists(st.sampled_from(CARDS), min_size=1, max_size=3),
    st.sampled_from(DRIVERS),
)
environments = st.builds(python, st.sampled_from([None, *PACKAGES]), st.sampled_from(["3.9.1", "3.11.9", "3.13.0"]))


def _is_ready(report: CompatReport) -> bool:
    return report.verdict in {Verdict.READY, Verdict.READY_WITH_NOTES}


@settings(max_examples=150, deadline=None)
@given(
    report=machines,
    environment=environments,
    faults=st.lists(st.sampled_from(sorted(FAULTS)), max_size=3, unique=True),
    package_faults=st.lists(st.sampled_from(sorted(PACKAGE_FAULTS)), max_size=2, unique=True),
)
def test_adding_faults_never_turns_a_machine_ready(report, environment, faults, package_faults):
    was_ready = _is_ready(check(report, CheckOptions(environment=environment)))
    for name in faults:
        report = FAULTS[name](report)
    for name in package_faults:
        environment = PACKAGE_FAULTS[name](environment)

    found = check(report, CheckOptions(environment=environment))

    assert was_ready or not _is_ready(found)
    assert not (faults or package_faults) or not _is_ready(found)


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_one_fault_of_the_machine_is_seen(name):
    found = check(FAULTS[name](machine()), CheckOptions(environment=python()))

    assert not _is_ready(found)
    assert found.primary is not None


@pytest.mark.parametrize("name", sorted(PACKAGE_FAULTS))
def test_one_fault_of_the_environment_is_seen(name):
    found = check(machine(), CheckOptions(environment=PACKAGE_FAULTS[name](python())))

    assert not _is_ready(found)
    assert found.primary is not None


@settings(max_examples=100, deadline=None)
@given(report=machines, environment=environments)
def test_every_answer_is_whole(report, environment):
    """A verdict that is not ready names its cause, in both languages, and no placeholder is left over."""
    found = check(report, CheckOptions(environment=environment))

    assert _is_ready(found) or found.primary is not None
    for finding in found.findings:
        for text in (finding.title, finding.text, *(fix.text for fix in finding.fixes)):
            assert text.en
            assert text.zh_cn
            assert "{" not in text.en + text.zh_cn
    assert not any("{" in command for item in found.findings for fix in item.fixes for command in fix.commands
                   if "${" not in command)  # fmt: skip
