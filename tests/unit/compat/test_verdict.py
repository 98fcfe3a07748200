"""What decides when several things stand in the way."""

from __future__ import annotations

import pytest

from gpuconfig_app.compat.assume import apply_assumptions
from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.finding import CompatReport


def judge(line: str) -> CompatReport:
    assumed = apply_assumptions(None, line.split(), None)
    return check(assumed.report, CheckOptions(environment=assumed.environment, tensorflow=assumed.tensorflow))


@pytest.mark.parametrize(
    ("line", "code", "outcome"),
    [
        ("python=3.11 tensorflow=2.15 numpy=2.2.6", "NUMPY2_WITH_OLD_TF", "import_fails"),
        ("os=macos python=3.12 tensorflow=2.17 numpy=2.1.0", "NUMPY2_WITH_OLD_TF", "import_fails"),
        ("python=3.14 tensorflow=2.21", "PYTHON_NOT_SUPPORTED", "cannot_install"),
    ],
)
def test_tensorflow_that_does_not_start_never_runs_on_the_processor(line, code, outcome) -> None:
    report = judge(line)

    assert report.primary is not None
    assert (report.verdict.value, report.outcome.value, report.primary.code) == ("blocked", outcome, code)
    assert any(item.code != code for item in report.findings)


def test_without_a_card_the_missing_package_is_not_the_cause() -> None:
    report = judge("python=3.12 tensorflow=none")

    assert report.primary is not None
    assert (report.verdict.value, report.primary.code) == ("cpu_only", "NO_GPU")
