"""Manifests are complete in both languages, and a wrong one is refused when it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.codec import encode
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.resources import resource_path
from gpuconfig_app.scriptgen.defaults import WORDS
from gpuconfig_app.scriptgen.manifest import ManifestError, Template, holds, read_manifest
from gpuconfig_app.scriptgen.sentences import english
from gpuconfig_app.scriptgen.templates import load_template, load_templates

TEMPLATES = load_templates()
GOOD = resource_path("templates", "tabular", "template.toml")


def template_id(template: Template) -> str:
    return template.id


def test_both_templates_are_found() -> None:
    assert [template.id for template in TEMPLATES] == ["image_classification", "tabular"]
    with pytest.raises(KeyError):
        load_template("speech")


@pytest.mark.parametrize("template", TEMPLATES, ids=template_id)
def test_every_text_is_there_in_both_languages(template: Template) -> None:
    texts = [template.name, template.description, template.summary, template.data_text, template.needs]
    for question in template.questions:
        texts += [question.label, *(option.label for option in question.options)]
        texts += [question.help] if question.help else []

    assert all(text.en.strip() and text.zh_cn.strip() for text in texts if isinstance(text, LocalText))


@pytest.mark.parametrize("template", TEMPLATES, ids=template_id)
def test_refusals_have_a_sentence_and_defaults_a_reader(template: Template) -> None:
    from gpuconfig_app.core.messages import Message

    assert all(english(Message(refusal.reason)) for refusal in template.refusals)
    assert {question.default_from for question in template.questions} - {None} <= set(WORDS)


@pytest.mark.parametrize("template", TEMPLATES, ids=template_id)
def test_a_template_can_be_printed_as_json(template: Template) -> None:
    body = encode(template)

    assert isinstance(body, dict)
    assert body["id"] == template.id


@pytest.mark.parametrize("template", TEMPLATES, ids=template_id)
def test_every_offered_network_has_its_facts(template: Template) -> None:
    offered = {option.value for option in template.question("model").options}

    assert offered == set(template.models)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('kind = "path"', 'kind = "folder"'),
        ('id = "data"', 'id = "target"'),
        ("is_optional = true", "optional = true"),
        ('label = { en = "Table", zh_cn = "表格" }', 'label = { en = "Table" }'),
        ('question_id = "xla"', 'question_id = "jit"'),
        ('when = { table_format = ["csv"] }', 'when = { format = ["csv"] }'),
        ("version = 1", ""),
    ],
)
def test_a_broken_manifest_is_refused(tmp_path: Path, old: str, new: str) -> None:
    text = GOOD.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "template.toml").write_text(text.replace(old, new), encoding="utf-8")

    with pytest.raises(ManifestError):
        read_manifest(tmp_path / "template.toml")


def test_conditions_need_every_value() -> None:
    condition = {"a": (1, 2), "b": ("x",)}

    assert holds(condition, {"a": 2, "b": "x"})
    assert not holds(condition, {"a": 2})
    assert not holds(condition, {"a": 3, "b": "x"})
    assert holds({}, {})
