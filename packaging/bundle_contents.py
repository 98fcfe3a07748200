"""What goes into the bundle and what does not.

Two rules. What a desktop system has anyway is left to it (on Linux): libraries for drawing, windows and fonts, the C++
runtime. A copy of ours would meet newer graphics drivers that need newer ones, and would raise the age of systems the
program runs on. And of Qt only what the program shows is taken.
"""

from __future__ import annotations

import sys
from fnmatch import fnmatch
from pathlib import PurePath

# Must not name what a library imports when it is imported: the test of the frozen program would fail.
EXCLUDED_MODULES = [
    "tkinter", "_tkinter", "readline", "curses", "_curses", "nis", "lib2to3",
    "PyQt5", "PyQt6", "PySide2", "matplotlib", "scipy", "pandas", "PIL", "IPython", "cupy", "numba", "OpenGL", "h5py",
    "tensorflow", "keras", "pytest", "_pytest", "hypothesis", "mypy", "setuptools", "pip",
    "PySide6.QtNetwork", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtSql", "PySide6.QtPrintSupport",
]  # fmt: skip

# By path inside the bundle, ``/`` between parts, whatever the platform.
UNWANTED = (
    # Qt plugins for devices without a desktop, formats nobody opens here, and what would need Qt's network
    "PySide6/Qt/plugins/egldeviceintegrations/*",
    "PySide6/Qt/plugins/generic/*",
    "PySide6/Qt/plugins/networkinformation/*",
    "PySide6/Qt/plugins/tls/*",
    "PySide6/Qt/plugins/printsupport/*",
    "PySide6/Qt/plugins/platforms/*eglfs*",
    "PySide6/Qt/plugins/platforms/*vkkhrdisplay*",
    "PySide6/Qt/plugins/platforms/*minimalegl*",
    "PySide6/Qt/plugins/platforms/*linuxfb*",
    "PySide6/Qt/plugins/platforms/*vnc*",
    "PySide6/Qt/plugins/platforminputcontexts/*virtualkeyboard*",
    "PySide6/Qt/plugins/imageformats/*pdf*",
    "PySide6/Qt/plugins/imageformats/*tiff*",
    "PySide6/Qt/plugins/imageformats/*webp*",
    "PySide6/Qt/plugins/imageformats/*tga*",
    "PySide6/Qt/plugins/imageformats/*wbmp*",
    "PySide6/Qt/plugins/imageformats/*icns*",
    # the GTK theme brings GTK's names and warnings with it; our look is our own
    "PySide6/Qt/plugins/platformthemes/*gtk3*",
    # what only those would load
    "*libQt6Pdf*",
    "*libQt6Quick*",
    "*libQt6Qml*",
    "*libQt6VirtualKeyboard*",
    "*libQt6Network*",
    "*libQt6Egl[Ff][Ss]*",
    "libgssapi_krb5.so*",
    "libkrb5*.so*",
    "libk5crypto.so*",
    "libcom_err.so*",
    "libkeyutils.so*",
    "PySide6/Qt/qml/*",
    # translations of Qt's own words: only the languages of the program
    "PySide6/Qt/translations/*",
    "PySide6/translations/*",
    # examples and icons of the graph library
    "pyqtgraph/examples/*",
    "pyqtgraph/icons/*/*.svg",
)
WANTED_AFTER_ALL = ("PySide6/Qt/translations/qtbase_zh_CN.qm", "PySide6/translations/qtbase_zh_CN.qm")

# Left to the system on Linux; packaging/linux/depends.txt names the packages that bring them.
SYSTEM_LIBRARIES = (
    "libstdc++.so*", "libgcc_s.so*", "libz.so*", "libzstd.so*", "libexpat.so*", "libcrypt.so*",
    "libX*.so*", "libxcb*.so*", "libxkbcommon*.so*", "libwayland*.so*", "libICE.so*", "libSM.so*",
    "libEGL.so*", "libGL*.so*", "libgbm.so*", "libdrm.so*",
    "libfontconfig.so*", "libfreetype.so*", "libharfbuzz.so*", "libgraphite2.so*", "libpng16.so*", "libbrotli*.so*",
    "libglib-2.0.so*", "libgthread-2.0.so*", "libgobject-2.0.so*", "libgio-2.0.so*", "libgmodule-2.0.so*",
    "libpcre*.so*", "libdbus-1.so*", "libsystemd.so*", "libcap.so*", "libgcrypt.so*", "libgpg-error.so*", "liblz4.so*",
    "libbsd.so*", "libmd.so*", "libmount.so*", "libblkid.so*", "libselinux.so*", "libjpeg.so*",
    "libgtk-3.so*", "libgdk*.so*", "libcairo*.so*", "libpango*.so*", "libatk*.so*", "libatspi.so*", "libepoxy.so*",
    "libfribidi.so*", "libthai.so*", "libdatrie.so*", "libpixman-1.so*",
)  # fmt: skip


def is_wanted(name: str, platform: str = sys.platform) -> bool:
    """Tell whether a file goes into the bundle.

    Args:
        name: Path inside the bundle.
        platform: As ``sys.platform``.
    """
    path = PurePath(name.replace("\\", "/")).as_posix()
    if any(fnmatch(path, pattern) for pattern in WANTED_AFTER_ALL):
        return True
    if any(fnmatch(path, pattern) for pattern in UNWANTED):
        return False
    is_system_library = any(fnmatch(path, pattern) for pattern in SYSTEM_LIBRARIES)  # only those at the top
    return not (platform.startswith("linux") and is_system_library)


def wanted(entries: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Give the entries (path in the bundle, source, kind) that go into it."""
    return [entry for entry in entries if is_wanted(entry[0])]
