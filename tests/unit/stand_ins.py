"""Stand-ins for wsl.exe, docker, podman and their kin: small programs on PATH that replay what was recorded.

What they print comes from tables, in UTF-16 where the real one prints that; what they run, they run for real.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.fakes import write_program

_REPLAY = """import json, os, subprocess, sys, time

table = json.load(open({table!r}, encoding="utf-8"))
words = sys.argv[1:]
with open({calls!r}, "a", encoding="utf-8") as calls:
    calls.write(json.dumps(words) + "\\n")
asked = " ".join(words)
answer = next((value for key, value in table.items() if key != "*" and asked.startswith(key)), table.get("*", {{}}))
if answer.get("hangs"):
    time.sleep(600)
if answer.get("crashes"):
    os.abort()
if "runs" in answer:  # what stands behind the words it takes for itself
    inner = words[answer["runs"]:]
    share = next((word.split("source=")[1].split(",")[0] for word in words if word.startswith("type=bind")), None)
    share = share or next((word[: -len(":/gpuconfig")] for word in words if word.endswith(":/gpuconfig")), None)
    if share is not None:
        start = next(number for number, word in enumerate(words) if word == answer["image"]) + 1
        inner = [word.replace("/gpuconfig", share) for word in words[start:]]
        inner[0] = sys.executable
    environment = dict(os.environ, **answer.get("environment", {{}}))
    sys.exit(subprocess.run(inner, env=environment).returncode)
for stream, name in ((sys.stdout, "out"), (sys.stderr, "err")):
    stream.buffer.write(answer.get(name, "").encode(answer.get("encoding", "utf-8")))
    stream.flush()
sys.exit(answer.get("code", 0))
"""


@dataclass(frozen=True)
class StandIn:
    """A program that was put on PATH.

    Attributes:
        path: The program.
        calls_file: One line of JSON for each time it was started.
    """

    path: Path
    calls_file: Path

    @property
    def calls(self) -> list[list[str]]:
        """The words of each call, in order."""
        if not self.calls_file.exists():
            return []
        return [json.loads(line) for line in self.calls_file.read_text(encoding="utf-8").splitlines()]


@dataclass(frozen=True)
class Answer:
    """What a stand-in does when it is asked.

    Attributes:
        encoding: ``utf-16-le`` for wsl.exe itself.
        runs: Runs the words from this place on, instead of printing.
        image: Of a container engine: what stands before the words to run.
        environment: Variables for what it runs.
    """

    out: str = ""
    err: str = ""
    code: int = 0
    encoding: str = "utf-8"
    hangs: bool = False
    crashes: bool = False
    runs: int | None = None
    image: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)


def put_on_path(folder: Path, name: str, answers: Mapping[str, Answer]) -> StandIn:
    """Write a stand-in into a folder.

    Args:
        answers: By the beginning of the words it is called with, ``*`` for everything else.
    """
    table, calls = folder / f".{name}.json", folder / f".{name}.calls"
    rows = {
        key: {name: value for name, value in vars(answer).items() if value is not None}
        for key, answer in answers.items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    table.write_text(json.dumps(rows), encoding="utf-8")
    path = write_program(folder, name, _REPLAY.format(table=str(table), calls=str(calls)))
    return StandIn(path, calls)


def windows_words(text: str, code: int = 0) -> Answer:
    """Give what wsl.exe prints itself: UTF-16 without a mark, lines ending as Windows ends them."""
    return Answer(out=text.replace("\n", "\r\n"), code=code, encoding="utf-16-le")
