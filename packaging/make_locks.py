"""Write the lock files anew: exact versions and hashes for every platform, and no address of any registry.

Needs uv. ``python packaging/make_locks.py`` keeps what is locked as long as it still fits pyproject.toml;
``--upgrade`` takes the newest.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "packaging" / "locks"


def main(arguments: list[str]) -> int:
    """Write all three files; gives the exit code."""
    uv = shutil.which("uv")
    if uv is None:
        print("uv is needed to write lock files; it is on PyPI.", file=sys.stderr)
        return 3
    common = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--no-python-downloads"]
    common += ["--generate-hashes", "--no-emit-index-url", "--no-annotate", "--no-header", *arguments]
    wishes = (
        ("app", ["pyproject.toml"]),
        ("dev", ["pyproject.toml", "--extra", "dev", "--constraints", str(LOCKS / "app.lock")]),
        ("tensorflow", ["--group", "pyproject.toml:tensorflow-tests"]),
    )
    for name, what in wishes:
        code = subprocess.call([*common, *what, "--output-file", str(LOCKS / f"{name}.lock")], cwd=ROOT)
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
