"""Write the harvested fact tables anew, from the package index that pip uses.

``python packaging/harvest_tables.py`` reads every wheel again (about 9 GB of libraries, streamed; nothing is kept) and
writes resources/knowledge/{tensorflow_releases,cudnn_wheels,tensorflow_packages}.toml. ``--quick`` reads only what has
changed since. What people add stands in tensorflow_notes.toml and is only taken over.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gpuconfig_app.core.errors import GpuConfigError, UnusableFileError  # noqa: E402  # runs from the checkout
from gpuconfig_app.core.job import JobControl  # noqa: E402  # as above
from gpuconfig_app.core.messages import Language, Message  # noqa: E402  # as above
from gpuconfig_app.knowledge import cudnn_wheels, tensorflow_packages, tensorflow_releases  # noqa: E402  # as above
from gpuconfig_app.knowledge.harvest.harvest import KnownTables, harvest, write_tables  # noqa: E402  # as above
from gpuconfig_app.knowledge.harvest.pip_settings import read_pip_settings  # noqa: E402  # as above
from gpuconfig_app.workbench.text import load_texts  # noqa: E402  # as above

Rows = TypeVar("Rows")


def main(arguments: list[str]) -> int:
    """Harvest and write; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="read only wheels that are new")
    parser.add_argument("--python", help="interpreter whose pip is asked for the index")
    parser.add_argument("--into", type=Path, default=ROOT / "resources" / "knowledge", help="folder to write to")
    wanted = parser.parse_args(arguments)
    texts = load_texts()
    known = KnownTables(
        releases=_known(tensorflow_releases.load_releases),
        cudnn=_known(cudnn_wheels.load_cudnn_wheels),
        packages=_known(tensorflow_packages.load_packages),
    )

    def show(share: float | None, message: Message) -> None:
        print(f"{round((share or 0) * 100):3} %  {texts.render(message, Language.ENGLISH)}", file=sys.stderr)

    try:
        with TemporaryDirectory(prefix="gpuconfig-harvest-") as scratch:
            settings = read_pip_settings(wanted.python)
            made = harvest(settings, JobControl(show), Path(scratch), known, is_full=not wanted.quick)
            write_tables(made.texts, wanted.into)
    except GpuConfigError as error:
        parts = [error.message, *([error.hint] if error.hint else [])]
        print(" ".join(texts.render(part, Language.ENGLISH) for part in parts), file=sys.stderr)
        return 3
    for warning in made.warnings:
        print(texts.render(warning, Language.ENGLISH), file=sys.stderr)
    print(f"{len(made.changed)} rows changed: {', '.join(made.changed) or 'none'}")
    took = time.strftime("%H:%M:%S", time.gmtime(made.duration_s))
    print(f"{made.received_bytes / 1e6:.1f} MB in {made.requests} requests, {took}")
    return 0


def _known(load: Callable[[], tuple[Rows, ...]]) -> tuple[Rows, ...]:
    """Give the rows of a table, none when it is not there yet."""
    try:
        return load()
    except UnusableFileError:
        return ()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
