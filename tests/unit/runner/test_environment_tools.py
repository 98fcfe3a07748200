"""uv, conda, pip's settings and interpreters, asked through small stand-in programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gpuconfig_app.runner.environment_tools import (
    ask_python,
    breaking_variables,
    child_variables,
    find_tools,
    parse_pip_settings,
    read_pip_settings,
)
from tests.fakes import write_program

PIP_CONFIG = """:env:.cert='/etc/ssl/certs/ca.crt'
global.index-url='https://anna:secret@example.org/simple'
global.timeout='60'
install.user='true'
freeze.timeout='10'
:env:.index-url='https://other.example.org/simple'
not a setting
"""


def test_pips_settings_are_read_and_a_variable_overrides_a_file() -> None:
    found = parse_pip_settings(PIP_CONFIG)

    assert found["index-url"] == ("https://other.example.org/simple", True)
    assert found["user"] == ("true", False)
    assert found["cert"] == ("/etc/ssl/certs/ca.crt", True)
    assert "freeze.timeout" not in found


def test_pip_that_cannot_be_asked_is_not_known(tmp_path: Path) -> None:
    broken = write_program(tmp_path, "python3", "import sys; sys.exit(1)")

    assert read_pip_settings(str(broken), dict(os.environ)) is None
    assert read_pip_settings(str(tmp_path / "nothing"), dict(os.environ)) is None


def test_an_interpreter_tells_what_it_is() -> None:
    answer = ask_python(sys.executable, dict(os.environ))

    assert answer is not None
    assert answer.version == "{}.{}.{}".format(*sys.version_info[:3])
    assert answer.is_cpython
    assert answer.is_64_bit
    assert answer.can_make


@pytest.mark.parametrize("source", ["import sys; sys.exit(3)", "print('hello')", "print('[1]')"])
def test_what_does_not_answer_like_a_python_is_none(source: str, tmp_path: Path) -> None:
    assert ask_python(str(write_program(tmp_path, "python3", source)), dict(os.environ)) is None


def test_a_path_that_leads_nowhere_is_none(tmp_path: Path) -> None:
    assert ask_python(str(tmp_path / "gone"), dict(os.environ)) is None


def test_programs_are_found_on_the_users_path_and_where_installers_put_them(tmp_path: Path) -> None:
    home = tmp_path / "home"
    uv = write_program(home / ".local/bin", "uv", "")
    mamba = write_program(tmp_path / "bin", "mamba", "")
    write_program(tmp_path / "bin", "conda", "")

    tools = find_tools({"PATH": str(tmp_path / "bin"), "HOME": str(home)})
    nothing = find_tools({"PATH": str(tmp_path / "empty"), "HOME": str(tmp_path)})

    assert tools.uv == str(uv)
    assert tools.conda == str(mamba)
    assert nothing.uv is None
    assert nothing.conda is None


def test_uv_is_set_up_by_a_variable_or_a_file(tmp_path: Path) -> None:
    plain = {"HOME": str(tmp_path)}
    assert not find_tools(plain).is_uv_set_up
    assert find_tools({**plain, "UV_DEFAULT_INDEX": "https://example.org"}).is_uv_set_up

    (tmp_path / ".config/uv").mkdir(parents=True)
    (tmp_path / ".config/uv/uv.toml").write_text("", encoding="utf-8")
    assert find_tools(plain).is_uv_set_up


def test_only_variables_that_break_the_making_are_taken_away() -> None:
    variables = {
        "PYTHONPATH": "/x",
        "PIP_USER": "0",
        "PIP_TARGET": "/y",
        "HTTPS_PROXY": "http://p",
        "PIP_INDEX_URL": "u",
    }

    broken = [item.name for item in breaking_variables(variables)]
    kept = child_variables(variables, broken)

    assert broken == ["PYTHONPATH", "PIP_TARGET"]
    assert kept["HTTPS_PROXY"] == "http://p"
    assert kept["PIP_INDEX_URL"] == "u"
    assert not {"PYTHONPATH", "PIP_TARGET"} & kept.keys()
    assert kept["PIP_NO_INPUT"] == "1"
