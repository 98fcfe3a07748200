"""Every fact table: a source and a date in each row, both languages with the same placeholders, sorted, nothing banned.

The banned claims come from texts that were checked and found wrong; a reader would act on them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest

from gpuconfig_app.compat.facts_view import placeholder_names
from gpuconfig_app.compat.rules import load_fixes, load_rules
from gpuconfig_app.core.units import GIB
from gpuconfig_app.knowledge.catalogue import catalogue_gpu, load_catalogue
from gpuconfig_app.knowledge.table import OWN_SOURCE
from gpuconfig_app.knowledge.tensorflow_releases import load_releases
from gpuconfig_app.resources import resource_path

TABLES = sorted(resource_path("knowledge").glob("*.toml"))
CHINESE = re.compile(r"[\u4e00-\u9fff]")
TODAY = "2026-12-31"

# Claims no text of ours may repeat; each was checked and is wrong or outdated.
BANNED = (
    r"enable_op_determinism",
    r"is_gpu_available",
    r"distribute\.experimental\.tpu",
    r"pip install tensorflow-gpu",
    r"device_lib",
    r"--gpus=",
    r"80 ?plus",
    r"A5000[^\n]{0,40}\bMIG\b|\bMIG\b[^\n]{0,40}A5000",
    r"A100[^\n]{0,40}\b2250\b",
    r"4090[^\n]{0,40}\b61 TFLOPS",
    r"TF32[^\n]{0,40}(10x|10×|10倍)",
    r"is_built_with_cuda",
    r"wait 30 minutes",
)


def _tables() -> dict[str, dict[str, object]]:
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in TABLES}


def _rows(table: dict[str, object]) -> Iterator[tuple[str, dict[str, object]]]:
    for key, rows in table.items():
        if isinstance(rows, list):
            for number, row in enumerate(rows):
                yield f"{key}[{number}]", row


def _texts(row: object) -> Iterator[dict[str, str]]:
    """Give every pair of languages, however deep it lies."""
    if isinstance(row, dict):
        if "en" in row or "zh_cn" in row:
            yield row
        for value in row.values():
            yield from _texts(value)
    if isinstance(row, list):
        for value in row:
            yield from _texts(value)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_table_has_a_schema(path):
    assert tomllib.loads(path.read_text(encoding="utf-8"))["schema"] == 1


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_every_row_names_its_source_and_date(path):
    for place, row in _rows(tomllib.loads(path.read_text(encoding="utf-8"))):
        sources = row["source"] if isinstance(row["source"], list) else [row["source"]]
        assert sources, place
        for source in sources:
            assert source["title"], place
            is_own = source["title"].startswith(OWN_SOURCE)
            assert "address" not in source if is_own else source["address"].startswith("https://"), place
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", row["checked_on"]), place
        assert row["checked_on"] < TODAY, place


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_texts_stand_in_both_languages_with_the_same_placeholders(path):
    for place, row in _rows(tomllib.loads(path.read_text(encoding="utf-8"))):
        for text in _texts(row):
            assert set(text) == {"en", "zh_cn"}, place
            assert text["en"].strip(), place
            assert text["zh_cn"].strip(), place
            assert placeholder_names(text["en"]) == placeholder_names(text["zh_cn"]), place


def test_chinese_is_chinese():
    for rule in load_rules():
        for text in (rule.title, rule.text):
            assert CHINESE.search(text.zh_cn), rule.id
            assert not CHINESE.search(text.en), rule.id
    for fix in load_fixes():
        assert CHINESE.search(fix.text.zh_cn), fix.id
        assert not CHINESE.search(fix.text.en), fix.id


def test_tables_are_sorted():
    assert [row.id for row in load_catalogue()] == sorted(row.id for row in load_catalogue())
    assert [fix.id for fix in load_fixes()] == sorted(fix.id for fix in load_fixes())
    keys = [(rule.priority, rule.id) for rule in load_rules()]
    assert keys == sorted(keys)
    series = [([int(part) for part in row.series.split(".")], row.platform) for row in load_releases()]
    assert series == sorted(series)


@pytest.mark.parametrize("claim", BANNED)
def test_no_text_repeats_a_claim_that_was_found_wrong(claim):
    pattern = re.compile(claim, re.IGNORECASE)
    files = [*TABLES, *sorted(resource_path("text").glob("*.toml"))]

    assert [path.name for path in files if pattern.search(path.read_text(encoding="utf-8"))] == []


def test_versions_are_texts():
    for name, table in _tables().items():
        for place, row in _rows(table):
            for key, value in row.items():
                if key in {"version", "glibc", "cuda", "series", "toolkit", "compute_capability", "level", "isa"}:
                    assert isinstance(value, str), f"{name} {place} {key}"


@pytest.mark.parametrize(
    ("row", "field", "value"),
    [
        ("a100-sxm4-80gb", "bf16_tflops", 312),
        ("a100-pcie-80gb", "fp32_tflops", 19.5),
        ("geforce-rtx-4090", "fp32_tflops", 82.6),
        ("rtx-a5000", "mig_max_instances", 0),
        ("rtx-a5000", "fp16_tflops", 111.1),
        ("b200-sxm-180gb", "bf16_tflops", 2250),
        ("h100-sxm5-80gb", "mig_max_instances", 7),
        ("geforce-rtx-3060-12gb", "bandwidth_gbs", 360),
        ("b300-sxm-288gb", "compute_capability", "10.3"),
    ],
)
def test_figures_that_origin_texts_had_wrong(row, field, value):
    found = catalogue_gpu(row)

    assert found is not None
    assert getattr(found, field) == value


def test_namesakes_are_told_apart_by_their_memory():
    for row in load_catalogue():
        for other in row.same_name_memory_gb:
            assert row.fits_memory(int(other * GIB * 0.97)) is (other == row.memory_gb), (row.id, other)


def test_the_catalogue_is_plausible():
    rows = load_catalogue()

    assert len(rows) >= 60
    assert len({(row.driver_name, row.memory_gb) for row in rows if row.driver_name}) == len(
        [row for row in rows if row.driver_name and "nvgpu" not in row.driver_name]
    ) + len({row.memory_gb for row in rows if row.driver_name and "nvgpu" in row.driver_name})
    for row in rows:
        assert (row.compute_capability is None) != (row.vendor.value == "nvidia"), row.id
        assert row.memory_gb > 0, row.id
        for rate in (row.fp32_tflops, row.fp16_tflops, row.bandwidth_gbs, row.tdp_w):
            assert rate is None or rate > 0, row.id
        assert set(row.unsure) <= set(row.__dataclass_fields__), row.id
