"""Which kinds of sources there are: one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.sample import Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.telemetry.sources import Source
from gpuconfig_app.telemetry.sources.local import LocalSource
from gpuconfig_app.telemetry.sources.recorded import RecordedSource


@dataclass(frozen=True)
class SourceRequest:
    """What a source is made of.

    Attributes:
        samples: Recorded readings, for a recorded machine.
        wakes_sleeping_gpus: May wake a sleeping card to read it.
    """

    report: SystemReport
    clock: Clock
    samples: Sequence[Sample] = ()
    wakes_sleeping_gpus: bool = False


SOURCE_KINDS: Mapping[str, Callable[[SourceRequest], Source]] = {
    "local": lambda request: LocalSource(
        request.report, clock=request.clock, wakes_sleeping_gpus=request.wakes_sleeping_gpus
    ),
    "recorded": lambda request: RecordedSource(request.report, request.samples, request.clock),
}


def make_source(request: SourceRequest) -> Source:
    """Make the source that fits a machine: its recording when it was recorded, else the machine itself."""
    return SOURCE_KINDS["local" if request.report.recorded_from is None else "recorded"](request)
