"""Bundles are written whole, never over something silently, never outside their folder; and they open again."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.bundle import BundleFile, ScriptBundle
from gpuconfig_app.core.errors import StorageError, UnusableFileError
from gpuconfig_app.scriptgen.generate import generate
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.scriptgen.write import open_bundle, write_bundle
from tests.unit.scriptgen.cases import load_cases


@pytest.fixture
def bundle() -> ScriptBundle:
    case = next(case for case in load_cases() if case.name == "small_cnn_on_two_gpus_accumulating")
    return case.bundle()


def test_a_bundle_is_written_and_opens_again(bundle: ScriptBundle, tmp_path: Path) -> None:
    written = write_bundle(bundle, tmp_path / "new" / "folder")

    recipe = open_bundle(tmp_path / "new" / "folder")
    again = generate(load_template(recipe.template_id), recipe.answers, recipe.plan, recipe.dataset)

    assert written[0].name == "train.py"
    assert written[-1].name == "plan.json"
    assert recipe == bundle.recipe
    assert again == bundle
    assert os.access(tmp_path / "new" / "folder" / "run.sh", os.X_OK)
    assert not os.access(tmp_path / "new" / "folder" / "train.py", os.X_OK)


@pytest.mark.parametrize("name", ["\"quotes'", "new\nline", "中文 😀", "{braces} %s", " blank ", "#;$(x)"])
def test_any_folder_name_will_do(bundle: ScriptBundle, tmp_path: Path, name: str) -> None:
    write_bundle(bundle, tmp_path / name)

    assert open_bundle(tmp_path / name) == bundle.recipe


def test_nothing_is_overwritten_silently(bundle: ScriptBundle, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("mine", encoding="utf-8")

    with pytest.raises(StorageError) as caught:
        write_bundle(bundle, tmp_path)

    assert caught.value.message.id == "scriptgen.files-exist"
    assert caught.value.message.params["files"] == "train.py"
    assert [path.name for path in tmp_path.iterdir()] == ["train.py"]
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == "mine"


def test_overwriting_replaces_its_own_files_and_keeps_others(bundle: ScriptBundle, tmp_path: Path) -> None:
    write_bundle(bundle, tmp_path)
    (tmp_path / "notes.txt").write_text("keep", encoding="utf-8")
    (tmp_path / "train.py").write_text("changed", encoding="utf-8")

    write_bundle(bundle, tmp_path, overwrite=True)

    assert (tmp_path / "train.py").read_text(encoding="utf-8") == bundle.file("train.py").content
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "keep"


def test_links_and_folders_are_never_replaced(bundle: ScriptBundle, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    folder = tmp_path / "bundle"
    folder.mkdir()
    (folder / "train.py").symlink_to(victim)

    with pytest.raises(StorageError) as caught:
        write_bundle(bundle, folder, overwrite=True)

    assert caught.value.message.id == "scriptgen.not-plain-files"
    assert victim.read_text(encoding="utf-8") == "precious"


def test_a_file_in_place_of_the_folder_is_refused(bundle: ScriptBundle, tmp_path: Path) -> None:
    (tmp_path / "bundle").write_text("a file", encoding="utf-8")

    with pytest.raises(StorageError) as caught:
        write_bundle(bundle, tmp_path / "bundle")

    assert caught.value.message.id == "scriptgen.not-a-folder"


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "C:\\x", "a\\b", "", "a/", "C:x"])
def test_no_name_leads_out_of_the_folder(bundle: ScriptBundle, tmp_path: Path, name: str) -> None:
    odd = replace(bundle, files=(*bundle.files, BundleFile(name=name, content="x\n")))

    with pytest.raises(StorageError) as caught:
        write_bundle(odd, tmp_path / "bundle")

    assert caught.value.message.id == "scriptgen.name-leads-out"
    assert not (tmp_path / "bundle").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kind": "bundle"}', '{"kind": "bundle", "schema": 99}'])
def test_a_broken_bundle_is_one_clear_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "plan.json").write_text(text, encoding="utf-8")

    with pytest.raises(UnusableFileError) as caught:
        open_bundle(tmp_path)

    assert caught.value.message.id == "scriptgen.broken-bundle"
    assert caught.value.hint is not None


def test_a_folder_without_a_plan_is_no_bundle(tmp_path: Path) -> None:
    with pytest.raises(UnusableFileError) as caught:
        open_bundle(tmp_path)

    assert caught.value.message.id == "scriptgen.no-bundle"


def test_keys_of_a_later_version_are_kept(bundle: ScriptBundle, tmp_path: Path) -> None:
    write_bundle(bundle, tmp_path)
    path = tmp_path / "plan.json"
    data = json.loads(path.read_text(encoding="utf-8")) | {"later": 1}
    path.write_text(json.dumps(data), encoding="utf-8")

    assert open_bundle(tmp_path).extra == {"later": 1}
