"""Where the tests of environments happen."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.recorded import load_machine
from tests.unit.runner.tiny_wheels import write_wheelhouse


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with everything a making may touch: a place for environments, for temporary files, for caches."""
    for name in ("work", "temporary", "cache"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("PIP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PRETENDED", "gpus=0")
    monkeypatch.setattr(tempfile, "tempdir", None)
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_")) and name != "PIP_CACHE_DIR"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)  # not even the machine's own settings
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    write_wheelhouse(tmp_path / "wheels")
    return tmp_path


@pytest.fixture
def report(root: Path) -> SystemReport:
    """A recorded machine without a GPU, taken as if it were this one."""
    return replace(load_machine(root / "resources" / "machines" / "no-gpu").report, recorded_from=None)
