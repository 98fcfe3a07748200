"""What the machine adds to a log: the facts that decided, and the causes that print the same words."""

from __future__ import annotations

import pytest

from gpuconfig_app.compat import log_decision
from gpuconfig_app.core.log_report import LogReport
from gpuconfig_app.core.messages import Language
from gpuconfig_app.workbench.text import load_texts
from tests.unit.compat.logs import ask

ILLEGAL = "Illegal instruction (core dumped)"


def decided(report: LogReport) -> list[str]:
    return [load_texts().render(message, Language.ENGLISH) for message in report.decided_by]


def test_fact_that_the_cause_rests_on_is_told() -> None:
    report = ask(ILLEGAL, "cpu-without-avx")

    assert report.primary.code == "CPU_LACKS_AVX"
    assert "The processor has no AVX." in decided(report)


def test_cause_that_the_machine_speaks_against_is_named() -> None:
    report = ask(ILLEGAL, "healthy-1x4090")

    assert report.primary.code == "CPU_LACKS_INSTRUCTION"
    assert "The processor has AVX." in decided(report)
    assert "The processor has no AVX" in [title.en for title in report.ruled_out]
    assert report.primary.title not in report.ruled_out


def test_without_a_machine_nothing_decided() -> None:
    report = ask(ILLEGAL)

    assert report.decided_by == ()
    assert report.ruled_out == ()


def test_what_the_log_says_itself_is_not_the_machines() -> None:
    log = "InternalError: Cannot dlopen some GPU libraries\nWARNING: TensorFlow was not built with CUDA kernel binaries"

    assert ask(log, "no-gpu").primary.code
    assert all("{" not in text for text in decided(ask(log, "no-gpu")))


def test_healthy_log_needs_no_machine() -> None:
    report = ask("Epoch 1/3\nEpoch 2/3\n", "healthy-1x4090")

    assert report.decided_by == ()


@pytest.mark.parametrize(
    "key",
    [
        *sorted(log_decision.VALUES),
        *(f"{name}-{word}" for name in sorted(log_decision.YES_OR_NO) for word in ("yes", "no")),
        *(f"{name}-{word}" for name, words in log_decision.WORDS.items() for word in sorted(words)),
    ],
)
def test_every_fact_that_can_be_told_has_its_sentence(key: str) -> None:
    name = key.replace(".", "-").replace("_", "-")

    assert f"compat.log-fact-{name}" in load_texts().ids
