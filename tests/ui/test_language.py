"""Chinese is complete, compiled from what the code says now, and comes without a restart."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from PySide6.QtCore import QLocale

from gpuconfig_app.ui.language import CHINESE, ENGLISH, LanguageSwitch, page_title, resolve_language
from tests.ui.translations import (
    FOLDER,
    LANGUAGES,
    areas,
    compile_all,
    english_plurals,
    fresh_texts,
    texts,
    unfinished,
)

AREAS = sorted(areas())


@pytest.mark.parametrize(
    ("choice", "locale", "expected"),
    [
        ("en", "zh_CN", ENGLISH),
        ("zh_CN", "en_US", CHINESE),
        ("system", "zh_CN", CHINESE),
        ("system", "zh_TW", CHINESE),
        ("system", "en_GB", ENGLISH),
        ("system", "de_DE", ENGLISH),
        ("nonsense", "de_DE", ENGLISH),
    ],
)
def test_language_follows_choice_then_system(choice, locale, expected):
    assert resolve_language(choice, QLocale(locale)) == expected


@pytest.mark.parametrize("area", AREAS)
def test_every_text_of_the_code_has_a_finished_translation(area):
    path = FOLDER / f"{area}_{CHINESE}.ts"

    known = texts(path)

    assert fresh_texts(area, areas()[area]) - known == set(), "python tests/ui/translations.py update"
    assert unfinished(path) == []


def test_no_file_is_left_of_a_part_that_is_gone():
    found = {path.stem.removesuffix("_zh_CN").removesuffix("_en") for path in FOLDER.glob("*.ts")}

    assert found == set(AREAS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_file_is_made_of_the_sources(language, tmp_path):
    made = compile_all(FOLDER, tmp_path, language)

    assert made.read_bytes() == (FOLDER / made.name).read_bytes(), "python tests/ui/translations.py compile"


def test_placeholders_survive_the_translation():
    wrong = []
    for path in FOLDER.glob(f"*_{CHINESE}.ts"):
        for message in ET.parse(path).getroot().iter("message"):
            source = message.findtext("source") or ""
            shown = "".join((message.find("translation") or message).itertext())
            if set(re.findall(r"\{\w*\}|%n", source)) - set(re.findall(r"\{\w*\}|%n", shown)):
                wrong.append(source)

    assert not wrong


def test_plurals_of_english():
    assert english_plurals("%n card(s)") == ["%n card", "%n cards"]


def test_switching_installs_and_removes_translators(theme, qapp):
    switch = LanguageSwitch(qapp)
    switch.apply(CHINESE)
    chinese = page_title("Overview")
    switch.apply(ENGLISH)
    english = page_title("Overview")
    switch.deleteLater()

    assert (chinese, english) == ("概览", "Overview")
