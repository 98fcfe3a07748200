"""What TensorFlow really did on the GPUs when it was tried, in the user's own Python with the user's own variables.

A proof stands for one interpreter and one state of the machine (``fingerprint``); what it does to a verdict is decided
in ``workbench``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.record import Record, path_text, pseudonym, public_text


class ProofStage(StrEnum):
    """Steps of a proof, in their order."""

    START = "start"
    IMPORT = "import"
    DEVICES = "devices"
    MATMUL = "matmul"
    CONVOLUTION = "convolution"
    XLA = "xla"


class ProofResult(StrEnum):
    """What came out; XLA is judged apart, because it can be left off."""

    PROVEN = "proven"
    NO_GPU = "no_gpu"
    FAILED = "failed"


class FailureKind(StrEnum):
    """How a step failed."""

    ERROR = "error"
    WRONG_DEVICE = "wrong_device"
    WRONG_RESULT = "wrong_result"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    ENDED = "ended"
    TIMED_OUT = "timed_out"
    NOT_STARTED = "not_started"


@dataclass(frozen=True, kw_only=True)
class ProofFailure(Record):
    """The step that failed first.

    Attributes:
        gpu_index: In TensorFlow's own numbering, None when the step is about no single card.
        words: What TensorFlow, Python or the loader said, at most a few lines; empty when nothing was said.
        exit_code: Of the process when it ended by itself; negative is the signal that ended it.
        signal: Like ``SIGABRT``, None when no signal ended it.
        limit_s: The time limit that was reached.
    """

    kind: FailureKind
    stage: ProofStage
    gpu_index: int | None = None
    words: str = path_text("")
    exit_code: int | None = None
    signal: str | None = public_text()
    limit_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class ProofStep(Record):
    """One computation on one device.

    Attributes:
        gpu_index: TensorFlow's number of the card it was placed on, None for the processor.
        device: Where the result really lay, as TensorFlow names it.
        first_s: Time of the first run, which loads libraries and compiles; None when it failed.
        again_s: Time of the second run.
        is_good: It ran on that device, and the result was right.
        error: What TensorFlow said when it failed.
    """

    stage: ProofStage
    gpu_index: int | None = None
    device: str | None = public_text()
    first_s: float | None = None
    again_s: float | None = None
    is_good: bool = False
    error: str | None = path_text()


@dataclass(frozen=True, kw_only=True)
class ProofGpu(Record):
    """A card as TensorFlow lists it.

    Attributes:
        index: TensorFlow's own number, ``GPU:0``.
        uuid: From CUDA, without prefix, lower case; None when CUDA did not tell.
        pci_bus_id: ``00000000:01:00.0``, lower case.
        memory_peak_bytes: What TensorFlow took of it at most, None when it does not count.
    """

    index: int
    name: str | None = public_text()
    compute_capability: str | None = public_text()
    uuid: str | None = pseudonym()
    pci_bus_id: str | None = public_text()
    memory_peak_bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class ProofLibrary(Record):
    """A CUDA library that was loaded, or that could not be.

    Attributes:
        name: File name.
        path: Where it was loaded from; None when it was not found.
        error: What the loader said, None when it was loaded.
    """

    name: str = public_text("")
    path: str | None = path_text()
    error: str | None = path_text()


@dataclass(frozen=True, kw_only=True)
class Proof(Record):
    """What a proof showed.

    Attributes:
        failure: The step that decides; None when every step on every card was good, or no GPU is listed.
        xla_failure: XLA failed although the plain steps were good; None when it was good or not tried.
        executable: Interpreter it ran in.
        cuda_version: That TensorFlow was built with, None when the build does not tell.
        is_cuda_build: None when TensorFlow did not get as far.
        packages: Versions that this Python itself reports.
        steps: In the order in which they ran.
        libraries: The GPU libraries in the process, or the attempts to load them when no GPU is listed.
        driver_words: What CUDA's driver library said when TensorFlow lists no GPU.
        words: Last telling lines that TensorFlow printed.
        variables: Those that change what TensorFlow does, as the process saw them.
        taken_at: Seconds since the epoch.
        fingerprint: State of machine and environment it stands for, by part.
    """

    result: ProofResult
    failure: ProofFailure | None = None
    xla_failure: ProofFailure | None = None
    executable: str = path_text("")
    python_version: str | None = public_text()
    tensorflow_version: str | None = public_text()
    cuda_version: str | None = public_text()
    cudnn_version: str | None = public_text()
    is_cuda_build: bool | None = None
    packages: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "public"})
    gpus: tuple[ProofGpu, ...] = ()
    steps: tuple[ProofStep, ...] = ()
    libraries: tuple[ProofLibrary, ...] = ()
    driver_words: str | None = path_text()
    words: tuple[str, ...] = field(default=(), metadata={"privacy": "path"})
    variables: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "path"})
    import_s: float | None = None
    taken_at: float = 0.0
    duration_s: float | None = None
    fingerprint: Mapping[str, str] = field(default_factory=dict)

    @property
    def good_gpus(self) -> tuple[ProofGpu, ...]:
        """The cards on which every plain step was good, XLA left aside."""
        return tuple(gpu for gpu in self.gpus if self._is_good(gpu.index))

    def _is_good(self, index: int) -> bool:
        plain = {step.stage: step.is_good for step in self.steps if step.gpu_index == index}
        return plain.get(ProofStage.MATMUL, False) and plain.get(ProofStage.CONVOLUTION, False)
