"""Runs NVIDIA's command-line tool where it can be found, and reads its refusals."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from gpuconfig_app.command import CommandResult, run_command, user_environment
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.system import BackendState, BackendStatus
from gpuconfig_app.hardware import nvidia_nvml as nvml
from gpuconfig_app.hardware import nvidia_reasons as reasons
from gpuconfig_app.hardware.backend import BackendResult, DetectOptions
from gpuconfig_app.hardware.nvidia_nvml import Trouble
from gpuconfig_app.hardware.nvidia_smi import SOURCE, parse_nvidia_smi_xml, unreadable

# The tool's own sentences, in lower case, and what they mean.
_REFUSALS: Mapping[str, str] = {
    "driver/library version mismatch": nvml.MISMATCH,
    "couldn't communicate with the nvidia driver": nvml.DRIVER_NOT_LOADED,
    "driver not loaded": nvml.DRIVER_NOT_LOADED,
    "insufficient permissions": nvml.NO_PERMISSION,
    "no permission": nvml.NO_PERMISSION,
    "couldn't find libnvidia-ml": nvml.LIBRARY_NOT_FOUND,
    "gpu is lost": nvml.GPU_LOST,
    "unable to determine the device handle": nvml.GPU_LOST,
    "nvidia-smi: command not found": nvml.LIBRARY_NOT_FOUND,
    "nvidia-smi: not found": nvml.LIBRARY_NOT_FOUND,
    "command 'nvidia-smi' not found": nvml.LIBRARY_NOT_FOUND,
    "'nvidia-smi' is not recognized": nvml.LIBRARY_NOT_FOUND,
    "the term 'nvidia-smi' is not recognized": nvml.LIBRARY_NOT_FOUND,
}
_NO_DEVICES = "no devices were found"


def find_nvidia_smi(search_path: str | None = None) -> Path | None:
    """Give the tool's path: from PATH, else from where Windows, WSL2 and old Windows drivers put it."""
    variables = user_environment()
    found = shutil.which("nvidia-smi", path=variables.get("PATH") if search_path is None else search_path)
    if found is not None:
        return Path(found)
    return next((path for path in _usual_places(variables) if path.is_file()), None)


def ask_nvidia_smi(time_limit_s: float, tool: Path | None = None) -> BackendResult | None:
    """Ask the tool for everything; None when it is not on this machine.

    Args:
        time_limit_s: After this it is ended.
        tool: Default ``find_nvidia_smi()``.
    """
    tool = tool or find_nvidia_smi()
    if tool is None:
        return None
    try:
        answer = run_command([tool, "-q", "-x"], time_limit_s=time_limit_s)
    except CommandError as error:
        return unreadable(str(error))
    if answer.timed_out:
        return BackendResult(status=reasons.silent_status(time_limit_s))
    result = parse_nvidia_smi_xml(answer.stdout)
    if result.status.state is BackendState.FAILED:
        return BackendResult(status=read_refusal(answer))
    return result


def read_refusal(answer: CommandResult, options: DetectOptions | None = None) -> BackendStatus:
    """Give the status behind an answer that holds no document.

    Args:
        options: Tells whether there is a card, as far as that is known.
    """
    said = f"{answer.stdout}\n{answer.stderr}".lower()
    if _NO_DEVICES in said:
        return replace(reasons.no_devices_status(options or DetectOptions()), source=SOURCE)
    code = next((code for words, code in _REFUSALS.items() if words in said), None)
    if code is None:
        return unreadable(answer.stdout or answer.stderr or f"exit code {answer.exit_code}").status
    status = reasons.library_status(Trouble(code), options or DetectOptions(), None, None)
    return replace(status, source=SOURCE)


def _usual_places(variables: Mapping[str, str]) -> Iterable[Path]:
    if os.name == "nt":
        yield Path(variables.get("SYSTEMROOT", "C:/Windows"), "System32", "nvidia-smi.exe")
        yield Path(variables.get("PROGRAMFILES", "C:/Program Files"), "NVIDIA Corporation", "NVSMI", "nvidia-smi.exe")
    else:
        yield Path("/usr/lib/wsl/lib/nvidia-smi")
        yield Path("/opt/bin/nvidia-smi")
