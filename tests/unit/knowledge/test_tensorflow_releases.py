"""The release table against figures that were read from the wheels themselves."""

from __future__ import annotations

import pytest

from gpuconfig_app.knowledge.tensorflow_releases import (
    find_release,
    is_allowed,
    load_releases,
    releases_for,
)

LINUX = "linux-x86_64"


@pytest.mark.parametrize(
    ("series", "python", "cuda", "cudnn", "resolved", "glibc"),
    [
        ("2.10", "3.7-3.10", "11.2", "8.1", None, "2.17"),
        ("2.12", "3.8-3.11", "11.8", "8.6", None, "2.17"),
        ("2.14", "3.9-3.11", "11.8", "8.7", "8.7.0.84", "2.17"),
        ("2.15", "3.9-3.11", "12.2", "8.9", "8.9.4.25", "2.17"),
        ("2.16", "3.9-3.12", "12.3", "8.9", "8.9.7.29", "2.17"),
        ("2.17", "3.9-3.12", "12.3", "8.9", "8.9.7.29", "2.17"),
        ("2.18", "3.9-3.12", "12.5.1", "9.3", "9.3.0.75", "2.17"),
        ("2.19", "3.9-3.12", "12.5.1", "9.3", "9.3.0.75", "2.17"),
        ("2.20", "3.9-3.13", "12.5.1", "9.3", "9.28.0.42", "2.17"),
        ("2.21", "3.10-3.13", "12.5.1", "9.3", "9.28.0.42", "2.27"),
        ("2.22", "3.10-3.14", "12.5", "9.10.2", "9.28.0.42", "2.27"),
    ],
)
def test_linux_wheels(series, python, cuda, cudnn, resolved, glibc):
    row = find_release(series, LINUX)

    assert row is not None
    assert f"{row.python[0]}-{row.python[-1]}" == python
    assert (row.cuda, row.cudnn_min, row.cudnn_resolved, row.glibc) == (cuda, cudnn, resolved, glibc)
    assert row.needs_avx


@pytest.mark.parametrize(
    ("series", "sass", "partial", "compiler", "mlir"),
    [
        ("2.10", "3.5 5.0 6.0 7.0 7.5", "8.0", ("sm_80", "7.2"), ("sm_80", "7.0")),
        ("2.14", "3.5 5.0 6.0 7.0 7.5", "8.0", ("sm_80", "7.8"), ("sm_80", "7.1")),
        ("2.15", "5.0 6.0 7.0 7.5", "8.0", ("sm_80", "8.1"), ("sm_80", "7.1")),
        ("2.16", "5.0 6.0 7.0 8.0", "9.0", ("sm_90", "8.1"), ("sm_90a", "8.0")),
        ("2.17", "6.0 7.0 8.0 8.9", "9.0", ("sm_90", "8.1"), ("sm_90a", "8.3")),
        ("2.18", "6.0 7.0 8.0 8.9", "9.0", ("sm_90", "8.3"), ("sm_90a", "8.3")),
        ("2.19", "6.0 7.0 8.0 8.9", "9.0", ("sm_90", "8.3"), ("sm_90a", "8.5")),
        ("2.20", "6.0 7.0 8.0 8.9", "9.0", ("sm_90", "8.3"), ("sm_90a", "8.5")),
        ("2.21", "6.0 7.0 8.0 8.9", "9.0", ("sm_90", "8.3"), ("sm_90", "8.5")),
        ("2.22", "6.0 7.0 8.0 8.9", "9.0", ("sm_90", "8.3"), ("sm_90", "8.5")),
        ("2.23", "6.0 7.0 8.0 8.9", "9.0", ("sm_90", "8.3"), ("sm_90", "8.5")),
    ],
)
def test_machine_code_of_the_linux_wheels(series, sass, partial, compiler, mlir):
    row = find_release(series, LINUX)

    assert row is not None
    assert (" ".join(row.sass), " ".join(row.sass_partial)) == (sass, partial)
    assert row.ptx_compiler is not None
    assert (row.ptx_compiler.target, row.ptx_compiler.isa) == compiler
    assert ((row.ptx_mlir.target, row.ptx_mlir.isa) if row.ptx_mlir else None) == mlir


def test_no_wheel_holds_code_for_blackwell():
    for row in load_releases():
        assert not any(item.startswith(("10.", "12.")) for item in (*row.sass, *row.sass_partial)), row.series


def test_only_linux_on_x86_and_the_last_windows_release_have_cuda():
    with_cuda = {(row.series, row.platform) for row in load_releases() if row.is_cuda_build}

    assert ("2.10", "windows-x86_64") in with_cuda
    assert {platform for _, platform in with_cuda} == {LINUX, "windows-x86_64"}
    assert [series for series, platform in with_cuda if platform != LINUX] == ["2.10"]


def test_the_cuda_extra_begins_with_214():
    assert next(row.series for row in releases_for(LINUX) if row.has_and_cuda) == "2.14"
    assert not any(row.has_and_cuda for row in load_releases() if row.platform != LINUX)
    newest = find_release("2.21", LINUX)
    assert newest is not None
    assert newest.and_cuda["nvidia-cudnn-cu12"] == "<10.0,>=9.3.0.75"
    assert newest.cuda_major == "12"


def test_intel_macs_end_with_216():
    assert releases_for("macos-x86_64")[-1].newest == "2.16.2"
    assert releases_for("macos-arm64")[-1].series == "2.23"


def test_series_and_version_find_the_same_row():
    assert find_release("2.16", LINUX) is find_release("2.16.2", LINUX)
    assert find_release("2.22.0rc0", LINUX) is find_release("2.22", LINUX)
    assert find_release("2.9", LINUX) is None
    preview = find_release("2.22", LINUX)
    assert preview is not None
    assert preview.is_preview
    assert preview.cuda_major == "12"


@pytest.mark.parametrize(
    ("version", "bounds", "answer"),
    [
        ("1.26.4", "<2.0.0,>=1.23.5", True),
        ("2.0.0", "<2.0.0,>=1.23.5", False),
        ("4.25.8", "<5.0.0dev,>=3.20.3", True),
        ("5.29.0", "<5.0.0dev,>=3.20.3", False),
        ("9.10.2.21", "<10.0,>=9.3.0.75", True),
        ("odd", ">=1", None),
        ("1.0", None, None),
        ("1.0", "about one", None),
    ],
)
def test_declared_bounds(version, bounds, answer):
    assert is_allowed(version, bounds) is answer


def test_every_bound_can_be_read():
    for row in load_releases():
        for bounds in (row.numpy, row.keras, row.protobuf, *row.and_cuda.values()):
            assert bounds is None or is_allowed("3.1", bounds) is not None, (row.series, bounds)


def test_numpy_2_begins_with_218():
    for row in releases_for(LINUX):
        numpy_2 = is_allowed("2.0.0", row.numpy)
        assert numpy_2 is (int(row.series.split(".")[1]) >= 18 or row.series in {"2.10", "2.11"}), row.series


@pytest.mark.parametrize(
    ("version", "day"),
    [
        ("2.10.1", "2022-11-16"), ("2.14.0", "2023-09-26"), ("2.15.0", "2023-11-14"), ("2.16.1", "2024-03-09"),
        ("2.18.0", "2024-10-25"), ("2.20.0", "2025-08-13"), ("2.21.0", "2026-03-06"), ("2.22.0rc0", "2026-09-22"),
    ],
)  # fmt: skip
def test_days_of_release(version, day):
    row = find_release(version, LINUX)

    assert row is not None
    assert row.released_on == day


@pytest.mark.parametrize(
    ("version", "pythons"),
    [
        ("2.13.1", ""), ("2.14.1", "3.9 3.10"), ("2.15.0", ""), ("2.15.0.post1", "3.9 3.10 3.11"),
        ("2.15.1", "3.9 3.10 3.11"), ("2.20.0", "3.9 3.10 3.11 3.12 3.13"),
    ],
)  # fmt: skip
def test_where_the_extra_can_be_installed(version, pythons):
    row = find_release(version, LINUX)

    assert row is not None
    assert " ".join(row.and_cuda_python) == pythons


def test_an_earlier_patch_declares_what_it_declared():
    first, later = find_release("2.14.0", LINUX), find_release("2.14.1", LINUX)

    assert first is not None
    assert later is not None
    assert (first.numpy, later.numpy) == (">=1.23.5", "<2.0.0,>=1.23.5")
    assert first.versions == later.versions
    assert first.sass == later.sass
    assert "tensorrt-libs" in getattr(find_release("2.15.0", LINUX), "and_cuda", {})
    assert "tensorrt-libs" not in getattr(find_release("2.15.1", LINUX), "and_cuda", {})


@pytest.mark.parametrize(
    ("version", "platform", "provider", "newest"),
    [
        ("2.10", "linux-aarch64", "tensorflow-cpu-aws", "2.10.1"),
        ("2.11", "linux-aarch64", "tensorflow-cpu-aws", "2.11.0"),
        ("2.15", "linux-aarch64", "tensorflow-cpu-aws", "2.15.1"),
        ("2.16", "linux-aarch64", None, "2.16.2"),
        ("2.11", "windows-x86_64", "tensorflow-intel", "2.11.1"),
        ("2.17", "windows-x86_64", "tensorflow-intel", "2.17.1"),
        ("2.18", "windows-x86_64", None, "2.18.1"),
        ("2.14", "macos-arm64", "tensorflow-macos", "2.14.1"),
        ("2.15", "macos-arm64", None, "2.15.1"),
    ],
)
def test_stubs_name_who_brings_the_code(version, platform, provider, newest):
    row = find_release(version, platform)

    assert row is not None
    assert (row.provided_by, row.newest) == (provider, newest)
    assert not row.is_cuda_build


def test_no_wheel_holds_machine_code_for_blackwell():
    for row in load_releases():
        assert not [item for item in (*row.sass, *row.sass_partial) if float(item) >= 10], row.series


def test_only_linux_and_the_last_native_windows_release_have_cuda():
    builds = {(row.series, row.platform) for row in load_releases() if row.is_cuda_build}

    assert builds == {(row.series, LINUX) for row in releases_for(LINUX)} | {("2.10", "windows-x86_64")}


def test_nightly_builds_are_told_apart():
    row = find_release("2.23", LINUX)

    assert row is not None
    assert (row.package, row.is_preview, row.released_on) == ("tf-nightly", True, "2026-10-26")
    assert {item.package for item in load_releases() if item.series != "2.23"} == {"tensorflow"}
