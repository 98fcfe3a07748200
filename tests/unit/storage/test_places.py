"""Files are written whole or not at all, and trouble with them is a sentence."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from gpuconfig_app.core.errors import StorageError, UnusableFileError
from gpuconfig_app.storage import places as places_module
from gpuconfig_app.storage.places import read_text, user_places, write_text


def test_one_variable_moves_everything_below_one_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GPUCONFIG_HOME", str(tmp_path))

    places = user_places()

    assert {places.settings, places.data, places.cache, places.logs, places.runs} == {
        tmp_path / "settings", tmp_path / "data", tmp_path / "cache", tmp_path / "logs", tmp_path / "data" / "runs",
    }  # fmt: skip
    assert list(tmp_path.iterdir()) == []


def test_without_it_the_platform_s_customs_hold(private_home, monkeypatch) -> None:
    monkeypatch.delenv("GPUCONFIG_HOME")

    places = user_places()

    for folder in (places.settings, places.data, places.cache, places.logs):
        assert private_home in folder.parents
        assert "gpuconfig" in str(folder)


def test_text_comes_back_as_it_was(tmp_path) -> None:
    path = tmp_path / "new folder" / "中文 🚀.json"

    write_text(path, "line one\nÄ 训练\n")

    assert read_text(path) == "line one\nÄ 训练\n"
    assert path.read_bytes() == "line one\nÄ 训练\n".encode()
    assert [item.name for item in path.parent.iterdir()] == [path.name]


def test_a_device_without_end_is_read_no_further_than_the_limit() -> None:
    with pytest.raises(UnusableFileError) as raised:
        read_text(Path("/dev/zero"), limit_bytes=1000)

    assert raised.value.message.id == "core.file-too-large"


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_files_get_the_permissions_asked_for(tmp_path, mode) -> None:
    write_text(tmp_path / "x", "x", mode=mode)

    assert os.name != "posix" or stat.S_IMODE((tmp_path / "x").stat().st_mode) == mode


def test_a_reader_never_sees_half_a_file(tmp_path) -> None:
    path = tmp_path / "x"
    long, short = "a" * 200_000, "b"
    write_text(path, long)
    seen, is_over = set(), threading.Event()

    def read_on() -> None:
        while not is_over.is_set():
            seen.add(path.read_text(encoding="utf-8"))

    reader = threading.Thread(target=read_on)
    reader.start()
    for _ in range(40):
        write_text(path, short)
        write_text(path, long)
    is_over.set()
    reader.join(20)

    assert seen <= {long, short}


@pytest.mark.parametrize(
    ("number", "message_id"),
    [
        (errno.ENOSPC, "core.disk-full"),
        (errno.EDQUOT, "core.disk-full"),
        (errno.EACCES, "core.no-write-permission"),
        (errno.EROFS, "core.no-write-permission"),
        (errno.EIO, "core.cannot-write"),
    ],
)
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_and_no_remains(tmp_path, monkeypatch, number, message_id, step) -> None:
    path = tmp_path / "x"
    write_text(path, "old")

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(places_module.os, step, fail)
    with pytest.raises(StorageError) as caught:
        write_text(path, "new")

    assert caught.value.message.id == message_id
    assert caught.value.message.params["path"] == str(path)
    assert path.read_text(encoding="utf-8") == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["x"]


def test_a_full_disk_comes_with_a_way_on(tmp_path, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(places_module.os, "fsync", fail)
    with pytest.raises(StorageError) as caught:
        write_text(tmp_path / "x", "new")

    assert caught.value.hint is not None


def test_a_folder_in_the_way_is_a_sentence(tmp_path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")

    with pytest.raises(StorageError):
        write_text(tmp_path / "file" / "below", "x")


def test_a_text_that_cannot_be_encoded_is_a_sentence(tmp_path) -> None:
    with pytest.raises(StorageError):
        write_text(tmp_path / "x", "\udcff")

    assert list(tmp_path.iterdir()) == []


def test_a_missing_file_is_told_apart(tmp_path) -> None:
    assert _refusal(tmp_path / "none") == "core.file-missing"


def test_what_is_not_text_is_told_apart(tmp_path) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00\x01")

    assert _refusal(tmp_path / "x") == "core.not-text"


def test_a_folder_is_unreadable(tmp_path) -> None:
    assert _refusal(tmp_path) == "core.file-unreadable"


def test_a_huge_file_is_not_read(tmp_path) -> None:
    (tmp_path / "x").write_text("12345", encoding="utf-8")

    assert _refusal(tmp_path / "x", limit_bytes=4) == "core.file-too-large"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path) -> None:
    (tmp_path / "x").write_bytes(b"\xef\xbb\xbf{}")

    assert read_text(tmp_path / "x") == "{}"


def _refusal(path: Path, **options: int) -> str:
    with pytest.raises(UnusableFileError) as caught:
        read_text(path, **options)
    return caught.value.message.id
