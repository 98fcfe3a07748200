"""The table of ways: complete, filled, and true to the table of fixes."""

from __future__ import annotations

import re

import pytest

from gpuconfig_app.compat.rules import load_fixes
from gpuconfig_app.core.versions import is_at_least
from gpuconfig_app.knowledge.cuda_drivers import load_cuda_table
from gpuconfig_app.knowledge.ways_on import known_image, load_ways

CHINESE = re.compile(r"[\u4e00-\u9fff]")


def test_every_step_and_deed_is_used_somewhere():
    from gpuconfig_app.compat import ways_on

    table = load_ways()
    assert {step.id for step in table.steps} == {name for way in table.ways for name in way.steps}
    assert {step.id for step in table.steps} == set(ways_on.STEPS)


def test_main_ways_have_a_page_title():
    assert all(way.page_title is not None for way in load_ways().ways if way.is_main)


def test_every_deed_says_or_types_something():
    assert [deed.id for deed in load_ways().deeds if deed.explanation is None and not deed.commands] == []


def test_what_changes_the_system_says_so():
    quiet = {"windows-update", "wsl-environment", "prove", "prove-windows", "engine-repair", "xla-off", "start"}
    changing = [deed for deed in load_ways().deeds if deed.commands and deed.changes is None]

    assert {deed.id for deed in changing if not deed.id.startswith("start")} <= quiet


def test_chinese_is_chinese():
    table = load_ways()
    texts = [way.title for way in table.ways] + [way.summary for way in table.ways]
    texts += [deed.explanation for deed in table.deeds if deed.explanation is not None]

    assert [text.en for text in texts if CHINESE.search(text.en)] == []
    assert [text.en for text in texts if not CHINESE.search(text.zh_cn)] == []


def test_the_image_is_the_one_of_the_fixes():
    commands = " ".join(command for fix in load_fixes() for command in fix.commands)

    assert load_ways().offered_image.name in commands


def test_the_driver_of_the_image_has_its_cuda():
    image = load_ways().offered_image
    least = load_cuda_table().driver_for_level(image.cuda, is_windows_driver=False)

    assert is_at_least(least, image.driver)


@pytest.mark.parametrize("prefix", ["", "docker://"])
def test_an_image_is_known_by_its_full_name(prefix):
    image = load_ways().offered_image

    assert known_image(prefix + image.name) == image
    assert known_image("tensorflow/tensorflow:latest") is None
