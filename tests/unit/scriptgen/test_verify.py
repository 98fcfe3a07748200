"""The gate: what must never leave, and that what templates write may."""

from __future__ import annotations

import pytest

from gpuconfig_app.scriptgen.verify import UnsafeScriptError, find_problems, verify_script

GOOD = '''"""Does little."""

from __future__ import annotations

import os

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")

import subprocess
from pathlib import Path

NAMES = [
    "a",
]


class Reader:
    """Reads."""

    def read(self) -> list[str]:
        """Read."""
        return [name.upper() for name in NAMES if Path(name).exists()]


def main() -> int:
    """Run."""
    subprocess.run(["nvidia-smi", "-L"], check=False)
    return len(Reader().read()) + len(__doc__)


if __name__ == "__main__":
    main()
'''


def test_a_plain_script_passes() -> None:
    assert list(find_problems(GOOD)) == []
    verify_script("train.py", GOOD)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('    "a",', '    "a"); import os #",', "does not compile"),
        ('NAMES = [\n    "a",\n]', 'NAMES = [open("x")]', "on import"),
        ("class Reader", 'print("hello")\n\n\nclass Reader', "on import"),
        ("class Reader", 'os.environ["PATH"] = "/tmp"\n\n\nclass Reader', "on import"),
        ("class Reader", 'os.environ.setdefault("A", str(3))\n\n\nclass Reader', "on import"),
        ("class Reader", "if NAMES:\n    NAMES.clear()\n\n\nclass Reader", "on import"),
        ("import subprocess", "import socket\nimport subprocess", "imports socket"),
        ("import subprocess", "import subprocess\nfrom . import other", "imports ."),
        ("name.upper()", "eval(name)", "calls eval"),
        ("name.upper()", "os.system(name)", "calls os.system"),
        ('["nvidia-smi", "-L"]', "NAMES", "not written out"),
        ("check=False", "check=False, shell=True", "shell"),
        ("name.upper()", "nmae.upper()", "undefined name nmae"),
        ("len(Reader()", "len(Writer()", "undefined name Writer"),
        ("def main", "\x0c\ndef main", "invisible"),
        ('"""Run."""', '"""Run."""  ', "ends with a blank"),
        ("    main()\n", "    main()", "one newline"),
        ("    main()\n", "    main()\n\n", "one newline"),
    ],
)
def test_what_must_never_leave(old: str, new: str, problem: str) -> None:
    assert old in GOOD

    found = list(find_problems(GOOD.replace(old, new)))

    assert any(problem in line for line in found), found


def test_an_unsafe_script_names_its_file() -> None:
    with pytest.raises(UnsafeScriptError) as caught:
        verify_script("predict.py", "import socket\n")

    assert caught.value.message.params["file"] == "predict.py"
