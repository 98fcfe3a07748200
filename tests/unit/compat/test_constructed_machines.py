"""More than forty constructed machines: each answered, at most two with "unknown", and none falsely ready.

They span drivers 470 to 620, compute capabilities 5.2 to 12.1, Linux, WSL2, Windows and 64-bit ARM, TensorFlow 2.10 to
the nightly. What may be ready is reckoned a second time from facts written down here on their own.
"""

from __future__ import annotations

import pytest

from gpuconfig_app.compat.assume import apply_assumptions
from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.core.finding import CompatReport, Verdict

READY = {Verdict.READY, Verdict.READY_WITH_NOTES}

# What is assumed, verdict, outcome.
SLOW_START = ("ready_with_notes", "jit_at_first_start")
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
    ("gpu=GTX 980 driver=535.183.01 python=3.11 tensorflow=2.16", "ready", "native"),
    ("gpu=RTX 2080 Ti driver=470.82.01 python=3.10 tensorflow=2.13 cuda_libs=system", "ready", "native"),
    ("gpu=RTX 4090 driver=620.10.01 python=3.13 tensorflow=2.21", "ready", "native"),
    ("gpu=L4 driver=610.43.02 python=3.12 tensorflow=2.20", "ready", "native"),
    ("gpu=P100 driver=580.95.05 python=3.11 tensorflow=2.20 cudnn=9.10.2.21", "ready", "native"),
    ("gpu=A10 driver=520.61.05 python=3.9 tensorflow=2.12 cuda_libs=system", "ready_with_notes", "jit_at_first_start"),
    ("gpu=RTX 3070 wsl=2 driver=610.47 python=3.12 tensorflow=2.19", "ready", "native"),
    ("os=windows gpu=RTX 3080 driver=551.61 python=3.10 tensorflow=2.10 cuda_libs=system", *SLOW_START),
    ("gpu=V100 driver=620.10.01 python=3.11 tensorflow=2.18", "blocked", "cpu_only"),
    ("gpu=Tesla K80:3.7 driver=470.256.02 python=3.11 tensorflow=2.18", "blocked", "cpu_only"),
    ("gpu=RTX 5060 Ti driver=550.163.01 python=3.12 tensorflow=2.21", "blocked", "cpu_only"),
    ("gpu=RTX 5090 wsl=2 driver=581.57 python=3.12 tensorflow=2.20", "blocked", "gpu_fails"),
    ("gpu=B300:10.3 driver=595.71.05 python=3.12 tensorflow=2.20", "blocked", "gpu_fails"),
    ("arch=aarch64 gpu=GB10:12.1 driver=580.95.05 python=3.12 tensorflow=2.21", "blocked", "cpu_only"),
    ("arch=aarch64 gpu=Jetson AGX Orin:8.7 driver=540.3.0 python=3.10 tensorflow=2.18", "blocked", "cpu_only"),
    ("os=windows gpu=RTX 4070 driver=610.47 python=3.12 tensorflow=2.23.0.dev20261026", "blocked", "cpu_only"),
    ("gpu=RTX 4090 driver=580.95.05 python=3.12 tensorflow=2.23.0.dev20261026", "ready_with_notes", "native"),
    ("gpu=RTX 4090 driver=580.95.05 python=3.12 tensorflow=2.23.0.dev20261120", "unknown", "unknown"),
)  # fmt: skip

# A second reckoning, from the wheels: CUDA major, machine code, intermediate code (None is for exactly 9.0), and the
# CUDA level a driver needs to compile it.
WHEELS = {
    "2.10": (11, "3.5 5.0 6.0 7.0 7.5", "8.0", (11, 2)),
    "2.13": (11, "3.5 5.0 6.0 7.0 7.5", "8.0", (11, 8)),
    "2.15": (12, "5.0 6.0 7.0 7.5", "8.0", (12, 1)),
    "2.16": (12, "5.0 6.0 7.0 8.0", None, (12, 1)),
    "2.18": (12, "6.0 7.0 8.0 8.9", None, (12, 3)),
    "2.20": (12, "6.0 7.0 8.0 8.9", None, (12, 5)),
    "2.21": (12, "6.0 7.0 8.0 8.9", "9.0", (12, 5)),
}
LEVELS = {
    "470.82.01": (11, 4), "525.60.11": (11, 8), "525.60.13": (12, 0), "550.163.01": (12, 4), "555.42.02": (12, 5),
    "570.211.01": (12, 8), "580.95.05": (13, 0), "620.10.01": (13, 3),
}  # fmt: skip
CARDS = ("5.2", "6.1", "7.0", "8.6", "8.9", "9.0", "10.0", "12.0")
FIRST_LEVEL = {"8.6": (11, 1), "8.9": (11, 8), "9.0": (11, 8), "10.0": (12, 8), "12.0": (12, 8), "12.1": (12, 8)}


def may_be_ready(release: str, card: str, driver: str) -> bool:
    """Say whether the facts allow "ready"; what only a proof can tell counts as no."""
    cuda, code, intermediate, needed = WHEELS[release]
    level, number, version = LEVELS[driver], float(card), tuple(int(part) for part in driver.split("."))
    if version < ((450, 80, 2) if cuda == 11 else (525, 60, 13)) or level < FIRST_LEVEL.get(card, (0, 0)):
        return False
    is_dropped = number < 7.5 and (version[0] >= 590 or release in {"2.20", "2.21"})
    if is_dropped or number >= 10:
        return False
    major, minor = card.split(".")
    if any(part.split(".") <= [major, minor] and part.startswith(f"{major}.") for part in code.split()):
        return True
    compiles = number == 9.0 if intermediate is None else number >= float(intermediate)
    return compiles and level >= needed


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


def test_machines_span_what_people_have():
    lines = " ".join(line for line, _, _ in ORDINARY)

    assert sum(verdict.startswith("ready") for _, verdict, _ in ORDINARY) >= 12
    for word in (
        "driver=470",
        "driver=620",
        "GTX 980",
        "GB10:12.1",
        "wsl=2",
        "os=windows",
        "arch=aarch64",
        "2.10",
        "dev",
    ):
        assert word in lines, word


@pytest.mark.parametrize("release", WHEELS)
def test_nothing_is_ready_that_the_facts_contradict(release):
    libraries = " cuda_libs=system" if release in {"2.10", "2.13"} else ""
    for card in CARDS:
        for driver in LEVELS:
            found = _judge(f"gpu=NVIDIA Card:{card} driver={driver} tensorflow={release}{libraries}")
            if found.verdict in READY:
                assert may_be_ready(release, card, driver), (card, driver)
            elif may_be_ready(release, card, driver):
                assert (release, card) == ("2.10", "9.0"), (card, driver)  # its CUDA 11.2 is older than Hopper


def test_what_is_ready_has_every_requirement_proven():
    for line, verdict, _ in ORDINARY:
        if not verdict.startswith("ready"):
            continue
        for row in _judge(line).requirements:  # an assumed machine has no disk to look at
            assert row.severity.value in {"good", "neutral"}, (line, row.id)
            if row.severity.value == "neutral" and row.id != "disk":
                assert row.verdict.id == "compat.requirement-not-needed", (line, row.id)
