"""The verdict from the command line beside a bare import of our core, and the search for Pythons beside a walk.

Both bounds are those of the design: a complete verdict takes at most five times the import, finding fifty environments
at most twice the time of walking over the same folders.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from gpuconfig_app.hardware.python_envs import find_environments
from gpuconfig_app.hardware.python_places import PythonPlaces

ROUNDS = 7
ENVIRONMENTS = 50
PACKAGES = 150
CORE = (
    "import importlib, pkgutil, gpuconfig_app.core as core\n"
    "for module in pkgutil.iter_modules(core.__path__):\n"
    "    importlib.import_module(f'gpuconfig_app.core.{module.name}')\n"
)
# What stands in a metadata folder that pip wrote, and a page of the description behind the fields.
FILES = ("INSTALLER", "LICENSE", "METADATA", "RECORD", "WHEEL", "top_level.txt")
DESCRIPTION = "A package that does something useful.\n" * 120
OTHERS = ("requests", "urllib3", "rich", "click", "attrs", "pyyaml", "scipy", "matplotlib")


def spent_s(command: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run a program; give its processor time and the time until it ended."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, end - begin


def test_check_beside_the_import_of_our_core(
    private_home: Path, screen: dict[str, str], tell: Callable[[str], None]
) -> None:
    """The whole program in its own process: start, survey of this machine, Pythons, verdict, JSON."""
    environment = screen | {"PYTHONPYCACHEPREFIX": str(private_home / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}
    check = [sys.executable, "-m", "gpuconfig_app", "check", "--json"]
    core = [sys.executable, "-c", CORE]
    spent_s(check, environment)
    spent_s(core, environment)

    pairs = [(spent_s(check, environment), spent_s(core, environment)) for _ in range(ROUNDS)]

    work = statistics.median(whole[0] / bare[0] for whole, bare in pairs)
    wait = statistics.median(whole[1] / bare[1] for whole, bare in pairs)
    tell(
        f"gpuconfig check --json: {work:.2f} times the processor time and {wait:.2f} times the time of importing the "
        f"core ({min(whole[1] for whole, _ in pairs):.2f} s and {min(bare[1] for _, bare in pairs):.2f} s)"
    )
    assert work <= 5


def test_fifty_environments_beside_a_walk(tmp_path: Path, tell: Callable[[str], None]) -> None:
    """Environments made of metadata alone, as pip leaves it; every second one holds TensorFlow."""
    home = tmp_path / "home"
    for number in range(ENVIRONMENTS):
        make_environment(home / f"projects/p{number:02}/.venv", has_tensorflow=number % 2 == 0)
    places = PythonPlaces(platform="linux", root=tmp_path / "root", home=home, variables={}, registered=())

    def find() -> int:
        return len(find_environments((), places=places))

    def walk() -> int:
        return sum(len(files) for _, _, files in os.walk(home))

    assert find() == ENVIRONMENTS
    walk()
    pairs = [(timed_s(find), timed_s(walk)) for _ in range(ROUNDS)]

    ratio = statistics.median(found / walked for found, walked in pairs)
    tell(
        f"{ENVIRONMENTS} Pythons with {PACKAGES} packages each found in {min(found for found, _ in pairs):.2f} s, "
        f"{ratio:.2f} times the walk over the same folders ({min(walked for _, walked in pairs):.2f} s)"
    )
    assert ratio <= 2


def timed_s(work: Callable[[], object]) -> float:
    """Give the time of one run."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def make_environment(prefix: Path, *, has_tensorflow: bool) -> None:
    """Lay out one environment: settings, interpreter, and the metadata of its packages."""
    site = prefix / "lib/python3.12/site-packages"
    site.mkdir(parents=True)
    (prefix / "bin").mkdir()
    (prefix / "bin/python").touch()
    (prefix / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12.8\n", encoding="utf-8")
    names = [f"package_{number:03}" for number in range(PACKAGES - len(OTHERS) - 3)]
    versions = dict.fromkeys((*names, *OTHERS), "1.2.3") | {"numpy": "2.3.2", "keras": "3.11.3"}
    versions["tensorflow" if has_tensorflow else "flask"] = "2.20.0"
    for name, version in versions.items():
        folder = site / f"{name}-{version}.dist-info"
        folder.mkdir()
        needs = "Requires-Dist: numpy>=1.26\nRequires-Dist: requests>=2\n" if name in {"scipy", "tensorflow"} else ""
        head = f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n{needs}Requires-Python: >=3.9\n"
        for file in FILES:
            (folder / file).write_text(f"{head}\n{DESCRIPTION}" if file == "METADATA" else file, encoding="utf-8")
