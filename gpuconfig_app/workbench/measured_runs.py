"""What runs measure goes into later plans of this machine: described at the start, kept at the end, found again.

Only what a script as it was generated did on the device it was planned for counts, and only here: a recorded machine
has no measurements, and another card, driver, processor or TensorFlow never uses them.
"""

from __future__ import annotations

import json
import logging
import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from gpuconfig_app.core.calibration import Calibration
from gpuconfig_app.core.errors import GpuConfigError, StorageError
from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import PlannedDevice, TrainingPlan
from gpuconfig_app.core.run_result import RunKind, RunRecord, RunResult, RunState
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.workload import Precision
from gpuconfig_app.runner.script_events import Measured, ScriptEvents, read_events
from gpuconfig_app.runner.training import SCRIPT, read_result
from gpuconfig_app.runner.watched_process import is_watched
from gpuconfig_app.storage.measured_runs import load_measured_runs, save_measured_run
from gpuconfig_app.storage.places import Places, read_text, write_text
from gpuconfig_app.storage.runs import RunFolder, load_record, run_folders

logger = logging.getLogger(__name__)
EXIT_OUT_OF_MEMORY = 4
# Fewer steps than these say nothing of the worst moment, or of the usual time.
LEAST_STEPS, LEAST_TIMED_STEPS = 3, 10
# Runs looked through for ones that ended unseen.
RUNS_LOOKED_AT = 60


@dataclass(frozen=True)
class Kept:
    """Whether later plans will use what a run measured, and a sentence that says so."""

    run: Calibration | None
    message: Message


def about_plan(plan: TrainingPlan, report: SystemReport) -> Calibration | None:
    """Describe device and job of a plan on this machine; None when the device is not here or can't be named."""
    if report.recorded_from is not None:
        return None
    workload = plan.workload
    job = Calibration(
        tensorflow=plan.tensorflow_version,
        template_id=workload.template_id,
        model_id=workload.model_id,
        model_options=dict(workload.model_options),
        output_units=workload.output_units,
        precision=plan.precision,
        optimizer=workload.optimizer,
        input_shape=workload.input_shape,
        is_backbone_frozen=workload.is_backbone_frozen,
        jit_compile=plan.jit_compile,
        per_replica_batch=plan.per_replica_batch,
        accumulation_steps=plan.accumulation_steps,
        replicas=max(1, len(plan.devices)),
    )
    if not plan.devices:
        cpu = report.host.cpu
        return replace(job, processor=cpu.name, threads=cpu.usable_threads, regime="host") if cpu.name else None
    gpu = _gpu_of(plan.devices[0], report)
    if gpu is None or gpu.name is None:
        return None
    return replace(job, gpu_name=gpu.name, device_bytes=plan.devices[0].memory_total_bytes, driver=_driver(report, gpu))


def is_as_generated(folder: Path) -> bool:
    """Whether a bundle's script still is what its ``plan.json`` gives; a change by hand makes it another job."""
    from gpuconfig_app.scriptgen.generate import generate  # noqa: PLC0415  # a plan alone needs no templates
    from gpuconfig_app.scriptgen.templates import load_template  # noqa: PLC0415  # as above
    from gpuconfig_app.scriptgen.write import open_bundle  # noqa: PLC0415  # as above

    try:
        recipe = open_bundle(folder)
        bundle = generate(load_template(recipe.template_id), recipe.answers, recipe.plan, recipe.dataset)
        return read_text(folder / SCRIPT) == bundle.file(SCRIPT).content
    except (GpuConfigError, OSError):
        return False


def keep_measured(places: Places, run_id: str) -> Kept | None:
    """Keep what an ended run measured.

    Returns:
        None for a run that measures nothing for plans, or that still runs.

    Raises:
        UnusableFileError: There is no such run.
    """
    folder = RunFolder(places.runs / run_id)
    record = load_record(folder)
    if record.about is None or record.kind is RunKind.SMOKE:
        return None
    result = read_result(folder.path)
    if result.state is RunState.RUNNING:
        return None
    kept = measured_by(record, result, read_events(folder.metrics))
    if kept is None:
        return None
    if kept.run is not None:
        try:
            save_measured_run(places, kept.run)
        except StorageError as error:
            logger.warning("what run %s measured is not kept: %s", run_id, error)
            return Kept(None, error.message)
    _mark(folder, kept)
    return kept


def take_finished(places: Places) -> None:
    """Keep what runs measured that ended while nobody watched: trainings that outlived the window."""
    for folder in run_folders(places)[:RUNS_LOOKED_AT]:
        if folder.measured.exists():
            continue
        try:
            record = load_record(folder)
            if record.about is None:
                _mark(folder, None)
            elif folder.result.exists() or (record.kind is RunKind.TRAINING and not is_watched(record)):
                keep_measured(places, folder.id)
        except GpuConfigError as error:
            logger.warning("run %s: %s", folder.id, error)


def find_measured(
    places: Places, report: SystemReport, tensorflow: str | None, template_id: str
) -> tuple[Calibration, ...]:
    """Give what runs on this machine measured with its cards and processor as they are, newest first.

    A failure for want of memory no longer counts once the same job ran with that batch or a larger one.
    """
    if report.recorded_from is not None or tensorflow is None:
        return ()
    names = {gpu.name: _driver(report, gpu) for gpu in report.gpus if gpu.name}
    found: list[Calibration] = []
    for name, driver in names.items():
        runs, _ = load_measured_runs(places, name, tensorflow, template_id)
        found += [item for item in runs if item.gpu_name is not None and item.driver == driver]
    cpu = report.host.cpu
    if cpu.name:
        runs, _ = load_measured_runs(places, cpu.name, tensorflow, template_id)
        most = report.host.memory.total_bytes
        fitting = (item for item in runs if most is None or (item.peak_bytes or 0) <= most)
        found += [item for item in fitting if item.gpu_name is None and item.threads == cpu.usable_threads]
    found.sort(key=lambda item: item.measured_at, reverse=True)
    return tuple(item for place, item in enumerate(found) if not _is_overtaken(item, found[:place]))


def measured_by(record: RunRecord, result: RunResult, events: ScriptEvents) -> Kept | None:
    """Judge what an ended run measured."""
    about = record.about
    if about is None:
        return None
    run = _as_it_ran(about, events)
    if run is None:
        return Kept(None, Message("workbench.measured-elsewhere"))
    ended = datetime.fromtimestamp(record.started_at + (result.duration_s or 0.0), UTC)
    run = replace(run, measured_at=ended.isoformat(timespec="seconds"), run_id=record.id)
    if result.exit_code == EXIT_OUT_OF_MEMORY:
        message = Message("workbench.measured-out-of-memory", {"batch": run.per_replica_batch})
        return Kept(replace(run, ran_out_of_memory=True), message)
    measured = events.measured
    if measured is None or measured.steps < LEAST_STEPS:
        return Kept(None, Message("workbench.measured-too-short", {"least": LEAST_STEPS}))
    run = _with_numbers(run, measured, result.driver_peak_bytes)
    if run.peak_bytes is None and run.step_s is None:
        return Kept(None, Message("workbench.measured-nothing"))
    return Kept(run, Message("workbench.measured-kept", {"steps": run.steps}))


def _as_it_ran(about: Calibration, events: ScriptEvents) -> Calibration | None:
    """Take what the script told of itself instead of what was planned; None when it ran on another device."""
    setting = events.setting
    if events.is_cpu is not None and events.is_cpu != (about.gpu_name is None):
        return None
    if about.gpu_name is not None and not _is_same_card(about.gpu_name, events.devices):
        return None
    replicas = len(events.devices) or about.replicas
    parts = setting.parts or about.replicas * about.accumulation_steps
    try:
        precision = Precision(setting.precision) if setting.precision is not None else about.precision
    except ValueError:
        return None
    return replace(
        about,
        tensorflow=setting.tensorflow or about.tensorflow,
        precision=precision,
        jit_compile=about.jit_compile if setting.xla is None else setting.xla,
        per_replica_batch=about.per_replica_batch if setting.batch is None else max(1, setting.batch // parts),
        replicas=replicas,
        accumulation_steps=max(1, parts // replicas),
        regime=setting.regime or about.regime,
    )


def _with_numbers(run: Calibration, measured: Measured, driver_bytes: int | None) -> Calibration:
    """Put in what was measured; a number that can't be true counts as not measured."""
    peak, first = _bytes(measured.peak_memory_bytes), _bytes(measured.warm_up_peak_memory_bytes)
    if run.device_bytes is not None and peak is not None and peak > run.device_bytes:
        peak = first = None
    # The driver sees more than TensorFlow has in use, or it saw only a part of the processes.
    driver = driver_bytes if driver_bytes is not None and driver_bytes >= (peak or 0) else None
    step_s = measured.step_s
    if step_s is None or not math.isfinite(step_s) or step_s <= 0 or measured.steps < LEAST_TIMED_STEPS:
        step_s = None
    deviation = None
    if step_s is not None and measured.fast_step_s is not None and measured.slow_step_s is not None:
        deviation = max(0.0, measured.slow_step_s - measured.fast_step_s) / 2 / step_s
    return replace(
        run,
        peak_bytes=peak,
        first_peak_bytes=first,
        driver_bytes=driver,
        step_s=None if step_s is None else step_s / run.accumulation_steps,
        step_deviation=deviation,
        steps=measured.steps,
    )


def _bytes(value: float | None) -> int | None:
    return int(value) if value is not None and math.isfinite(value) and value >= 1 else None


def _is_same_card(planned: str, devices: tuple[str, ...]) -> bool:
    """Whether the script named the planned card; one that told no name is believed."""
    named = [name for name in devices if not name.startswith("/")]
    return all(name.lower().startswith(planned.lower()) or planned.lower().startswith(name.lower()) for name in named)


def _is_overtaken(item: Calibration, newer: list[Calibration]) -> bool:
    if not item.ran_out_of_memory:
        return False
    return any(
        not other.ran_out_of_memory
        and other.per_replica_batch >= item.per_replica_batch
        and _setting_of(other) == _setting_of(item)
        for other in newer
    )


def _setting_of(item: Calibration) -> Calibration:
    """Give a run without its batch and all it measured."""
    return Calibration(
        gpu_name=item.gpu_name,
        processor=item.processor,
        device_bytes=item.device_bytes,
        model_id=item.model_id,
        model_options=item.model_options,
        output_units=item.output_units,
        precision=item.precision,
        optimizer=item.optimizer,
        input_shape=item.input_shape,
        is_backbone_frozen=item.is_backbone_frozen,
        jit_compile=item.jit_compile,
        accumulation_steps=item.accumulation_steps,
        replicas=item.replicas,
    )


def _gpu_of(device: PlannedDevice, report: SystemReport) -> Gpu | None:
    """Find a planned card here: by its UUID, else by its place when it is of the same kind."""
    for gpu in report.gpus:
        if device.uuid is not None and device.uuid in (gpu.uuid, *(slice_.uuid for slice_ in gpu.mig_instances)):
            return gpu
    at_place = next((gpu for gpu in report.gpus if gpu.index == device.index), None)
    if at_place is None or at_place.name is None or not (device.name or "").startswith(at_place.name):
        return None
    return at_place


def _driver(report: SystemReport, gpu: Gpu) -> str | None:
    found = report.driver(gpu.vendor)
    return None if found is None else found.version


def _mark(folder: RunFolder, kept: Kept | None) -> None:
    """Note in the run's folder that it was looked at, so that it never is again, not even when all is forgotten."""
    notes = {"kept": kept is not None and kept.run is not None, "why": kept.message.id if kept is not None else None}
    try:
        write_text(folder.measured, json.dumps(notes) + "\n")
    except StorageError as error:
        logger.warning("run %s: %s", folder.id, error)
