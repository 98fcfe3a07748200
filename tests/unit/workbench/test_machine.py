"""Opening a machine: recorded ones by name or folder, this one with an id of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.storage.places import Places
from gpuconfig_app.storage.settings import Settings
from gpuconfig_app.workbench.machine import (
    installation_id,
    list_shipped_machines,
    open_machine,
    searched_folders,
    with_wsl_inside,
)
from tests.unit.hardware import test_targets as wsl_targets


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "settings", tmp_path / "data", tmp_path / "cache", tmp_path / "logs")


def test_shipped_machine_opens_by_name_and_is_never_live(places):
    machine = open_machine("training-2x4090", places, Settings())

    assert machine.is_recorded
    assert machine.report.recorded_from == "training-2x4090"
    assert machine.samples
    assert {gpu.catalogue_id for gpu in machine.report.gpus} == {"geforce-rtx-4090"}


def test_this_machine_keeps_its_random_id(places):
    first = open_machine(None, places, Settings(), include_environments=False)
    second = open_machine("this", places, Settings(), include_environments=False)

    assert not first.is_recorded
    assert first.report.machine_id == second.report.machine_id == installation_id(places)
    assert first.report.environments == ()


def test_on_windows_the_pythons_of_running_wsl_come_along(tmp_path, monkeypatch):
    wsl_targets.wsl(tmp_path)
    sources = wsl_targets.sources(tmp_path)
    monkeypatch.setattr("gpuconfig_app.hardware.targets.TargetSources", lambda: sources)

    on_windows = with_wsl_inside(SystemReport, platform="win32")
    elsewhere = with_wsl_inside(SystemReport, platform="linux")

    assert {item.target.distribution for item in on_windows.environments} == {"Ubuntu"}
    assert elsewhere == SystemReport()


def test_id_that_cannot_be_kept_is_still_given(places):
    places.data.parent.mkdir(parents=True, exist_ok=True)
    places.data.write_text("a file in the way", encoding="utf-8")

    assert installation_id(places).startswith("this-")


def test_machine_that_is_not_there_is_a_sentence(places):
    with pytest.raises(UnusableFileError):
        open_machine("no-such-machine", places, Settings())


def test_at_least_six_machines_ship_with_titles_in_both_languages():
    machines = list_shipped_machines()

    assert len(machines) >= 6
    assert all(machine.title.en and machine.title.zh_cn for machine in machines)


def test_environment_of_the_project_one_stands_in_is_looked_at(tmp_path, monkeypatch):
    environment = tmp_path / "project" / ".venv"
    environment.mkdir(parents=True)
    (environment / "pyvenv.cfg").write_text("version = 3.12.1\n", encoding="utf-8")
    (tmp_path / "project" / "env").mkdir()
    monkeypatch.chdir(tmp_path / "project")

    assert searched_folders(Settings(extra_python_folders=("/mine",))) == (Path("/mine"), environment)
