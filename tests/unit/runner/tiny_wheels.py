"""Writes small wheels into a folder: a TensorFlow that pretends, and packages it needs; real pip installs them."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.unit.runner.pretended_tensorflow import SOURCE


def write_wheel(folder: Path, name: str, version: str, files: Mapping[str, str], needs: tuple[str, ...] = ()) -> Path:
    """Write a pure wheel.

    Args:
        files: Text by path inside ``site-packages``; ``name-version.data/…`` places them elsewhere.
        needs: Requirements.
    """
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n"
    metadata += "".join(f"Requires-Dist: {item}\n" for item in needs)
    whole = {
        **files,
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [f"{path},sha256={_digest(text)},{len(text.encode())}" for path, text in whole.items()]
    whole[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]) + "\n"
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for place, text in whole.items():
            archive.writestr(zipfile.ZipInfo(place, (2026, 1, 1, 0, 0, 0)), text)
    return path


def write_wheelhouse(folder: Path, version: str = "2.21.0") -> Path:
    """Write a folder of wheels with TensorFlow and two packages it needs."""
    write_wheel(folder, "numpy", "1.26.4", {"numpy/__init__.py": "__version__ = '1.26.4'\n"})
    data = {"keras/__init__.py": "", "keras-3.15.1.data/scripts/keras-tool": "#!python\nprint('keras')\n"}
    write_wheel(folder, "keras", "3.15.1", data)
    source = {"tensorflow/__init__.py": SOURCE}
    write_wheel(folder, "tensorflow", version, source, ("numpy>=1.26", "keras>=3.12.0"))
    return folder


def _digest(text: str) -> str:
    raw = hashlib.sha256(text.encode()).digest()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
