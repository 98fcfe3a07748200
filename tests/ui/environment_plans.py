"""A plan, a making under way and what came out of it, made up, for the page that makes an environment."""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.environment_made import (
    InstallerLine,
    MadeEnvironment,
    MakeFailure,
    MakeOutcome,
    MakeProgress,
    PackageProgress,
    StepProgress,
    StepState,
)
from gpuconfig_app.core.environment_plan import (
    CheckKind,
    CheckState,
    CommandLine,
    EnvironmentOrder,
    EnvironmentPlan,
    Installer,
    PackageSize,
    Pin,
    PlanCheck,
    PlanGoal,
    PlanStep,
    PythonChoice,
    PythonOrigin,
    Range,
    ReleaseChoice,
    SizeEstimate,
    SizeSource,
    StepKind,
)
from gpuconfig_app.core.finding import Fix, Proven
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.log_report import LogReport
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.proof import (
    Proof,
    ProofGpu,
    ProofLibrary,
    ProofResult,
    ProofStage,
    ProofStep,
)
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.storage.places import Places
from gpuconfig_app.workbench.prove import ProveOptions
from gpuconfig_app.workbench.text import Texts
from tests.ui.fakes_ui import NOW, SAID, make_compat, make_finding

FOLDER = "/home/you/tf-2.21"
SYSTEM_PYTHON = "/usr/bin/python3.12"
LIBRARIES = f"{FOLDER}/lib/python3.12/site-packages/nvidia"
PYTHON = f"{FOLDER}/bin/python"


def said(text: str) -> Message:
    """A sentence with these words."""
    return Message(SAID, {"text": text})


def both(text: str) -> LocalText:
    """The same words in both languages."""
    return LocalText(text, text)


def make_plan(**changes: Any) -> EnvironmentPlan:
    """TensorFlow 2.21 with CUDA for a workstation, by uv."""
    plan = EnvironmentPlan(
        order=EnvironmentOrder(folder=FOLDER),
        goal=PlanGoal.GPU,
        headline=said("TensorFlow 2.21.0 will use the GPU."),
        tensorflow="2.21.0",
        requirements=("tensorflow[and-cuda]==2.21.0",),
        pins=(Pin(requirement="setuptools<81", reason=said("This release still imports pkg_resources.")),),
        installer=Installer.UV,
        release_reason=both("Newest stable; machine code for capability 8.9 is in it"),
        python=PythonChoice(id=SYSTEM_PYTHON, origin=PythonOrigin.FOUND, version="3.12.8", label=said("x")),
        python_reason=said("3.10 to 3.13 fit; the newest that is already here"),
        interpreter=PYTHON,
        steps=make_steps(),
        size=make_size(),
        checks=make_checks(),
        releases=(
            ReleaseChoice(version="2.22.0rc1", goal=PlanGoal.GPU_TO_BE_PROVEN),
            ReleaseChoice(version="2.21.0", goal=PlanGoal.GPU, is_best=True),
            ReleaseChoice(version="2.20.0", goal=PlanGoal.GPU),
            ReleaseChoice(version="2.10.1", goal=PlanGoal.IMPOSSIBLE, reason=both("no wheel for these Pythons")),
        ),
        pythons=(
            PythonChoice(
                id=SYSTEM_PYTHON, origin=PythonOrigin.FOUND, version="3.12.8", label=said("3.12.8, here already")
            ),
            PythonChoice(id="3.13", origin=PythonOrigin.UV_MANAGED, version="3.13", label=said("3.13, uv gets it")),
        ),
        packages_from=said("One index and a proxy, from pip's own settings"),
    )  # fmt: skip
    return replace(plan, **changes)


def make_steps() -> tuple[PlanStep, ...]:
    """Make, install, prove."""
    return (
        PlanStep(
            kind=StepKind.MAKE,
            title=said("Make the folder"),
            command=line("uv venv --python 3.12 ~/tf-2.21"),
            time_s=Range(low=1, high=1),
        ),
        PlanStep(
            kind=StepKind.INSTALL,
            title=said("Install TensorFlow 2.21.0 with its CUDA libraries"),
            command=line("uv pip install --python ~/tf-2.21/bin/python 'tensorflow[and-cuda]==2.21.0' 'setuptools<81'"),
            time_s=Range(low=300, high=540),
        ),
        PlanStep(
            kind=StepKind.PROVE,
            title=said("Prove it on GPU 0 and GPU 1"),
            command=line("gpuconfig check --prove --python ~/tf-2.21/bin/python"),
            time_s=Range(low=40, high=40),
        ),
    )


def line(text: str) -> CommandLine:
    """A command that reads alike in both shells but for the call sign."""
    return CommandLine(words=tuple(text.split()), posix=text, powershell=f"& {text}")


def make_size(**changes: Any) -> SizeEstimate:
    """What the index says."""
    size = SizeEstimate(
        source=SizeSource.INDEX,
        source_text=said("Sizes as the index tells them, for 41 packages."),
        download_bytes=Range(low=2.6 * GIB, high=2.6 * GIB),
        cached_bytes=int(0.4 * GIB),
        disk_bytes=Range(low=5.4 * GIB, high=5.9 * GIB),
        time_s=Range(low=360, high=600),
        packages=(PackageSize(name="nvidia-cudnn-cu12", download_bytes=706 * MIB),),
    )
    return replace(size, **changes)


def make_checks() -> tuple[PlanCheck, ...]:
    """Everything fits; the quota is not known."""
    return (
        check(CheckKind.DISK, CheckState.GOOD, "Disk", "5.6 GiB of 1.1 TiB", free_bytes=1100 * GIB),
        check(CheckKind.QUOTA, CheckState.UNKNOWN, "Quota", "Nobody says whether there is one."),
        check(CheckKind.TEMPORARY, CheckState.WARNING, "Temporary folder", "/tmp is small: 1.2 GiB free. Another one "
            "on the same disk is used instead."),
        check(CheckKind.DRIVER, CheckState.GOOD, "Driver", "580.126.09, needs 525.60.13"),
        check(CheckKind.INDEX, CheckState.GOOD, "Index answers", "2.21.0 found, all 14 CUDA packages resolve"),
    )  # fmt: skip


def check(kind: CheckKind, state: CheckState, title: str, text: str, **values: Any) -> PlanCheck:
    """One row."""
    return PlanCheck(kind=kind, state=state, title=said(title), text=said(text), **values)


def make_cpu_plan() -> EnvironmentPlan:
    """Nothing but the processor."""
    return make_plan(goal=PlanGoal.CPU_ONLY, headline=said("No GPU here that TensorFlow can use: on the processor."))


def make_impossible_plan() -> EnvironmentPlan:
    """An RTX 50 on native Windows."""
    ways = (
        Fix(text=both("Use WSL2: TensorFlow for Linux with the same card."), commands=("wsl --install",),
            shell="powershell", leads_to="wsl"),
        Fix(text=both("Use a container made for this card."), leads_to="container"),
    )  # fmt: skip
    return make_plan(
        goal=PlanGoal.IMPOSSIBLE,
        headline=said("TensorFlow has had no GPU support on native Windows since 2.11."),
        steps=(),
        checks=(),
        ways_on=ways,
        platform="windows",
    )


def make_full_disk_plan() -> EnvironmentPlan:
    """No room."""
    room = check(CheckKind.DISK, CheckState.BAD, "Disk", "2 GiB free, 5.6 GiB needed. Choose another disk.",
        free_bytes=2 * GIB)  # fmt: skip
    folder = check(CheckKind.FOLDER, CheckState.BAD, "Folder", "This folder is not empty. Choose a new name.")
    return make_plan(checks=(folder, room, *make_checks()[1:]))


def make_progress(**changes: Any) -> MakeProgress:
    """In the middle of the download."""
    progress = MakeProgress(
        steps=(
            StepProgress(kind=StepKind.MAKE, state=StepState.DONE, elapsed_s=0.8),
            StepProgress(kind=StepKind.INSTALL, state=StepState.RUNNING, elapsed_s=221.0),
            StepProgress(kind=StepKind.PROVE),
        ),
        message=said("Downloading"),
        packages=(
            PackageProgress(name="nvidia-cudnn-cu12", total_bytes=706 * MIB, done_bytes=430 * MIB),
            PackageProgress(name="tensorflow", total_bytes=572 * MIB, done_bytes=572 * MIB, is_done=True),
            PackageProgress(name="nvidia-cublas-cu12", total_bytes=393 * MIB, done_bytes=393 * MIB, is_done=True),
            PackageProgress(name="nvidia-nccl-cu12", total_bytes=289 * MIB),
        ),
        packages_done=9,
        packages_total=41,
        downloaded_bytes=int(1.6 * GIB),
        download_bytes=int(2.6 * GIB),
        rate_bytes_per_s=7.4 * MIB,
        left_s=135.0,
        lines=make_lines(),
    )
    return replace(progress, **changes)


def make_lines() -> tuple[InstallerLine, ...]:
    """What uv prints."""
    words = (
        "Using CPython 3.12.8", "Creating virtual environment at: ~/tf-2.21", "Resolved 41 packages in 1.92s",
        "Downloading tensorflow (572.4MiB)", "Downloading nvidia-cublas-cu12 (393.1MiB)",
        "Downloading nvidia-cudnn-cu12 (706.8MiB)", "Downloading nvidia-nccl-cu12 (289.0MiB)",
        " Downloaded nvidia-cublas-cu12", " Downloaded tensorflow",
    )  # fmt: skip
    return tuple(InstallerLine(at=NOW + number, text=text) for number, text in enumerate(words))


def make_made(outcome: MakeOutcome = MakeOutcome.PROVEN, **changes: Any) -> MadeEnvironment:
    """What came out."""
    compat = make_compat(proof=make_proof(), python=PYTHON, proven=Proven.TRUE)
    headline = said("TensorFlow 2.21.0 ran a matrix product, a convolution and an XLA step on GPU 0 and GPU 1.")
    if outcome is MakeOutcome.NOT_PROVEN:
        finding = make_finding()
        compat = make_compat(proof=make_proof(ProofResult.NO_GPU), primary=finding, findings=(finding,))
        compat = replace(compat, proven=Proven.FALSE)
        headline = said("TensorFlow 2.21.0 is installed, but no GPU took part.")
    elif outcome is MakeOutcome.CPU_PROVEN:
        compat = replace(compat, proof=make_proof(ProofResult.NO_GPU), proven=Proven.FALSE)
        headline = said("TensorFlow 2.21.0 computed on the processor. No GPU took part.")
    made = MadeEnvironment(
        outcome=outcome,
        headline=headline,
        plan=make_plan(),
        folder=FOLDER,
        interpreter=PYTHON,
        python_version="3.12.8",
        compat=compat,
        steps=tuple(
            StepProgress(kind=step.kind, state=StepState.DONE, elapsed_s=time)
            for step, time in zip(make_steps(), (0.8, 373.0, 38.0), strict=True)
        ),
        duration_s=412.0,
        disk_bytes=int(5.6 * GIB),
        activate=line("source ~/tf-2.21/bin/activate"),
        sync=line("uv pip sync requirements.lock"),
        lock_text="tensorflow==2.21.0\n",
        log="/home/you/.cache/gpuconfig/making.log",
    )
    return replace(made, **changes)


def make_failed() -> MadeEnvironment:
    """The index had no such wheel."""
    finding = make_finding()
    return make_made(
        MakeOutcome.FAILED,
        headline=said("Nothing was left behind."),
        interpreter="",
        compat=None,
        activate=None,
        sync=None,
        disk_bytes=None,
        failure=MakeFailure(
            step=StepKind.INSTALL,
            sentence=said("The installer ended with code 1 while TensorFlow was being installed."),
            explained=LogReport(primary=finding),
            exit_code=1,
        ),
        steps=(
            StepProgress(kind=StepKind.MAKE, state=StepState.DONE, elapsed_s=0.8),
            StepProgress(kind=StepKind.INSTALL, state=StepState.FAILED, elapsed_s=14.0),
            StepProgress(kind=StepKind.PROVE),
        ),
    )


def make_proof(result: ProofResult = ProofResult.PROVEN) -> Proof:
    """Two cards, three tests each; or no card."""
    if result is ProofResult.NO_GPU:
        steps = tuple(
            ProofStep(stage=stage, device="/job:localhost/device:CPU:0", again_s=0.04, is_good=True)
            for stage in (ProofStage.MATMUL, ProofStage.CONVOLUTION, ProofStage.XLA)
        )
        return Proof(
            result=result, executable=PYTHON, tensorflow_version="2.21.0", is_cuda_build=True, steps=steps,
            words=("Cannot dlopen some GPU libraries.", "Skipping registering GPU devices..."),
            libraries=(ProofLibrary(name="libcudnn.so.9", error="cannot open shared object file"),),
            taken_at=NOW, duration_s=21.0,
        )  # fmt: skip
    steps = tuple(
        ProofStep(stage=stage, gpu_index=gpu, device=f"/job:localhost/device:GPU:{gpu}", again_s=time, is_good=True)
        for stage, time in (
            (ProofStage.MATMUL, 0.0039), (ProofStage.CONVOLUTION, 0.0062), (ProofStage.XLA, 0.0051),
        )
        for gpu in (0, 1)
    )  # fmt: skip
    return Proof(
        result=result,
        executable=PYTHON,
        python_version="3.12.8",
        tensorflow_version="2.21.0",
        cuda_version="12.5.1",
        cudnn_version="9.10.2",
        is_cuda_build=True,
        gpus=tuple(
            ProofGpu(index=gpu, name="NVIDIA GeForce RTX 4090", memory_peak_bytes=int(1.3 * GIB)) for gpu in (0, 1)
        ),
        steps=steps,
        libraries=(
            ProofLibrary(name="libcudnn.so.9", path=f"{LIBRARIES}/cudnn/lib/libcudnn.so.9"),
            ProofLibrary(name="libcublas.so.12", path=f"{LIBRARIES}/cublas/lib/libcublas.so.12"),
        ),
        taken_at=NOW,
        duration_s=38.0,
    )  # fmt: skip


class FakeMaker:
    """Carries nothing out: tests put in what happens next, progress or result; cancelling gives ``CANCELLED``."""

    def __init__(self) -> None:
        self.news: queue.Queue[MakeProgress | MadeEnvironment | Exception] = queue.Queue()
        self.plans: list[EnvironmentPlan] = []
        self.options: ProveOptions | None = None
        self.cleans = True

    def __call__(  # as the real one
        self,
        places: Places,
        clock: Clock,
        texts: Texts,
        report: SystemReport,
        plan: EnvironmentPlan,
        control: JobControl,
        on_progress: Callable[[MakeProgress], None],
        options: ProveOptions,
    ) -> MadeEnvironment:
        self.plans.append(plan)
        self.options = options
        while True:
            if self.cleans and control.is_cancelled:
                return make_made(MakeOutcome.CANCELLED, headline=Message("making.removed", {"path": FOLDER}))
            try:
                news = self.news.get(timeout=0.005)
            except queue.Empty:
                continue
            if isinstance(news, Exception):
                raise news
            if isinstance(news, MadeEnvironment):
                return news
            on_progress(news)
