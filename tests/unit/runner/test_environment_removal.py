"""Exactly what was made goes; what is not ours, or not the same any more, stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.runner.environment_removal import end_child, folder_bytes, identity_of, remove_made
from gpuconfig_app.runner.watched_process import start_time
from gpuconfig_app.storage.makings import Making
from tests.fakes import write_program


def making(folder: Path, **more: object) -> Making:
    device, inode = identity_of(folder) or (None, None)
    return replace(Making(id="1", folder=str(folder), folder_device=device, folder_inode=inode), **more)


def fill(folder: Path) -> None:
    """An environment as an installer leaves it that was ended while it unpacked."""
    site = folder / "lib/python3.12/site-packages"
    for name in ("numpy", "half_unpacked/deep", "six-1.0.dist-info"):
        (site / name).mkdir(parents=True)
    for path, text in {
        "pyvenv.cfg": "home = /usr/bin", ".gitignore": "*", "bin/activate.fish": "", "bin/pip3.12": "",
        "bin/keras-tool": f"#!{folder}/bin/python\n", "lib/python3.12/site-packages/six.py": "",
        "lib/python3.12/site-packages/half_unpacked/deep/data.bin": "x", "share/man/man1/x.1": "",
        "lib/python3.12/site-packages/six-1.0.dist-info/RECORD": "six.py,,\n../../../odd/x,,\n", "odd/x": "",
    }.items():  # fmt: skip
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    (folder / "bin/python").symlink_to(sys.executable)
    (folder / "lib64").symlink_to("lib")


def test_all_of_an_environment_goes_with_the_folders_above_it(tmp_path: Path) -> None:
    folder = tmp_path / "a/b/env"
    fill(folder)
    made = making(folder, made_parents=(str(tmp_path / "a/b"), str(tmp_path / "a")))

    removal = remove_made(made)

    assert removal.is_gone
    assert removal.kept == ()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_above_that_holds_something_else_stays(tmp_path: Path) -> None:
    fill(tmp_path / "a/env")
    (tmp_path / "a/mine").write_text("mine", encoding="utf-8")

    remove_made(making(tmp_path / "a/env", made_parents=(str(tmp_path / "a"),)))

    assert [path.name for path in (tmp_path / "a").iterdir()] == ["mine"]


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("precious", encoding="utf-8")
    folder = tmp_path / "env"
    fill(folder)
    (folder / "include").symlink_to(outside)
    (folder / "lib/python3.12/site-packages/linked").symlink_to(outside)

    assert remove_made(making(folder)).is_gone
    assert (outside / "precious").read_text(encoding="utf-8") == "precious"


def test_a_folder_that_became_a_link_is_not_entered(tmp_path: Path) -> None:
    fill(tmp_path / "real")
    made = replace(making(tmp_path / "real"), folder=str(tmp_path / "env"))
    (tmp_path / "env").symlink_to(tmp_path / "real")

    remove_made(made)

    assert (tmp_path / "real" / "pyvenv.cfg").exists()
    assert (tmp_path / "env").is_symlink()


def test_read_only_files_are_removed_too(tmp_path: Path) -> None:
    folder = tmp_path / "env"
    fill(folder)
    (folder / "lib/python3.12/site-packages/numpy/x").write_text("", encoding="utf-8")
    (folder / "lib/python3.12/site-packages/numpy").chmod(0o555)

    assert remove_made(making(folder)).is_gone


def test_cut_off_right_after_the_folder_was_made_only_an_empty_one_goes(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine").write_text("mine", encoding="utf-8")

    remove_made(Making(id="1", folder=str(tmp_path / "empty")))
    remove_made(Making(id="1", folder=str(tmp_path / "full")))

    assert [path.name for path in tmp_path.iterdir()] == ["full"]
    assert (tmp_path / "full/mine").exists()


def test_a_scratch_folder_of_another_name_is_never_removed(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()

    remove_made(Making(id="1", folder=str(tmp_path / "gone"), scratch=str(tmp_path / "precious")))

    assert (tmp_path / "precious").exists()


def test_condas_environment_goes_and_leaves_its_list(tmp_path: Path) -> None:
    folder = tmp_path / "env"
    for name in ("bin", "conda-meta", "ssl", "lib", "special", "mine"):
        (folder / name).mkdir(parents=True)
    (folder / "conda-meta/x.json").write_text(json.dumps({"files": ["special/thing"]}), encoding="utf-8")
    listed = tmp_path / "environments.txt"
    listed.write_text(f"/opt/other\n{folder}\n", encoding="utf-8")
    made = making(folder, is_conda=True, conda_list=str(listed))

    first = remove_made(made)
    assert first.kept == (str(folder / "mine"),)
    (folder / "mine").rmdir()
    remove_made(made)

    assert not folder.exists()
    assert listed.read_text(encoding="utf-8") == "/opt/other\n"


@pytest.mark.parametrize(("before", "is_asked"), [((), True), (("cpython-3.12.1",), False)])
def test_a_python_that_uv_brought_is_given_back_and_one_that_was_there_is_not(
    before: tuple[str, ...], *, is_asked: bool, tmp_path: Path
) -> None:
    (tmp_path / "python" / "cpython-3.12.1").mkdir(parents=True)
    said = tmp_path / "said"
    uv = write_program(tmp_path, "uv", f"import sys; open({str(said)!r}, 'w').write(' '.join(sys.argv[1:]))")

    remove_made(
        Making(
            id="1", folder=str(tmp_path / "gone"), uv=str(uv), python_version="3.12",
            python_folder=str(tmp_path / "python"), python_before=before,
        )
    )  # fmt: skip

    assert said.exists() is is_asked
    assert not is_asked or said.read_text(encoding="utf-8") == "python uninstall 3.12"


def test_what_uv_left_half_unpacked_goes_and_older_things_stay(tmp_path: Path) -> None:
    for name in (".tmpOLD", ".tmpNEW", "archive-v0"):
        (tmp_path / "cache" / name).mkdir(parents=True)

    remove_made(Making(id="1", folder="/nowhere/x", cache_folder=str(tmp_path / "cache"), cache_before=(".tmpOLD",)))

    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == [".tmpOLD", "archive-v0"]


def test_the_installer_of_a_killed_program_is_ended_and_no_other_process(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    started_at = start_time(child.pid)
    assert started_at is not None
    made = Making(id="1", folder=str(tmp_path), child_pid=child.pid, child_started_at=started_at - 1000)

    end_child(made)
    assert child.poll() is None
    end_child(replace(made, child_started_at=started_at))

    assert child.wait(timeout=10) != 0


def test_a_folders_size_counts_hard_links_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 1000)
    os.link(tmp_path / "a", tmp_path / "b")

    assert folder_bytes(tmp_path) == 1000
