"""Ground of the benchmarks: left out of the tests, run by ``python3 run.py bench``, and what they found is printed.

A benchmark compares with something run beside it on the same machine and tells the ratio. A bound, where there is one,
is wide: it catches what became several times dearer, not a slow day.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
RATIOS = pytest.StashKey[list[str]]()


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the ratios."""
    if config.stash.get(RATIOS, []):
        terminalreporter.section("ratios")
        for line in config.stash[RATIOS]:
            terminalreporter.write_line(line)
