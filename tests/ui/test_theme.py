"""Tokens, palette, style sheet, type: both themes complete, readable, and following the system."""

from __future__ import annotations

import re
import tomllib

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication, QPalette, QRawFont

from gpuconfig_app.resources import resource_path
from gpuconfig_app.ui.theme import DARK, LIGHT, SYSTEM, current_theme, load_bundled_family, load_tokens, ui_families
from tests.source_files import ROOT

TEXTS_ON = {
    "text": ("window", "rail", "surface", "inset", "hover", "selected"),
    "text_secondary": ("window", "rail", "surface", "inset", "hover", "selected"),
    "text_muted": ("window", "rail", "surface", "inset", "hover", "selected"),
    "accent_text": ("window", "surface", "selected"),
    "on_accent": ("accent", "accent_hover", "accent_pressed"),
    "code.text": ("code.bg", "code.line"),
    "code.comment": ("code.bg", "code.line"),
    "code.gutter": ("code.bg", "code.line"),
}
MARKS_ON = {
    "focus": ("window", "surface"),
    "border_control": ("window", "surface"),
    "metric.util": ("chart.bg", "track"),
    "metric.memory": ("chart.bg", "track"),
}
SEVERITIES = ("good", "note", "warning", "blocked", "neutral")


def _luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(first: str, second: str) -> float:
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", [LIGHT, DARK])
def test_text_is_readable_on_every_ground(name):
    colors = load_tokens().colors[name]
    pairs = [(text, ground, 4.5) for text, grounds in TEXTS_ON.items() for ground in grounds]
    pairs += [(mark, ground, 3.0) for mark, grounds in MARKS_ON.items() for ground in grounds]
    pairs += [(f"{word}.fg", ground, 4.5) for word in SEVERITIES for ground in (f"{word}.bg", "surface", "rail")]
    pairs += [(text, f"{word}.bg", 4.5) for word in SEVERITIES for text in ("text", "text_secondary")]

    weak = [(text, ground) for text, ground, least in pairs if _contrast(colors[text], colors[ground]) < least]

    assert not weak


def test_both_themes_have_the_same_tokens():
    colors = load_tokens().colors

    assert set(colors[LIGHT]) == set(colors[DARK])


@pytest.mark.parametrize("name", [LIGHT, DARK])
def test_style_sheet_is_filled_in_wholly(theme, name):
    theme.choose(name)

    sheet = theme.style_sheet()

    assert "@" not in sheet
    assert theme.color("accent").name().lower() in sheet.lower()
    for path in re.findall(r"url\(([^)]+)\)", sheet):
        assert resource_path("style", path.rsplit("/", 1)[-1]).exists()


def test_style_sheet_stays_small():
    lines = resource_path("style", "app.qss").read_text(encoding="utf-8").splitlines()

    assert len(lines) < 150


@pytest.mark.parametrize("name", [LIGHT, DARK])
def test_drawings_of_the_style_sheet_have_the_theme_s_colors(name):
    colors = load_tokens().colors[name]

    assert colors["text_muted"] in resource_path("style", f"chevron-down-{name}.svg").read_text()
    assert colors["text_muted"] in resource_path("style", f"chevron-up-{name}.svg").read_text()
    assert colors["on_accent"] in resource_path("style", f"check-{name}.svg").read_text()


def test_choice_goes_before_the_system(theme, qapp, qtbot):
    with qtbot.waitSignal(theme.changed):
        theme.choose(DARK)

    assert theme.is_dark
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme.color("window")


def test_system_s_scheme_is_followed_only_when_asked(theme, monkeypatch):
    """The offscreen platform has no scheme of its own: the answer of the system is put in its place."""
    hints = QGuiApplication.styleHints()
    monkeypatch.setattr("gpuconfig_app.ui.theme._system_name", lambda: DARK)
    theme.choose(LIGHT)
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    stayed = theme.name
    theme.choose(SYSTEM)
    followed = theme.name
    monkeypatch.setattr("gpuconfig_app.ui.theme._system_name", lambda: LIGHT)
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)

    assert (stayed, followed, theme.name) == (LIGHT, DARK, LIGHT)


def test_chinese_type_is_never_below_12_and_never_medium(theme):
    theme.choose(LIGHT, is_chinese=True)

    assert theme.font("caption").pixelSize() == 12
    assert theme.font("small_strong").weight() == QFont.Weight.DemiBold


def test_english_type_follows_the_scale_with_tabular_digits(theme):
    font = theme.font("caption")

    assert font.pixelSize() == 11
    assert font.featureValue(QFont.Tag("tnum")) == 1
    assert theme.font("body", 600).weight() == QFont.Weight.DemiBold


def test_bundled_face_is_always_among_the_families(theme):
    assert load_bundled_family() == "GPUConfig Sans"
    assert "GPUConfig Sans" in ui_families()


@pytest.mark.parametrize("name", ["gpuconfig-sans-regular.otf", "gpuconfig-sans-bold.otf"])
def test_bundled_face_has_every_character_of_the_product(theme, name):
    path = resource_path("fonts", name)
    face = QRawFont(str(path), 16.0)
    needed: set[str] = set()
    for source in (*(ROOT / "resources" / "text").glob("*.toml"), *(ROOT / "resources" / "i18n").glob("*.ts")):
        needed |= set(source.read_text(encoding="utf-8"))
    for template in (ROOT / "resources" / "templates").glob("*/template.toml"):
        needed |= set(str(tomllib.loads(template.read_text(encoding="utf-8"))))

    missing = {sign for sign in needed if sign.isprintable() and not face.supportsCharacter(ord(sign))}

    assert not missing


def test_bundled_faces_stay_small():
    sizes = [path.stat().st_size for path in resource_path("fonts").glob("*.otf")]

    assert sum(sizes) < 3 * 1024**2
    assert resource_path("fonts", "OFL.txt").exists()


def test_there_is_one_theme_for_the_application(theme):
    assert current_theme() is theme
