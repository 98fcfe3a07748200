"""What goes into the bundle and the package; building them is tried by packaging/check_deb.py."""

from __future__ import annotations

import importlib.util
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

from tests.source_files import ROOT

LINUX = ROOT / "packaging" / "linux"


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"packaging_{name}", ROOT / "packaging" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "platform", "goes_in"),
    [
        ("PySide6/Qt/lib/libQt6Widgets.so.6", "linux", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", "linux", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", "linux", True),
        ("PySide6/Qt/plugins/platforms/libqeglfs.so", "linux", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", "linux", False),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", "linux", True),
        ("PySide6/Qt/translations/qtbase_de.qm", "linux", False),
        ("PySide6\\translations\\qtbase_zh_CN.qm", "win32", True),
        ("libstdc++.so.6", "linux", False),
        ("libxcb-cursor.so.0", "linux", False),
        ("libssl.so.3", "linux", True),
        ("libpython3.11.so.1.0", "linux", True),
        ("numpy.libs/libscipy_openblas64_.so", "linux", True),
        ("gpuconfig_app/_resources/icons/app/gpuconfig.svg", "linux", True),
    ],
)
def test_the_bundle_holds_what_the_program_shows(name, platform, goes_in) -> None:
    assert _module("bundle_contents").is_wanted(name, platform) is goes_in


def test_the_same_libraries_are_left_out_and_depended_on() -> None:
    """Of each family left to the system at least one package is asked for."""
    packages = (LINUX / "depends.txt").read_text(encoding="utf-8")

    for name in ("libstdc++6", "libgcc-s1", "libx11-6", "libxcb-cursor0", "libegl1", "libfontconfig1", "libdbus-1-3"):
        assert f"\n{name}" in packages
    assert "libglib2.0-0 | libglib2.0-0t64" in packages


def test_the_control_file_is_complete() -> None:
    build = _module("build")

    text = build.control_text("amd64", 100.0)

    fields = dict(line.split(": ", 1) for line in text.splitlines() if not line.startswith(" "))
    assert {"Package", "Version", "Architecture", "Maintainer", "Depends", "Description"} <= set(fields)
    assert fields["Version"] == build.version()
    assert fields["Installed-Size"] == "102400"


def test_every_icon_size_is_there() -> None:
    for size in _module("build").ICON_SIZES:
        raw = (ROOT / "resources" / "icons" / "app" / f"gpuconfig-{size}.png").read_bytes()

        assert struct.unpack(">II", raw[16:24]) == (size, size)


def test_the_desktop_knows_the_window_by_its_name() -> None:
    entry = (LINUX / "gpuconfig.desktop").read_text(encoding="utf-8")
    application = (ROOT / "gpuconfig_app" / "ui" / "application.py").read_text(encoding="utf-8")

    assert "StartupWMClass=gpuconfig\n" in entry
    assert 'setDesktopFileName("gpuconfig")' in application
    if shutil.which("desktop-file-validate"):
        told = subprocess.run(
            ["desktop-file-validate", str(LINUX / "gpuconfig.desktop")], capture_output=True, text=True, check=False
        )
        assert told.stdout == ""


def test_the_software_centre_gets_both_languages() -> None:
    tree = ET.parse(LINUX / "gpuconfig.metainfo.xml").getroot()
    language = "{http://www.w3.org/XML/1998/namespace}lang"

    summaries = {item.get(language): item.text for item in tree.findall("summary")}

    assert set(summaries) == {None, "zh_CN"}
    assert tree.findtext("project_license") == "Apache-2.0"


def test_a_screen_becomes_a_picture(tmp_path: Path) -> None:
    xwd = _module("xwd")
    header = [0] * 25
    header[0], header[4], header[5], header[11], header[12], header[19] = 104, 2, 2, 32, 8, 1
    pixels = bytes([1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 1, 2, 3, 0])
    (tmp_path / "screen").write_bytes(struct.pack(">25I", *header) + b"name" + bytes(12) + pixels)

    picture = xwd.read_screen(tmp_path / "screen")
    xwd.write_png(picture, tmp_path / "shots" / "x.png")

    assert picture.rows == (bytes([3, 2, 1, 6, 5, 4]), bytes([9, 8, 7, 3, 2, 1]))
    assert picture.colour_count() == 3
    assert (tmp_path / "shots" / "x.png").read_bytes().startswith(b"\x89PNG")


def test_what_is_no_screen_is_refused(tmp_path: Path) -> None:
    (tmp_path / "screen").write_bytes(b"x")

    with pytest.raises(ValueError, match="not a screen"):
        _module("xwd").read_screen(tmp_path / "screen")


def test_the_package_is_not_tried_without_root(monkeypatch) -> None:
    check = _module("check_deb")
    monkeypatch.setattr(check.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(check.sys, "platform", "linux")

    assert "root" in check.why_not_here()
