"""Where the data files are: one function that knows a checkout, an installed wheel and a frozen bundle.

Everything in ``resources/`` is read through here; no other module builds such a path.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path


@cache
def resource_root() -> Path:
    """Give the folder of data files.

    In a wheel or bundle it is ``gpuconfig_app/_resources``, in a checkout or editable install ``../resources``.

    Raises:
        FileNotFoundError: The installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    bundled = getattr(sys, "_MEIPASS", None)
    places = [Path(bundled) / "gpuconfig_app" / "_resources"] if bundled else []
    places += [package / "_resources", package.parent / "resources"]
    for place in places:
        if (place / "knowledge").is_dir() or (place / "text").is_dir():
            return place
    raise FileNotFoundError(f"data files of GPUConfig are missing below {package}")


def resource_path(*parts: str) -> Path:
    """Give the path of a data file or folder; it need not exist."""
    return resource_root().joinpath(*parts)


def is_frozen() -> bool:
    """Whether the program runs from a bundle made by PyInstaller."""
    return bool(getattr(sys, "frozen", False))
