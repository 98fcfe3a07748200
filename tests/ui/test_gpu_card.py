"""The GPU card: every state painted in every form, words for screen readers, keyboard; the curve that is shifted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent

from gpuconfig_app.ui.theme import DARK, LIGHT
from gpuconfig_app.ui.widgets.gpu_card import CardForm, GpuCard
from gpuconfig_app.ui.widgets.gpu_card_facts import CardReading, CardState, GpuCardFacts

LIVE = GpuCardFacts(
    index="0",
    name="NVIDIA GeForce RTX 4090",
    short_name="GeForce RTX 4090",
    details="24 GB",
    badge_severity="good",
    badge="Training",
    memory_used="18.6",
    memory_total="24.0 GiB",
    memory_share=0.78,
    utilization=CardReading("97", "%"),
    temperature=CardReading("67", "°C", "limit 90 °C"),
    power=CardReading("402", "W", "limit 450 W"),
    process="python train.py",
    process_memory="18.1 GiB",
)
STATES = {
    "live": LIVE,
    "stale": replace(LIVE, state=CardState.STALE, badge_severity="stale", badge="Stale: 8 s old", stale_s=8.0),
    "loading": replace(LIVE, state=CardState.LOADING, badge_severity="loading", badge="Loading"),
    "lost": replace(
        LIVE, state=CardState.SENTENCE, badge_severity="blocked", badge="Lost", frame="blocked",
        sentence="No longer answers.", footnote="Memory, power, heat: no reading",
    ),
    "hot": replace(LIVE, frame="warning", temperature=CardReading("91", "°C", severity="warning")),
    "absent": replace(
        LIVE, memory_used="", memory_total="", memory_share=None,
        utilization=CardReading(unit="%", absent="Not supported by this card"), power=CardReading(unit="W"),
        process="",
    ),
}  # fmt: skip


@pytest.fixture
def card(theme, qtbot):
    made = GpuCard("0")
    qtbot.addWidget(made)
    made.resize(520, made.height())
    return made


@pytest.mark.parametrize("theme_name", [LIGHT, DARK])
@pytest.mark.parametrize("form", list(CardForm))
@pytest.mark.parametrize("name", list(STATES))
def test_every_state_is_painted_in_every_form(card, theme, theme_name, form, name):
    theme.choose(theme_name)
    card.set_form(form)
    card.curve.set_points([(float(second), 90.0) for second in range(60)])
    card.show_facts(STATES[name])

    image = card.grab().toImage()

    shown = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    assert theme.color("surface").name() in shown
    assert len(shown) > 8


@pytest.mark.parametrize(("name", "token"), [("lost", "blocked.border"), ("hot", "warning.border"), ("live", "border")])
def test_border_tells_the_worst(card, theme, name, token):
    card.show_facts(STATES[name])

    image = card.grab().toImage()

    assert image.pixelColor(image.width() // 2, 0).name() == theme.color(token).name()


def test_memory_bar_is_grey_when_stale(card, theme):
    card.show_facts(STATES["stale"])

    image = card.grab().toImage()

    colors = {image.pixelColor(x, 97).name() for x in range(image.width())}
    assert theme.color("metric.memory").name() not in colors
    assert theme.color("text_muted").name() in colors


def test_card_is_described_for_screen_readers(card):
    card.show_facts(LIVE)
    live = card.accessibleDescription()
    card.show_facts(STATES["lost"])

    assert card.accessibleName() == "GPU 0, NVIDIA GeForce RTX 4090, Lost"
    assert "Utilisation 97 %" in live
    assert "Temperature 67 °C" in live
    assert "18.6" not in card.accessibleDescription()


def test_enter_and_double_click_open(card, qtbot):
    opened = []
    card.opened.connect(opened.append)

    card.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier))
    qtbot.mouseDClick(card, Qt.MouseButton.LeftButton)

    assert opened == ["0", "0"]


def test_ring_is_shown_only_for_the_keyboard(card, theme):
    card.focusInEvent(QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.MouseFocusReason))
    by_mouse = card.grab().toImage().pixelColor(card.width() // 2, 0).name()
    card.focusInEvent(QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    by_key = card.grab().toImage().pixelColor(card.width() // 2, 0).name()

    assert by_mouse == theme.color("border").name()
    assert by_key == theme.color("focus").name()
