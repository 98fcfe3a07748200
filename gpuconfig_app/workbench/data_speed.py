"""Adds to what a scan found how fast the data can be read on this machine."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from gpuconfig_app.core.dataset import DataKind, DatasetFacts
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.hardware.disk_speed import measure_disk_speed

# As many as a training reads with, up to where Python itself would be what is measured.
_MOST_READERS = 16


def with_disk_speed(facts: DatasetFacts, control: JobControl | None = None) -> DatasetFacts:
    """Give the same facts with the speed of their disk; unchanged where it can't be told. Takes up to two seconds.

    Raises:
        JobCancelledError: The user ended the check.
    """
    if not facts.path or facts.kind is DataKind.UNKNOWN:
        return facts
    readers = min(_MOST_READERS, os.cpu_count() or 1)
    return replace(facts, disk_speed=measure_disk_speed(Path(facts.path), control, readers=readers))
