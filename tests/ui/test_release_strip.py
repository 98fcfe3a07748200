"""Every word of the release strip has its room, however narrow."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from gpuconfig_app.ui.theme import current_theme
from gpuconfig_app.ui.widgets import release_strip as module
from gpuconfig_app.ui.widgets.release_strip import ReleaseShown, ReleaseStrip


@pytest.mark.parametrize("width", [700, 1010, 1600])
def test_words_of_the_strip_are_never_cut(show_strip, texts_in, width):
    strip = show_strip(width)

    assert texts_in(strip) == []


@pytest.fixture
def show_strip(theme, qtbot):
    def make(width: int) -> ReleaseStrip:
        strip = ReleaseStrip()
        qtbot.addWidget(strip)
        strip.show_releases(
            [
                *(ReleaseShown(f"2.{number}", "blocked", "No wheel", "Needs Python 3.7–3.10") for number in (10, 11)),
                *(ReleaseShown(f"2.{number}", "blocked", "No wheel", "Needs Python 3.8–3.11") for number in (12, 13)),
                *(ReleaseShown(f"2.{number}", "note", "Works, with a note", "needs NumPy 1") for number in (14, 15)),
                *(ReleaseShown(f"2.{number}", "good", "Works") for number in range(16, 22)),
                ReleaseShown("2.22", "note", "Works, with a note", "Preview"),
            ]
        )
        strip.resize(width, strip.height())
        strip.show()
        return strip

    return make


@pytest.fixture
def texts_in():
    """Parts of a strip whose text needs more room than it has."""

    def find(strip: ReleaseStrip) -> list[str]:
        cut = []
        metrics = QFontMetricsF(current_theme().font("caption"))
        column = strip.width() / len(strip.releases)
        for group in strip.groups:
            for part in module._parts(group):
                text = part[0].reason if strip._has_badge(group) else module._whole_text(part[0])
                room = QRectF(0, 0, column * len(part) - 2 * module._SIDE, 1000)
                needed = metrics.boundingRect(room, module._CENTERED, text)
                height = strip.height() - module._NAMES - module._BADGE
                if needed.height() > height or needed.width() > room.width() + 1:
                    cut.append(text)
        return cut

    return find


@pytest.mark.parametrize("width", [700, 1010, 1600])
def test_word_without_room_stands_below_its_icon_in_full(show_strip, texts_drawn, width):
    strip = show_strip(width)

    strip.grab()

    assert not [text for text in texts_drawn if text.endswith("…")]
    assert "Works, with a note. Preview" in texts_drawn
