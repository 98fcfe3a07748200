"""The commands of a plan: right words, right place, and nobody's password."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.environment_plan import (
    EnvironmentOrder,
    EnvironmentPlan,
    Installer,
    PlanGoal,
    PythonOrigin,
    StepKind,
)
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.shell_quoting import POSIX, POWERSHELL
from gpuconfig_app.runner.environment_commands import (
    Recipe,
    activation,
    make_steps,
    masked,
    new_interpreter,
    run_words,
    script_text,
)

RECIPE = Recipe(
    order=EnvironmentOrder(folder="/home/anna/tf"),
    platform="linux",
    origin=PythonOrigin.FOUND,
    installer=Installer.PIP,
    base="/usr/bin/python3.12",
    requirements=("tensorflow[and-cuda]==2.21.0", "numpy<2"),
    uv="/bin/uv",
    conda="/opt/conda/bin/mamba",
    tensorflow="2.21.0",
    with_cuda=True,
    home="/home/anna",
)


def lines(recipe: Recipe) -> list[str]:
    return [step.command.posix for step in make_steps(recipe) if step.command is not None]


def test_venv_and_pip() -> None:
    assert lines(RECIPE) == [
        "/usr/bin/python3.12 -m venv ~/tf",
        "~/tf/bin/python -m pip install 'tensorflow[and-cuda]==2.21.0' 'numpy<2'",
        "gpuconfig check --prove --python ~/tf/bin/python",
    ]


def test_uv() -> None:
    assert lines(replace(RECIPE, installer=Installer.UV))[:2] == [
        "/bin/uv venv --python /usr/bin/python3.12 ~/tf",
        "/bin/uv pip install --python ~/tf/bin/python 'tensorflow[and-cuda]==2.21.0' 'numpy<2'",
    ]


def test_a_python_that_uv_brings_is_no_program_of_the_users() -> None:
    recipe = replace(RECIPE, installer=Installer.UV, origin=PythonOrigin.UV_MANAGED, base="3.12")

    assert lines(recipe)[:2] == [
        "env UV_PYTHON_INSTALL_BIN=0 /bin/uv python install 3.12",
        "/bin/uv venv --managed-python --python 3.12 ~/tf",
    ]


def test_conda_makes_the_folder_and_pip_installs_into_it() -> None:
    recipe = replace(RECIPE, origin=PythonOrigin.CONDA, base="3.12")

    assert lines(recipe)[0] == "/opt/conda/bin/mamba create --yes --prefix ~/tf python=3.12 pip"
    assert lines(recipe)[1].startswith("~/tf/bin/python -m pip install ")


def test_wheels_lock_and_hashes() -> None:
    order = EnvironmentOrder(folder="/t", wheelhouse="/my w", lock_file="/my lock.txt")

    assert lines(replace(RECIPE, order=order, is_lock_hashed=True))[1] == (
        "/t/bin/python -m pip install --no-index '--find-links=/my w' --require-hashes '--requirement=/my lock.txt'"
    )


@pytest.mark.parametrize(
    ("origin", "path"),
    [(PythonOrigin.FOUND, "C:\\tf\\Scripts\\python.exe"), (PythonOrigin.CONDA, "C:\\tf\\python.exe")],
)
def test_on_windows_the_interpreter_lies_elsewhere(origin: PythonOrigin, path: str) -> None:
    assert new_interpreter("C:\\tf", "windows", origin) == path


def test_a_password_is_masked_wherever_it_is_shown_and_given_where_it_is_needed() -> None:
    address = "https://anna:s3cret@example.org/simple"
    order = EnvironmentOrder(folder="/t", index_url=address)
    steps = make_steps(replace(RECIPE, order=order))
    plan = EnvironmentPlan(order=order, goal=PlanGoal.GPU, headline=Message("environment.headline-cpu"), steps=steps)
    install = plan.step(StepKind.INSTALL)

    assert install is not None
    assert "s3cret" not in str(steps)
    assert f"--index-url={address}" in run_words(plan, install)
    assert masked("https://example.org/simple") == "https://example.org/simple"
    assert "s3cret" not in script_text(plan, POSIX)


def test_a_script_stops_at_the_first_failure() -> None:
    plan = EnvironmentPlan(goal=PlanGoal.GPU, headline=Message("environment.headline-cpu"), steps=make_steps(RECIPE))

    posix, powershell = script_text(plan, POSIX).splitlines(), script_text(plan, POWERSHELL).splitlines()

    assert posix[:3] == ["#!/bin/sh", "set -e", "/usr/bin/python3.12 -m venv ~/tf"]
    assert powershell[0] == "$ErrorActionPreference = 'Stop'"
    assert powershell[2] == "if ($LASTEXITCODE) { exit $LASTEXITCODE }"


def test_the_line_that_makes_it_active() -> None:
    venv = activation("/home/anna/my tf", "linux", PythonOrigin.FOUND, "/home/anna")
    windows = activation("C:\\my tf", "windows", PythonOrigin.FOUND, None)
    conda = activation("/home/anna/tf", "linux", PythonOrigin.CONDA, "/home/anna")

    assert venv.posix == "source ~/'my tf/bin/activate'"
    assert windows.powershell == "& 'C:\\my tf\\Scripts\\Activate.ps1'"
    assert conda.posix == "conda activate ~/tf"
