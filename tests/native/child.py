"""Runs Python in a child process on the stand-in, for tests: the child loads the library as it would the real one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.native.build import profile_path, stand_in_environment

BUILD = Path(__file__).resolve().parent / "build"
ROOT = Path(__file__).resolve().parents[2]
TIME_LIMIT_S = 60.0

# What every child may use: the back-end, the reader, the folder of its profile and a way to hand back results.
PREAMBLE = """
import json, os, sys, time
from pathlib import Path
import pynvml
from gpuconfig_app.core.codec import encode
from gpuconfig_app.hardware.backend import DetectOptions
from gpuconfig_app.hardware.nvidia import NvidiaBackend
from gpuconfig_app.hardware.nvidia_reader import NvidiaReader

profile = Path(os.environ["GPUCONFIG_NVML_PROFILE"])
folder = profile.parent

def give(value):
    sys.stdout.write(json.dumps(encode(value)))
    sys.stdout.flush()

def detect(**options):
    options = {"time_limit_s": 20.0} | options
    return NvidiaBackend(root=folder).detect(DetectOptions(**options))

def until(claim, limit_s=20.0):
    '''Ask again and again until it holds; the profile is looked at every 10 ms.'''
    end = time.monotonic() + limit_s
    while not claim():
        assert time.monotonic() < end, "it never came true"

def replace_profile(text):
    new = folder / "new"
    new.write_text(text)
    new.replace(profile)
"""


def copy_profile(folder: Path, name: str, *changes: tuple[str, str], more: str = "") -> Path:
    """Copy a ready profile into a folder, with parts of its text replaced and lines added to ``[system]``."""
    text = profile_path(name).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"{name} has no {old!r}"
        text = text.replace(old, new)
    path = folder / "machine.profile"
    path.write_text(text.replace("[system]", f"[system]\n{more}", 1), encoding="utf-8")
    return path


def run_child(script: str, profile: Path, calls: Path | None = None) -> Any:
    """Run a script after the preamble and give what it handed to ``give``.

    Raises:
        AssertionError: It failed; the message holds what it printed.
    """
    environment = stand_in_environment(profile, BUILD, os.environ, calls) | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PREAMBLE + script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else None


def read_calls(path: Path) -> list[tuple[str, int, int]]:
    """Give the calls that were written down, as (function, slot, thread)."""
    if not path.exists():
        return []
    rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return [(function, int(slot), int(thread)) for function, slot, thread in rows]
