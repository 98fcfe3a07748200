"""Sentences by name, and texts that carry both languages."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.errors import GpuConfigError, StorageError
from gpuconfig_app.core.messages import Language, LocalText, Message


def test_a_text_is_given_in_the_language_asked_for() -> None:
    text = LocalText(en="Driver", zh_cn="驱动")

    assert text.in_language(Language.ENGLISH) == "Driver"
    assert text.in_language(Language.CHINESE) == "驱动"


def test_both_languages_are_filled() -> None:
    text = LocalText(en="needs {floor}", zh_cn="需要 {floor}").filled({"floor": "525"})

    assert text == LocalText(en="needs 525", zh_cn="需要 525")


def test_a_placeholder_without_value_is_a_defect() -> None:
    with pytest.raises(KeyError):
        LocalText(en="{a}", zh_cn="{a}").filled({})


def test_errors_carry_their_sentence_and_a_way_on() -> None:
    error = StorageError(Message("core.disk-full", {"path": "x"}), Message("core.disk-full-hint"))

    assert isinstance(error, GpuConfigError)
    assert error.message.params == {"path": "x"}
    assert error.hint == Message("core.disk-full-hint")
    assert "core.disk-full" in str(error)
