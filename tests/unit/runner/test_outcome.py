from __future__ import annotations

import tomllib

import pytest

from gpuconfig_app.resources import resource_path
from gpuconfig_app.runner.outcome import meaning_of


@pytest.mark.parametrize("code", [*range(10), 77, 128, 134, 137, 139, 143, 150, -6, -9, -11, -15, -31, None])
def test_every_exit_code_has_a_sentence(code: int | None) -> None:
    rows = tomllib.loads(resource_path("text", "runner.toml").read_text(encoding="utf-8"))

    message = meaning_of(code)

    room, _, name = message.id.partition(".")
    assert room == "runner"
    for language in ("en", "zh_cn"):
        rows[name][language].format(**message.params)


def test_a_shell_s_way_to_tell_a_signal_means_the_same() -> None:
    assert meaning_of(137) == meaning_of(-9)
    assert meaning_of(-9).id == "runner.killed"


def test_the_codes_are_those_that_scripts_are_written_with(root) -> None:
    """``resources/templates/_shared/exits.py.j2`` is where scripts take them from."""
    lines = (root / "resources/templates/_shared/exits.py.j2").read_text(encoding="utf-8").splitlines()
    written = {int(line.partition("=")[2]) for line in lines if line.startswith("EXIT_")}

    assert written
    assert all(meaning_of(code).id != "runner.exit-unknown" for code in written)
