from __future__ import annotations

import csv
import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig_app.core.dataset import ColumnKind, DataKind, DatasetFacts
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.dataset import tables
from gpuconfig_app.dataset.scan import scan_data
from gpuconfig_app.dataset.table_probe import with_probe_answer
from gpuconfig_app.resources import resource_path

ROWS = 300
HEADER = "id,height,colour,remark,label,same"


def _lines() -> list[str]:
    return [
        f'{number},{number * 0.37 + 1:.3f},{("red", "green", "blue")[number % 3]},"a longer, free remark no. {number}",'
        f"{number % 2},x"
        for number in range(1, ROWS + 1)
    ]


def _table(tmp_path, text: str, name: str = "table.csv", encoding: str = "utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def _kinds(facts: DatasetFacts) -> dict[str, ColumnKind]:
    return {column.name: column.kind for column in facts.columns}


def _ids(facts: DatasetFacts) -> set[str]:
    return {note.id for note in facts.notes}


def test_columns_are_judged(tmp_path) -> None:
    facts = scan_data(_table(tmp_path, "\n".join([HEADER, *_lines()]) + "\n"))

    assert facts.kind is DataKind.TABLE
    assert (facts.sample_count, facts.is_exact, facts.delimiter, facts.has_header) == (ROWS, True, ",", True)
    assert _kinds(facts) == {
        "id": ColumnKind.IDENTIFIER,
        "height": ColumnKind.NUMBER,
        "colour": ColumnKind.CATEGORY,
        "remark": ColumnKind.TEXT,
        "label": ColumnKind.NUMBER,
        "same": ColumnKind.CONSTANT,
    }
    label = facts.columns[4]
    assert (label.is_integer, label.distinct_count, label.minimum, label.maximum) == (True, 2, 0.0, 1.0)


@pytest.mark.parametrize(("delimiter", "name"), [(";", "t.csv"), ("\t", "t.tsv"), ("|", "t.txt"), ("\t", "t.csv")])
def test_separators_are_found(tmp_path, delimiter: str, name: str) -> None:
    lines = [delimiter.join(("a", "b", "c"))] + [delimiter.join((str(n), f"{n / 7:.2f}", "x,y")) for n in range(50)]

    facts = scan_data(_table(tmp_path, "\n".join(lines), name))

    assert facts.delimiter == delimiter
    assert [column.name for column in facts.columns] == ["a", "b", "c"]
    assert facts.sample_count == 50


@pytest.mark.parametrize(
    ("encoding", "found"),
    [("utf-8-sig", "utf-8-sig"), ("gbk", "gb18030"), ("utf-16", "utf-16"), ("cp1252", "cp1252"), ("utf-8", "utf-8")],
)
def test_encodings_are_found(tmp_path, encoding: str, found: str) -> None:
    names = "höhe,größe" if encoding == "cp1252" else "身高,体重"

    facts = scan_data(_table(tmp_path, f"{names}\n" + "1.5,2\n" * 20, encoding=encoding))

    assert facts.encoding == found
    assert [column.name for column in facts.columns] == names.split(",")
    assert ("dataset.encoding" in _ids(facts)) == (not found.startswith("utf-8"))


def test_table_without_names_gets_numbers(tmp_path) -> None:
    facts = scan_data(_table(tmp_path, "".join(f"{n},{n * n},{n % 5}.5\n" for n in range(40))))

    assert facts.has_header is False
    assert facts.sample_count == 40
    assert [column.name for column in facts.columns] == ["column_1", "column_2", "column_3"]
    assert "dataset.no-header" in _ids(facts)


def test_numbers_may_be_names_when_a_column_below_says_so(tmp_path) -> None:
    """scikit-learn's iris.csv begins with ``150,4,setosa,versicolor,virginica``."""
    facts = scan_data(
        _table(tmp_path, "150,4,setosa,versicolor,virginica\n" + "5.1,3.5,1.4,0.2,0\n4.9,3,1.4,0.2,1\n" * 9)
    )

    assert facts.has_header is True
    assert [column.name for column in facts.columns] == ["150", "4", "setosa", "versicolor", "virginica"]


def test_line_breaks_in_quotes_are_one_row(tmp_path) -> None:
    facts = scan_data(_table(tmp_path, 'a,b\n1,"first\nsecond"\n2,"x ""quoted"" y"\n' * 1))

    assert facts.sample_count == 2
    assert facts.columns[1].examples[0] == "first\nsecond"


def test_missing_cells_are_counted(tmp_path) -> None:
    facts = scan_data(_table(tmp_path, "a,b\n" + "1,x\nNA,\n?,NaN\n,y\n" * 10))

    assert [column.missing_count for column in facts.columns] == [30, 20]
    assert facts.columns[0].kind is ColumnKind.CONSTANT
    assert "dataset.mostly-missing" in _ids(facts)


def test_rows_of_other_lengths_are_reported(tmp_path) -> None:
    facts = scan_data(_table(tmp_path, "a,b\n1,2\n3\n4,5,6\n7,8\n"))

    note = next(note for note in facts.notes if note.id == "dataset.wrong-lengths")
    assert note.params == {"count": 2, "expected": 2}


def test_decimal_commas_are_no_numbers(tmp_path) -> None:
    facts = scan_data(_table(tmp_path, "a;b\n" + "".join(f"{n},5;{n}\n" for n in range(30))))

    assert facts.columns[0].kind is ColumnKind.TEXT
    assert "dataset.decimal-commas" in _ids(facts)


def test_large_tables_are_estimated(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tables, "WHOLE_BYTES", 20_000)
    path = _table(tmp_path, "a,b\n" + "".join(f"{n % 10},{n % 10}.5\n" for n in range(20_000)))

    facts = scan_data(path)

    assert facts.is_exact is False
    assert facts.sample_count == pytest.approx(20_000, rel=0.05)


def test_cancelling_ends_reading(tmp_path) -> None:
    path = _table(tmp_path, "a,b\n" + "1,2\n" * 20_000)
    control = JobControl(lambda _share, _message: control.cancel())

    with pytest.raises(JobCancelledError):
        scan_data(path, control)


@pytest.mark.parametrize("body", [b"", b"\n\n", b"\0\1\2\3" * 100, b"PAR1 cut"])
def test_no_table_is_an_error(tmp_path, body: bytes) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(body)

    with pytest.raises(UnusableFileError):
        scan_data(path)


def test_spreadsheets_are_explained(tmp_path) -> None:
    facts = scan_data(_table(tmp_path, "PK", "book.xlsx"))

    assert facts.kind is DataKind.UNKNOWN
    assert _ids(facts) == {"dataset.other-table"}


def test_the_csv_module_is_left_as_it_was(tmp_path) -> None:
    before = csv.field_size_limit()

    scan_data(_table(tmp_path, "a,b\n1,2\n"))

    assert csv.field_size_limit() == before


@given(st.text(max_size=400), st.sampled_from(["utf-8", "utf-16", "gb18030"]))
def test_no_text_crashes_the_reader(tmp_path_factory, text: str, encoding: str) -> None:
    path = tmp_path_factory.mktemp("text") / "t.csv"
    path.write_bytes(text.encode(encoding, "replace"))

    try:
        facts = scan_data(path)
    except UnusableFileError:
        return
    assert facts.sample_count is not None


@given(
    st.lists(
        st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=6), min_size=3, max_size=3),
        min_size=2,
        max_size=20,
    )
)
def test_rows_written_by_csv_are_counted_exactly(tmp_path_factory, rows) -> None:
    path = tmp_path_factory.mktemp("rows") / "t.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["first name", "second name", "third name"], *rows])

    facts = scan_data(path)

    counted = facts.sample_count if facts.has_header else (facts.sample_count or 0) - 1
    assert facts.delimiter != "," or counted == len(rows)


def _parquet(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1" + bytes(20) + b"PAR1")
    return path


def test_parquet_is_recognised_and_left_to_the_probe(tmp_path) -> None:
    facts = scan_data(_parquet(tmp_path))

    assert (facts.kind, facts.table_format, facts.sample_count) == (DataKind.TABLE, "parquet", None)
    assert _ids(facts) == {"dataset.parquet-by-probe"}


def test_answer_of_the_probe_fills_the_columns(tmp_path) -> None:
    answer = [
        {"record": "columns", "rows": 900, "names": ["age", "city"]},
        {"record": "column", "name": "age", "type": "double", "seen": 900, "missing": 3, "distinct": 70,
         "is_number": True, "is_integer": True, "minimum": 18.0, "maximum": 90.0, "words": 1.0, "examples": ["18.0"]},
        {"record": "column", "name": "city", "type": "string", "seen": 900, "missing": 0, "distinct": 12,
         "is_number": False, "is_integer": False, "minimum": None, "maximum": None, "words": 1.0, "examples": ["Bonn"]},
    ]  # fmt: skip
    text = "\n".join(json.dumps(item) for item in answer) + '\n{"record": "do'

    facts = with_probe_answer(scan_data(_parquet(tmp_path)), text)

    assert facts.sample_count == 900
    assert _kinds(facts) == {"age": ColumnKind.NUMBER, "city": ColumnKind.CATEGORY}
    assert facts.notes == ()


def test_a_failed_probe_is_an_error(tmp_path) -> None:
    facts = scan_data(_parquet(tmp_path))

    with pytest.raises(UnusableFileError):
        with_probe_answer(facts, json.dumps({"record": "error", "detail": "ModuleNotFoundError: pyarrow"}))
    with pytest.raises(UnusableFileError):
        with_probe_answer(facts, "")


def test_the_probe_tells_why_it_failed(tmp_path) -> None:
    out = tmp_path / "answer.jsonl"
    probe = resource_path("probes", "read_table.py")

    done = subprocess.run(
        [sys.executable, str(probe), "--table", str(tmp_path / "no.parquet"), "--out", str(out)],
        check=False,
        env=dict(os.environ),
    )

    assert done.returncode == 1
    assert json.loads(out.read_text(encoding="utf-8"))["record"] == "error"
