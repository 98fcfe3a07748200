"""What one machine consists of before it is written: document, samples, expected verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.sample import Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.recorded import MachineOrigin

TELEGRAF = "influxdata/telegraf, plugins/{path}, commit b27263146617cefe16c0b300107b58b111a7fa57"
EXPORTER = "utkuozdemir/nvidia_gpu_exporter, internal/captures, commit e656cd81a180e7e0e7862b53c9acd4c2fb0f590b"
MIT = "MIT"


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What ``check`` must say about the current environment of a machine.

    Attributes:
        primary_code: None when nothing stands in the way, or when only remarks remain.
        also: Codes that must be among the findings, if the rules know them.
        releases: Code that stands in the way of a release in a fresh environment, by series.
        why: The reasoning, for the reader.
    """

    verdict: str
    outcome: str
    primary_code: str | None = None
    also: tuple[str, ...] = ()
    releases: Mapping[str, str] = field(default_factory=dict)
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """One machine to be written.

    Attributes:
        name: Folder name, kebab case.
        is_shipped: It also goes to ``resources/machines``.
        samples: Makes the telemetry; None for a machine without any.
    """

    name: str
    title: LocalText
    report: SystemReport
    expected: Expected
    samples: Callable[[], tuple[Sample, ...]] | None = None
    origin: MachineOrigin = MachineOrigin.CONSTRUCTED
    source: str | None = None
    licence: str | None = None
    is_shipped: bool = False
    extra: Mapping[str, str] = field(default_factory=dict)
