from __future__ import annotations

import os
from pathlib import Path

import pytest

from gpuconfig_app.core.paths import is_file, is_folder, is_there


def test_paths_are_told_apart(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")

    assert (is_there(tmp_path), is_folder(tmp_path), is_file(tmp_path)) == (True, True, False)
    assert (is_there(tmp_path / "file"), is_file(tmp_path / "file")) == (True, True)
    assert not is_there(tmp_path / "gone")


@pytest.mark.parametrize("ask", [is_there, is_file, is_folder])
@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", ""])
def test_name_that_no_file_system_takes_is_not_there(tmp_path, ask, name):
    assert not ask(tmp_path / name / "nothing")


@pytest.mark.parametrize("ask", [is_there, is_file, is_folder])
def test_folder_without_permission_is_not_there(monkeypatch, ask):
    def refuse(path, *args, **kwargs):
        raise PermissionError(path)

    monkeypatch.setattr(os, "stat", refuse)

    assert not ask(Path("/closed/file"))
