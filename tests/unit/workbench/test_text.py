"""Sentences: both languages, units by name, and a broken sentence never stops the program."""

from __future__ import annotations

import logging

import pytest

from gpuconfig_app.core.messages import Language, LocalText, Message
from gpuconfig_app.workbench.text import Texts, load_texts, shown_value

ROWS = {
    "a.full": LocalText(
        en="The disk holds {free_bytes}, {count} files.", zh_cn="磁盘剩余 {free_bytes}，共 {count} 个文件。"
    ),
}


def test_sentence_is_filled_in_both_languages():
    texts = Texts(ROWS)
    message = Message("a.full", {"free_bytes": 3 * 1024**3, "count": 12})

    assert texts.render(message, Language.ENGLISH) == "The disk holds 3.0 GiB, 12 files."
    assert texts.render(message, Language.CHINESE) == "磁盘剩余 3.0 GiB，共 12 个文件。"


def test_json_carries_id_values_and_both_sentences():
    body = Texts(ROWS).as_json(Message("a.full", {"free_bytes": 0, "count": 1}))

    assert body == {
        "id": "a.full",
        "params": {"free_bytes": 0, "count": 1},
        "en": "The disk holds 0 B, 1 files.",
        "zh_cn": "磁盘剩余 0 B，共 1 个文件。",
    }


@pytest.mark.parametrize("message", [Message("a.unknown", {"x": 1}), Message("a.full", {"count": 1})])
def test_missing_sentence_or_value_shows_the_id(message, caplog):
    with caplog.at_level(logging.CRITICAL, logger="gpuconfig_app.workbench.text"):
        assert message.id in Texts(ROWS).render(message, Language.ENGLISH)


def test_braces_in_a_value_are_not_filled_again():
    texts = Texts({"a.path": LocalText(en="No {path}.", zh_cn="没有 {path}。")})

    assert texts.render(Message("a.path", {"path": "/x/{home}/{0}"}), Language.ENGLISH) == "No /x/{home}/{0}."


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("limit_bytes", 1536 * 1024**2, "1.5 GiB"),
        ("limit_bytes", 512 * 1024**2, "512 MiB"),
        ("step_s", 0.25, "0.25 s"),
        ("training_s", 22 * 60, "22 min"),
        ("count", 25864, "25\u202f864"),
        ("port", 8888, "8888"),
        ("ratio", 1.5, "1.5"),
        ("name", "RTX 4090", "RTX 4090"),
    ],
)
def test_values_get_their_unit_from_their_name(name, value, shown):
    assert shown_value(name, value) == shown


def test_every_shipped_sentence_can_be_loaded():
    assert "core.disk-full" in load_texts().ids


def test_what_somebody_typed_does_not_drown_the_sentence():
    assert len(shown_value("value", "x" * 9000)) < 400
    assert shown_value("path", "/" + "x" * 300) == "/" + "x" * 300
    assert shown_value("names", "a, " * 500) == "a, " * 500
