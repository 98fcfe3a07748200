"""The GPU card: every state painted in every form, words for screen readers, keyboard; the curve that is shifted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QImage, QKeyEvent, QPainter

from gpuconfig_app.core.finding import Verdict
from gpuconfig_app.core.gpu import GpuProcess, GpuState, MigInstance
from gpuconfig_app.core.messages import Language, Message
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.ui.card_tracker import CardTracker, DeviceReadings
from gpuconfig_app.ui.card_words import age_text, cards_in_words, plate_memory, short_name
from gpuconfig_app.ui.models.card_facts import CardContext, CardFactsMaker
from gpuconfig_app.ui.theme import DARK, LIGHT
from gpuconfig_app.ui.widgets.card_grid import CardGrid
from gpuconfig_app.ui.widgets.gpu_card import CardForm, GpuCard
from gpuconfig_app.ui.widgets.gpu_card_facts import CardReading, CardState, GpuCardFacts
from gpuconfig_app.ui.widgets.spark_curve import SparkCurve
from tests.ui.fakes_ui import NOW, make_compat, make_gpu, make_minute, make_sample, make_silence

GREEN = QColor("#00ff00")
GREY = QColor("#808080")
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


# --- from readings to facts


@pytest.fixture
def make_facts(state):
    maker = CardFactsMaker(state.text, state)

    def make(gpu=None, samples=(), now=NOW, **context):
        tracker = CardTracker()
        tracker.take(samples)
        gpu = gpu or make_gpu()
        known = CardContext(language=Language.ENGLISH, driver="580.126.09", now=now, **context)
        return maker.make(gpu, tracker.readings(str(gpu.index)), known)

    return make


def test_details_name_memory_capability_driver_and_link(make_facts):
    facts = make_facts(samples=[make_sample()])

    assert facts.details == "24 GB · compute capability 8.9 · driver 580.126.09 · PCIe 4.0 ×16"
    assert facts.short_details == "24 GB · capability 8.9 · driver 580.126.09"


@pytest.mark.parametrize(
    ("busy_pct", "kind", "word"),
    [(97.0, "compute", "Training"), (97.0, "graphics", "Busy"), (2.0, "compute", "Idle")],
)
def test_badge_of_a_card_that_answers(make_facts, busy_pct, kind, word):
    sample = make_sample(
        values={Metric.UTILIZATION_PCT: busy_pct}, processes=(GpuProcess(pid=1, kind=kind, memory_used_bytes=1),)
    )

    assert make_facts(samples=[sample]).badge == word


def test_heat_goes_before_work(make_facts):
    facts = make_facts(samples=[make_sample(throttle_reasons=("thermal",))])

    assert (facts.badge, facts.frame) == ("Slowed: heat", "warning")


def test_power_cap_under_full_load_is_no_warning(make_facts):
    assert make_facts(samples=[make_sample(throttle_reasons=("power_cap",))]).badge == "Training"


def test_card_that_tensorflow_cannot_use_says_so(make_facts):
    facts = make_facts(samples=[make_sample()], compat=make_compat(Verdict.BLOCKED))

    assert facts.badge == "TensorFlow cannot use it"


def test_missing_reading_has_its_reason_and_is_never_zero(make_facts):
    reason = Message("core.disk-full-hint")
    sample = make_sample(values={Metric.TEMPERATURE_C: 50.0}, absent={Metric.UTILIZATION_PCT: reason})

    facts = make_facts(gpu=make_gpu(memory_used_bytes=None), samples=[sample])

    assert facts.utilization == CardReading("", "%", absent="Free some space and try again.")
    assert facts.memory_used == ""
    assert facts.memory_share is None
    assert facts.badge == "Load not known"


def test_stale_card_keeps_its_readings_with_their_age(make_facts):
    facts = make_facts(samples=[make_sample(), make_silence(0, 3.0)], now=NOW + 8)

    assert facts.state is CardState.STALE
    assert facts.badge == "Stale: 8 s old"
    assert facts.temperature.number == "67"


def test_lost_card_shows_no_old_numbers(make_facts):
    gone = make_sample(0, 5.0, values={}, liveness=Liveness.LOST, error=Message("core.disk-full-hint"))

    facts = make_facts(samples=[make_sample(), gone])

    assert facts.state is CardState.SENTENCE
    assert facts.sentence == "Free some space and try again."
    assert facts.memory_used == ""
    assert facts.footnote.startswith("Last readings ")


@pytest.mark.parametrize(
    ("gpu_state", "badge"),
    [
        (GpuState.LOST, "Lost"),
        (GpuState.DRIVER_MISSING, "No driver"),
        (GpuState.ASLEEP, "Asleep"),
        (GpuState.NO_PERMISSION, "Cannot be read"),
        (GpuState.FAILED, "Cannot be read"),
    ],
)
def test_card_without_readings_says_why(make_facts, gpu_state, badge):
    facts = make_facts(gpu=make_gpu(state=gpu_state, memory_used_bytes=None))

    assert (facts.state, facts.badge) == (CardState.SENTENCE, badge)
    assert facts.sentence


def test_card_that_never_answered(make_facts):
    facts = make_facts(gpu=make_gpu(state=GpuState.NO_ANSWER, memory_used_bytes=None))

    assert (facts.badge, facts.badge_severity) == ("No answer", "silent")


def test_first_readings_are_awaited(make_facts):
    assert make_facts(gpu=make_gpu(memory_used_bytes=None)).state is CardState.LOADING


def test_sliced_card_says_so(make_facts):
    gpu = make_gpu(mig_enabled=True, mig_instances=(MigInstance(index=0), MigInstance(index=1)))
    sample = make_sample(values={Metric.TEMPERATURE_C: 40.0})

    facts = make_facts(gpu=gpu, samples=[sample])

    assert facts.badge == "MIG on"
    assert facts.curve_absent == "2 slices instead of one card"


def test_largest_process_is_named(make_facts):
    processes = (
        GpuProcess(pid=1, name="Xorg", kind="graphics", memory_used_bytes=100),
        GpuProcess(pid=2, name="python", user="lin", memory_used_bytes=10 * 1024**3),
    )

    facts = make_facts(samples=[make_sample(processes=processes)])

    assert facts.process == "python · lin · PID 2 · 1 more"
    assert facts.process_memory == "10.0 GiB"


def test_temperature_at_its_limit_stands_out(make_facts):
    facts = make_facts(samples=[make_sample(values={Metric.TEMPERATURE_C: 89.5})])

    assert facts.temperature.severity == "warning"


# --- readings put together


def test_slow_readings_do_not_wipe_out_fast_ones():
    tracker = CardTracker()
    tracker.take([make_sample(), make_sample(0, 1.0, values={Metric.PCIE_TX_BYTES_S: 5.0})])

    assert tracker.readings("0").values[Metric.TEMPERATURE_C] == 67.0
    assert tracker.readings("0").read_at == NOW + 1


def test_silence_keeps_the_time_of_the_last_reading():
    tracker = CardTracker()
    tracker.take([make_sample(), make_silence(0, 9.0, Liveness.SILENT)])

    assert tracker.readings("0").read_at == NOW
    assert tracker.readings("0").said is Liveness.SILENT


def test_unknown_device_has_nothing():
    assert CardTracker().readings("7") == DeviceReadings()


def test_curve_keeps_a_minute():
    tracker = CardTracker()
    for second in range(200):
        tracker.take([make_sample(0, float(second))])

    assert 60 <= len(tracker.curve("0")) <= 66


# --- words


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("NVIDIA GeForce RTX 4090", "RTX 4090"),
        ("NVIDIA A100-SXM4-80GB", "A100 80 GB"),
        ("NVIDIA H100 80GB HBM3", "H100 80GB HBM3"),
        ("AMD Radeon RX 6700 XT", "RX 6700 XT"),
        ("Quadro P2000", "Quadro P2000"),
    ],
)
def test_short_names(name, short):
    assert short_name(name) == short


def test_unlike_cards_are_listed():
    gpus = (make_gpu(0), make_gpu(1, name="NVIDIA GeForce RTX 3060"), make_gpu(2))

    assert cards_in_words(gpus) == "2× RTX 4090, RTX 3060"


@pytest.mark.parametrize(("mib", "plate"), [(24564, "24 GB"), (81559, "80 GB"), (32607, "32 GB"), (11264, "11 GB")])
def test_name_plate_memory(mib, plate):
    assert plate_memory(make_gpu(memory_total_bytes=mib * 1024**2)) == plate


@pytest.mark.parametrize(("seconds", "text"), [(8, "8 s"), (99, "99 s"), (180, "3 min"), (7300, "2 h")])
def test_ages(seconds, text):
    assert age_text(seconds, Language.ENGLISH) == text


# --- curve


def _painted(curve: SparkCurve, until_s: float | None = None, color: QColor = GREEN) -> QImage:
    image = QImage(120, 40, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    curve.paint(painter, QRectF(0, 0, 120, 40), color, GREY, until_s)
    painter.end()
    return image


def _has_line(image: QImage, x: int) -> bool:
    return any(image.pixelColor(x, y).green() > 200 > image.pixelColor(x, y).red() for y in range(1, image.height()))


def test_shifted_curve_looks_like_a_redrawn_one():
    points = [(float(second), 50.0 + second % 7 * 5) for second in range(90)]
    shifted = SparkCurve()
    shifted.set_points(points[:60])
    _painted(shifted)
    for moment, value in points[60:]:
        shifted.add(moment, value)
    redrawn = SparkCurve()
    redrawn.set_points(points)

    first, second = _painted(shifted), _painted(redrawn)

    columns = [x for x in range(2, 118) if _has_line(first, x) != _has_line(second, x)]
    assert len(columns) < 6


def test_curve_stops_where_readings_stop():
    curve = SparkCurve()
    curve.set_points([(float(second), 80.0) for second in range(60)])

    image = _painted(curve, until_s=59.0 + 20.0)

    assert _has_line(image, 60)
    assert not _has_line(image, 110)


def test_curve_has_a_gap_where_nothing_was_read():
    curve = SparkCurve()
    curve.set_points([(float(second), 80.0) for second in (*range(20), *range(40, 60))])

    image = _painted(curve)

    assert _has_line(image, 110)
    assert not _has_line(image, 60)


def test_curve_forgets_what_has_left_the_picture():
    curve = SparkCurve()
    for second in range(500):
        curve.add(float(second), 1.0)

    assert len(curve.points) <= 67


def test_older_points_are_ignored():
    curve = SparkCurve()
    curve.add(5.0, 1.0)
    curve.add(4.0, 2.0)

    assert curve.points == ((5.0, 1.0),)


def test_sync_takes_only_news_and_clears_on_nothing():
    curve = SparkCurve()
    points = [(float(second), 1.0) for second in range(10)]
    curve.sync(points[:8])
    curve.sync(points)
    whole = curve.points
    curve.sync([])

    assert whole == tuple(points)
    assert curve.points == ()


# --- grid


@pytest.mark.parametrize(
    ("count", "width", "columns"), [(2, 1056, 2), (8, 1056, 3), (16, 1376, 4), (16, 2400, 4), (8, 744, 2), (3, 250, 1)]
)
def test_columns_follow_from_the_width(theme, qtbot, count, width, columns):
    grid = CardGrid(300, 4, 12)
    qtbot.addWidget(grid)
    grid.resize(width, 100)

    cards = [GpuCard(str(index)) for index in range(count)]
    grid.set_cards(cards)

    assert grid.columns == columns
    assert max(card.geometry().right() for card in cards) < width
    assert grid.heightForWidth(width) == -(-count // columns) * (230 + 12) - 12


def test_grid_drops_cards_that_are_gone(theme, qtbot):
    grid = CardGrid()
    qtbot.addWidget(grid)
    first, second = GpuCard("0"), GpuCard("1")
    grid.set_cards([first, second])

    grid.set_cards([second])

    assert grid.cards == (second,)
    assert not first.isVisible()


def test_minute_of_samples_is_a_minute():
    assert len(make_minute()) == 60
