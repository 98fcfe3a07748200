"""Which interpreter is taken: by what each answers, with nothing but the report and a stand-in for asking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.environment_plan import PythonOrigin
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.runner.environment_python import PythonDecision, choose_python
from gpuconfig_app.runner.environment_tools import PythonAnswer, Tools

SERIES = ("3.12", "3.11", "3.13", "3.10")
NO_TOOLS = Tools()
GOOD = PythonAnswer(version="", is_cpython=True, is_64_bit=True, can_make=True, has_pip=True)


def python(
    path: str, version: str, kind: EnvironmentKind = EnvironmentKind.SYSTEM, **more: object
) -> PythonEnvironment:
    return PythonEnvironment(executable=path, prefix=path, python_version=version, kind=kind, name=path, **more)


def choose(
    *found: PythonEnvironment,
    tools: Tools = NO_TOOLS,
    wanted: str | None = None,
    answers: Mapping[str, PythonAnswer | None] | None = None,
) -> PythonDecision:
    told = answers or {}
    versions = {item.executable: item.python_version or "" for item in found}

    def ask(path: str, _: Mapping[str, str]) -> PythonAnswer | None:
        return told[path] if path in told else replace(GOOD, version=versions[path])

    return choose_python(SystemReport(environments=found), SERIES, tools, wanted, ask)


def taken(decision: PythonDecision) -> str | None:
    return decision.taken.executable if decision.taken is not None else None


def test_the_newest_that_suits_is_taken_and_the_others_are_offered() -> None:
    decision = choose(python("/a", "3.10.4"), python("/b", "3.12.8"), python("/c", "3.14.0"), python("/d", "3.9.2"))

    assert taken(decision) == "/b"
    assert [item.version for item in decision.choices] == ["3.12.8", "3.10.4"]


def test_one_that_stands_alone_comes_before_a_newer_one_of_an_environment() -> None:
    decision = choose(
        python("/env", "3.13.1", EnvironmentKind.VENV), python("/conda", "3.13.0", EnvironmentKind.CONDA),
        python("/usr/bin/python3.11", "3.11"),
    )  # fmt: skip

    assert taken(decision) == "/usr/bin/python3.11"


def test_an_environment_serves_when_nothing_else_does() -> None:
    assert taken(choose(python("/env", "3.13.1", EnvironmentKind.VENV))) == "/env"


def test_debians_python_without_venv_is_passed_over_and_named() -> None:
    bare = replace(GOOD, version="3.11.2", can_make=False)

    other = choose(python("/usr/bin/python3.11", "3.11"), python("/b", "3.10.1"), answers={"/usr/bin/python3.11": bare})
    alone = choose(python("/usr/bin/python3.11", "3.11"), answers={"/usr/bin/python3.11": bare})
    with_uv = choose(
        python("/usr/bin/python3.11", "3.11"), answers={"/usr/bin/python3.11": bare}, tools=Tools(uv="/bin/uv")
    )

    assert taken(other) == "/b"
    assert alone.taken is None
    assert alone.reason == Message("environment.python-cannot-make", {"path": "/usr/bin/python3.11", "version": "3.11"})
    assert taken(with_uv) == "/usr/bin/python3.11"


@pytest.mark.parametrize(
    "answer",
    [None, replace(GOOD, version="3.12.1", is_64_bit=False), replace(GOOD, version="3.12.1", is_cpython=False)],
)
def test_what_does_not_answer_or_is_of_another_kind_is_not_taken(answer: PythonAnswer | None) -> None:
    assert choose(python("/a", "3.12.1"), answers={"/a": answer}).taken is None


def test_broken_and_store_pythons_are_not_even_asked() -> None:
    broken = python("/a", "3.12.1", problem=Message("host.environment-without-packages"))

    assert choose(broken, python("/s", "3.12", EnvironmentKind.STORE)).taken is None


def test_uv_brings_one_before_conda_does() -> None:
    both = choose(python("/a", "3.14.0"), tools=Tools(uv="/bin/uv", conda="/opt/conda/bin/mamba"))
    conda = choose(python("/a", "3.14.0"), tools=Tools(conda="/opt/conda/bin/mamba"))

    assert both.taken is not None
    assert (both.taken.origin, both.taken.version) == (PythonOrigin.UV_MANAGED, "3.12")
    assert conda.taken is not None
    assert conda.taken.origin is PythonOrigin.CONDA


def test_a_version_that_is_asked_for_is_taken_here_or_brought() -> None:
    here = choose(python("/a", "3.12.8"), python("/b", "3.10.1"), wanted="3.10")
    brought = choose(python("/a", "3.12.8"), wanted="3.11", tools=Tools(uv="/bin/uv"))
    exact = choose(python("/a", "3.12.8"), wanted="3.12.4", tools=Tools(uv="/bin/uv"))

    assert taken(here) == "/b"
    assert brought.taken is not None
    assert brought.taken.id == "3.11"
    assert exact.taken is not None
    assert exact.taken.id == "3.12.4"
    assert choose(python("/a", "3.12.8"), wanted="3.11").taken is None


def test_a_python_no_wheel_is_made_for_is_refused() -> None:
    with pytest.raises(UsageError) as raised:
        choose(wanted="3.14")

    assert raised.value.message.params == {"version": "3.14", "lowest": "3.10", "highest": "3.13"}


def test_a_path_is_asked_and_a_folder_stands_for_its_interpreter(tmp_path: Path) -> None:
    (tmp_path / "env/bin").mkdir(parents=True)
    interpreter = tmp_path / "env/bin/python"
    interpreter.write_text("", encoding="utf-8")
    answer = {str(interpreter): replace(GOOD, version="3.11.5")}

    assert taken(choose(wanted=str(tmp_path / "env"), answers=answer)) == str(interpreter)
    assert taken(choose(wanted=str(interpreter), answers=answer)) == str(interpreter)
    with pytest.raises(UsageError):
        choose(wanted=str(interpreter), answers={str(interpreter): replace(GOOD, version="3.14.0")})
    with pytest.raises(UsageError):
        choose(wanted=str(tmp_path / "nothing"))


def test_of_a_machine_that_is_not_here_nothing_is_asked() -> None:
    def never(path: str, _: Mapping[str, str]) -> PythonAnswer | None:
        raise AssertionError(path)

    report = SystemReport(environments=(python("/a", "3.12.8"),), recorded_from="x")
    decision = choose_python(report, SERIES, Tools(are_known=False), None, never)

    assert taken(decision) == "/a"
    with pytest.raises(UsageError):
        choose_python(report, SERIES, Tools(are_known=False), "/some/python", never)
