"""What is looked at before an environment is made, on real folders."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from gpuconfig_app.core.environment_plan import CheckKind, CheckState, Installer, Range, SizeEstimate
from gpuconfig_app.core.units import GIB, KIB
from gpuconfig_app.runner.environment_checks import (
    Demand,
    cache_folder,
    check_folder,
    check_quota,
    check_room,
    demands,
    is_full,
    mounted_device,
    parse_quota,
    temporary_folder,
)
from tests.fakes import write_program

QUOTA = """Disk quotas for user anna (uid 1000):
     Filesystem  blocks   quota   limit   grace   files   quota   limit   grace
      /dev/sda1  900000* 800000 1000000   6days      10       0       0
      nas:/home  100       0       0               10       0       0
"""


@pytest.mark.parametrize(
    ("place", "state", "sentence"),
    [
        ("new", CheckState.GOOD, "folder-new"),
        ("deep/below/new", CheckState.GOOD, "folder-new"),
        ("empty", CheckState.GOOD, "folder-empty"),
        ("full", CheckState.BAD, "folder-not-empty"),
        ("venv", CheckState.BAD, "folder-is-environment"),
        ("conda", CheckState.BAD, "folder-is-environment"),
        ("file", CheckState.BAD, "folder-is-file"),
        ("file/below", CheckState.BAD, "folder-below-file"),
        ("dead", CheckState.BAD, "folder-dead-link"),
        ("line\nbreak", CheckState.BAD, "folder-name"),
        ("co:lon", CheckState.BAD, "folder-name"),
        ("dol$ar", CheckState.WARNING, "folder-awkward"),
        ("x" * 300, CheckState.BAD, "folder-name-long"),
        ("中" * 90, CheckState.BAD, "folder-name-long"),
        ("no text \udcff", CheckState.BAD, "folder-name"),
    ],
)
def test_a_folder_is_new_or_empty_or_refused(place: str, state: CheckState, sentence: str, tmp_path: Path) -> None:
    for name in ("empty", "full", "venv", "conda/conda-meta"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "full" / "x").write_text("x", encoding="utf-8")
    (tmp_path / "venv" / "pyvenv.cfg").write_text("x", encoding="utf-8")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "dead").symlink_to("/nowhere/at/all")

    check = check_folder(tmp_path / place)

    assert (check.state, check.text.id) == (state, f"environment.{sentence}")


def test_a_folder_one_may_not_write_in_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere

    assert check_folder(tmp_path / "new").text.id == "environment.folder-not-writable"


def test_a_read_only_file_system_is_refused() -> None:
    assert check_folder(Path("/proc/sys/new")).state is CheckState.BAD


def room(place: Path, *needed: float) -> list[tuple[CheckState, str]]:
    wanted = [Demand(kind=CheckKind.DISK, place=place, needed=Range(low=item / 2, high=item)) for item in needed]
    return [(check.state, check.text.id.removeprefix("environment.")) for check in check_room(wanted)]


def test_room_is_compared_with_what_is_free(tmp_path: Path) -> None:
    free = os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_frsize

    assert room(tmp_path, 1.0) == [(CheckState.GOOD, "room-good")]
    assert room(tmp_path / "not/there/yet", free * 1.5) == [(CheckState.WARNING, "room-scarce")]
    assert room(tmp_path, free * 3.0) == [(CheckState.BAD, "room-missing")]


def test_places_on_one_file_system_need_their_room_together(tmp_path: Path) -> None:
    free = os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_frsize

    assert room(tmp_path, free * 0.8) == [(CheckState.GOOD, "room-good")]
    assert [state for state, _ in room(tmp_path, free * 1.2, free * 1.2)] == [CheckState.BAD, CheckState.BAD]


def test_an_unknown_need_is_unknown_and_says_what_is_free(tmp_path: Path) -> None:
    (check,) = check_room([Demand(kind=CheckKind.DISK, place=tmp_path, needed=None)])

    assert check.state is CheckState.UNKNOWN
    assert check.free_bytes is not None
    assert check.needed_bytes is None


def test_pip_needs_room_for_downloads_three_times_and_uv_only_once(tmp_path: Path) -> None:
    size = SizeEstimate(download_bytes=Range(low=1.0, high=2.0), disk_bytes=Range(low=5.0, high=6.0))
    variables = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}

    pip = {item.kind: item.needed for item in demands(tmp_path / "env", Installer.PIP, size, variables)}
    uv = {item.kind: item.needed for item in demands(tmp_path / "env", Installer.UV, size, variables)}

    assert pip == {
        CheckKind.DISK: size.disk_bytes, CheckKind.TEMPORARY: size.download_bytes, CheckKind.CACHE: size.download_bytes,
    }  # fmt: skip
    assert uv[CheckKind.DISK] == size.disk_bytes
    assert uv[CheckKind.CACHE] == Range(low=0.0, high=0.0)


def test_caches_lie_where_variables_and_customs_put_them(tmp_path: Path) -> None:
    assert cache_folder(Installer.PIP, {"HOME": "/h"}) == Path("/h/.cache/pip")
    assert cache_folder(Installer.UV, {"HOME": "/h", "XDG_CACHE_HOME": "/c"}) == Path("/c/uv")
    assert cache_folder(Installer.UV, {"UV_CACHE_DIR": "/u"}) == Path("/u")
    assert cache_folder(Installer.PIP, {"HOME": "/h", "PIP_NO_CACHE_DIR": "off"}) is None
    assert temporary_folder({"TMPDIR": str(tmp_path)}) == tmp_path


def test_quota_is_read_by_device_in_kib() -> None:
    assert parse_quota(QUOTA, "/dev/sda1") == 100_000 * KIB
    assert parse_quota(QUOTA, "nas:/home") is None
    assert parse_quota("Disk quotas for user anna (uid 1000): none\n", "/dev/sda1") is None


@pytest.mark.parametrize(
    ("program", "needed", "state", "sentence"),
    [
        (None, 1.0, CheckState.UNKNOWN, "quota-unknown"),
        ("print('Disk quotas for user anna (uid 1000): none')", 1.0, CheckState.GOOD, "quota-none"),
        ("import sys; sys.exit('quota: Cannot open quotafile')", 1.0, CheckState.UNKNOWN, "quota-unknown"),
        ("print('DEVICE 10 0 1048586')", 0.5 * GIB, CheckState.GOOD, "quota-left"),
        ("print('DEVICE 10 0 1048586')", 1.5 * GIB, CheckState.WARNING, "quota-missing"),
        ("print('DEVICE 10 0 1048586')", 3.0 * GIB, CheckState.BAD, "quota-missing"),
    ],
)
def test_the_quota_program_is_asked(
    program: str | None,
    needed: float,
    state: CheckState,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    device = mounted_device(tmp_path) or "x"
    if program is not None:
        write_program(tmp_path / "bin", "quota", program.replace("DEVICE", device))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    variables = {"PATH": str(tmp_path / "bin")}

    check = check_quota(tmp_path / "env", Range(low=needed / 2, high=needed), variables)

    assert (check.state, check.text.id) == (state, f"environment.{sentence}")


def test_a_disk_on_which_pip_itself_does_not_fit_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = shutil.disk_usage(tmp_path)

    assert not is_full(tmp_path / "new")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: room._replace(free=4 * KIB))
    assert is_full(tmp_path / "new")
