"""Documents survive writing and reading, and a bad one is refused with the place that is wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings

from gpuconfig_app.core.bundle import BundleRecipe
from gpuconfig_app.core.codec import DocumentKind, decode, dump_document, encode, load_document
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.errors import UnusableFileError
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.record import JsonValue, Record
from gpuconfig_app.core.run_result import RunRecord, RunResult
from gpuconfig_app.core.sample import Sample
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.workload import Workload
from gpuconfig_app.storage.settings import Settings
from tests.record_examples import example, values_of

KINDS = (
    SystemReport, CompatReport, TrainingPlan, BundleRecipe, RunRecord, RunResult, DatasetFacts, Workload,
    Settings, Sample,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Note(Record):
    """A small document for these tests."""

    text: str = ""
    count: int | None = None
    shares: tuple[float, ...] = ()
    pair: tuple[int, str] = (0, "")
    by_line: dict[int, str] = field(default_factory=dict)
    vendor: Vendor = Vendor.OTHER
    free: JsonValue = None


NOTE = DocumentKind("note", 1, Note, {})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_full_value_comes_back_as_it_was(kind) -> None:
    document = DocumentKind(kind.__name__, 1, kind, {})
    value = example(kind)

    assert load_document(document, dump_document(document, value)) == value


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_any_value_comes_back_as_it_was(kind) -> None:
    document = DocumentKind(kind.__name__, 1, kind, {})

    @settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(values_of(kind))
    def comes_back(value) -> None:
        text = dump_document(document, value)

        assert load_document(document, text) == value
        assert dump_document(document, load_document(document, text)) == text

    comes_back()


def test_unknown_keys_are_kept_on_every_level() -> None:
    text = json.dumps({
        "document": "machine", "schema": 1, "later": {"a": [1]},
        "gpus": [{"index": 0, "vendor": "nvidia", "invented": "x", "pcie": {"lanes_used": 8}}],
    })  # fmt: skip
    kind = DocumentKind("machine", 1, SystemReport, {})

    written = json.loads(dump_document(kind, load_document(kind, text)))

    assert written["later"] == {"a": [1]}
    assert written["gpus"][0]["invented"] == "x"
    assert written["gpus"][0]["pcie"]["lanes_used"] == 8


def test_missing_keys_take_their_default() -> None:
    note = load_document(NOTE, '{"document": "note", "schema": 1}')

    assert note == Note()


def test_null_stands_for_the_default_of_a_field_that_cannot_be_none() -> None:
    assert decode(Note, {"text": None, "count": None}) == Note()


def test_a_field_without_default_is_needed() -> None:
    with pytest.raises(UnusableFileError) as caught:
        decode(Gpu, {"index": 0})

    assert caught.value.message == Message("core.wrong-value", {"where": "vendor", "expected": "a value"})


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"text": 1}, "text"),
        ({"count": "1"}, "count"),
        ({"count": True}, "count"),
        ({"count": 1.5}, "count"),
        ({"shares": 1}, "shares"),
        ({"shares": [1, "x"]}, "shares[1]"),
        ({"shares": [10**400]}, "shares[0]"),
        ({"pair": [1]}, "pair"),
        ({"pair": ["x", "y"]}, "pair[0]"),
        ({"by_line": {"x": "y"}}, "by_line"),
        ({"by_line": []}, "by_line"),
        ({"vendor": "matrox"}, "vendor"),
        ({"vendor": ["nvidia"]}, "vendor"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(data, where) -> None:
    with pytest.raises(UnusableFileError) as caught:
        decode(Note, data)

    assert caught.value.message.id == "core.wrong-value"
    assert caught.value.message.params["where"] == where


def test_whole_numbers_are_taken_for_floats_and_large_ones_stay_exact() -> None:
    note = decode(Note, {"shares": [1], "count": 2**53 + 1})

    assert note.shares == (1.0,)
    assert isinstance(note.shares[0], float)
    assert note.count == 2**53 + 1


@pytest.mark.parametrize(
    ("text", "message_id"),
    [
        ("", "core.not-json"),
        ("{", "core.not-json"),
        ("[" * 100_000, "core.not-json"),
        ('{"document": "note", "schema": 1, "count": ' + "9" * 400 + "}", "core.not-json"),
        ("[]", "core.other-kind"),
        ('{"document": "letter", "schema": 1}', "core.other-kind"),
        ('{"schema": 1}', "core.other-kind"),
        ('{"document": "note"}', "core.no-schema"),
        ('{"document": "note", "schema": "1"}', "core.no-schema"),
        ('{"document": "note", "schema": true}', "core.no-schema"),
        ('{"document": "note", "schema": 0}', "core.no-schema"),
        ('{"document": "note", "schema": 2}', "core.newer-schema"),
    ],
)
def test_what_is_no_document_of_the_kind_is_refused(text, message_id) -> None:
    with pytest.raises(UnusableFileError) as caught:
        load_document(NOTE, text)

    assert caught.value.message.id == message_id


def test_old_schemas_are_migrated_step_by_step() -> None:
    def name_to_title(data: dict[str, JsonValue]) -> dict[str, JsonValue]:
        return {"title": data["name"]}

    def title_to_text(data: dict[str, JsonValue]) -> dict[str, JsonValue]:
        return {"text": f"{data['title']}!"}

    kind = DocumentKind("note", 3, Note, {1: name_to_title, 2: title_to_text})

    assert load_document(kind, '{"document": "note", "schema": 1, "name": "old"}').text == "old!"
    assert load_document(kind, '{"document": "note", "schema": 2, "title": "newer"}').text == "newer!"
    assert load_document(kind, '{"document": "note", "schema": 3, "text": "new"}').text == "new"


def test_documents_are_readable_and_end_with_a_newline() -> None:
    text = dump_document(NOTE, Note(text="训练"))

    assert text.startswith('{\n  "document": "note",\n  "schema": 1,\n  "text": "训练"')
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")


def test_none_is_left_out_of_files_and_kept_for_commands() -> None:
    gpu = Gpu(index=0, vendor=Vendor.NVIDIA)

    assert "name" not in encode(gpu)
    assert encode(gpu, keep_none=True)["name"] is None


def test_messages_are_written_as_the_caller_wishes() -> None:
    message = Message("core.not-json", {"detail": "x"})

    assert encode(message) == {"id": "core.not-json", "params": {"detail": "x"}}
    assert encode([message], message=lambda item: item.id.upper()) == ["CORE.NOT-JSON"]


def test_what_json_cannot_hold_is_a_defect() -> None:
    with pytest.raises(TypeError):
        encode({"a": object()})
    with pytest.raises(TypeError):
        dump_document(NOTE, [1])


def test_a_field_may_not_hide_the_head_of_the_document() -> None:
    @dataclass(frozen=True)
    class Hidden:
        schema: str = "x"

    with pytest.raises(TypeError):
        dump_document(DocumentKind("hidden", 1, Hidden, {}), Hidden())
