"""Places that tools and their settings name, and what makes an environment."""

from __future__ import annotations

import pytest

from tests.unit.hardware.layouts import lay_out
from tests.unit.hardware.pythons import look, make_venv


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    ("variable", "value", "folder"),
    [
        ("WORKON_HOME", "{there}", "a"),
        ("PIPX_HOME", "{there}", "venvs/a"),
        ("UV_TOOL_DIR", "{there}", "a"),
        ("POETRY_VIRTUALENVS_PATH", "{there}", "a"),
        ("POETRY_CACHE_DIR", "{there}", "virtualenvs/a"),
        ("HATCH_DATA_DIR", "{there}", "env/virtual/project/Vb3XeJ9Y/a"),
        ("XDG_DATA_HOME", "{there}", "uv/tools/a"),
        ("CONDA_ENVS_PATH", "/nowhere:{there}", "a"),
        ("CONDA_ENVS_DIRS", "{there}", "a"),
        ("MAMBA_ROOT_PREFIX", "{there}", "envs/a"),
        ("PYENV_ROOT", "{there}", "versions/3.12.4/envs/a"),
        ("CONDARC", "{there}/rc", "a"),
    ],
)
def test_places_that_variables_name(home, variable, value, folder):
    there = home.parent / "elsewhere"
    make_venv(there / folder)
    lay_out(there, {"rc": f"channels:\n  - conda-forge\nenvs_dirs:\n  - {there}  # big disk\nauto_activate: false\n"})

    assert [item.name for item in look(home, {variable: value.format(there=there)})] == ["a"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".condarc", "envs_dirs: ['{there}', ~/other]\n"),
        (".mambarc", "envs_dirs:\n- {there}\n"),
        (".config/pypoetry/config.toml", "[virtualenvs]\npath = '{there}'\n"),
        ("Library/Application Support/pypoetry/config.toml", "cache-dir = '{there}/x'\nvirtualenvs.path = '{there}'\n"),
    ],
)
def test_places_that_settings_name(home, file, text):
    there = home.parent / "elsewhere"
    make_venv(there / "a")
    lay_out(home, {file: text.format(there=there)})

    assert [item.name for item in look(home)] == ["a"]


@pytest.mark.parametrize("text", ["envs_dirs: 5", "envs_dirs:", "\0", "- a\n- b", "[", "envs_dirs:\n  k: v\n  - "])
def test_strange_settings_are_passed_over(home, text):
    lay_out(home, {".condarc": text, ".config/pypoetry/config.toml": text})
    make_venv(home / "good")

    assert [item.name for item in look(home)] == ["good"]


def test_the_tool_that_made_an_environment_is_told(home):
    make_venv(home / ".cache/pypoetry/virtualenvs/a-py3.12")
    make_venv(home / ".local/share/pipx/venvs/b")
    make_venv(home / "c", settings="virtualenv = 20.29\n")
    make_venv(home / "d")

    assert {item.name: item.made_by for item in look(home)} == {
        "a-py3.12": "poetry",
        "b": "pipx",
        "c": "virtualenv",
        "d": None,
    }
