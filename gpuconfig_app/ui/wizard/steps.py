"""The seven steps, in order."""

from __future__ import annotations

from enum import StrEnum


class Step(StrEnum):
    """Steps of the wizard, in order."""

    TASK = "task"
    DATA = "data"
    MODEL = "model"
    HARDWARE = "hardware"
    TRAINING = "training"
    REVIEW = "review"
    SCRIPT = "script"


STEPS = tuple(Step)
