"""``gpuconfig facts`` as a script and a person see it."""

from __future__ import annotations

import json

import pytest

from gpuconfig_app.cli.main import main
from gpuconfig_app.cli.output import ExitCode
from gpuconfig_app.knowledge.harvest import pip_settings
from gpuconfig_app.knowledge.table import refreshed_path
from gpuconfig_app.workbench.facts import forget_tables
from tests.package_index_server import package_index
from tests.unit.knowledge.harvest.small_index import settings_at, small_index


@pytest.fixture(autouse=True)
def fresh_tables():
    forget_tables()
    yield
    forget_tables()


@pytest.fixture
def run(capsys):
    def run_command(*arguments: str) -> tuple[int, str, str]:
        code = main(["facts", *arguments], lambda: None)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run_command


@pytest.fixture
def index(monkeypatch):
    behaviour = small_index()
    with package_index(behaviour) as address:
        monkeypatch.setattr(pip_settings, "read_pip_settings", lambda *_, **__: settings_at(address))
        yield behaviour


def test_tables_and_packages_are_told(run):
    code, out, err = run()

    assert code == ExitCode.GOOD
    assert err == ""
    assert "tensorflow_releases: TensorFlow packages" in out
    assert "came with the program; read from the packages 2026-" in out
    assert "tensorflow-rocm: 2.14.0.600 of 2024-01-10; Python 3.9–3.11; linux-x86_64" in out
    assert "asks for tensorflow-cpu==2.10.0" in out


def test_json_has_a_schema(run):
    _, out, _ = run("--json")

    told = json.loads(out)
    assert told["schema"] == 1
    assert {"id", "title", "rows", "sources", "checked_from", "checked_to", "is_refreshed"} <= set(told["tables"][0])
    assert "tensorflow-metal" in {package["id"] for package in told["packages"]}
    assert told["refreshed"] is None


def test_refresh_shows_progress_on_stderr_and_the_result(run, index):
    code, out, err = run("--refresh", "--json")

    told = json.loads(out)
    assert code == ExitCode.GOOD
    assert "2.16 linux-x86_64" in told["refreshed"]["changed"]
    assert told["refreshed"]["received_bytes"] > 0
    assert "0 %  Asking the package index" in err
    assert "Reading TensorFlow 2.16.2 for linux-x86_64" in err
    assert refreshed_path("tensorflow_releases").is_file()


def test_refresh_says_what_could_not_be_read(run, index):
    broken = index.projects["tensorflow"][-2]
    broken.content = b"PK\x03\x04 no wheel"

    code, out, _ = run("--refresh")

    assert code == ExitCode.RESERVATIONS
    assert f"The file {broken.name} could not be read" in out
    assert "refreshed by you from the package index" in out


def test_interrupted_refresh_leaves_the_tables(run, index, monkeypatch):
    from gpuconfig_app.workbench import facts

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(facts, "forget_tables", interrupted)
    monkeypatch.setattr("gpuconfig_app.knowledge.harvest.harvest.read_releases", interrupted)

    code, out, err = run("--refresh")

    assert code == 130
    assert out == ""
    assert "Cancelled; the tables stay as they were." in err
    assert not refreshed_path("tensorflow_releases").exists()


def test_an_index_that_does_not_answer_is_one_sentence(run, index):
    index.login = "someone:else"

    code, out, err = run("--refresh")

    assert code == ExitCode.USAGE
    assert out == ""
    assert "asks for a login" in err
    assert "Traceback" not in err
