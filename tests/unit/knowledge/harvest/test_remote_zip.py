"""Wheels on a server: single members where parts are sent, the whole file where they are not."""

from __future__ import annotations

import hashlib
import os
import random
from dataclasses import replace

import pytest
from packaging.version import Version

from gpuconfig_app.core.job import JobControl
from gpuconfig_app.knowledge.harvest.package_index import IndexFile
from gpuconfig_app.knowledge.harvest.pip_settings import IndexSettings
from gpuconfig_app.knowledge.harvest.remote_zip import open_wheel, read_text
from gpuconfig_app.knowledge.harvest.transport import Limits, Transport
from gpuconfig_app.knowledge.harvest.trouble import DownloadError, UnreadableWheelError
from tests.package_index_server import IndexBehaviour, OfferedFile, package_index
from tests.unit.knowledge.harvest.gpu_libraries import wheel

NAME = "big-1.0-py3-none-any.whl"
LIBRARY = random.Random(7).randbytes(3 << 20)
CONTENT = wheel(NAME, {"big/library.so": LIBRARY, "big/small.txt": "short", "big/empty.txt": b""}, ["Requires-Dist: a"])
QUICK = Limits(answer_s=5.0, pauses_s=(0.0, 0.0))


def _file(address: str, content: bytes = CONTENT, *, size: int | None = None) -> IndexFile:
    return IndexFile(
        name=NAME,
        address=f"{address}/files/{NAME}",
        version=Version("1.0"),
        platforms=("any",),
        sha256=hashlib.sha256(content).hexdigest(),
        size_bytes=size,
    )


def _behaviour(content: bytes = CONTENT) -> IndexBehaviour:
    return IndexBehaviour(projects={"big": [OfferedFile(NAME, content)]})


def _transport() -> Transport:
    return Transport(IndexSettings(), JobControl(), limits=QUICK)


def _members(opened) -> dict[str, bytes]:
    return {item.filename: b"".join(opened.stream(item)) for item in opened.members()}


@pytest.mark.parametrize("size", [None, len(CONTENT)])
def test_a_small_member_costs_a_small_part(tmp_path, size):
    behaviour = _behaviour()
    with package_index(behaviour) as address:
        transport = _transport()
        with open_wheel(_file(address, size=size), transport, tmp_path) as opened:
            member = next(item for item in opened.members() if item.filename == "big/small.txt")
            assert read_text(opened, member) == "short"

    assert transport.received_bytes < 100_000
    assert all("bytes=" in request for request in behaviour.requests)


@pytest.mark.parametrize("serves_ranges", [True, False])
def test_every_member_comes_whole(tmp_path, serves_ranges):
    behaviour = _behaviour()
    behaviour.serves_ranges = serves_ranges
    with package_index(behaviour) as address, open_wheel(_file(address), _transport(), tmp_path) as opened:
        found = _members(opened)

    assert found["big/library.so"] == LIBRARY
    assert found["big/empty.txt"] == b""
    assert not list(tmp_path.iterdir())


def test_a_member_survives_connections_that_break(tmp_path):
    behaviour = _behaviour()
    behaviour.break_after, behaviour.breaks_left = 900_000, 2
    with package_index(behaviour) as address, open_wheel(_file(address), _transport(), tmp_path) as opened:
        assert _members(opened)["big/library.so"] == LIBRARY


def test_a_file_on_this_disk_is_read_where_it_lies(tmp_path):
    path = tmp_path / NAME
    path.write_bytes(CONTENT)
    with open_wheel(replace(_file("x"), address=path.as_uri()), _transport(), tmp_path / "scratch") as opened:
        assert _members(opened)["big/small.txt"] == b"short"

    assert not (tmp_path / "scratch").exists()


@pytest.mark.parametrize("serves_ranges", [True, False])
@pytest.mark.parametrize("place", [200, 1 << 20, len(CONTENT) - 30])
def test_damage_is_noticed(tmp_path, serves_ranges, place):
    damaged = CONTENT[:place] + bytes([CONTENT[place] ^ 0xFF] * 24) + CONTENT[place + 24 :]
    behaviour = _behaviour(damaged)
    behaviour.serves_ranges = serves_ranges
    with (
        package_index(behaviour) as address,
        pytest.raises(UnreadableWheelError) as caught,
        open_wheel(_file(address), _transport(), tmp_path) as opened,
    ):
        _members(opened)

    assert caught.value.message.params["wheel"] == NAME
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"no archive at all", b"x"])
def test_a_file_that_is_no_wheel(tmp_path, content):
    with (
        package_index(_behaviour(content)) as address,
        pytest.raises(UnreadableWheelError),
        open_wheel(_file(address, content), _transport(), tmp_path),
    ):
        pass


def test_what_a_killed_run_left_is_cleared_away(tmp_path):
    old, fresh = tmp_path / "wheel-old", tmp_path / "wheel-fresh"
    for folder in (old, fresh):
        folder.mkdir()
        (folder / "whole.whl").write_bytes(b"half")
    os.utime(old, (1_700_000_000, 1_700_000_000))
    behaviour = _behaviour()
    behaviour.serves_ranges = False

    with package_index(behaviour) as address, open_wheel(_file(address), _transport(), tmp_path):
        pass

    assert [path.name for path in tmp_path.iterdir()] == ["wheel-fresh"]


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    behaviour = _behaviour()
    behaviour.serves_ranges = False
    with (
        package_index(behaviour) as address,
        pytest.raises(DownloadError) as caught,
        open_wheel(_file(address), _transport(), tmp_path / "file" / "scratch"),
    ):
        pass

    assert caught.value.message.id == "harvest.disk"


def test_a_whole_file_that_is_another_one_is_refused(tmp_path):
    """A good wheel, but not the one the index speaks of."""
    other = wheel(NAME, {"big/other.txt": "other"})
    behaviour = _behaviour(other)
    behaviour.serves_ranges = False
    with (
        package_index(behaviour) as address,
        pytest.raises(UnreadableWheelError),
        open_wheel(_file(address), _transport(), tmp_path),
    ):
        pass
