"""How fact tables are read: one clear sentence for each row that cannot be used."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.knowledge.catalogue import TABLE, parse_catalogue
from gpuconfig_app.knowledge.chips import parse_chips
from gpuconfig_app.knowledge.cuda_drivers import parse_cuda_table
from gpuconfig_app.knowledge.table import first_source, parse_table, read_table
from gpuconfig_app.knowledge.tensorflow_releases import parse_releases

ROW = {
    "id": "some-card",
    "name": "Some card",
    "vendor": "nvidia",
    "segment": "consumer",
    "architecture": "Ada",
    "memory_gb": 24,
    "certainty": "high",
    "source": {"title": "Maker's page", "address": "https://example.org/"},
    "checked_on": "2026-11-30",
}


def test_a_whole_row_is_read():
    (row,) = parse_catalogue({"gpu": [ROW]})

    assert row.id == "some-card"
    assert row.fp32_tflops is None
    assert row.source[0].title == "Maker's page"


def test_what_the_program_knows_of_itself_needs_no_address():
    (row,) = parse_catalogue({"gpu": [ROW | {"source": {"title": "GPUConfig: measured"}}]})

    found = first_source(row)
    assert (found.title, found.address) == ("GPUConfig: measured", None)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"memory_gb": "24"}, "should be float"),
        ({"vendor": "voodoo"}, "should be"),
        ({"memory_bytes": 24}, "unknown field memory_bytes"),
        ({"source": []}, "no source"),
        ({"source": {"title": "Maker", "address": "somewhere"}}, "no source"),
        ({"source": {"title": "Maker"}}, "no source"),
        ({"source": {"title": "", "address": "https://example.org/"}}, "no source"),
        ({"checked_on": "30.11.2026"}, "no date"),
        ({"unsure": "fp32_tflops"}, "should be list"),
    ],
)
def test_unusable_row_is_named_with_its_problem(changes, problem):
    with pytest.raises(UnusableFileError) as caught:
        parse_catalogue({"gpu": [ROW | changes]})

    message = caught.value.message
    assert message.id == "knowledge.row-unusable"
    assert message.params["table"] == TABLE
    assert "some-card" in str(message.params["row"])
    assert problem in str(message.params["problem"])


@pytest.mark.parametrize("missing", ["id", "memory_gb", "source", "checked_on"])
def test_missing_field_is_named(missing):
    with pytest.raises(UnusableFileError) as caught:
        parse_catalogue({"gpu": [{key: value for key, value in ROW.items() if key != missing}]})

    assert missing in str(caught.value.message.params["row"])


def test_doubled_id_and_empty_table_are_refused():
    with pytest.raises(UnusableFileError, match="row-unusable"):
        parse_catalogue({"gpu": [ROW, ROW]})
    with pytest.raises(UnusableFileError, match="row-unusable"):
        parse_catalogue({"gpu": []})
    with pytest.raises(UnusableFileError, match="row-unusable"):
        parse_catalogue({"gpu": ["not a row"]})


def test_text_that_is_no_table():
    with pytest.raises(UnusableFileError) as caught:
        parse_table("gpus", "schema = ")
    assert caught.value.message.id == "knowledge.not-toml"

    with pytest.raises(UnusableFileError) as caught:
        parse_table("gpus", "schema = 2")
    assert caught.value.message.id == "knowledge.wrong-schema"


def test_missing_file():
    with pytest.raises(UnusableFileError) as caught:
        read_table("no-such-table")

    assert caught.value.message.id == "knowledge.table-missing"


def test_cuda_release_without_machine_code_is_refused():
    row = next(item for item in read_table("tensorflow_releases")["release"] if item["is_cuda_build"])  # type: ignore[union-attr,index,call-overload]

    with pytest.raises(UnusableFileError, match="row-unusable"):
        parse_releases({"release": [{key: value for key, value in row.items() if key != "sass"}]})  # type: ignore[union-attr]


def test_every_part_of_the_cuda_table_is_needed():
    data = dict(read_table("cuda_drivers"))
    data.pop("floor")

    with pytest.raises(UnusableFileError, match="row-unusable"):
        parse_cuda_table(data)


def test_a_chip_belongs_to_one_family():
    row = {
        "compute_capability": "8.9", "architecture": "Ada", "chips": ["AD102"], "source": ROW["source"],
        "checked_on": "2026-11-30",
    }  # fmt: skip

    with pytest.raises(UnusableFileError, match="row-unusable"):
        parse_chips({"chip": [row, row]})  # type: ignore[dict-item]
