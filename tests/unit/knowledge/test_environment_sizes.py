"""Sizes of environments: every release that can be made has one, and they are of a likely order."""

from __future__ import annotations

from gpuconfig_app.core.units import GB
from gpuconfig_app.knowledge.environment_sizes import (
    find_environment_size,
    load_environment_sizes,
    unpacking_factor,
)
from gpuconfig_app.knowledge.tensorflow_releases import load_releases


def test_every_release_with_a_cuda_extra_has_its_size() -> None:
    with_extra = [row for row in load_releases() if row.platform == "linux-x86_64" and row.has_and_cuda]
    rows = [row for row in with_extra if not row.is_preview]

    assert rows
    assert all(find_environment_size(row.newest, row.platform, with_cuda=True) for row in rows)


def test_nearly_every_release_has_its_size_without() -> None:
    stable = [row for row in load_releases() if not row.is_preview]
    missing = [row for row in stable if find_environment_size(row.newest, row.platform, with_cuda=False) is None]

    assert len(missing) <= 3, [(row.series, row.platform) for row in missing]


def test_with_cuda_it_is_gigabytes_more() -> None:
    for row in load_environment_sizes():
        if row.libraries == "cuda":
            plain = find_environment_size(row.series, row.platform, with_cuda=False)
            assert plain is not None
            assert row.download_bytes - plain.download_bytes > GB


def test_unpacked_it_is_larger_and_tensorflow_alone_packs_best() -> None:
    cuda, plain = unpacking_factor(with_cuda=True), unpacking_factor(with_cuda=False)

    assert cuda is not None
    assert plain is not None
    assert 1.5 < cuda < 2.5 < plain < 4.5
