"""Plans for this machine with stand-in programs, and what can't be meant."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.environment_made import MakeOutcome
from gpuconfig_app.core.environment_plan import (
    CheckKind,
    CheckState,
    EnvironmentOrder,
    Installer,
    PlanGoal,
    PythonOrigin,
    StepKind,
)
from gpuconfig_app.core.errors import GpuConfigError, UsageError
from gpuconfig_app.core.messages import Language
from gpuconfig_app.core.python_environment import EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.workbench.make_environment import plan_environment, remove_environment
from gpuconfig_app.workbench.text import load_texts
from tests.fakes import write_program
from tests.unit.workbench.makings import english, make, plan, snapshot

# What uv does for us, done by the Python of the tests: real environments, recorded words.
UV = """
import os, pathlib, subprocess, sys
words = sys.argv[1:]
store = pathlib.Path(os.environ["HOME"]) / "pythons"
if words[:2] == ["python", "dir"]:
    store.mkdir(exist_ok=True)
    print(store)
elif words[:2] == ["python", "install"]:
    (store / ("cpython-" + words[2])).mkdir()
    print("Installed Python", words[2])
elif words[:2] == ["python", "uninstall"]:
    (store / ("cpython-" + words[2])).rmdir()
elif words[0] == "venv":
    sys.exit(subprocess.call([sys.executable, "-m", "venv", words[-1]]))
elif words[:2] == ["pip", "compile"]:
    text = 'lock-version = "1.0"\\n[[packages]]\\nname = "tensorflow"\\nversion = "2.21.0"\\n'
    text += 'wheels = [{ url = "https://example.org/tensorflow-2.21.0-py3-none-any.whl", size = 600000000 }]\\n'
    pathlib.Path(words[words.index("--output-file") + 1]).write_text(text)
elif words[:2] == ["pip", "install"]:
    print("Resolved 3 packages in 5ms\\nDownloading tensorflow (572.2MiB)\\n Downloaded tensorflow", flush=True)
    if os.environ.get("UV_STANDS_FOR") == "full disk":
        print("error: Failed to install: x.whl\\n  cause: No space left on device (os error 28)")
        sys.exit(2)
    python = words[words.index("--python") + 1]
    rest = [word for word in words[2:] if word not in ("--python", python)]
    wheels = os.environ["WHEELS"]
    sys.exit(subprocess.call([python, "-m", "pip", "install", "-q", "--no-index", "--find-links", wheels, *rest]))
"""


@pytest.fixture
def uv(ground: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A uv on the path; the wheels it installs are those of the tests."""
    program = write_program(ground / "tools", "uv", UV)
    monkeypatch.setenv("PATH", f"{ground / 'tools'}:/usr/bin:/bin")
    monkeypatch.setenv("WHEELS", str(ground / "wheels"))
    return program


def here(report: SystemReport, *versions: str) -> SystemReport:
    """The machine with these Pythons, all of them the one of the tests."""
    found = tuple(
        PythonEnvironment(
            executable=sys.executable, prefix=f"/p/{version}", python_version=version, kind=EnvironmentKind.SYSTEM
        )
        for version in versions
    )
    return replace(report, environments=found)


def ordered(ground: Path, **more: str) -> EnvironmentOrder:
    return EnvironmentOrder(folder=str(ground / "work" / "env"), **more)


def test_uv_installs_where_it_is_and_the_index_tells_sizes(ground: Path, report: SystemReport, uv: Path) -> None:
    made = plan_environment(user_places(), here(report, "3.11.7"), ordered(ground))

    assert made.installer is Installer.UV
    assert made.size.download_bytes is not None
    assert made.size.download_bytes.low == 600_000_000
    index = next(check for check in made.checks if check.kind is CheckKind.INDEX)
    assert index.state is CheckState.GOOD
    assert made.steps[0].command is not None
    assert made.steps[0].command.words[0] == str(uv)


def test_a_python_brought_by_uv_is_proven_with_and_given_back_after_a_failure(
    ground: Path, report: SystemReport, uv: Path, monkeypatch: pytest.MonkeyPatch, private_home: Path
) -> None:
    bare = replace(report, environments=())
    wanted = plan_environment(user_places(), bare, ordered(ground, python="3.12"))
    before = snapshot(ground)

    monkeypatch.setenv("UV_STANDS_FOR", "full disk")
    failed = make(wanted, bare)

    assert wanted.python is not None
    assert wanted.python.origin is PythonOrigin.UV_MANAGED
    assert [step.kind for step in wanted.steps] == [
        StepKind.FETCH_PYTHON, StepKind.MAKE, StepKind.INSTALL, StepKind.PROVE,
    ]  # fmt: skip
    assert failed.outcome is MakeOutcome.FAILED
    assert "disk or your quota is full" in english(failed)
    assert snapshot(ground) == before
    assert list((private_home / "pythons").iterdir()) == []

    monkeypatch.delenv("UV_STANDS_FOR")
    made = make(wanted, bare)

    assert made.outcome is MakeOutcome.CPU_PROVEN, english(made)
    assert [path.name for path in (private_home / "pythons").iterdir()] == ["cpython-3.12"]


def test_pip_installs_when_it_was_told_where_packages_come_from(
    ground: Path, report: SystemReport, uv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = write_program(
        ground / "tools",
        "python3.11",
        "import json, sys\n"
        "if '-c' in sys.argv: print(json.dumps({'version': '3.11.4', 'kind': 'cpython', 'bits': 64,"
        " 'can_make': True, 'pip': '24.0', 'has_pip': True}))\n"
        "elif 'config' in sys.argv: print(\"global.index-url='https://anna:secret@example.org/simple'\")\n"
        "elif 'versions' in sys.argv: print('Available versions: 2.21.0, 2.20.0')\n",
    )
    machine = replace(
        report,
        environments=(
            PythonEnvironment(
                executable=str(python), prefix="/p", python_version="3.11.4", kind=EnvironmentKind.SYSTEM
            ),
        ),
    )

    told = plan_environment(user_places(), machine, ordered(ground))
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://example.org/simple")
    uv_told = plan_environment(user_places(), machine, ordered(ground))

    assert told.installer is Installer.PIP
    assert told.packages_from is not None
    assert told.packages_from.params == {"names": "index-url"}
    assert "secret" not in str(told)
    assert uv_told.installer is Installer.UV


def test_a_setting_that_sends_packages_elsewhere_blocks_and_user_is_switched_off(
    ground: Path, report: SystemReport
) -> None:
    python = write_program(
        ground / "tools",
        "python3.11",
        "import json, sys\n"
        "if '-c' in sys.argv: print(json.dumps({'version': '3.11.4', 'kind': 'cpython', 'bits': 64,"
        " 'can_make': True, 'pip': '24.0', 'has_pip': True}))\n"
        "elif 'config' in sys.argv: print(\"global.target='/x'\\ninstall.user='true'\")\n",
    )

    made = plan(ground, report, python=str(python))

    (check,) = made.blockers
    assert check.kind is CheckKind.SETTINGS
    install = made.step(StepKind.INSTALL)
    assert install is not None
    assert install.command is not None
    assert install.command.posix.startswith("env PIP_USER=0 ")


def test_an_older_release_is_taken_when_only_older_pythons_are_here(
    ground: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpuconfig_app.hardware.recorded import load_machine  # one machine of this test

    machine = replace(load_machine(root / "tests/machines/healthy-1x4090").report, recorded_from=None)
    old = write_program(
        ground / "tools", "python3.9",
        "import json; print(json.dumps({'version': '3.9.2', 'kind': 'cpython', 'bits': 64, 'can_make': True,"
        " 'pip': None, 'has_pip': False}))",
    )  # fmt: skip
    python = PythonEnvironment(executable=str(old), prefix="/p", python_version="3.9.2", kind=EnvironmentKind.SYSTEM)

    made = plan_environment(user_places(), replace(machine, environments=(python,)), ordered(ground), asks_index=False)
    none = plan_environment(user_places(), replace(machine, environments=()), ordered(ground), asks_index=False)

    assert made.tensorflow == "2.20.0"
    assert none.goal is PlanGoal.IMPOSSIBLE
    assert none.headline.id == "environment.python-none"
    assert not none.can_start


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"folder": " "}, "No folder was named"),
        ({"folder": "a\0b"}, "NUL"),
        ({"folder": "~nobody-of-this-name/new"}, "No home folder is known for ~nobody-of-this-name"),
        ({"python": "~nobody-of-this-name/python"}, "no Python answers"),
        ({"python": "x" * 300}, "no Python answers"),
        ({"python": "2.7"}, "a build for Python 2.7"),
        ({"wheelhouse": "~nobody-of-this-name/wheels"}, "is not a folder"),
        ({"lock_file": "~nobody-of-this-name/lock"}, "does not exist"),
        ({"index_url": "nonsense", "wheelhouse": None}, "is no address of a package index"),
        ({"tensorflow": "9.9"}, "There is no TensorFlow 9.9"),
        ({"tensorflow": "; rm -rf /"}, "There is no TensorFlow"),
        ({"python": "/nowhere/python"}, "no Python answers"),
        ({"python": "3.14", "tensorflow": "2.21"}, "no build for Python 3.14"),
        ({"wheelhouse": "/nowhere"}, "is not a folder"),
        ({"lock_file": "/nowhere/lock"}, "/nowhere/lock"),
        ({"index_url": "https://example.org", "wheelhouse": "/tmp"}, "exclude each other"),  # not written
    ],
)
def test_what_cannot_be_meant_is_one_sentence(
    asked: dict[str, str | None], words: str, ground: Path, report: SystemReport
) -> None:
    with pytest.raises(GpuConfigError) as raised:
        plan_environment(user_places(), report, replace(ordered(ground), **asked))

    assert words in load_texts().render(raised.value.message, Language.ENGLISH)


def test_a_lock_file_of_another_release_is_refused(ground: Path, report: SystemReport) -> None:
    (ground / "lock").write_text("tensorflow==2.20.0\n", encoding="utf-8")

    with pytest.raises(UsageError):
        plan(ground, report, lock_file=str(ground / "lock"))


def test_planning_leaves_no_trace(ground: Path, report: SystemReport, uv: Path) -> None:
    before = snapshot(ground)

    plan_environment(user_places(), here(report, "3.11.7"), ordered(ground))

    assert snapshot(ground) == before
    assert not Path(os.environ["GPUCONFIG_HOME"]).exists()


# What mamba does for us: refuses a folder that is there, and keeps a list of its environments.
MAMBA = """
import os, pathlib, subprocess, sys
folder = pathlib.Path(sys.argv[sys.argv.index("--prefix") + 1])
if folder.exists():
    sys.exit("critical libmamba Non-conda folder exists at prefix")
listed = pathlib.Path(os.environ["HOME"]) / ".conda" / "environments.txt"
listed.parent.mkdir(exist_ok=True)
listed.write_text(listed.read_text() + str(folder) + "\\n" if listed.exists() else str(folder) + "\\n")
subprocess.check_call([sys.executable, "-m", "venv", str(folder)])
(folder / "conda-meta").mkdir()
(folder / "conda-meta" / "history").write_text("")
if os.environ.get("MAMBA_STANDS_FOR") == "no network":
    sys.exit("error    libmamba Could not resolve host: Connection refused")
"""


def test_conda_brings_a_python_when_nothing_else_does(
    ground: Path, report: SystemReport, monkeypatch: pytest.MonkeyPatch, private_home: Path
) -> None:
    write_program(ground / "tools", "mamba", MAMBA)
    monkeypatch.setenv("PATH", f"{ground / 'tools'}:/usr/bin:/bin")
    bare = replace(report, environments=())
    wanted = plan_environment(
        user_places(), bare, ordered(ground, wheelhouse=str(ground / "wheels"), tensorflow="2.21")
    )
    before = snapshot(ground)

    monkeypatch.setenv("MAMBA_STANDS_FOR", "no network")
    failed = make(wanted, bare)
    listed = (private_home / ".conda" / "environments.txt").exists()
    after = snapshot(ground)
    monkeypatch.delenv("MAMBA_STANDS_FOR")
    made = make(wanted, bare)

    assert wanted.python is not None
    assert wanted.python.origin is PythonOrigin.CONDA
    assert failed.outcome is MakeOutcome.FAILED
    assert "does not answer" in english(failed)
    assert after == before
    assert not listed
    assert made.outcome is MakeOutcome.CPU_PROVEN, english(made)
    assert remove_environment(user_places(), made.folder).is_gone
    assert snapshot(ground) == before

    foreign = Path(wanted.order.folder) / "conda-meta" / "history"  # made by hand since it was planned
    foreign.parent.mkdir(parents=True)
    foreign.write_text("theirs", encoding="utf-8")
    with pytest.raises(UsageError):
        make(wanted, bare)
    assert foreign.read_text(encoding="utf-8") == "theirs"


@pytest.mark.parametrize(
    ("folder", "sentence"),
    [
        ("nothing/here", "nothing-there"),
        ("~nobody-of-this-name", "nothing-there"),
        ("x" * 300, "nothing-there"),
        (" ", "no-folder-to-remove"),
    ],
)
def test_what_is_not_there_is_not_removed_and_said_so(folder: str, sentence: str) -> None:
    with pytest.raises(UsageError) as raised:
        remove_environment(user_places(), folder)

    assert raised.value.message.id == f"environment.{sentence}"
