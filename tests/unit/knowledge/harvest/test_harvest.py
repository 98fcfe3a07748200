"""The harvest of a whole constructed index, and what becomes of the tables when it goes wrong."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.knowledge.cudnn_wheels import parse_cudnn_wheels
from gpuconfig_app.knowledge.harvest.harvest import Harvest, KnownTables, harvest, write_tables
from gpuconfig_app.knowledge.harvest.transport import Limits
from gpuconfig_app.knowledge.harvest.trouble import DownloadError, RefreshError
from gpuconfig_app.knowledge.table import parse_table
from gpuconfig_app.knowledge.tensorflow_packages import parse_packages
from gpuconfig_app.knowledge.tensorflow_releases import PtxTarget, parse_releases
from tests.fakes import FakeClock
from tests.package_index_server import IndexBehaviour, OfferedFile, package_index
from tests.unit.knowledge.harvest.gpu_libraries import gpu_library
from tests.unit.knowledge.harvest.small_index import LINUX_TAG, cuda_wheel, nightly, settings_at, small_index

QUICK = Limits(answer_s=5.0, pauses_s=(0.0, 0.0))


def _harvest(behaviour: IndexBehaviour, tmp_path, known: KnownTables | None = None, **options) -> Harvest:
    with package_index(behaviour) as address:
        settings = settings_at(address)
        control = options.pop("control", None) or JobControl()
        return harvest(
            settings, control, tmp_path / "scratch", known or KnownTables(), limits=QUICK, clock=FakeClock(), **options
        )


def _known(made: Harvest) -> KnownTables:
    return KnownTables(
        releases=_releases(made),
        cudnn=parse_cudnn_wheels(parse_table("cudnn_wheels", made.texts["cudnn_wheels"])),
        packages=parse_packages(parse_table("tensorflow_packages", made.texts["tensorflow_packages"])),
    )


def _releases(made: Harvest):
    return parse_releases(parse_table("tensorflow_releases", made.texts["tensorflow_releases"]))


def _row(made: Harvest, series: str, platform: str = "linux-x86_64"):
    return next(row for row in _releases(made) if (row.series, row.platform) == (series, platform))


def test_a_release_with_cuda(tmp_path):
    made = _harvest(small_index(), tmp_path)

    row = _row(made, "2.16")
    assert row.versions == ("2.16.1", "2.16.2")
    assert row.python == ("3.11", "3.12")
    assert (row.glibc, row.released_on) == ("2.17", "2024-06-28")
    assert (row.cuda, row.cudnn_min, row.cudnn_below, row.cudnn_resolved) == ("12.3", "8.9", "9", "8.9.7.29")
    assert (row.sass, row.sass_partial) == (("5.0", "6.0", "7.0", "8.0"), ("9.0",))
    assert row.ptx_compiler == PtxTarget(target="sm_90", isa="8.1")
    assert row.ptx_mlir == PtxTarget(target="sm_90a", isa="8.0")
    assert row.numpy == "<2.0.0,>=1.26"
    assert row.and_cuda_python == ("3.11", "3.12")
    assert row.needs_avx
    assert not row.is_preview
    assert row.wheel == "tensorflow-2.16.2-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
    assert row.checked_on == "2027-01-15"
    assert row.source[0].address.endswith("/releases/tag/v2.16.2")


def test_a_stub_stands_for_the_newest_patch_its_provider_has(tmp_path):
    """As on Windows up to 2.18.0; tensorflow-cpu-aws 2.11.1 exists only for a Python the stub has no wheel for."""
    row = _row(_harvest(small_index(), tmp_path), "2.16", "windows-x86_64")

    assert row.provided_by == "tensorflow-intel"
    assert row.versions == ("2.16.1",)
    assert not row.is_cuda_build
    assert row.keras == ">=3.0.0"
    assert not row.and_cuda


def test_a_candidate_that_tells_no_versions(tmp_path):
    row = _row(_harvest(small_index(), tmp_path), "2.22")

    assert row.is_preview
    assert (row.cuda, row.cudnn_min, row.cudnn_below, row.cudnn_resolved) == ("12.5", "9.10.2", "10", "9.28.0.42")
    assert row.ptx_mlir == PtxTarget(target="sm_90", isa="8.0")
    assert row.source[0].address.endswith("/releases/tag/v2.22.0-rc0")


def test_the_newest_nightly_alone_is_read(tmp_path):
    row = _row(_harvest(small_index(), tmp_path), "2.23")

    assert (row.package, row.versions, row.is_preview) == ("tf-nightly", ("2.23.0.dev20261026",), True)
    assert row.released_on == "2026-10-26"


def test_old_releases_and_source_archives_are_left_out(tmp_path):
    rows = _releases(_harvest(small_index(), tmp_path))

    assert [(row.series, row.platform) for row in rows] == [
        ("2.16", "linux-x86_64"),
        ("2.16", "macos-arm64"),
        ("2.16", "windows-x86_64"),
        ("2.22", "linux-x86_64"),
        ("2.23", "linux-x86_64"),
    ]


def test_pins_without_a_wheel_cannot_be_installed(tmp_path):
    behaviour = small_index()
    behaviour.projects["nvidia-cuda-nvcc-cu12"].clear()

    row = _row(_harvest(behaviour, tmp_path), "2.16")

    assert row.and_cuda_python == ()
    assert row.has_and_cuda


def test_cudnn_wheels_that_pip_takes_and_the_one_to_stay_at(tmp_path):
    rows = _known(_harvest(small_index(), tmp_path)).cudnn

    assert [(row.version, row.capabilities, row.ptx) for row in rows] == [
        ("8.9.7.29", ("5.0", "6.0", "9.0"), "sm_90"),
        ("9.10.2.21", ("5.0", "6.0", "9.0", "12.0"), "sm_120"),
        ("9.28.0.42", ("7.5", "9.0", "12.0"), "sm_120f"),
    ]


def test_other_packages_with_what_people_say_of_them(tmp_path):
    made = _known(_harvest(small_index(), tmp_path)).packages

    metal = next(row for row in made if row.id == "tensorflow-metal")
    assert (metal.version, metal.released_on) == ("1.2.0", "2025-01-31")
    assert (metal.python, metal.platforms) == (("3.12",), ("macos-arm64",))
    assert metal.requires == ("tensorflow>=2.13",)
    assert "Apple" in metal.state.en
    assert {row.id for row in made} == {"tensorflow-intel", "tensorflow-metal", "tf-nightly"}


@pytest.mark.parametrize("change", ["no ranges", "html", "no sizes", "broken", "short fault"])
def test_every_kind_of_server_gives_the_same_tables(tmp_path, change):
    usual = _harvest(small_index(), tmp_path)
    behaviour = small_index()
    if change == "no ranges":
        behaviour.serves_ranges = False
    elif change == "no sizes":
        behaviour.tells_sizes = False
    elif change == "broken":
        behaviour.break_after, behaviour.breaks_left = 100_000, 1
    elif change == "short fault":
        behaviour.failures_left = 2
    else:
        behaviour.is_json = False

    made = _harvest(behaviour, tmp_path)

    without_days = {row.series: row.released_on for row in _releases(made)}
    if change == "html":
        assert set(without_days.values()) == {None}
    else:
        assert made.texts == usual.texts
    assert not list((tmp_path / "scratch").glob("*"))


def test_what_is_known_is_not_read_again(tmp_path):
    behaviour = small_index()
    first = _harvest(behaviour, tmp_path)
    behaviour.requests.clear()

    second = _harvest(behaviour, tmp_path, _known(first))

    assert second.texts == first.texts
    assert second.changed == ()
    assert not [request for request in behaviour.requests if request.startswith("/files/")]


def test_a_new_nightly_keeps_the_code_that_was_read_and_says_so(tmp_path):
    behaviour = small_index()
    first = _harvest(behaviour, tmp_path)
    behaviour.projects["tf-nightly"].append(nightly("20261101", gpu_library(mlir_target="sm_100")))

    second = _harvest(behaviour, tmp_path, _known(first))
    third = _harvest(behaviour, tmp_path, _known(second))
    whole = _harvest(behaviour, tmp_path, _known(second), is_full=True)

    row = _row(second, "2.23")
    assert row.versions == ("2.23.0.dev20261101",)
    assert (row.ptx_mlir.target, row.code_from) == ("sm_90", "2.23.0.dev20261026")
    assert second.changed == ("2.23 linux-x86_64",)
    assert third.texts == second.texts
    assert (_row(whole, "2.23").ptx_mlir.target, _row(whole, "2.23").code_from) == ("sm_100", None)


def test_an_index_with_few_releases_loses_none(tmp_path):
    first = _harvest(small_index(), tmp_path)
    behaviour = small_index()
    behaviour.projects["tensorflow"] = behaviour.projects["tensorflow"][:1]
    del behaviour.projects["tf-nightly"]

    second = _harvest(behaviour, tmp_path, _known(first))

    assert [row.series for row in _releases(second)] == ["2.16", "2.16", "2.16", "2.22", "2.23"]


def test_a_damaged_wheel_leaves_its_row_and_is_told(tmp_path):
    first = _harvest(small_index(), tmp_path)
    behaviour = small_index()
    damaged = next(item for item in behaviour.projects["tensorflow"] if "2.22" in item.name)
    content = cuda_wheel(damaged.name, library=gpu_library(mlir_target="sm_75"), is_rocm_build=False)
    damaged.content = content[:300] + b"\xaa" * 40 + content[340:]

    second = _harvest(behaviour, tmp_path, _known(first))

    assert _row(second, "2.22").ptx_mlir == PtxTarget(target="sm_90", isa="8.0")
    assert [warning.id for warning in second.warnings] == ["harvest.wheel-unreadable"]
    assert second.warnings[0].params["wheel"] == damaged.name


def test_an_index_that_stops_answering_changes_nothing(tmp_path):
    behaviour = small_index()
    behaviour.failures_left = 10_000

    with pytest.raises(DownloadError):
        _harvest(behaviour, tmp_path)


def test_an_index_without_tensorflow_is_told(tmp_path):
    with pytest.raises(RefreshError) as caught:
        _harvest(IndexBehaviour(), tmp_path)

    assert caught.value.message.id == "harvest.no-tensorflow"


@pytest.mark.parametrize("serves_ranges", [True, False])
def test_cancelling_ends_it_and_leaves_no_file(tmp_path, serves_ranges):
    behaviour = small_index()
    behaviour.serves_ranges = serves_ranges
    control = JobControl(lambda share, message: control.cancel() if message.id == "harvest.reading" else None)

    with pytest.raises(JobCancelledError):
        _harvest(behaviour, tmp_path, control=control)

    assert not list((tmp_path / "scratch").glob("*"))


def test_a_table_that_its_reader_refuses_is_not_written(tmp_path):
    made = _harvest(small_index(), tmp_path)
    good = made.texts["tensorflow_releases"]
    write_tables(made.texts, tmp_path)

    with pytest.raises(RefreshError) as caught:
        write_tables({**made.texts, "tensorflow_releases": good.replace("sass = ", "sassy = ")}, tmp_path)

    assert caught.value.message.id == "harvest.bad-table"
    assert (tmp_path / "tensorflow_releases.toml").read_text(encoding="utf-8") == good


def test_progress_grows_and_names_what_is_read(tmp_path):
    told = []
    _harvest(small_index(), tmp_path, control=JobControl(lambda share, message: told.append((share, message))))

    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert {"release": "2.16.2", "platform": "linux-x86_64"}.items() <= {
        key: value
        for _, message in told
        for key, value in message.params.items()
        if value in {"2.16.2", "linux-x86_64"}
    }.items()


def test_an_index_without_cudnn_and_plug_ins_leaves_their_tables_alone(tmp_path):
    behaviour = small_index()
    for project in ("nvidia-cudnn-cu12", "tensorflow-metal", "tensorflow-intel", "tf-nightly"):
        del behaviour.projects[project]

    made = _harvest(behaviour, tmp_path)

    assert set(made.texts) == {"tensorflow_releases"}
    assert _row(made, "2.16").cudnn_resolved is None


def test_an_old_nightly_goes_when_a_newer_series_begins(tmp_path):
    behaviour = small_index()
    first = _harvest(behaviour, tmp_path)
    behaviour.projects["tf-nightly"] = [nightly("20270101", series="2.24")]

    second = _harvest(behaviour, tmp_path, _known(first))

    assert [row.series for row in _releases(second) if row.package == "tf-nightly"] == ["2.24"]
    assert _row(second, "2.24").code_from is None


def test_a_candidate_for_a_later_patch_is_not_among_the_releases(tmp_path):
    behaviour = small_index()
    name = f"tensorflow-2.16.3rc0-cp312-cp312-{LINUX_TAG}.whl"
    behaviour.projects["tensorflow"].append(OfferedFile(name, cuda_wheel(name)))

    row = _row(_harvest(behaviour, tmp_path), "2.16")

    assert row.versions == ("2.16.1", "2.16.2")
    assert not row.is_preview


def test_an_earlier_patch_keeps_only_what_it_declares_otherwise(tmp_path):
    behaviour = small_index()
    first = next(item for item in behaviour.projects["tensorflow"] if "2.16.1" in item.name and "linux" in item.name)
    first.content = cuda_wheel(first.name, bounds="==8.1.0.1")
    first.uploaded_at = "2024-03-09T00:00:00Z"

    made = _harvest(behaviour, tmp_path)

    (patch,) = _row(made, "2.16").patches
    assert (patch.version, patch.released_on, patch.python) == ("2.16.1", "2024-03-09", ("3.12",))
    assert (patch.numpy, patch.keras) == (None, None)
    assert patch.and_cuda["nvidia-cudnn-cu12"] == "==8.1.0.1"
    assert patch.is_and_cuda_broken
    earlier = _row(made, "2.16").of_patch("2.16.1")
    assert (earlier.python, earlier.and_cuda_python, earlier.cuda) == (("3.12",), (), "12.3")
    assert _row(made, "2.16").of_patch("2.16.2") == _row(made, "2.16")
    assert _harvest(behaviour, tmp_path, _known(made)).texts == made.texts
