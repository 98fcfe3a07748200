"""Icons: every one that the code names is there, in the colour of its place."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QColor, QImage

from gpuconfig_app.resources import resource_path
from gpuconfig_app.ui.icons import app_icon, icon_pixmap, make_icon
from gpuconfig_app.ui.pages import PAGES
from gpuconfig_app.ui.theme import load_tokens
from tests.source_files import ROOT

RED = QColor("#ff0000")


def _colors(image: QImage) -> set[str]:
    found = set()
    for x in range(image.width()):
        for y in range(image.height()):
            color = image.pixelColor(x, y)
            if color.alpha() > 200:
                found.add(color.name())
    return found


def test_severities_and_pages_have_icons():
    named = {*load_tokens().severity_icons.values(), *(spec.icon for spec in PAGES)}

    assert [name for name in named if not resource_path("icons", f"{name}.svg").exists()] == []


def test_icons_named_in_the_code_exist():
    words = {path.stem for path in resource_path("icons").glob("*.svg")}
    asked = set()
    for path in (ROOT / "gpuconfig_app" / "ui").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        asked |= set(re.findall(r'(?:icon_pixmap|make_icon|IconLabel|square_button)\(\s*"([a-z0-9-]+)"', text))
        asked |= set(re.findall(r'icon_name="([a-z0-9-]+)"', text))

    assert asked - words == set()


def test_icon_takes_the_color(theme):
    image = icon_pixmap("circle-check", 32, RED, 1.0).toImage()

    assert _colors(image) == {"#ff0000"}


@pytest.mark.parametrize(("ratio", "side"), [(1.0, 16), (1.5, 24), (2.0, 32)])
def test_icon_is_sharp_at_any_pixel_ratio(theme, ratio, side):
    picture = icon_pixmap("copy", 16, RED, ratio)

    assert picture.width() == side
    assert picture.deviceIndependentSize().width() == 16


def test_icon_is_rendered_once(theme):
    first = icon_pixmap("copy", 16, RED, 1.0)

    assert icon_pixmap("copy", 16, RED, 1.0).cacheKey() == first.cacheKey()


def test_unknown_icon_is_a_mistake(theme):
    with pytest.raises(FileNotFoundError):
        icon_pixmap("no-such-icon", 16, RED, 1.0)


def test_gap_widens_the_icon_of_a_button(theme):
    icon = make_icon("copy", 16, RED, gap=4)

    assert icon.availableSizes()[0].width() == round(20 * icon_pixmap("copy", 16, RED).devicePixelRatio())


def test_program_s_icon_comes_in_all_sizes(theme):
    assert {size.width() for size in app_icon().availableSizes()} >= {16, 32, 48, 256}
    assert resource_path("icons", "app", "gpuconfig.svg").exists()


def test_licence_lies_beside_the_icons():
    assert "ISC" in resource_path("icons", "LICENSE").read_text(encoding="utf-8")
