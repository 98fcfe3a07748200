"""The steps of ways that end in a Python: environment, first start, proof; and other cards."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig_app.compat.releases import best_release, judge_releases, judge_subject
from gpuconfig_app.compat.subject import make_subject, newest_fitting
from gpuconfig_app.compat.target_view import report_in_target
from gpuconfig_app.compat.way_situation import Situation, is_missing, is_open
from gpuconfig_app.compat.way_steps_windows import chosen_distribution
from gpuconfig_app.core.finding import Verdict
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target import Target, TargetKind
from gpuconfig_app.core.versions import ComputeCapability, is_at_least
from gpuconfig_app.core.way_on import StepState, WayStep
from gpuconfig_app.knowledge.catalogue import CatalogueGpu, load_catalogue
from gpuconfig_app.knowledge.cuda_drivers import load_cuda_table
from gpuconfig_app.knowledge.identify import fill_from_catalogue

Earlier = tuple[WayStep, ...]
_USEFUL = frozenset({Verdict.READY, Verdict.READY_WITH_NOTES, Verdict.UNKNOWN})
_NEWEST_TRY = "2.21"
_PLATFORM_IN_WSL = "linux-x86_64"
_NATIVE_FROM, _NATIVE_TO = ComputeCapability("7.5"), ComputeCapability("8.9")
_CARDS = 3


def environment_step(now: Situation, earlier: Earlier) -> WayStep:
    """A TensorFlow with its CUDA libraries is installed in the distribution."""
    release = _release_in_wsl(now)
    found = environment_in_wsl(now)
    if found is not None:
        shown = Message("targets.found-environment", {"name": found.name or found.prefix})
        return now.step("environment", StepState.DONE, shown, release=release)
    if is_open(earlier, "distribution"):
        waits = Message("targets.found-waits-distribution")
        return now.step("environment", StepState.WAITING, waits, "wsl-environment", release=release)
    distribution = chosen_distribution(now)
    if distribution is not None and distribution.problem is not None:
        values = {"name": distribution.name}
        stopped = Message("targets.found-stopped", values)
        return now.step(
            "environment", StepState.UNKNOWN, stopped, "start", release=release, distribution=values["name"]
        )
    return now.step("environment", StepState.TO_DO, Message("targets.found-none"), "wsl-environment", release=release)


def proof_step(now: Situation, earlier: Earlier) -> WayStep:
    """TensorFlow really computed on the card inside the distribution."""
    found = environment_in_wsl(now)
    if found is not None and found.executable in now.proven:
        return now.step("proof", StepState.DONE, Message("targets.found-proven"))
    if found is None:
        distribution = chosen_distribution(now)
        name = distribution.name if distribution is not None else "Ubuntu-24.04"
        target = Target(kind=TargetKind.WSL, distribution=name, python="/home/USER/tensorflow/bin/python").name
        waits = Message("targets.found-waits-environment")
        return now.step("proof", StepState.WAITING, waits, "prove-windows", target=target)
    state = StepState.WAITING if is_missing(earlier, "windows-driver", "wsl") else StepState.TO_DO
    return now.step("proof", state, None, "prove-windows", target=found.executable)


def environment_221_step(now: Situation, _: Earlier = ()) -> WayStep:
    """An environment with a release whose kernels the driver can compile."""
    release = _newest(_platform(now)) or _NEWEST_TRY
    found = _local_with(now, _NEWEST_TRY)
    if found is not None:
        name = Message("targets.found-environment", {"name": found.name or found.prefix})
        return now.step("environment-221", StepState.DONE, name, release=release)
    return now.step(
        "environment-221", StepState.TO_DO, Message("targets.found-none"), "environment-221", release=release
    )


def first_start_step(now: Situation, _: Earlier = ()) -> WayStep:
    """The first start compiles."""
    return now.step("first-start", StepState.INFO, Message("targets.found-first-start"))


def xla_step(now: Situation, _: Earlier = ()) -> WayStep:
    """XLA is not switched on for everything."""
    flags = now.report.host.variables.get("TF_XLA_FLAGS", "")
    if "tf_xla_auto_jit" in flags and "tf_xla_auto_jit=0" not in flags:
        return now.step("xla", StepState.TO_DO, Message("targets.found-on"), "xla-off")
    return now.step("xla", StepState.DONE, Message("targets.found-off-good"))


def local_proof_step(now: Situation, earlier: Earlier) -> WayStep:
    """TensorFlow really computed on the card in an environment of this machine."""
    found = _local_with(now, _NEWEST_TRY)
    if found is not None and found.executable in now.proven:
        return now.step("local-proof", StepState.DONE, Message("targets.found-proven"))
    state = StepState.WAITING if is_open(earlier, "environment-221") else StepState.TO_DO
    python = found.executable if found is not None else "~/tensorflow-2.21/bin/python"
    return now.step("local-proof", state, None, "prove", target=python)


def cards_step(now: Situation, _: Earlier = ()) -> WayStep:
    """Cards on which the stock wheel runs as it is, as examples."""
    names = ", ".join(f"{row.name} ({row.memory_gb:g} GB)" for row in _native_cards())
    return now.step("cards", StepState.INFO, Message("targets.found-cards", {"names": names}))


def environment_210_step(now: Situation, _: Earlier = ()) -> WayStep:
    """The last release with a GPU on native Windows."""
    return now.step("environment-210", StepState.TO_DO, None, "environment-210", release="2.10.1")


def script_step(now: Situation, _: Earlier = ()) -> WayStep:
    """A script for the processor."""
    return now.step("script", StepState.INFO)


def environment_in_wsl(now: Situation) -> PythonEnvironment | None:
    """Give the environment in WSL that serves, one that is proven first; None when there is none."""
    held = [
        item
        for item in now.report.environments
        if item.target is not None and item.target.kind is TargetKind.WSL and item.tensorflow_version is not None
    ]
    useful = [item for item in held if item.executable in now.proven or _is_useful(now.report, item)]
    return min(useful, key=lambda item: item.executable not in now.proven, default=None)


def _is_useful(report: SystemReport, environment: PythonEnvironment) -> bool:
    seen = fill_from_catalogue(report_in_target(report, environment))
    _, judgement = judge_subject(make_subject(seen, environment), load_cuda_table())
    return judgement.verdict in _USEFUL


def _release_in_wsl(now: Situation) -> str:
    """Give the release to install inside: the best for the cards, judged as if it were Linux in WSL2."""
    wsl = chosen_distribution(now)
    target = Target(kind=TargetKind.WSL, distribution=wsl.name if wsl is not None else None)
    seen = fill_from_catalogue(report_in_target(now.report, PythonEnvironment(target=target)))
    best = best_release(judge_releases(seen, None, None, load_cuda_table(), any_python=True))
    return best.row.newest if best is not None else _newest(_PLATFORM_IN_WSL) or _NEWEST_TRY


def _newest(platform: str) -> str | None:
    row = newest_fitting(platform, None, None)
    return row.newest if row is not None else None


def _platform(now: Situation) -> str:
    return f"linux-{now.report.host.os.architecture or 'x86_64'}"


def _local_with(now: Situation, least: str) -> PythonEnvironment | None:
    own = (item for item in now.report.environments if item.target is None and item.problem is None)
    fitting = [item for item in own if is_at_least(item.tensorflow_version, least)]
    return min(fitting, key=lambda item: item.executable not in now.proven, default=None)


def _native_cards() -> tuple[CatalogueGpu, ...]:
    """Give the fastest cards that are sold for a desk, from the capabilities that run the stock wheel natively."""
    rows = [
        row
        for row in load_catalogue()
        if row.vendor is Vendor.NVIDIA
        and row.segment in {"consumer", "workstation"}
        and row.compute_capability is not None
        and _NATIVE_FROM <= ComputeCapability(row.compute_capability) <= _NATIVE_TO
        and row.fp32_tflops is not None
        and not row.unsure
    ]
    ranked = sorted(rows, key=lambda row: (-row.memory_gb, -(row.fp32_tflops or 0.0)))
    return tuple(replace(row) for row in ranked[:_CARDS])
