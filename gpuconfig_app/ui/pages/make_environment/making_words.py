"""A making and what came of it in the words of the window; pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from gpuconfig_app.core.environment_made import (
    MadeEnvironment,
    MakeOutcome,
    MakeProgress,
    PackageProgress,
    StepProgress,
    StepState,
)
from gpuconfig_app.core.environment_plan import EnvironmentPlan, StepKind
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.proof import Proof
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.ui.pages.make_environment.shown import LoadShown, PackageShown, StepShown
from gpuconfig_app.ui.pages.make_environment.sizes_text import UNKNOWN, duration_text, elapsed_text, time_text

Render = Callable[[Message | LocalText | None], str]
MOST_PACKAGES = 4
_STATES = {
    StepState.WAITING: "to_come",
    StepState.RUNNING: "now",
    StepState.DONE: "done",
    StepState.FAILED: "failed",
}


def steps_shown(
    plan: EnvironmentPlan,
    steps: Sequence[StepProgress],
    text: Render,
    *,
    since_s: float = 0.0,
    doing: str = "",
    is_ending: bool = False,
) -> tuple[StepShown, ...]:
    """Say how each step of a plan stands.

    Args:
        steps: As they were told last; empty before the first news.
        since_s: Time that has gone by since then.
        doing: What is happening in the step under way.
        is_ending: The making was cancelled: what has not run yet will not.
    """
    told = {step.kind: step for step in steps}
    shown = []
    for step in plan.steps:
        progress = told.get(step.kind, StepProgress(kind=step.kind))
        state = _STATES[progress.state]
        time = time_text(step.time_s)
        if progress.elapsed_s is not None:
            time = elapsed_text(progress.elapsed_s + (since_s if state == "now" else 0.0))
        if is_ending and state == "to_come":
            state, time = "stopped", ""
        shown.append(StepShown(state, text(step.title), time, doing if state == "now" else ""))
    return tuple(shown)


def load_shown(plan: EnvironmentPlan, progress: MakeProgress | None) -> LoadShown | None:
    """Say how far the download is; None while nothing is installed."""
    if progress is None or progress.current is not StepKind.INSTALL:
        return None
    has_all = progress.packages_total is not None and progress.packages_done == progress.packages_total
    number, unit = UNKNOWN, ""
    if progress.downloaded_bytes is not None:
        number, _, unit = format_bytes(progress.downloaded_bytes).partition(" ")
        if progress.download_bytes is not None and not has_all:
            total = format_bytes(progress.download_bytes)
            # the same unit is said once: 1.6 of 2.6 GiB
            own = "" if total.endswith(f" {unit}") else f"{unit} "
            of = QCoreApplication.translate("MakeEnvironment", "{unit}of {total}")
            unit = of.format(unit=own, total=total)
    return LoadShown(
        number=number,
        unit=unit,
        pace=QCoreApplication.translate("MakeEnvironment", "Unpacking…") if has_all else _pace(progress),
        count=_count(progress),
        share=1.0 if has_all else _share(progress),
        packages=tuple(_package(item) for item in _largest(plan, progress)),
    )


def outcome_shown(made: MadeEnvironment) -> tuple[str, str, str | None]:
    """Give severity, word and other icon of what came out."""
    words = {
        MakeOutcome.PROVEN: ("good", QCoreApplication.translate("MakeEnvironment", "Ready, and proven"), None),
        MakeOutcome.CPU_PROVEN: (
            "warning",
            QCoreApplication.translate("MakeEnvironment", "Works, on the processor"),
            "cpu",
        ),
        MakeOutcome.NOT_PROVEN: (
            "warning",
            QCoreApplication.translate("MakeEnvironment", "Made, but not proven"),
            None,
        ),
        MakeOutcome.FAILED: ("blocked", QCoreApplication.translate("MakeEnvironment", "It could not be made"), None),
        MakeOutcome.CANCELLED: ("neutral", QCoreApplication.translate("MakeEnvironment", "Ended"), None),
    }
    return words[made.outcome]


def made_meta(made: MadeEnvironment) -> str:
    """Say where it lies and what it took."""
    parts = [made.folder] if made.folder else []
    if made.python_version:
        parts.append(f"Python {made.python_version}")
    took = QCoreApplication.translate("MakeEnvironment", "made in {time}")
    parts.append(took.format(time=elapsed_text(made.duration_s)))
    if made.disk_bytes is not None:
        parts.append(format_bytes(made.disk_bytes))
    return " · ".join(parts)


def loaded_shown(proof: Proof) -> tuple[tuple[str, str, str], ...]:
    """Say the versions that TensorFlow itself told."""
    rows = (("TensorFlow", proof.tensorflow_version), ("CUDA", proof.cuda_version), ("cuDNN", proof.cudnn_version))
    return tuple((name, version, "") for name, version in rows if version)


def _pace(progress: MakeProgress) -> str:
    parts = []
    if progress.rate_bytes_per_s:
        parts.append(f"{format_bytes(int(progress.rate_bytes_per_s))}/s")
    if progress.left_s is not None:
        left = QCoreApplication.translate("MakeEnvironment", "about {time} left")
        parts.append(left.format(time=duration_text(progress.left_s)))
    return " · ".join(parts)


def _count(progress: MakeProgress) -> str:
    if progress.packages_done is None:
        return ""
    if progress.packages_total is None:
        text = QCoreApplication.translate("MakeEnvironment", "Packages: {done}")
        return text.format(done=progress.packages_done)
    text = QCoreApplication.translate("MakeEnvironment", "Packages: {done} of {total}")
    return text.format(done=progress.packages_done, total=progress.packages_total)


def _share(progress: MakeProgress) -> float | None:
    if progress.downloaded_bytes is not None and progress.download_bytes:
        return min(progress.downloaded_bytes / progress.download_bytes, 1.0)
    if progress.packages_done is not None and progress.packages_total:
        return min(progress.packages_done / progress.packages_total, 1.0)
    return None


def _largest(plan: EnvironmentPlan, progress: MakeProgress) -> tuple[PackageProgress, ...]:
    """Give the packages on their way; before the installer names them, those the plan knows."""
    if progress.packages:
        return progress.packages[:MOST_PACKAGES]
    planned = [PackageProgress(name=item.name, total_bytes=item.download_bytes) for item in plan.size.packages]
    return tuple(planned[:MOST_PACKAGES])


def _package(package: PackageProgress) -> PackageShown:
    size = format_bytes(package.total_bytes) if package.total_bytes is not None else UNKNOWN
    share = None
    if package.done_bytes is not None and package.total_bytes:
        share = package.done_bytes / package.total_bytes
    return PackageShown(package.name, size, share, package.is_done)
