"""What a distribution calls a path of Windows."""

from __future__ import annotations

import pytest

from gpuconfig_app.hardware.wsl_paths import to_wsl

PAIRS = (
    ("C:\\Users\\li\\AppData", "/mnt/c/Users/li/AppData"),
    ("D:\\数据\\a b", "/mnt/d/数据/a b"),
    ("\\\\wsl.localhost\\Ubuntu\\home\\li", "/home/li"),
)


@pytest.mark.parametrize(("windows", "linux"), PAIRS)
def test_usual_paths(windows, linux):
    assert to_wsl(windows, "Ubuntu") == linux


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("C:/x/y", "/mnt/c/x/y"),
        ("c:\\", "/mnt/c"),
        ("\\\\?\\C:\\x", "/mnt/c/x"),
        ("\\\\wsl$\\UBUNTU\\etc", "/etc"),
        ("\\\\wsl.localhost\\Debian\\etc", None),
        ("\\\\server\\share\\x", None),
        ("relative\\x", None),
        ("/tmp/x", None),
    ],
)
def test_what_a_distribution_calls_a_path(path, expected):
    assert to_wsl(path, "Ubuntu") == expected


def test_another_place_for_the_drives():
    assert to_wsl("C:\\x", "Ubuntu", "/") == "/c/x"


def test_without_drives_only_the_own_files_are_seen():
    assert to_wsl("C:\\x", "Ubuntu", None) is None
