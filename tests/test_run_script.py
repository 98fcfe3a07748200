"""run.py: what a newcomer starts first, on a Python and a system nobody has seen before."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.fakes import write_program
from tests.source_files import ROOT

SCRIPT = ROOT / "run.py"


@pytest.fixture
def script(tmp_path) -> ModuleType:
    """run.py as a module, its folders in a place of the test's own."""
    spec = importlib.util.spec_from_file_location("run_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.ROOT = tmp_path
    module.LOCKS = tmp_path / "locks"
    module.LOCKS.mkdir()
    return module


def test_an_old_python_can_read_it() -> None:
    text = SCRIPT.read_text(encoding="utf-8")

    tree = ast.parse(text, feature_version=(3, 6))

    imported = {item.name for node in ast.walk(tree) if isinstance(node, ast.Import) for item in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names
    assert "__future__" not in imported, "annotations are not in the __future__ of Python 3.6"
    quoted = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    annotations = [item.annotation for node in quoted for item in node.args.args] + [node.returns for node in quoted]
    assert not [ast.unparse(item) for item in annotations if isinstance(item, ast.Subscript | ast.BinOp)]


def test_an_old_python_gets_one_sentence(tmp_path) -> None:
    """The floor is raised instead of finding an old Python; nothing newer is on the path."""
    raised = SCRIPT.read_text(encoding="utf-8").replace("OLDEST = (3, 11)", "OLDEST = (3, 99)")
    (tmp_path / "run.py").write_text(raised, encoding="utf-8")

    done = _run(tmp_path / "run.py", "test", PATH=str(tmp_path))

    assert done.returncode == 1
    assert done.stderr.startswith("GPUConfig needs Python 3.11 or newer; this is 3.")
    assert "Traceback" not in done.stderr


def test_help_names_the_commands() -> None:
    done = _run(SCRIPT, "--help")

    assert done.returncode == 0
    assert all(f"run.py {word}" in done.stdout for word in ("test", "lint", "nightly", "bench", "package"))


def test_a_second_start_installs_nothing(script, tmp_path, monkeypatch) -> None:
    steps = _environments_of(script, tmp_path, monkeypatch)

    first = script.need_environment(tmp_path / ".venv", ("app",))
    count = len(steps)
    second = script.need_environment(tmp_path / ".venv", ("app",))

    assert first == second
    assert steps[:count] == steps == ["make", "install app.lock", "link"]


def test_a_changed_lock_is_installed_and_the_rest_kept(script, tmp_path, monkeypatch) -> None:
    steps = _environments_of(script, tmp_path, monkeypatch)
    script.need_environment(tmp_path / ".venv", ("app", "dev"))
    steps.clear()
    (script.LOCKS / "dev.lock").write_text("pytest==9\n", encoding="utf-8")

    script.need_environment(tmp_path / ".venv", ("app",))
    assert steps == []
    script.need_environment(tmp_path / ".venv", ("app", "dev"))
    assert steps == ["install dev.lock", "link"]


def test_a_failed_installation_is_tried_again(script, tmp_path, monkeypatch) -> None:
    steps = _environments_of(script, tmp_path, monkeypatch, fails=True)
    with pytest.raises(script.CannotGoOnError):
        script.need_environment(tmp_path / ".venv", ("app",))
    steps.clear()

    _environments_of(script, tmp_path, monkeypatch, steps=steps)
    script.need_environment(tmp_path / ".venv", ("app",))

    assert "install app.lock" in steps


def test_packages_that_cannot_be_had_are_one_sentence(script, tmp_path, monkeypatch) -> None:
    lock = script.LOCKS / "app.lock"
    lock.write_text("nothing==1 --hash=sha256:" + "0" * 64 + "\n", encoding="utf-8")
    python = write_program(
        tmp_path / "bin", "python", "print('ERROR: No matching distribution found')\nraise SystemExit(1)"
    )
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    with pytest.raises(script.CannotGoOnError) as caught:
        script.install(str(python), lock)

    assert "app.lock" in str(caught.value)
    assert "No matching distribution found" in str(caught.value)


def test_uv_is_used_where_it_is(script, tmp_path, monkeypatch) -> None:
    log = tmp_path / "log"
    write_program(tmp_path / "bin", "uv", f"import sys\nopen({str(log)!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    script.make_environment(tmp_path / ".venv", sys.executable)
    script.install("python", script.LOCKS / "app.lock")

    made, installed = log.read_text(encoding="utf-8").splitlines()
    assert made.startswith("venv ")
    assert "--no-python-downloads" in made
    assert "--require-hashes" in installed


def test_a_python_without_venv_is_one_sentence(script, tmp_path, monkeypatch) -> None:
    python = write_program(tmp_path / "bin", "python", "raise SystemExit(1)")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    with pytest.raises(script.CannotGoOnError, match="python3-venv"):
        script.make_environment(tmp_path / ".venv", str(python))


def test_no_python_that_tensorflow_has_packages_for_is_one_sentence(script, monkeypatch) -> None:
    monkeypatch.setattr(script, "version_of", lambda _: (3, 14))

    with pytest.raises(script.CannotGoOnError, match=r"3\.11 to 3\.13"):
        script.need_tensorflow()


def test_another_python_is_found_for_tensorflow(script, monkeypatch) -> None:
    made = []
    monkeypatch.setattr(script, "version_of", lambda name: (3, 13) if name == "python3.13" else (3, 14))
    monkeypatch.setattr(script, "need_environment", lambda *arguments: made.append(arguments) or "python")

    assert script.need_tensorflow() == "python"
    assert Path(made[0][2]).name == "python3.13"


def test_the_version_of_a_python_that_does_not_answer_is_unknown(script, tmp_path, monkeypatch) -> None:
    write_program(tmp_path / "bin", "python3.13", "raise SystemExit(127)")
    write_program(tmp_path / "bin", "python3.12", "print('not a version')")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    assert script.version_of("python3.13") is None
    assert script.version_of("python3.12") is None
    assert script.version_of("python3.11") is None
    assert script.version_of(sys.executable) == sys.version_info[:2]


def test_a_library_is_found_or_not(script) -> None:
    assert not script.can_load("libthere-is-none.so.9")


def test_missing_packages_are_named_once_and_with_what_they_are_for(script, monkeypatch) -> None:
    monkeypatch.setattr(script, "can_load", lambda name: name != "libxcb-cursor.so.0")
    monkeypatch.setattr(script, "has_font", lambda: True)
    monkeypatch.setattr(script, "has_venv", lambda: True)

    assert script.missing_packages("window") == [("libxcb-cursor.so.0", "libxcb-cursor0")]
    assert ("libxcb-cursor.so.0", "libxcb-cursor0") not in script.missing_packages("test")


@pytest.mark.parametrize(
    ("words", "opens"),
    [([], True), (["--demo"], True), (["--machine", "8xh100"], True), (["self-test"], True),
     (["survey", "--json"], False), (["check"], False)],
)  # fmt: skip
def test_only_the_window_needs_something_to_draw_with(script, monkeypatch, words, opens) -> None:
    monkeypatch.setattr(script, "can_load", lambda _: False)
    monkeypatch.setattr(script, "has_font", lambda: False)
    monkeypatch.setattr(script, "has_venv", lambda: True)

    assert script.wants_window(words) is opens
    assert script.missing_packages("command") == []


def test_a_bare_debian_is_told_the_line_and_left_alone(script, monkeypatch, capsys) -> None:
    run = _bare_debian(script, monkeypatch)

    with pytest.raises(script.CannotGoOnError, match="Nothing was changed"):
        script.need_system_packages("window", may_install=False)

    told = capsys.readouterr().err
    assert "apt-get install --yes --no-install-recommends" in told
    assert "libgl1" in told
    assert run == []


def test_a_bare_debian_is_completed_when_asked(script, monkeypatch) -> None:
    run = _bare_debian(script, monkeypatch)

    script.need_system_packages("window", may_install=True)

    update, install = run
    assert update[-2:] == ["apt-get", "update"]
    assert {"libgl1", "libxcb-cursor0", "fonts-dejavu-core"} <= set(install)


def test_root_is_asked_for_by_sudo_alone(script, monkeypatch) -> None:
    monkeypatch.setattr(script.os, "geteuid", lambda: 1000, raising=False)
    assert all(step[0] == "sudo" for step in script.apt_steps(["libgl1"]))

    monkeypatch.setattr(script.os, "geteuid", lambda: 0, raising=False)
    assert all(step[0] == "apt-get" for step in script.apt_steps(["libgl1"]))


def test_other_systems_are_told_by_library(script, monkeypatch) -> None:
    run = _bare_debian(script, monkeypatch)
    monkeypatch.setattr(script.shutil, "which", lambda name: "/usr/bin/dnf" if name == "dnf" else None)

    with pytest.raises(script.CannotGoOnError) as caught:
        script.need_system_packages("window", may_install=True)

    assert "'libxcb-cursor.so.0()(64bit)'" in str(caught.value)
    assert run == []


def test_other_words_go_to_the_program(script, monkeypatch) -> None:
    handed = []
    monkeypatch.setattr(script, "need_system_packages", lambda *_, **__: None)
    monkeypatch.setattr(script, "need_environment", lambda *_: "python")
    monkeypatch.setattr(script, "hand_over", lambda command: handed.append(command) or sys.exit(0))

    for words in ([], ["--demo"], ["check", "--json"]):
        with pytest.raises(SystemExit):
            script.main(words)

    assert handed == [
        ["python", "-m", "gpuconfig_app"],
        ["python", "-m", "gpuconfig_app", "--demo"],
        ["python", "-m", "gpuconfig_app", "check", "--json"],
    ]


def test_tests_get_their_words_and_their_tensorflow(script, monkeypatch) -> None:
    commands = []
    monkeypatch.setenv("GPUCONFIG_TENSORFLOW_PYTHON", "before")
    monkeypatch.setattr(script, "need_system_packages", lambda *_, **__: None)
    monkeypatch.setattr(script, "need_environment", lambda *_: "python")
    monkeypatch.setattr(script, "need_tensorflow", lambda: "tf-python")
    monkeypatch.setattr(script, "run", lambda command: commands.append(command) or 0)

    assert script.main(["test", "-q", "tests/unit"]) == 0
    assert script.main(["--without-tensorflow", "test"]) == 0

    assert commands[0] == ["python", "-m", "pytest", "-q", "tests/unit"]
    assert commands[1] == ["python", "-m", "pytest", "-m", "not tensorflow and not benchmark and not nightly"]
    assert script.os.environ["GPUCONFIG_TENSORFLOW_PYTHON"] == "tf-python"


def _run(script: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script), *words],
        env=os.environ | variables, capture_output=True, text=True, check=False,
    )  # fmt: skip


def _environments_of(
    script, tmp_path, monkeypatch, *, fails: bool = False, steps: list[str] | None = None
) -> list[str]:
    """Replace what takes minutes by a record of it."""
    steps = [] if steps is None else steps
    for name in ("app", "dev"):
        path = script.LOCKS / f"{name}.lock"
        path.write_text(path.read_text("utf-8") if path.exists() else f"{name}==1\n", encoding="utf-8")

    def make(folder: Path, _: str) -> None:
        steps.append("make")
        python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        python.parent.mkdir(parents=True)
        python.touch()

    def install(_: str, lock: Path) -> None:
        if fails:
            raise script.CannotGoOnError("no network")
        steps.append(f"install {lock.name}")

    monkeypatch.setattr(script, "make_environment", make)
    monkeypatch.setattr(script, "install", install)
    monkeypatch.setattr(script, "link_checkout", lambda _: steps.append("link"))
    return steps


def _bare_debian(script, monkeypatch) -> list[list[str]]:
    run: list[list[str]] = []
    monkeypatch.setattr(script.sys, "platform", "linux")
    monkeypatch.setattr(script, "can_load", lambda _: False)
    monkeypatch.setattr(script, "has_font", lambda: False)
    monkeypatch.setattr(script, "has_venv", lambda: False)
    monkeypatch.setattr(script.shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(script, "run", lambda step, **_: run.append(step) or 0)
    monkeypatch.setattr(script, "agrees", lambda: False)
    return run
