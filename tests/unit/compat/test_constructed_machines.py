"""Forty ordinary machines: each answered, at most two with "unknown", and none falsely ready."""

from __future__ import annotations

import pytest

from gpuconfig_app.compat.assume import apply_assumptions
from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.finding import CompatReport, Verdict

READY = {Verdict.READY, Verdict.READY_WITH_NOTES}

# What is assumed, verdict, outcome.
ORDINARY = (
    ("gpu=RTX 4090 driver=580.95.05 python=3.12 tensorflow=2.21", "ready", "native"),
    ("gpu=RTX 3060 driver=535.183.01 python=3.11 tensorflow=2.20", "ready", "native"),
    ("gpu=RTX 3090 driver=550.54.14 python=3.10 tensorflow=2.18", "ready", "native"),
    ("gpu=RTX 2080 Ti driver=525.60.13 python=3.9 tensorflow=2.17", "ready", "native"),
    ("gpu=A100 driver=535.104.05 python=3.11 tensorflow=2.19", "ready", "native"),
    ("gpu=L40S driver=570.26 python=3.12 tensorflow=2.21", "ready", "native"),
    ("gpu=T4 driver=550.54.14 python=3.11 tensorflow=2.15", "ready", "native"),
    ("gpu=RTX A5000 driver=595.71.05 python=3.13 tensorflow=2.21", "ready", "native"),
    ("gpu=GTX 1660 Ti driver=560.28.03 python=3.10 tensorflow=2.18", "ready", "native"),
    ("gpu=RTX 4060 Ti wsl=2 driver=573.76 python=3.11 tensorflow=2.21", "ready", "native"),
    ("gpu=GTX 1080 Ti driver=580.95.05 python=3.11 tensorflow=2.19", "ready", "native"),
    ("gpu=V100 driver=535.54.03 python=3.10 tensorflow=2.16.2", "ready", "native"),
    ("gpu=RTX 6000 Ada driver=580.65.06 glibc=2.17 python=3.11 tensorflow=2.20", "ready", "native"),
    ("gpu=RTX 4090 gpu=RTX 3090 driver=580.95.05 tensorflow=2.21", "ready_with_notes", "native"),
    ("gpu=H100 driver=570.26 python=3.11 tensorflow=2.21", "ready_with_notes", "jit_at_first_start"),
    ("gpu=H200 driver=580.95.05 python=3.12 tensorflow=2.20", "ready_with_notes", "jit_at_first_start"),
    ("gpu=RTX 4090 driver=535.54.03 python=3.11 tensorflow=2.15", "ready_with_notes", "jit_at_first_start"),
    ("gpu=RTX 4070 wsl=2 driver=527.41 python=3.11 tensorflow=2.18", "ready_with_notes", "native"),
    ("gpu=RTX 5090 driver=580.95.05 python=3.12 tensorflow=2.20", "blocked", "gpu_fails"),
    ("gpu=RTX 5080 driver=580.95.05 python=3.11 tensorflow=2.19", "blocked", "gpu_fails"),
    ("gpu=RTX 5060 driver=580.95.05 python=3.11 tensorflow=2.15", "blocked", "gpu_fails"),
    ("gpu=B200 driver=580.95.05 python=3.11 tensorflow=2.18", "blocked", "gpu_fails"),
    ("gpu=RTX 5090 driver=580.95.05 python=3.12 tensorflow=2.21 xla=on", "blocked", "gpu_fails"),
    ("gpu=RTX 5070 driver=580.95.05 python=3.12 tensorflow=2.21", "unknown", "jit_at_first_start"),
    ("gpu=GTX 1080 driver=580.95.05 python=3.11 tensorflow=2.21", "blocked", "gpu_fails"),
    ("gpu=GTX 1060 driver=595.71.05 python=3.11 tensorflow=2.18", "blocked", "cpu_only"),
    ("gpu=GTX 980 driver=580.95.05 python=3.11 tensorflow=2.18", "blocked", "gpu_fails"),
    ("gpu=RTX 3070 driver=470.82.01 python=3.10 tensorflow=2.18", "blocked", "cpu_only"),
    ("gpu=RTX 4090 driver=none python=3.12 tensorflow=2.21", "blocked", "cpu_only"),
    ("gpu=H100 driver=535.104.05 python=3.11 tensorflow=2.21", "blocked", "gpu_fails"),
    ("os=windows gpu=RTX 4080 driver=581.57 python=3.12 tensorflow=2.21", "blocked", "cpu_only"),
    ("os=windows gpu=RTX 3060 driver=551.61 python=3.11 tensorflow=2.12", "blocked", "cpu_only"),
    ("os=windows gpu=RTX 5090 driver=581.57 python=3.12", "blocked", "cpu_only"),
    ("arch=aarch64 gpu=GH200 driver=580.95.05 python=3.12 tensorflow=2.21", "blocked", "cpu_only"),
    ("gpu=RTX 4090 driver=580.95.05 python=3.12 tensorflow=2.21 cuda_libs=none", "blocked", "cpu_only"),
    ("gpu=RTX 4090 driver=580.95.05 python=3.11 tensorflow=2.17 numpy=2.0.0", "blocked", "import_fails"),
    ("gpu=RTX 4090 driver=580.95.05 python=3.14", "blocked", "cannot_install"),
    ("gpu=RTX 3090 driver=550.54.14 glibc=2.17 python=3.11 tensorflow=2.21", "blocked", "cannot_install"),
    ("gpu=RTX 4090 driver=580.95.05 python=3.12 tensorflow=none", "blocked", "import_fails"),
    ("gpu=Radeon RX 7900 XTX python=3.10 tensorflow=2.18", "blocked", "cpu_only"),
    ("os=macos python=3.12 tensorflow=2.18", "cpu_only", "cpu_only"),
    ("python=3.12 tensorflow=2.21", "cpu_only", "cpu_only"),
)


def _judge(line: str) -> CompatReport:
    pairs: list[str] = []
    for word in line.split(" "):
        if "=" in word:
            pairs.append(word)
        else:
            pairs[-1] += f" {word}"
    assumed = apply_assumptions(None, pairs)
    return check(assumed.report, CheckOptions(environment=assumed.environment, tensorflow=assumed.tensorflow))


@pytest.mark.parametrize(("line", "verdict", "outcome"), ORDINARY, ids=lambda value: value if "=" in value else None)
def test_ordinary_machine_is_judged_rightly(line, verdict, outcome):
    found = _judge(line)

    assert (found.verdict.value, found.outcome.value) == (verdict, outcome)
    if found.verdict not in READY:
        assert found.primary is not None
        assert found.primary.fixes


def test_unknown_is_no_hiding_place():
    assert len(ORDINARY) >= 40
    assert sum(verdict == "unknown" for _, verdict, _ in ORDINARY) <= 2


def test_what_is_ready_has_every_requirement_proven():
    for line, verdict, _ in ORDINARY:
        if not verdict.startswith("ready"):
            continue
        for row in _judge(line).requirements:  # an assumed machine has no disk to look at
            assert row.severity.value in {"good", "neutral"}, (line, row.id)
            if row.severity.value == "neutral" and row.id != "disk":
                assert row.verdict.id == "compat.requirement-not-needed", (line, row.id)
