"""Damaged output of tools: cut, shuffled, doubled, noisy. It is read or refused, and unknown never becomes 0."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuconfig_app.hardware.readings import REASONED_FIELDS
from gpuconfig_app.hardware.tool_output import recognise_output
from gpuconfig_app.hardware.tool_text import decode_tool_output, number_in, plain_text

DATA = Path(__file__).resolve().parents[2] / "data"
RECORDED = sorted(
    path for folder in ("nvidia_smi", "vendor_tools") for path in (DATA / folder).iterdir() if path.suffix != ".md"
)


def never_zero_for_unknown(text: str) -> None:
    """What came out is whole: no amount of 0 where there can be none, and a reason for everything that is missing."""
    for output in recognise_output(text):
        for gpu in output.result.gpus:
            assert gpu.memory_total_bytes is None or gpu.memory_total_bytes > 0
            assert gpu.power_limit_w is None or gpu.power_limit_w > 0
            assert not [name for name in REASONED_FIELDS if getattr(gpu, name) is None and name not in gpu.absent]
            assert all(one.memory_total_bytes is None or one.memory_total_bytes > 0 for one in gpu.mig_instances)
        for readings in output.readings:
            assert not set(readings.values) & set(readings.absent)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_recorded_answers_never_turn_unknown_into_zero(path):
    never_zero_for_unknown(decode_tool_output(path.read_bytes()))


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_cut_or_shuffled_answer_is_read_or_refused(data):
    text = data.draw(st.sampled_from(RECORDED)).read_text(encoding="utf-8")[:40_000]
    lines = text.splitlines()
    how = data.draw(st.sampled_from(["cut", "shuffled", "doubled", "without", "noise"]))
    if how == "cut":
        start = data.draw(st.integers(0, len(text)))
        text = text[start : data.draw(st.integers(start, len(text)))]
    elif how == "shuffled":
        text = "\n".join(data.draw(st.permutations(lines[:120])))
    elif how == "doubled":
        text = f"{text}\n{text}"
    elif how == "without":
        gone = data.draw(st.sets(st.integers(0, max(0, len(lines) - 1)), max_size=20))
        text = "\n".join(line for number, line in enumerate(lines) if number not in gone)
    else:
        place = data.draw(st.integers(0, len(text)))
        text = text[:place] + data.draw(st.text(max_size=40)) + text[place:]

    never_zero_for_unknown(plain_text(text))


@given(st.binary(max_size=400))
def test_any_bytes_are_decoded(data):
    recognise_output(decode_tool_output(data))


@given(st.text(max_size=60))
def test_words_are_no_numbers(text):
    value = number_in(text)

    assert value is None or any(sign.isdigit() for sign in text)


@pytest.mark.parametrize(
    "raw", ["", "N/A", "None", None, True, "unknown", "-", "1.2.3", "0x10", "5 apples", "nan", "inf"]
)
def test_no_numbers(raw):
    assert number_in(raw) is None


@pytest.mark.parametrize(
    ("raw", "value"),
    [("45.0", 45), ("(480Mhz)", 480), ("45.0c", 45), ("45.0°C", 45), ("12%", 12), ("6.0W", 6), (7, 7), ("-3", -3)],
)
def test_numbers_with_their_unit(raw, value):
    assert number_in(raw) == value


@pytest.mark.parametrize(
    "text",
    [" " * 2_000_000, "\n" * 2_000_000, " \n" * 500_000, "| " * 500_000, "A" * 1_000_000, "=" * 500_000,
     '{"card0": ' * 50_000, '"card0":{' * 50_000, "nvidia-smi " * 50_000, "GPU 0: " + "x " * 200_000,
     "<nvidia_smi_log>" + "<gpu>" * 50_000, "\x1b[3" * 100_000, "> " * 300_000],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_hostile_text_is_read_or_refused_in_the_time_of_its_length(text):
    never_zero_for_unknown(plain_text(text))
