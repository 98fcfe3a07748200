"""The cause behind a failed proof, as far as TensorFlow's own words tell it: the log doctor reads them."""

from __future__ import annotations

import logging

from gpuconfig_app.compat.log_doctor import explain
from gpuconfig_app.compat.log_reading import read_log
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.finding import Confidence, Finding, Severity
from gpuconfig_app.core.proof import Proof
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport

logger = logging.getLogger(__name__)


def cause_of(proof: Proof, report: SystemReport, environment: PythonEnvironment | None) -> Finding | None:
    """Give the known cause that the words of a failed proof name, None when they name none for sure.

    Args:
        report: The machine it was run on; its facts tell causes apart that print the same.
        environment: The Python it was run in.
    """
    said = [*proof.words, *((proof.failure.words,) if proof.failure is not None else ())]
    said += [line for line in (step.error for step in proof.steps) if line]
    text = "\n".join(line for line in said if line.strip())
    if not text:
        return None
    try:
        told = explain(read_log(text.encode("utf-8", errors="replace")), report, environment)
    except UnusableFileError as error:
        logger.debug("words of the proof: %s", error)
        return None
    cause = told.primary
    is_sure = told.is_known and bool(told.findings) and cause.confidence is Confidence.HIGH
    return cause if is_sure and cause.severity is Severity.BLOCKED and cause.fixes else None
