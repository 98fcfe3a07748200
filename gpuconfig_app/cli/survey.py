"""``gpuconfig survey``: what is in this machine, and ``--record`` to carry it elsewhere."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from gpuconfig_app.cli.output import ExitCode, Output
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import LocalText, Message, MessageValue
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import BackendState, DriverInfo, SystemReport
from gpuconfig_app.core.target_facts import EngineState
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.hardware.recorder import record_machine
from gpuconfig_app.workbench.bench import Workbench

SCHEMA = 1


def survey_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """Print the SystemReport; exit code 0 also without a card, because nothing failed."""
    if arguments.record is not None and not arguments.record.strip():
        raise UsageError(Message("cli.no-folder", {"option": "--record"}))
    machine = bench.open_machine(arguments.machine)
    if not machine.is_recorded:
        from gpuconfig_app.hardware.targets import with_targets  # noqa: PLC0415  # not for recorded machines
        from gpuconfig_app.workbench.targets import with_known_images  # noqa: PLC0415  # likewise

        machine = replace(machine, report=with_known_images(with_targets(machine.report)))
    if arguments.record:
        folder = Path(arguments.record)
        title = machine.title or LocalText(en=folder.name, zh_cn=folder.name)
        record_machine(machine.report, machine.samples, folder, title)
        if not output.is_json:
            output.say(Message("cli.recorded", {"path": str(folder)}))
    if output.is_json:
        output.document(SCHEMA, machine.report)
    else:
        _print_report(machine.report, output)
    return ExitCode.GOOD


def _print_report(report: SystemReport, output: Output) -> None:
    if report.recorded_from is not None:
        output.say(Message("cli.is-recorded", {"name": report.recorded_from}))
    if not report.gpus:
        output.say(Message("cli.no-gpu"))
    for gpu in report.gpus:
        output.line(_gpu_line(gpu, report, output))
        if gpu.state_reason is not None:
            output.say(gpu.state_reason, indent=4)
    for driver in report.drivers:
        _print_driver(driver, output)
    for status in report.backends:
        if status.reason is not None and status.state is not BackendState.NOT_PRESENT:
            output.say(status.reason)
    _print_host(report, output)


def _print_driver(driver: DriverInfo, output: Output) -> None:
    """Say the driver's version; only NVIDIA's speaks CUDA, and one that is part of the kernel has no version."""
    words = {"vendor": driver.vendor.value, "version": driver.version or "?"}
    if driver.vendor is Vendor.NVIDIA:
        output.say(Message("cli.driver", {**words, "cuda": driver.cuda_version or "?"}))
    elif driver.version is not None:
        output.say(Message("cli.driver-without-cuda", words))


def _gpu_line(gpu: Gpu, report: SystemReport, output: Output) -> str:
    parts = [f"GPU {gpu.index}: {gpu.name or gpu.pci_id or '?'}"]
    if gpu.memory_total_bytes is not None:
        parts.append(format_bytes(gpu.memory_total_bytes))
    elif gpu.memory_is_shared and report.host.memory.total_bytes is not None:
        shared = Message("cli.shared-memory", {"total_bytes": report.host.memory.total_bytes})
        parts.append(output.sentence(shared))
    if gpu.compute_capability is not None:
        parts.append(f"CC {gpu.compute_capability}")
    parts.extend(f"MIG {item.index}: {item.profile or '?'}" for item in gpu.mig_instances)
    parts.append(gpu.state.value)
    return " · ".join(parts)


def _print_host(report: SystemReport, output: Output) -> None:
    host = report.host
    memory = format_bytes(host.memory.total_bytes) if host.memory.total_bytes is not None else "?"
    output.line(f"{host.os.name or host.os.family.value} · {host.cpu.name or '?'} · {memory}")
    for item in report.environments:
        _print_environment(item, output)
    _print_targets(report, output)
    for note in report.notes:
        output.say(note)


def _print_environment(item: PythonEnvironment, output: Output) -> None:
    kind = item.made_by or item.kind.value
    place = item.executable or item.prefix
    output.line(f"{place} · {kind} · Python {item.python_version or '?'} · TF {item.tensorflow_version or '-'}")
    if item.problem is not None:
        output.say(item.problem, indent=4)
    if item.hidden_packages:
        names = ", ".join(f"{name} {version}" for name, version in item.hidden_packages.items())
        output.say(Message("cli.environment-hides", {"names": names}), indent=4)
    for asker in item.unmet_pins:
        output.say(Message("cli.environment-unmet", {"text": asker}), indent=4)


def _print_targets(report: SystemReport, output: Output) -> None:
    """Print WSL distributions and container engines; their Pythons stand among the environments."""
    if report.targets is None:
        return
    for item in report.targets.wsl.distributions if report.targets.wsl is not None else ():
        output.line(f"WSL{item.version or '?'} · {item.name}" + (" *" if item.is_default else ""))
        if item.problem is not None:
            output.say(item.problem, indent=4)
    for engine in report.targets.engines:
        values: dict[str, MessageValue] = {"engine": engine.name, "version": engine.version or "?"}
        state = "" if engine.state is EngineState.READY else f"-{engine.state.value.replace('_', '-')}"
        output.say(Message(f"targets.found-engine{state}", values))
