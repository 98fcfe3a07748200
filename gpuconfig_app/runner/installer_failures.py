"""Why an installer failed, in one sentence, from what it printed last.

Only what uv, pip, venv and conda say in their own words is known here; what TensorFlow or the loader says is the log
doctor's. The first kind that fits decides, so that the cause stands before what follows from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from gpuconfig_app.core.messages import Message
from gpuconfig_app.runner.environment_commands import masked

_TAIL = 20_000
_KINDS: Mapping[str, tuple[str, ...]] = {
    "disk-full": (
        "no space left on device", "errno 28", "not enough space on the disk", "disk quota exceeded", "os error 28",
    ),
    "hash": ("do not match the hashes", "hash mismatch", "hashmismatch"),
    "hash-missing": ("hashes are required", "require-hashes mode", "requires? (?:a )?hash", "missing (?:a )?hash"),
    "lock-unreadable": (
        "invalid requirement", "couldn't parse requirement", "could not open requirements file",
        "expected one of .*found", "error parsing .*requirement",
    ),
    "no-venv": (
        "ensurepip is not available", "no module named .?(?:venv|ensurepip)",
    ),
    "no-pip": ("ensurepip.*non-zero exit status",),  # venv keeps to itself what went wrong there
    "no-interpreter": (
        "no interpreter found", "no python at", "failed to locate", "python interpreter not found",
        "failed to query python interpreter",
    ),
    "refused": (
        r"\b40[137]\b.{0,40}(?:client error|unauthorized|forbidden|error for url|proxy auth)", "status code 40[137]",
        "unauthorized", "authentication required",
    ),
    "certificate": (
        "certificate verify failed", "invalid peer certificate", "self[- ]signed certificate", "unknownissuer",
    ),
    "network": (
        "temporary failure in name resolution", "name or service not known", "could not resolve", "dns error",
        "connection (?:refused|reset|aborted|timed out|broken)", "read timed out", "error sending request",
        "max retries", "network is unreachable", "newconnectionerror", "connecttimeout", "failed to fetch",
        "incompleteread", "condahttperror", "operation timed out", "remote end closed", "proxyerror",
    ),
    "not-found": (
        "no matching distribution", "could not find a version", "no solution found", "packagesnotfounderror",
        "not found in the package registry", "resolutionimpossible", "cannot install .* because",
    ),
    "read-only": ("read-only file system", "errno 30", "os error 30"),
    "permission": ("permission denied", "errno 13", "access is denied", "os error 13", "operation not permitted"),
    "build": ("failed building wheel", "failed to build", "subprocess-exited-with-error", "gcc.*not found"),
    "killed": ("memoryerror", "out of memory", "cannot allocate memory"),
}  # fmt: skip
_SHAPES = tuple((name, re.compile("|".join(shapes), re.IGNORECASE)) for name, shapes in _KINDS.items())
_SAID = re.compile(r"^\s*(?:error|×|╰─▶|fatal|exception|caused by|\[?errno)[:\s]", re.IGNORECASE)


def failure_sentence(output: str, exit_code: int | None) -> Message:
    """Give the sentence for what an installer printed; words that are not known are shown as they are."""
    tail = output[-_TAIL:]
    kind = next((name for name, shape in _SHAPES if shape.search(tail)), None)
    words = telling_line(tail)
    if kind is not None:
        return Message(f"environment.failed-{kind}", {"detail": words})
    if exit_code is not None and exit_code < 0:
        return Message("environment.failed-ended", {"signal": -exit_code})
    return Message("environment.failed-other", {"detail": words, "code": exit_code if exit_code is not None else 0})


def telling_line(output: str) -> str:
    """Give the last line that begins like an error, else the last one."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    said = next((line for line in reversed(lines) if _SAID.match(line)), lines[-1] if lines else "")
    return masked(said)[:300]
