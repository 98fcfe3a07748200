"""Whether pins can be installed: the forms of wheel names that the CUDA libraries really have."""

from __future__ import annotations

import pytest
from packaging.version import Version

from gpuconfig_app.knowledge.harvest.package_index import IndexFile
from gpuconfig_app.knowledge.harvest.pins import best_wheel, installable_pythons

LINUX = "linux-x86_64"


def _file(version: str, python: str, abi: str, platform: str, *, is_yanked: bool = False) -> IndexFile:
    return IndexFile(
        name=f"x-{version}-{python}-{abi}-{platform}.whl",
        address="file:///x",
        version=Version(version),
        pythons=tuple(python.split(".")),
        abis=(abi,),
        platforms=tuple(platform.split(".")),
        is_yanked=is_yanked,
    )


SDIST = IndexFile(name="x-9.0.tar.gz", address="file:///x", version=Version("9.0"))


@pytest.mark.parametrize(
    ("python", "abi", "platform", "fits"),
    [
        ("py3", "none", "manylinux2014_x86_64", True),
        ("py3", "none", "manylinux1_x86_64", True),
        ("py2.py3", "none", "any", True),
        ("cp310", "none", "manylinux_2_17_x86_64", True),  # TensorRT 8.5
        ("cp310", "cp310", "manylinux_2_17_x86_64", True),
        ("cp38", "abi3", "manylinux_2_17_x86_64", True),
        ("cp311", "abi3", "manylinux_2_17_x86_64", False),
        ("cp311", "none", "manylinux_2_17_x86_64", False),
        ("cp311", "cp311", "manylinux_2_17_x86_64", False),
        ("cp310", "cp310", "manylinux_2_17_aarch64", False),
        ("py3", "none", "win_amd64", False),
        ("py3", "none", "manylinux_2_39_x86_64", False),
    ],
)
def test_which_wheels_fit(python, abi, platform, fits):
    found = best_wheel([_file("1.0", python, abi, platform)], ">=1", "3.10", LINUX)

    assert (found is not None) is fits


def test_the_newest_allowed_one_is_taken():
    tag = "manylinux2014_x86_64"
    files = [
        _file("9.3.0.75", "py3", "none", tag),
        _file("9.28.0.42", "py3", "none", tag),
        _file("9.29.0.1", "py3", "none", tag, is_yanked=True),
        _file("9.30.0.dev1", "py3", "none", tag),
        _file("10.0", "py3", "none", tag),
        SDIST,
    ]

    assert str(getattr(best_wheel(files, ">=9.3,<10", "3.12", LINUX), "version", None)) == "9.28.0.42"
    assert str(getattr(best_wheel(files, "==9.29.0.1", "3.12", LINUX), "version", None)) == "9.29.0.1"
    assert best_wheel(files, "<9", "3.12", LINUX) is None


def test_all_pins_must_fit_a_python():
    files = {
        "a": (_file("1.0", "py3", "none", "any"),),
        "b": (_file("2.0", "cp310", "none", "manylinux_2_17_x86_64"),),
        "source-only": (SDIST,),
    }

    def listed(name: str) -> tuple[IndexFile, ...]:
        return files.get(name, ())

    assert installable_pythons({"a": "==1.0", "b": "==2.0"}, ("3.9", "3.10"), LINUX, listed) == ("3.10",)
    assert installable_pythons({"source-only": ">=9"}, ("3.10",), LINUX, listed) == ()
    assert installable_pythons({"unheard-of": ""}, ("3.10",), LINUX, listed) == ()
