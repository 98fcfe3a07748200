"""Starts a program on a made-up machine: ``python tests/native/run_on_stand_in.py --profile 8xa100-mig -- COMMAND``.

Without a command it starts the application. The profile is copied into a folder of its own, whose path is printed: edit
the copy, or create the file a hang waits for, while the program runs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.native.build import PROFILES, NoCompilerError, profile_path, stand_in_environment  # after the path


def main() -> NoReturn:
    """Read the command line and become the wanted program."""
    ready = ", ".join(sorted(path.stem for path in PROFILES.glob("*.profile")))
    parser = argparse.ArgumentParser(description="Run a program on a stand-in for NVIDIA's management library.")
    parser.add_argument("--profile", default="1x4090", help=f"a ready profile ({ready}) or a file")
    parser.add_argument("--calls", type=Path, help="write each call into this file")
    parser.add_argument("command", nargs="*", help="default: the application")
    arguments = parser.parse_args()
    command = arguments.command or ["python", "-m", "gpuconfig_app"]
    if command[0] in ("python", "python3"):
        command[0] = sys.executable
    try:
        original = profile_path(arguments.profile)
        folder = Path(tempfile.mkdtemp(prefix="gpuconfig-stand-in-"))
        profile = Path(shutil.copy(original, folder / original.name))
        calls = arguments.calls.resolve() if arguments.calls else None
        environment = stand_in_environment(profile, Path(__file__).resolve().parent / "build", os.environ, calls)
    except (FileNotFoundError, NoCompilerError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(3)
    sys.stderr.write(f"stand-in profile: {profile}\n")
    os.execvpe(command[0], command, environment)


if __name__ == "__main__":
    main()
