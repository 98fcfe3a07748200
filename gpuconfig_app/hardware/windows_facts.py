"""What WSL2 needs of Windows: build, virtualisation, features, a pending restart, and what ``.wslconfig`` says.

Read from the registry and by one call of PowerShell that needs no administrator; the call takes seconds, so it is only
made when somebody looks at the way to WSL2, and not at all where a WSL2 distribution runs, which proves the rest.
"""

from __future__ import annotations

import base64
import configparser
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from gpuconfig_app.command import CommandResult, decode_output, run_command
from gpuconfig_app.core.errors import CommandError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.target_facts import WindowsFacts, Wsl
from gpuconfig_app.core.units import GIB, KIB, MIB

Run = Callable[..., CommandResult]
Values = Mapping[str, str | int | bool]

POWERSHELL_LIMIT_S = 10.0
_SYSTEM_KEY = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion"
_RESTART_KEY = r"SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing\RebootPending"
_VM_PLATFORM, _WSL_FEATURE = "VirtualMachinePlatform", "Microsoft-Windows-Subsystem-Linux"
# Win32_OptionalFeature needs no administrator, unlike Get-WindowsOptionalFeature. InstallState: 1 on, 2 off, 3 absent.
_QUESTIONS = f"""
$ErrorActionPreference = 'SilentlyContinue'
'hypervisor=' + (Get-CimInstance Win32_ComputerSystem).HypervisorPresent
'firmware=' + (Get-CimInstance Win32_Processor | Select-Object -First 1).VirtualizationFirmwareEnabled
foreach ($name in '{_VM_PLATFORM}', '{_WSL_FEATURE}') {{
  $name + '=' + (Get-CimInstance Win32_OptionalFeature -Filter "Name='$name'").InstallState
}}
"""
_INSTALLED = {"1": True, "2": False, "3": False}
_YES_NO = {"true": True, "false": False}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
_FACTORS = {"": 1, "k": KIB, "m": MIB, "g": GIB, "t": 1024 * GIB}
# What has a reason beside it when it is not known.
_TOLD = (
    "build",
    "is_hypervisor_running",
    "has_virtualization",
    "has_vm_platform",
    "has_wsl_feature",
    "is_restart_pending",
)
_CONFIG_LIMIT_BYTES = 64 * 1024


def windows_values() -> Values:
    """Give build and display version of Windows, and whether it waits for a restart; empty elsewhere."""
    values: dict[str, str | int | bool] = {}
    if sys.platform == "win32":
        import winreg  # noqa: PLC0415  # exists on Windows only

        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _SYSTEM_KEY) as key:
            for name in ("CurrentBuildNumber", "DisplayVersion"):
                try:
                    values[name] = winreg.QueryValueEx(key, name)[0]
                except OSError:
                    continue
        try:
            winreg.CloseKey(winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _RESTART_KEY))
            values["RebootPending"] = True
        except FileNotFoundError:
            values["RebootPending"] = False
        except OSError:  # it may be there, and this user may not look
            pass
    return values


@dataclass(frozen=True)
class WindowsSources:
    """Where the facts come from; tests put recorded answers in.

    Attributes:
        home: The user's home folder, with ``.wslconfig``.
        values: The registry's.
        run: Starts PowerShell.
    """

    home: Path = field(default_factory=Path.home)
    values: Callable[[], Values] = windows_values
    run: Run = run_command


def read_windows_facts(wsl: Wsl | None, sources: WindowsSources | None = None) -> WindowsFacts:
    """Give what WSL2 needs of Windows; never raises.

    Args:
        wsl: What ``wsl.exe`` told; a WSL2 distribution that runs answers most questions.
    """
    given = sources or WindowsSources()
    try:
        values = given.values()
    except OSError:
        values = {}
    runs = wsl is not None and any(item.version == 2 and item.is_running for item in wsl.distributions)
    told = {} if runs else _ask_powershell(given.run)
    build = str(values.get("CurrentBuildNumber", ""))
    config, memory = _read_config(given.home)
    is_running = True if runs else _YES_NO.get(told.get("hypervisor", ""))
    facts = WindowsFacts(
        build=int(build) if build.isdigit() else None,
        display_version=str(values["DisplayVersion"]) if values.get("DisplayVersion") else None,
        is_hypervisor_running=is_running,
        # A running hypervisor hides the firmware's switch.
        has_virtualization=True if is_running else _YES_NO.get(told.get("firmware", "")),
        has_vm_platform=True if runs else _INSTALLED.get(told.get(_VM_PLATFORM.lower(), "")),
        has_wsl_feature=True if runs else _INSTALLED.get(told.get(_WSL_FEATURE.lower(), "")),
        is_restart_pending=_flag(values.get("RebootPending")),
        wslconfig=str(config) if config is not None else None,
        wslconfig_memory_bytes=memory,
    )
    missing = (name for name in _TOLD if getattr(facts, name) is None)
    return replace(facts, absent={name: Message("targets.windows-not-told") for name in missing})


def _flag(value: str | int | bool | None) -> bool | None:
    return value if isinstance(value, bool) else None


def parse_size(text: str) -> int | None:
    """Give the bytes of a size in ``.wslconfig`` (``48GB``, ``512MB``); None when it is none."""
    found = _SIZE.fullmatch(text.strip())
    return int(float(found.group(1)) * _FACTORS[found.group(2).lower()]) if found else None


def parse_wslconfig(raw: bytes) -> int | None:
    """Give the memory that a ``.wslconfig`` grants WSL2, None when it says nothing usable of it."""
    parser = configparser.ConfigParser(interpolation=None, strict=False, comment_prefixes=("#", ";"))
    try:
        parser.read_string(decode_output(raw.removeprefix(b"\xef\xbb\xbf")).lstrip("\ufeff"))
    except configparser.Error:
        return None
    section = next((name for name in parser.sections() if name.strip().lower() == "wsl2"), None)
    value = parser.get(section, "memory", fallback="") if section is not None else ""
    return parse_size(value.split("#")[0])


def _read_config(home: Path) -> tuple[Path | None, int | None]:
    path = home / ".wslconfig"
    try:
        with path.open("rb") as file:
            return path, parse_wslconfig(file.read(_CONFIG_LIMIT_BYTES))
    except (OSError, ValueError):
        return None, None


def _ask_powershell(run: Run) -> dict[str, str]:
    encoded = base64.b64encode(_QUESTIONS.encode("utf-16-le")).decode("ascii")
    words = ["powershell.exe", "-NoLogo", "-NoProfile", "-NonInteractive", "-EncodedCommand", encoded]
    try:
        result = run(words, time_limit_s=POWERSHELL_LIMIT_S)
    except CommandError:
        return {}
    pairs = (line.split("=", 1) for line in result.stdout.replace("\0", "").splitlines() if "=" in line)
    return {name.strip().lower(): value.strip().lower() for name, value in pairs}
