"""What a test run prints: measured beside predicted, and why a number could not be measured."""

from __future__ import annotations

import json
import sys

from gpuconfig_app.cli.main import main
from gpuconfig_app.cli.output import Output
from gpuconfig_app.cli.run import _compared, _print_kept
from gpuconfig_app.core.calibration import Calibration
from gpuconfig_app.core.messages import Language, Message
from gpuconfig_app.core.plan import Interval
from gpuconfig_app.core.run_result import Compared
from gpuconfig_app.core.units import MIB
from gpuconfig_app.core.workload import Optimizer, Precision
from gpuconfig_app.scriptgen.write import write_bundle
from gpuconfig_app.workbench.measured_runs import Kept
from gpuconfig_app.workbench.text import load_texts
from tests.unit.runner.bundles import GOOD, make_bundle
from tests.unit.scriptgen.cases import load_cases

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


def test_what_is_kept_stands_beside_the_driver_s_figure_and_the_warm_up(capsys):
    run = Calibration(
        precision=Precision.FLOAT32,
        optimizer=Optimizer.ADAM,
        peak_bytes=80 * MIB,
        first_peak_bytes=120 * MIB,
        driver_bytes=700 * MIB,
        steps=35,
    )

    _print_kept(
        Kept(run, Message("workbench.measured-kept", {"steps": 35})),
        Output(load_texts(), is_json=False, language=Language.ENGLISH),
    )

    warm_up, driver, kept = capsys.readouterr().out.splitlines()
    assert warm_up == "  Memory while kernels were chosen: 120 MiB, afterwards: 80 MiB"
    assert "700 MiB" in driver
    assert kept.startswith("Measured over 35 steps and kept")


def test_a_script_that_is_not_what_its_plan_gives_corrects_no_plan(capsys, tmp_path):
    case = next(case for case in load_cases() if case.id == "image_classification-small_cnn_on_cpu")
    write_bundle(case.bundle(), tmp_path)
    make_bundle(tmp_path, GOOD)  # another train.py

    code = main(("run", str(tmp_path), "--python", sys.executable, "--json"), lambda: 0)

    shown = json.loads(capsys.readouterr().out)
    assert code == 0
    assert shown["state"] == "finished"
    assert shown["measured"]["run"] is None
    assert "by hand" in shown["measured"]["message"]["en"]
