"""Start of the program against a bare PySide6 window: processor time until the first paint and until it can be used.

The bar is 1.3 for the first paint. Both run from source, and both from a bundle when one is given.
"""

from __future__ import annotations

import contextlib
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RUNS = 9
TIME_LIMIT_S = 60.0
TOLD = re.compile(r"painted after ([\d.]+) s, usable after ([\d.]+) s")
Moments = tuple[float, float]


def test_start_from_source(tmp_path: Path, screen: dict[str, str], tell: Callable[[str], None]) -> None:
    # compiled modules are kept, as they are on a user's machine
    environment = screen | {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    ratio = compare(
        [sys.executable, str(HERE / "bare_window.py")],
        [sys.executable, "-m", "gpuconfig_app"],
        environment,
        tmp_path,
        lambda line: tell(f"from source, {environment['QT_QPA_PLATFORM']}: {line}"),
    )

    assert ratio < 2


def test_start_of_the_bundle(
    tmp_path: Path, screen: dict[str, str], tell: Callable[[str], None], request: pytest.FixtureRequest
) -> None:
    bundle: Path | None = request.config.getoption("--bundle")
    if bundle is None:
        tell("no --bundle was given, its start is not measured")
        return
    program = next(path for path in (bundle / "gpuconfig", bundle / "gpuconfig.exe", bundle) if path.is_file())

    ratio = compare(
        [str(build_bare_bundle(tmp_path))],
        [str(program)],
        screen,
        tmp_path,
        lambda line: tell(f"bundles, {screen['QT_QPA_PLATFORM']}: {line}"),
    )

    assert ratio < 2


def compare(
    bare: Sequence[str], ours: Sequence[str], environment: dict[str, str], folder: Path, tell: Callable[[str], None]
) -> float:
    """Start both in turn, show the medians, and give the ratio of the first paints."""
    run_bare(bare, environment), run_ours(ours, environment, folder)  # files come into the system's cache
    pairs = [(run_bare(bare, environment), run_ours(ours, environment, folder)) for _ in range(RUNS)]
    figures = [[statistics.median(pair[who][when] for pair in pairs) * 1000 for when in (0, 1)] for who in (0, 1)]
    (bare_painted, bare_usable), (painted, usable) = figures
    tell(f"first paint {painted:.0f} ms, bare window {bare_painted:.0f} ms, ratio {painted / bare_painted:.2f}")
    tell(f"usable {usable:.0f} ms, bare window {bare_usable:.0f} ms, ratio {usable / bare_usable:.2f}")
    return painted / bare_painted


def run_bare(command: Sequence[str], environment: dict[str, str]) -> Moments:
    """Start the bare window and give its two moments."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=True)
    return moments(done.stdout)


def run_ours(command: Sequence[str], environment: dict[str, str], folder: Path) -> Moments:
    """Start the program on its demo, give the two moments it logs, and end it."""
    home = folder / f"home-{time.monotonic_ns()}"
    process = subprocess.Popen(
        [*command, "--demo"],
        env=environment | {"GPUCONFIG_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    log, end = home / "logs" / "gpuconfig.log", time.monotonic() + TIME_LIMIT_S
    text = ""
    try:
        while TOLD.search(text) is None:
            assert time.monotonic() < end, "the program never told that it is usable"
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.02)
            assert process.returncode is None, f"the program ended with code {process.returncode}"
            text = log.read_text(encoding="utf-8") if log.exists() else ""
    finally:
        process.terminate()
        process.wait(timeout=TIME_LIMIT_S)
    return moments(text)


def moments(text: str) -> Moments:
    """Read the two moments out of a line."""
    found = TOLD.search(text)
    assert found is not None, text
    return float(found[1]), float(found[2])


def build_bare_bundle(folder: Path) -> Path:
    """Freeze the bare window as the program is frozen, and give its executable."""
    options = ["--noconfirm", "--onedir", "--windowed", "--name", "bare", "--log-level", "ERROR"]
    places = ["--distpath", str(folder / "dist"), "--workpath", str(folder / "build"), "--specpath", str(folder)]
    command = [sys.executable, "-m", "PyInstaller", *options, *places, str(HERE / "bare_window.py")]
    subprocess.run(command, check=True, env=dict(os.environ))
    return folder / "dist" / "bare" / ("bare.exe" if os.name == "nt" else "bare")
