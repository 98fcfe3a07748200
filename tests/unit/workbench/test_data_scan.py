"""Parquet: columns by the user's Python where it can, a note that says why where it can't."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gpuconfig_app.core.dataset import ColumnKind
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Language
from gpuconfig_app.runner import table_columns
from gpuconfig_app.workbench.data_scan import look_into_data
from gpuconfig_app.workbench.text import load_texts

_MAKE = """
import sys, pyarrow, pyarrow.parquet
table = pyarrow.table({
    "age": [20.0 + number % 50 for number in range(300)],
    "city \\"quoted\\"": ["Bonn" if number % 2 else "上海" for number in range(300)],
})
pyarrow.parquet.write_table(table, sys.argv[1])
"""


def _ids(facts) -> list[str]:
    return [note.id for note in facts.notes]


def _broken(folder: Path) -> Path:
    path = folder / "t.parquet"
    path.write_bytes(b"PAR1" + bytes(20) + b"PAR1")
    return path


def _python(folder: Path, body: str) -> str:
    """A program that stands for an interpreter."""
    script = folder / "python"
    script.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    script.chmod(0o755)
    return str(script)


def test_columns_of_a_parquet_file_are_read(tmp_path, tensorflow_python) -> None:
    table = tmp_path / "it's a table.parquet"
    subprocess.run([str(tensorflow_python), "-c", _MAKE, str(table)], check=True)

    facts = look_into_data(table, str(tensorflow_python))

    kinds = {column.name: column.kind for column in facts.columns}
    assert kinds == {"age": ColumnKind.NUMBER, 'city "quoted"': ColumnKind.CATEGORY}
    assert (facts.sample_count, facts.notes) == (300, ())


def test_broken_file_is_told_in_the_words_of_its_reader(tmp_path, tensorflow_python) -> None:
    facts = look_into_data(_broken(tmp_path), str(tensorflow_python))

    assert _ids(facts) == ["dataset.probe-failed", "dataset.parquet-by-probe"]


def test_python_without_a_reader_is_named_with_the_command_that_brings_it(tmp_path) -> None:
    python = _python(tmp_path, f"exec '{sys.executable}' -S \"$@\"")

    facts = look_into_data(_broken(tmp_path), python)

    assert _ids(facts) == ["dataset.parquet-needs-pyarrow"]
    assert f"{python} -m pip install pyarrow" in load_texts().render(facts.notes[0], Language.ENGLISH)


@pytest.mark.parametrize(
    ("python", "note"),
    [("/no/such/python", "core.cannot-start"), ("/bin/false", "dataset.probe-unusable")],
)
def test_python_that_gives_no_answer_leaves_the_file_usable(tmp_path, python, note) -> None:
    facts = look_into_data(_broken(tmp_path), python)

    assert _ids(facts) == [note, "dataset.parquet-by-probe"]


def test_python_that_hangs_is_ended(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(table_columns, "TIME_LIMIT_S", 0.0)

    facts = look_into_data(_broken(tmp_path), _python(tmp_path, "exec sleep 600"))

    assert _ids(facts)[0] == "dataset.probe-slow"


def test_scan_is_cancelled_while_python_reads(tmp_path) -> None:
    started = tmp_path / "started"
    python = _python(tmp_path, f"touch '{started}'; exec sleep 600")
    control = JobControl()
    watcher = threading.Thread(target=lambda: (_wait_for(started), control.cancel()))
    watcher.start()

    with pytest.raises(JobCancelledError):
        look_into_data(_broken(tmp_path), python, control)
    watcher.join()


def test_without_a_python_the_script_reads_it(tmp_path) -> None:
    assert _ids(look_into_data(_broken(tmp_path), None)) == ["dataset.parquet-by-probe"]


def _wait_for(file: Path) -> None:
    event = threading.Event()
    while not file.exists():
        event.wait(0.01)
