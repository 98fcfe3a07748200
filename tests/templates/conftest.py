"""Real data and the interpreter that has TensorFlow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.templates.running import ScriptRunner


@pytest.fixture(scope="session")
def runner(tensorflow_python: Path, tmp_path_factory: pytest.TempPathFactory) -> ScriptRunner:
    """Starts scripts with real TensorFlow."""
    return ScriptRunner(tensorflow_python, tmp_path_factory.mktemp("tensorflow_home"))


@pytest.fixture(scope="session")
def digits(runner: ScriptRunner, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All 1,797 digits of scikit-learn as a folder of class folders."""
    folder = tmp_path_factory.mktemp("digits")
    written = runner.helper("write_digits.py", folder)
    assert written.returncode == 0, written.stderr
    return folder


@pytest.fixture(scope="session")
def wine(runner: ScriptRunner, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wine table of scikit-learn: 178 rows, 13 numbers, 3 classes."""
    file = tmp_path_factory.mktemp("tables") / "wine.csv"
    written = runner.helper("write_table.py", "wine", file)
    assert written.returncode == 0, written.stderr
    return file
