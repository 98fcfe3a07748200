"""README and CONTRIBUTING tell the truth about what can be typed."""

from __future__ import annotations

import argparse
import re

import pytest

from gpuconfig_app.cli.parser import build_parser
from gpuconfig_app.workbench.text import load_texts
from tests.source_files import ROOT

READMES = ("README.md", "README.zh-CN.md")


@pytest.mark.parametrize("name", [*READMES, "CONTRIBUTING.md"])
def test_links_lead_somewhere(name) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)]+)\)", text)

    missing = [target for target in targets if "://" not in target and not (ROOT / target.split("#")[0]).exists()]

    assert not missing


def _commands() -> set[str]:
    """What the command line itself takes."""
    texts = load_texts()
    parser = build_parser(texts, str)
    named = (action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {name for choices in named for name in choices}


@pytest.mark.parametrize("name", READMES)
def test_commands_exist(name) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")

    used = set(re.findall(r"^gpuconfig ([a-z-]+)", text, re.MULTILINE))

    assert used
    assert used <= _commands()


@pytest.mark.parametrize("name", READMES)
def test_the_two_commands_come_first(name) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    block = re.search(r"```\n(.*?)```", text, re.DOTALL)

    assert block is not None
    assert [line.split("  ")[0] for line in block.group(1).splitlines()] == ["python3 run.py", "python3 run.py test"]


def test_both_languages_show_the_same_commands() -> None:
    english, chinese = (
        [line.split("  ")[0] for block in re.findall(r"```\n(.*?)```", (ROOT / name).read_text("utf-8"), re.DOTALL)
         for line in block.splitlines() if line.startswith(("gpuconfig", "python3"))]
        for name in READMES
    )  # fmt: skip

    assert english == chinese


def test_what_contributing_names_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:gpuconfig_app|resources|packaging|tests)/[\w./-]+)`", text)

    assert [path for path in named if not (ROOT / path).exists()] == []
