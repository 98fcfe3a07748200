"""Looks into data: by the standard library alone, and for Parquet with the help of the user's Python."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.errors import GpuConfigError
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.dataset.scan import scan_data
from gpuconfig_app.dataset.table_probe import with_probe_answer
from gpuconfig_app.hardware.login_shell import read_user_variables
from gpuconfig_app.runner.table_columns import read_table_columns

logger = logging.getLogger(__name__)
_PARQUET = "parquet"
_NO_READER = "ModuleNotFoundError"


def look_into_data(path: Path, python: str | None, control: JobControl | None = None) -> DatasetFacts:
    """Give what is in a data folder or table.

    A Parquet file whose columns can't be read is still good data: a note says why they are not shown.

    Args:
        path: Folder or file; ``~`` is the home folder.
        python: Interpreter of this machine that may read Parquet, None when there is none.

    Raises:
        UnusableFileError: It is not there, may not be read, or is no table.
        JobCancelledError: The user ended the scan.
    """
    job = control or JobControl()
    facts = scan_data(path, job)
    if facts.table_format != _PARQUET or not python:
        return facts
    try:
        text = read_table_columns(Path(facts.path or path), python, job, read_user_variables().values)
        return with_probe_answer(facts, text)
    except GpuConfigError as error:
        logger.info("columns of %s in %s: %s", path, python, error)
        return replace(facts, notes=_why_not(facts, error, python))


def _why_not(facts: DatasetFacts, error: GpuConfigError, python: str) -> tuple[Message, ...]:
    if str(error.message.params.get("detail", "")).startswith(_NO_READER):
        return (Message("dataset.parquet-needs-pyarrow", {"python": python}),)
    return (error.message, *facts.notes)
