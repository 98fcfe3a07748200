"""Reads what the proof's probe wrote, also when it was cut off half-way; judging is the work of ``proof_outcome``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.proof import ProofStage
from gpuconfig_app.storage.places import read_text

Answer = Mapping[str, Any]  # Any: a line of JSON before it is checked
MOST_BYTES = 16 * 1024**2
_STAGES = {stage.value: stage for stage in ProofStage} | {"library": ProofStage.DEVICES}


@dataclass(frozen=True)
class PartEnd:
    """How a process of the probe ended.

    Attributes:
        exit_code: None when it never ran or was ended by us.
        limit_s: The time limit that ended it.
        error: Why it could not be started.
    """

    exit_code: int | None = None
    limit_s: float | None = None
    error: str | None = None


@dataclass(frozen=True)
class ProofPart:
    """One process of the probe.

    Attributes:
        answers: What it wrote, in order.
        log: Last lines it printed.
    """

    answers: tuple[Answer, ...] = ()
    log: tuple[str, ...] = ()
    end: PartEnd = field(default_factory=PartEnd)

    @property
    def is_done(self) -> bool:
        """Whether it came to its own end, after good steps and bad ones."""
        return any(answer.get("record") == "done" for answer in self.answers)

    @property
    def last(self) -> Answer | None:
        """The stage that was begun last, None when none was."""
        return next((answer for answer in reversed(self.answers) if answer.get("record") == "begin"), None)

    @property
    def open(self) -> Answer | None:
        """The stage that was begun and never ended, None when there is none."""
        marks = [answer for answer in self.answers if answer.get("record") in {"begin", "end"}]
        return marks[-1] if marks and marks[-1]["record"] == "begin" else None

    @property
    def stage(self) -> ProofStage:
        """The step it was at last."""
        return stage_of(self.last)

    def of(self, record: str) -> tuple[Answer, ...]:
        """Give the lines of one kind."""
        return tuple(answer for answer in self.answers if answer.get("record") == record)


def read_part(answers: Path, log: Iterable[str], end: PartEnd) -> ProofPart:
    """Read the answers of a process; a last line that was cut off is left out."""
    try:
        text = read_text(answers, limit_bytes=MOST_BYTES)
    except UnusableFileError:  # not written yet, or never
        text = ""
    lines = (_read_line(line) for line in text.splitlines())
    return ProofPart(tuple(line for line in lines if line is not None), tuple(log), end)


def stage_of(answer: Answer | None) -> ProofStage:
    """Give the step a line is about, START for none."""
    return _STAGES.get(str(answer.get("stage")), ProofStage.START) if answer is not None else ProofStage.START


def gpu_of(answer: Answer | None) -> int | None:
    """Give the card a line is about, None when it is about none."""
    number = answer.get("gpu") if answer is not None else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def text_of(value: object) -> str | None:
    """Give a text that can be written to a file, None for what is no text."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else None


def number_of(value: object) -> float | None:
    """Give a number, None for what is none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def next_gpu(part: ProofPart) -> int | None:
    """Give the card to go on with after a process that ended on one, None when there is nothing to go on with.

    After a hang nothing is tried again: the next process would wait as long.
    """
    ended_on = gpu_of(part.open)
    if part.is_done or ended_on is None or part.end.exit_code is None:
        return None
    count = max(count_gpus(part.answers), 0)
    return ended_on + 1 if ended_on + 1 < count else None


def count_gpus(answers: Iterable[Answer]) -> int:
    """Give how many cards TensorFlow listed, 0 when it did not get as far."""
    for answer in answers:
        if answer.get("record") == "end" and answer.get("stage") == "devices":
            count = answer.get("count")
            return count if isinstance(count, int) else 0
    return 0


def _read_line(line: str) -> Answer | None:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None
