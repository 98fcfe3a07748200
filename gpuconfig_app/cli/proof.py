"""Prints what a proof showed: each card, what was computed on it and where, and the libraries that took part."""

from __future__ import annotations

import time

from gpuconfig_app.cli.output import Output
from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.core.proof import Proof, ProofGpu, ProofStep


def print_proof(proof: Proof, output: Output) -> None:
    """Print a proof below the verdict."""
    taken = time.strftime("%Y-%m-%d %H:%M", time.localtime(proof.taken_at))
    output.line()
    output.say(Message("cli.proof-taken", {"time": taken}))
    on_processor = [step for step in proof.steps if step.gpu_index is None]
    if on_processor:
        output.say(Message("cli.proof-cpu"), indent=2)
        _print_steps(on_processor, output)
    for gpu in proof.gpus:
        _print_gpu(gpu, [step for step in proof.steps if step.gpu_index == gpu.index], output)
    for library in proof.libraries:
        words = library.error or library.path or "?"
        output.say(Message("cli.proof-library", {"name": library.name, "path": words}), indent=2)


def _print_gpu(gpu: ProofGpu, steps: list[ProofStep], output: Output) -> None:
    values = {"name": gpu.name or "?", "capability": gpu.compute_capability or "?"}
    output.say(Message("cli.proof-gpu", {"index": gpu.index, **values}), indent=2)
    _print_steps(steps, output)
    if gpu.memory_peak_bytes is not None:
        output.say(Message("cli.proof-memory", {"peak_bytes": gpu.memory_peak_bytes}), indent=4)


def _print_steps(steps: list[ProofStep], output: Output) -> None:
    for step in steps:
        name = output.sentence(Message(f"workbench.proof-stage-{step.stage.value}"))
        if step.error is not None or step.first_s is None or step.again_s is None:
            words = (step.error or "?").splitlines()[0]
            output.say(Message("cli.proof-step-failed", {"step": name, "words": words}), indent=4)
            continue
        device = (step.device or "?").rsplit("device:", 1)[-1]
        again_ms = round(step.again_s * 1000, 2)
        values: dict[str, MessageValue] = {"device": device, "again_ms": again_ms, "first_s": step.first_s}
        output.say(Message("cli.proof-step", {"step": name, **values}), indent=4)
