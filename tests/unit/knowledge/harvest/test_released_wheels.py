"""Three releases, fetched by pip from wherever it is set up to look, read anew and compared with the shipped table."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace

import pytest

from gpuconfig_app.core.job import JobControl
from gpuconfig_app.knowledge.harvest.harvest import KnownTables, harvest
from gpuconfig_app.knowledge.harvest.pip_settings import IndexSettings
from gpuconfig_app.knowledge.table import parse_table, read_table
from gpuconfig_app.knowledge.tensorflow_releases import TABLE, TensorflowRelease, parse_releases

LINUX = "linux-x86_64"
# One before Hopper, one with PTX for exactly one capability, one with plain PTX: about 1.7 GB.
SERIES = ("2.15", "2.18", "2.21")


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("series", SERIES)
def test_a_released_wheel_says_what_the_table_says(series, tmp_path):
    shipped = next(row for row in parse_releases(read_table(TABLE)) if (row.series, row.platform) == (series, LINUX))
    _download(shipped, tmp_path / "wheels")

    made = harvest(
        IndexSettings(find_links=(str(tmp_path / "wheels"),)), JobControl(), tmp_path, KnownTables(), is_full=True
    )

    (fresh,) = parse_releases(parse_table(TABLE, made.texts[TABLE]))
    assert made.warnings == ()
    assert _of_the_wheel(fresh) == _of_the_wheel(shipped)


def _of_the_wheel(row: TensorflowRelease) -> TensorflowRelease:
    """Leave out what only an index tells, and the day."""
    return replace(
        row,
        versions=row.versions[-1:],
        python=row.python[-1:],
        released_on=None,
        cudnn_resolved=None,
        and_cuda_python=(),
        patches=(),
        wheel_sha256=None,
        checked_on="",
        # bounds are those for the oldest Python; a folder holds only the newest
        numpy=(row.numpy or "").split(",")[0],
    )


def _download(row: TensorflowRelease, folder) -> None:
    assert row.wheel is not None
    tag, platform = row.wheel.removesuffix(".whl").split("-")[-2:]
    words = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
    words += ["--implementation", "cp", "--abi", tag, "--python-version", tag.removeprefix("cp")]
    words += [word for name in platform.split(".") for word in ("--platform", name)]
    python = shutil.which("python3") or "python3"
    subprocess.run([python, *words, f"{row.package}=={row.newest}"], check=True, timeout=1800)
