"""From a card, its readings and the verdict to the words of its card: worst state first, never an invented number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.finding import Verdict
from gpuconfig_app.core.gpu import GpuProcess, GpuState, MigInstance, Vendor
from gpuconfig_app.core.messages import Language, Message
from gpuconfig_app.core.sample import Liveness, Metric
from gpuconfig_app.core.system import MemoryInfo
from gpuconfig_app.core.units import GIB
from gpuconfig_app.ui.card_tracker import CardTracker, DeviceReadings
from gpuconfig_app.ui.card_words import age_text, cards_in_words, plate_memory, short_name
from gpuconfig_app.ui.models.card_facts import CardContext, CardFactsMaker
from gpuconfig_app.ui.widgets.gpu_card_facts import CardReading, CardState
from tests.ui.fakes_ui import NOW, make_compat, make_gpu, make_sample, make_silence


@pytest.fixture
def make_facts(state):
    maker = CardFactsMaker(state.text, state)

    def make(gpu=None, samples=(), now=NOW, **context):
        tracker = CardTracker()
        tracker.take(samples)
        gpu = gpu or make_gpu()
        known = CardContext(language=Language.ENGLISH, drivers={Vendor.NVIDIA: "580.126.09"}, now=now, **context)
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
        ("Navi 22 [Radeon RX 6700/6700 XT / 6800M]", "RX 6700/6700 XT / 6800M"),
        ("Arcturus GL-XL [Instinct MI100]", "MI100"),
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


def test_card_of_another_maker_does_not_show_the_nvidia_driver(make_facts):
    gpu = replace(make_gpu(1), vendor=Vendor.INTEL)

    assert "580.126.09" not in make_facts(gpu).details


SHARED = {"memory_total_bytes": None, "memory_used_bytes": None, "memory_free_bytes": None, "memory_is_shared": True}
HOST_MEMORY = MemoryInfo(total_bytes=128 * GIB, available_bytes=120 * GIB)


def test_gpu_without_memory_of_its_own_shows_the_systems_and_calls_it_shared(make_facts):
    sample = make_sample(values={Metric.UTILIZATION_PCT: 1.0})

    facts = make_facts(replace(make_gpu(), **SHARED), [sample], is_recorded=True, host_memory=HOST_MEMORY)

    assert (facts.memory_used, facts.memory_total) == ("8.0", "128.0 GiB shared")
    assert facts.memory_share == 8 / 128


def test_what_a_live_machine_used_at_its_survey_is_not_shown_as_now(make_facts):
    sample = make_sample(values={Metric.UTILIZATION_PCT: 1.0})

    facts = make_facts(replace(make_gpu(), **SHARED), [sample], host_memory=HOST_MEMORY)

    assert (facts.memory_used, facts.memory_total, facts.memory_share) == ("", "128.0 GiB shared", None)
