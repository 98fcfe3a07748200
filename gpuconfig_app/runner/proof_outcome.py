"""From what the proof's probe wrote and printed to a ``Proof``: which step failed first, how, and in whose words."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from gpuconfig_app.core.proof import (
    FailureKind,
    Proof,
    ProofFailure,
    ProofGpu,
    ProofLibrary,
    ProofResult,
    ProofStage,
    ProofStep,
)
from gpuconfig_app.runner.proof_records import Answer, ProofPart, gpu_of, number_of, stage_of, text_of

COMPUTING = (ProofStage.MATMUL, ProofStage.CONVOLUTION, ProofStage.XLA)
MOST_WORDS = 1200
MOST_LINES = 20
_LAST_WORDS = 4
# Windows' codes for what is a signal elsewhere: access violation, illegal instruction, abort and their kin.
_WINDOWS_CRASH = 0xC0000000
_FULL = re.compile(r"ResourceExhausted|CUDA_ERROR_OUT_OF_MEMORY|out of memory|OOM when allocating", re.IGNORECASE)
_TELLING = re.compile(
    r"^[WEF]\d{4} |^[WEF]0000 |^\d{4}-\d\d-\d\d [\d:.]+: [WEF] |error|fatal|abort|LLVM|not load|dlopen|Check failed",
    re.IGNORECASE,
)
# Printed by every start of TensorFlow, good or bad.
_HARMLESS = re.compile(
    r"absl::InitializeLog|Unable to register cu|computation placer|computation_placer|NUMA node|oneDNN|TF-TRT Warning"
)


def judge_proof(
    executable: str, main: Sequence[ProofPart], xla: Sequence[ProofPart], *, taken_at: float, duration_s: float
) -> Proof:
    """Say what a proof showed.

    Args:
        executable: Interpreter it ran in.
        main: The processes of the plain steps, in order; at least one.
        xla: The processes of the XLA steps; empty when they were not tried.
    """
    answers = [answer for part in main for answer in part.answers]
    gpus = _gpus(answers)
    failure = _first_failure(main)
    result = ProofResult.FAILED if failure else ProofResult.PROVEN if gpus else ProofResult.NO_GPU
    facts = next((answer for answer in answers if answer.get("record") == "facts"), {})
    build = next((answer for answer in answers if answer.get("record") == "build"), {})
    imported = next((answer for answer in answers if _is_end(answer, ProofStage.IMPORT)), {})
    proof = Proof(
        result=result,
        failure=failure,
        executable=executable,
        python_version=text_of(facts.get("python")),
        tensorflow_version=text_of(imported.get("version")),
        cuda_version=text_of(build.get("cuda_version")),
        cudnn_version=text_of(build.get("cudnn_version")),
        is_cuda_build=build["is_cuda_build"] == "True" if "is_cuda_build" in build else None,
        packages=_texts(facts.get("packages")),
        gpus=gpus,
        steps=_steps([*main, *xla]),
        libraries=_libraries(answers),
        driver_words=_driver_words(answers),
        words=_telling_lines(line for part in (*main, *xla) for line in part.log),
        variables=_texts(facts.get("variables")),
        import_s=number_of(imported.get("seconds")),
        taken_at=taken_at,
        duration_s=duration_s,
    )
    return replace(proof, xla_failure=_xla_failure(xla, proof))


def needs_xla(main: Sequence[ProofPart]) -> bool:
    """Whether the plain steps were all good on any card, so that XLA is worth a process of its own."""
    good = {(step.gpu_index, step.stage) for step in _steps(main) if step.is_good and step.gpu_index is not None}
    return any((index, ProofStage.CONVOLUTION) in good for index, stage in good if stage is ProofStage.MATMUL)


def _xla_failure(parts: Sequence[ProofPart], proof: Proof) -> ProofFailure | None:
    """Give what XLA failed with on a card that is good without it."""
    good = {gpu.index for gpu in proof.good_gpus}
    failures = (failure for part in parts for failure in _failures(part))
    return next((failure for failure in failures if failure.gpu_index is None or failure.gpu_index in good), None)


def _first_failure(parts: Sequence[ProofPart]) -> ProofFailure | None:
    return next((failure for part in parts for failure in _failures(part)), None)


def _failures(part: ProofPart) -> list[ProofFailure]:
    if part.end.error is not None:
        return [ProofFailure(kind=FailureKind.NOT_STARTED, stage=ProofStage.START, words=_shortened(part.end.error))]
    found = [
        failure
        for answer in part.answers
        if answer.get("record") == "end" and (failure := _failed_step(answer)) is not None
    ]
    is_over = part.is_done or any(failure.stage is ProofStage.IMPORT for failure in found)
    return found if is_over else [*found, _cut_off(part)]


def _failed_step(answer: Answer) -> ProofFailure | None:
    stage, gpu = stage_of(answer), gpu_of(answer)
    words = _error_words(answer)
    if words is not None:
        kind = FailureKind.OUT_OF_MEMORY if stage in COMPUTING and _FULL.search(words) else FailureKind.ERROR
        return ProofFailure(kind=kind, stage=stage, gpu_index=gpu, words=words)
    if stage not in COMPUTING or _is_good(answer):
        return None
    device = text_of(answer.get("device")) or ""
    kind = FailureKind.WRONG_RESULT if _is_on(device, gpu) else FailureKind.WRONG_DEVICE
    return ProofFailure(kind=kind, stage=stage, gpu_index=gpu, words=device)


def _cut_off(part: ProofPart) -> ProofFailure:
    """Say how a process ended that did not come to its end."""
    last = part.open or part.last
    code, limit_s = part.end.exit_code, part.end.limit_s
    name = _signal_name(code)
    kind = FailureKind.TIMED_OUT if limit_s is not None else FailureKind.CRASHED if name else FailureKind.ENDED
    telling = _telling_lines(part.log)
    words = "\n".join((telling or part.log)[-_LAST_WORDS:])
    return ProofFailure(
        kind=kind,
        stage=stage_of(last),
        gpu_index=gpu_of(last),
        words=_shortened(words),
        exit_code=code,
        signal=name,
        limit_s=limit_s,
    )


def _signal_name(code: int | None) -> str | None:
    if code is None:
        return None
    if code >= _WINDOWS_CRASH:
        return f"0x{code:08X}"
    number = -code if code < 0 else code - 128 if 128 < code < 160 else 0
    try:
        return signal.Signals(number).name if number else None
    except ValueError:
        return f"signal {number}"


def _steps(parts: Iterable[ProofPart]) -> tuple[ProofStep, ...]:
    return tuple(
        ProofStep(
            stage=stage_of(answer),
            gpu_index=gpu_of(answer),
            device=text_of(answer.get("device")),
            first_s=number_of(answer.get("first_s")),
            again_s=number_of(answer.get("again_s")),
            is_good=_is_good(answer),
            error=_error_words(answer),
        )
        for part in parts
        for answer in part.of("end")
        if stage_of(answer) in COMPUTING
    )


def _is_good(answer: Answer) -> bool:
    device = text_of(answer.get("device")) or ""
    return not answer.get("error") and answer.get("is_right") is True and _is_on(device, gpu_of(answer))


def _is_on(device: str, gpu: int | None) -> bool:
    """Whether a result lay where it was asked for; TensorFlow quietly takes the processor when it can't."""
    wanted = "CPU:0" if gpu is None else f"GPU:{gpu}"
    return device.upper().endswith((f"DEVICE:{wanted}", f"/{wanted}"))


def _gpus(answers: Sequence[Answer]) -> tuple[ProofGpu, ...]:
    known = list(next((answer["devices"] for answer in answers if _lists_devices(answer)), ()))
    peaks = {gpu_of(answer): number_of(answer.get("peak_bytes")) for answer in answers if _is(answer, "memory")}
    found: dict[int, ProofGpu] = {}
    for answer in answers:
        index = answer.get("index")
        if not _is(answer, "gpu") or not isinstance(index, int) or index in found:
            continue
        name, peak = text_of(answer.get("name")), peaks.get(index)
        own = _take_device(known, name)
        found[index] = ProofGpu(
            index=index,
            name=name,
            compute_capability=text_of(answer.get("capability")),
            uuid=text_of(own.get("uuid")),
            pci_bus_id=_bus_id(text_of(own.get("pci"))),
            memory_peak_bytes=int(peak) if peak is not None else None,
        )
    return tuple(found.values())


def _take_device(known: list[Answer], name: str | None) -> Answer:
    """Take CUDA's next device of that name: TensorFlow keeps CUDA's order, but leaves small cards out."""
    while known:
        device = known.pop(0)
        if name is None or device.get("name") in {None, name}:
            return device
    return {}


def _bus_id(text: str | None) -> str | None:
    """Write a place as the survey does, with eight digits for the domain."""
    return text.lower().zfill(len("00000000:01:00.0")) if text else None


def _libraries(answers: Sequence[Answer]) -> tuple[ProofLibrary, ...]:
    mapped = [path for answer in answers if _is(answer, "mapped") for path in answer.get("paths") or ()]
    paths = [text for path in dict.fromkeys(mapped) if (text := text_of(path)) is not None]
    loaded = [ProofLibrary(name=PurePath(path).name, path=path) for path in paths]
    return (*loaded, *(_tried(answer) for answer in answers if _is(answer, "library") and _is_missing(answer)))


def _is_missing(answer: Answer) -> bool:
    """Whether a library could be loaded neither by its name nor from a wheel."""
    return bool(answer.get("error")) and (answer.get("wheel_path") is None or bool(answer.get("wheel_error")))


def _tried(answer: Answer) -> ProofLibrary:
    name, path = text_of(answer.get("name")) or "", text_of(answer.get("wheel_path"))
    words = text_of(answer.get("wheel_error")) or text_of(answer.get("error")) or ""
    tried = path or name  # the loader begins with what it was asked for
    return ProofLibrary(name=name, path=path, error=_shortened(words.removeprefix(f"{tried}: ")))


def _driver_words(answers: Sequence[Answer]) -> str | None:
    return next((text_of(answer.get("error")) for answer in answers if _is(answer, "driver")), None)


def _error_words(answer: Answer) -> str | None:
    error = answer.get("error")
    if not isinstance(error, dict):
        return None
    text = (text_of(error.get("text")) or "").strip()
    name = text_of(error.get("type")) or ""
    return _shortened(f"{name}: {text}" if text else name)


def _telling_lines(log: Iterable[str]) -> tuple[str, ...]:
    lines = [line.rstrip() for line in log if _TELLING.search(line) and not _HARMLESS.search(line)]
    return tuple(_shortened(line) for line in list(dict.fromkeys(lines))[-MOST_LINES:])


def _shortened(text: str) -> str:
    clean = text_of(text.strip()) or ""
    return clean if len(clean) <= MOST_WORDS else clean[:MOST_WORDS] + "…"


def _texts(value: object) -> dict[str, str]:
    items = value.items() if isinstance(value, dict) else ()
    return {str(key): text for key, item in items if (text := text_of(item)) is not None}


def _is(answer: Answer, record: str) -> bool:
    return answer.get("record") == record


def _is_end(answer: Answer, stage: ProofStage) -> bool:
    return _is(answer, "end") and stage_of(answer) is stage


def _lists_devices(answer: Answer) -> bool:
    devices = answer.get("devices")
    return _is(answer, "driver") and isinstance(devices, list) and all(isinstance(item, dict) for item in devices)
