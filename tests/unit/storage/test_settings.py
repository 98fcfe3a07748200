"""Settings survive, and unusable ones are set aside instead of lost."""

from __future__ import annotations

import os
import stat
from dataclasses import fields, replace

import pytest

from gpuconfig_app.core.messages import Message
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.storage.settings import Settings, load_settings, save_settings, settings_file


def test_defaults_without_a_file() -> None:
    assert load_settings(user_places()) == (Settings(), None)
    assert not settings_file(user_places()).exists()


def test_every_field_has_a_default() -> None:
    assert Settings() == Settings(**{item.name: getattr(Settings(), item.name) for item in fields(Settings)})


def test_settings_come_back_as_they_were() -> None:
    settings = Settings(language="zh_CN", theme="dark", sampling_interval_s=0.5, python="/opt/环境/bin/python")

    save_settings(user_places(), settings)

    assert load_settings(user_places()) == (settings, None)


def test_settings_are_for_the_user_alone() -> None:
    save_settings(user_places(), Settings())

    mode = settings_file(user_places()).stat().st_mode
    assert os.name != "posix" or stat.S_IMODE(mode) == 0o600


def test_what_a_newer_version_added_is_kept() -> None:
    path = settings_file(user_places())
    save_settings(user_places(), Settings())
    path.write_text(path.read_text("utf-8").replace('"theme"', '"tint": "warm",\n  "theme"'), encoding="utf-8")

    settings, _ = load_settings(user_places())
    save_settings(user_places(), replace(settings, theme="dark"))

    assert '"tint": "warm"' in path.read_text("utf-8")


@pytest.mark.parametrize("content", [b"", b"{", b"\x00\xff", b"[]", b'{"document": "settings", "schema": 99}'])
def test_unusable_settings_are_set_aside(content) -> None:
    path = settings_file(user_places())
    path.parent.mkdir(parents=True)
    path.write_bytes(content)

    settings, told = load_settings(user_places())

    aside = path.with_name("settings.json.unusable")
    assert settings == Settings()
    assert told == Message("core.settings-unusable", {"path": str(aside)})
    assert aside.read_bytes() == content
    assert not path.exists()
    assert load_settings(user_places()) == (Settings(), None)


def test_settings_whose_folder_cannot_be_looked_into_are_told_and_left(tmp_path) -> None:
    """A name that no file system takes stands for every error of looking; the administrator may look everywhere."""
    places = replace(user_places(), settings=tmp_path / ("x" * 300))

    settings, told = load_settings(places)

    assert settings == Settings()
    assert told == Message("core.settings-unreadable", {"path": str(settings_file(places))})


@pytest.mark.parametrize(
    ("written", "used"),
    [
        (Settings(sampling_interval_s=0.0), 0.1),
        (Settings(sampling_interval_s=1e9), 60.0),
        (Settings(sampling_interval_s=2.0), 2.0),
    ],
)
def test_numbers_out_of_range_are_brought_back(written, used) -> None:
    save_settings(user_places(), written)

    assert load_settings(user_places())[0].sampling_interval_s == used
