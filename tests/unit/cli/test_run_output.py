"""What a test run prints: measured beside predicted, and why a number could not be measured."""

from __future__ import annotations

from gpuconfig_app.cli.output import Output
from gpuconfig_app.cli.run import _compared
from gpuconfig_app.core.messages import Language, Message
from gpuconfig_app.core.plan import Interval
from gpuconfig_app.core.run_result import Compared
from gpuconfig_app.core.units import MIB
from gpuconfig_app.workbench.text import load_texts

PREDICTED = Interval(low=15 * MIB, expected=79 * MIB, high=207 * MIB)


def shown(item: Compared) -> str:
    return _compared(item, Output(load_texts(), is_json=False, language=Language.ENGLISH))


def test_measured_stands_beside_predicted():
    item = Compared(id="memory_peak_bytes", predicted=PREDICTED, measured=80 * MIB, is_inside=True)

    assert shown(item) == "80 MiB measured, 15 MiB – 207 MiB predicted"


def test_what_was_not_measured_is_not_called_measured():
    reason = Message("runner.no-memory-count-on-cpu")
    item = Compared(id="memory_peak_bytes", predicted=PREDICTED, reason=reason)

    assert shown(item).startswith("15 MiB – 207 MiB predicted, not measured. ")
    assert shown(item).endswith(".")


def test_a_number_without_prediction_stands_alone():
    assert shown(Compared(id="step_s", measured=0.018)) == "18 ms"
