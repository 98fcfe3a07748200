"""From runs to what later plans use; the runs are constructed, see tests/data/measured_runs/README.md."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.calibration import Calibration
from gpuconfig_app.core.gpu import Gpu, MigInstance, Vendor
from gpuconfig_app.core.plan import PlannedDevice, TrainingPlan
from gpuconfig_app.core.run_result import RunKind, RunRecord
from gpuconfig_app.core.system import CpuInfo, DriverInfo, HostInfo, MemoryInfo, OsFamily, OsInfo, SystemReport
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.core.workload import Optimizer, Precision, StrategyKind, Workload
from gpuconfig_app.runner.training import read_result
from gpuconfig_app.storage.measured_runs import forget_measured_runs, save_measured_run
from gpuconfig_app.storage.places import Places, user_places
from gpuconfig_app.storage.runs import RunFolder, save_record
from gpuconfig_app.workbench.measured_runs import (
    Kept,
    about_plan,
    find_measured,
    is_as_generated,
    keep_measured,
    take_finished,
)
from tests.unit.scriptgen.cases import load_cases

CARD = Gpu(index=0, vendor=Vendor.NVIDIA, name="NVIDIA GeForce RTX 4090", uuid="GPU-1", memory_total_bytes=24564 * MIB)
REPORT = SystemReport(
    host=HostInfo(os=OsInfo(family=OsFamily.LINUX), cpu=CpuInfo(name="AMD EPYC 7763", usable_threads=8)),
    gpus=(CARD,),
    drivers=(DriverInfo(vendor=Vendor.NVIDIA, version="580.126.09"),),
)
PLAN = TrainingPlan(
    workload=Workload(
        template_id="image_classification",
        task="image_classification",
        model_id="efficientnetv2b0",
        model_options={"width": 32, "patience": 8},
        input_shape=(224, 224, 3),
        output_units=37,
        optimizer=Optimizer.ADAMW,
    ),
    devices=(PlannedDevice(index=0, name=CARD.name, uuid="GPU-1", memory_total_bytes=24564 * MIB),),
    strategy=StrategyKind.ONE_GPU,
    precision=Precision.MIXED_BFLOAT16,
    per_replica_batch=64,
    global_batch=64,
    tensorflow_version="2.21.0",
)
PEAK, FIRST = 4509715660, 4831838208


@pytest.fixture
def places() -> Places:
    return user_places()


@pytest.fixture
def runs(root: Path) -> Path:
    """Where the constructed runs lie."""
    return root / "tests" / "data" / "measured_runs"


def end_run(
    places: Places, metrics: Path, number: int = 1, driver_bytes: int | None = None, **changes: object
) -> RunFolder:
    """Write the folder of a run that has ended, as runner and watching probe leave it."""
    folder = RunFolder(places.runs / f"20261130-1200{number:02}-aaaaaa")
    folder.path.mkdir(parents=True)
    record = RunRecord(
        id=folder.id,
        kind=RunKind.TEST,
        started_at=1796040000.0 + 60 * number,
        template_id="image_classification",
        about=about_plan(PLAN, REPORT),
    )
    save_record(folder, replace(record, **changes))  # type: ignore[arg-type]  # keys are field names
    shutil.copy(metrics, folder.metrics)
    code = json.loads(metrics.read_bytes().splitlines()[-1])["code"] if metrics.stem != "not_a_number" else 0
    notes = {"exit_code": code, "reason": "ended", "duration_s": 55.0}
    folder.exit.write_text(json.dumps(notes), encoding="utf-8")
    if driver_bytes is not None:
        read_result(folder.path, gpu_peak_bytes=driver_bytes)
    return folder


def keep(places: Places, metrics: Path, number: int = 1, **changes: object) -> Kept:
    kept = keep_measured(places, end_run(places, metrics, number, **changes).id)
    assert kept is not None
    return kept


def find(places: Places, report: SystemReport = REPORT, tensorflow: str | None = "2.21.0") -> tuple[Calibration, ...]:
    return find_measured(places, report, tensorflow, "image_classification")


def test_a_run_is_kept_with_everything_it_depends_on(places, runs) -> None:
    kept = keep(places, runs / "growth.jsonl", driver_bytes=5 * GIB)

    assert kept.message.id == "workbench.measured-kept"
    assert find(places) == (kept.run,)
    assert kept.run == Calibration(
        gpu_name="NVIDIA GeForce RTX 4090",
        device_bytes=24564 * MIB,
        driver="580.126.09",
        tensorflow="2.21.0",
        template_id="image_classification",
        model_id="efficientnetv2b0",
        model_options={"width": 32, "patience": 8},
        output_units=37,
        precision=Precision.MIXED_BFLOAT16,
        optimizer=Optimizer.ADAMW,
        input_shape=(224, 224, 3),
        per_replica_batch=64,
        peak_bytes=PEAK,
        first_peak_bytes=FIRST,
        driver_bytes=5 * GIB,
        regime="growth",
        step_s=0.081,
        step_deviation=pytest.approx(0.035),
        steps=35,
        measured_at="2026-11-30T12:01:55+00:00",
        run_id="20261130-120001-aaaaaa",
    )
    assert kept.run.is_about(PLAN.workload, CARD.name, "2.21.0")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("one_region", {"regime": "one_region", "peak_bytes": 4617089843, "first_peak_bytes": 6442450944}),
        ("limit", {"regime": "limit"}),
        ("xla", {"jit_compile": True, "peak_bytes": 5261334937, "step_s": 0.059}),
        ("float32", {"precision": Precision.FLOAT32, "peak_bytes": 5905580032}),
        ("autotune_scratch", {"peak_bytes": PEAK, "first_peak_bytes": 8804682957}),
        ("accumulating", {"per_replica_batch": 64, "accumulation_steps": 4, "replicas": 1, "step_s": 0.083}),
        ("two_cards", {"per_replica_batch": 64, "accumulation_steps": 1, "replicas": 2, "step_s": 0.094}),
        ("two_cards_accumulating", {"per_replica_batch": 64, "accumulation_steps": 2, "replicas": 2, "step_s": 0.095}),
        ("few_samples", {"per_replica_batch": 48, "peak_bytes": 3650722201}),
        ("ten_steps", {"steps": 8, "peak_bytes": PEAK, "step_s": None}),
        ("stopped", {"steps": 35, "peak_bytes": PEAK}),
        ("nameless_card", {"peak_bytes": PEAK}),
        ("not_counted", {"peak_bytes": None, "first_peak_bytes": None, "step_s": 0.081}),
        ("absurd_peak", {"peak_bytes": None, "first_peak_bytes": None, "step_s": 0.081}),
        ("absurd_times", {"step_s": None, "step_deviation": None, "peak_bytes": PEAK}),
        ("not_a_number", {"step_s": None, "step_deviation": None, "first_peak_bytes": None, "peak_bytes": PEAK}),
    ],
)
def test_what_the_script_really_did_counts_not_what_was_planned(places, runs, name, wanted) -> None:
    kept = keep(places, runs / f"{name}.jsonl")

    assert kept.run is not None
    assert {key: getattr(kept.run, key) for key in wanted} == pytest.approx(wanted)
    assert find(places) == (kept.run,)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("short", "measured-too-short"),
        ("old_script", "measured-too-short"),
        ("other_card", "measured-elsewhere"),
        ("on_the_processor", "measured-elsewhere"),
        ("nothing_true", "measured-nothing"),
    ],
)
def test_a_run_that_says_nothing_of_the_planned_job_is_not_kept_and_says_why(places, runs, name, why) -> None:
    kept = keep(places, runs / f"{name}.jsonl")

    assert kept == Kept(None, kept.message)
    assert kept.message.id == f"workbench.{why}"
    assert find(places) == ()


@pytest.mark.parametrize(("name", "batch"), [("out_of_memory", 512), ("out_of_memory_later", 448)])
def test_a_run_out_of_memory_is_kept_with_its_batch_and_nothing_else(places, runs, name, batch) -> None:
    kept = keep(places, runs / f"{name}.jsonl")

    assert kept.run is not None
    assert kept.run.ran_out_of_memory
    assert kept.run.per_replica_batch == batch
    assert (kept.run.peak_bytes, kept.run.step_s, kept.run.steps) == (None, None, 0)
    assert kept.message.params == {"batch": batch}


def test_a_failure_counts_until_the_same_job_ran_with_as_much(places, runs) -> None:
    about = about_plan(PLAN, REPORT)
    keep(places, runs / "out_of_memory.jsonl")
    keep(places, runs / "growth.jsonl", 2)
    failed = [item.per_replica_batch for item in find(places) if item.ran_out_of_memory]
    other = replace(about, precision=Precision.FLOAT32, per_replica_batch=600, run_id="3", measured_at="2027-01-01")
    save_measured_run(places, other)
    still = [item.per_replica_batch for item in find(places) if item.ran_out_of_memory]
    save_measured_run(places, replace(about, per_replica_batch=512, run_id="4", measured_at="2027-01-02"))

    assert failed == still == [512]
    assert [item for item in find(places) if item.ran_out_of_memory] == []


def test_a_driver_that_saw_less_than_tensorflow_used_saw_something_else(places, runs) -> None:
    kept = keep(places, runs / "growth.jsonl", driver_bytes=600 * MIB)

    assert kept.run is not None
    assert kept.run.driver_bytes is None


def other_driver(version: str | None) -> SystemReport:
    return replace(REPORT, drivers=(DriverInfo(vendor=Vendor.NVIDIA, version=version),))


@pytest.mark.parametrize(
    ("report", "tensorflow"),
    [
        (replace(REPORT, recorded_from="training-2x4090"), "2.21.0"),
        (other_driver("570.00"), "2.21.0"),
        (other_driver(None), "2.21.0"),
        (replace(REPORT, gpus=(replace(CARD, name="NVIDIA GeForce RTX 4080"),)), "2.21.0"),
        (replace(REPORT, gpus=()), "2.21.0"),
        (REPORT, "2.20.0"),
        (REPORT, None),
    ],
)
def test_another_machine_driver_card_or_release_never_uses_it(places, runs, report, tensorflow) -> None:
    keep(places, runs / "growth.jsonl")

    assert find(places, report, tensorflow) == ()


def test_a_processor_is_told_by_its_name_and_threads(places, runs) -> None:
    plan = replace(PLAN, devices=(), strategy=StrategyKind.CPU)
    keep(places, runs / "on_the_processor.jsonl", about=about_plan(plan, REPORT))
    fewer = replace(REPORT, host=replace(REPORT.host, cpu=CpuInfo(name="AMD EPYC 7763", usable_threads=2)))

    (found,) = find(places)

    assert (found.gpu_name, found.processor, found.threads, found.regime) == (None, "AMD EPYC 7763", 8, "host")
    assert found.is_about(plan.workload, None, "2.21.0")
    assert find(places, fewer) == ()


def test_a_peak_above_the_main_memory_was_not_measured_here(places) -> None:
    plan = replace(PLAN, devices=(), strategy=StrategyKind.CPU)
    about = about_plan(plan, REPORT)
    assert about is not None
    save_measured_run(
        places, replace(about, peak_bytes=64 * GIB, step_s=0.1, steps=40, run_id="20261130-120000-aaaaaa")
    )

    def with_memory(total_bytes: int | None) -> SystemReport:
        return replace(REPORT, host=replace(REPORT.host, memory=MemoryInfo(total_bytes=total_bytes)))

    assert find(places, with_memory(32 * GIB)) == ()
    assert len(find(places, with_memory(128 * GIB))) == 1
    assert len(find(places, with_memory(None))) == 1


def test_nothing_is_kept_of_a_device_that_cannot_be_named() -> None:
    processor = replace(PLAN, devices=())
    nameless = replace(REPORT, gpus=(replace(CARD, name=None),), host=HostInfo(os=OsInfo(family=OsFamily.LINUX)))
    other = replace(PLAN, devices=(replace(PLAN.devices[0], uuid=None, name="NVIDIA A100"),))

    assert about_plan(PLAN, nameless) is None
    assert about_plan(processor, nameless) is None
    assert about_plan(other, REPORT) is None
    assert about_plan(PLAN, replace(REPORT, recorded_from="somewhere")) is None


def test_a_slice_is_told_from_its_card() -> None:
    card = replace(CARD, mig_instances=(MigInstance(index=0, uuid="MIG-1", profile="1g.5gb"),))
    device = PlannedDevice(
        index=0, name=f"{CARD.name} MIG 1g.5gb", uuid="MIG-1", mig_index=0, memory_total_bytes=5 * GIB
    )

    about = about_plan(replace(PLAN, devices=(device,)), replace(REPORT, gpus=(card,)))

    assert about is not None
    assert (about.gpu_name, about.device_bytes) == (CARD.name, 5 * GIB)


def test_trainings_that_ended_unseen_are_taken_once(places, runs) -> None:
    training = end_run(places, runs / "stopped.jsonl", kind=RunKind.TRAINING)
    unread = end_run(places, runs / "growth.jsonl", 2)  # its watcher still reads the driver's figure
    smoke = end_run(places, runs / "growth.jsonl", 3, kind=RunKind.SMOKE, about=None)

    take_finished(places)
    found = find(places)
    forget_measured_runs(places)
    take_finished(places)

    assert [item.run_id for item in found] == [training.id]
    assert find(places) == ()
    assert [folder.measured.exists() for folder in (training, unread, smoke)] == [True, False, True]


def test_a_run_without_a_plan_measures_nothing_for_plans(places, runs) -> None:
    folder = end_run(places, runs / "growth.jsonl", about=None)

    assert keep_measured(places, folder.id) is None


def test_a_disk_that_cannot_be_written_is_told_and_ends_nothing(places, runs) -> None:
    places.data.mkdir(parents=True)
    (places.data / "measured").write_text("", encoding="utf-8")

    kept = keep(places, runs / "growth.jsonl")

    assert kept.run is None
    assert kept.message.id.startswith("core.")


def test_a_script_that_was_changed_by_hand_is_known(tmp_path: Path) -> None:
    case = next(case for case in load_cases() if case.id == "image_classification-small_cnn_on_cpu")
    bundle = case.bundle()
    for file in bundle.files:
        (tmp_path / file.name).write_text(file.content, encoding="utf-8", newline="\n")

    assert is_as_generated(tmp_path)
    (tmp_path / "train.py").write_text(bundle.file("train.py").content + "\n# mine\n", encoding="utf-8")
    assert not is_as_generated(tmp_path)
    (tmp_path / "plan.json").unlink()
    assert not is_as_generated(tmp_path)
