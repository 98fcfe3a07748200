"""Ground of the benchmarks: left out of the tests, run by ``python3 run.py bench``, and what they found is printed.

A benchmark compares with something run beside it on the same machine and tells the ratio. A bound, where there is one,
is wide: it catches what became several times dearer, not a slow day. ``python3 run.py bench --bundle dist/gpuconfig``
measures the start of the built program as well.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
RATIOS = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the folder of a built bundle."""
    parser.addoption("--bundle", type=Path, help="folder of the built program, to measure its start too")


def pytest_configure(config: pytest.Config) -> None:
    """Make the place where ratios are kept until the end."""
    config.stash[RATIOS] = []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("benchmark")


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Call it with what was found, in one line with its ratio; printed after the last test."""
    return request.config.stash[RATIOS].append


@pytest.fixture
def screen() -> Iterator[dict[str, str]]:
    """Environment of a child with a window: on a screen of Xvfb where that is installed, else drawn into memory."""
    base = dict(os.environ)
    server = shutil.which("Xvfb")
    if server is None:
        yield base | {"QT_QPA_PLATFORM": "offscreen"}
        return
    reading, writing = os.pipe()
    command = [server, "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    yield base | {"QT_QPA_PLATFORM": "xcb", "DISPLAY": f":{number}"}
    process.terminate()
    process.wait(timeout=10)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the ratios."""
    if config.stash.get(RATIOS, []):
        terminalreporter.section("ratios")
        for line in config.stash[RATIOS]:
            terminalreporter.write_line(line)
