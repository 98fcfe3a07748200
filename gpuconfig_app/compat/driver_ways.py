"""The driver's package, Secure Boot and holding it, as fixes for one machine: distribution and cards decide.

The commands come from ``driver_install.toml`` as they are; where the table knows nothing, another fix gives the general
sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gpuconfig_app.compat.conditions import Facts
from gpuconfig_app.core.finding import Fix
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.versions import ComputeCapability, compare_versions
from gpuconfig_app.knowledge.driver_install import DriverNeed, InstallWay, SystemStep, load_driver_install

WAY = "driver.way"
NEED = "gpus.driver_need"
_LINUX = "linux"
# What tells the least driver that is of use.
_LEAST = ("driver.floor", "gpu.driver_needed", "gpu.first_driver")
# Where the driver is not the system's own to install: it is that of Windows, of the host, of JetPack.
_NEVER = ("os.is_wsl", "os.is_container", "host.is_jetson")
_RESTART = "sudo reboot"


def driver_need(capabilities: Iterable[ComputeCapability]) -> str | None:
    """Give the word of the kernel modules all these cards take, None when no card's capability is known."""
    need = load_driver_install().need_of(capabilities)
    return need.value if need is not DriverNeed.UNKNOWN else None


def driver_way(facts: Facts) -> str | None:
    """Give the id of the package that suits; None where none does, or where no driver is to be installed."""
    if facts.get("os.family") not in {_LINUX, None} or any(facts.get(name) for name in _NEVER):
        return None
    need = DriverNeed(str(facts.get(NEED) or DriverNeed.UNKNOWN.value))
    row = load_driver_install().way(_text(facts, "os.id"), _text(facts, "os.version"), need, _least_driver(facts))
    return row.id if row is not None else None


def install_fix(facts: Facts) -> Fix | None:
    """Give the way to install the driver, with the step for Secure Boot where that is on; None when none is known."""
    table = load_driver_install()
    row = table.way_by_id(str(facts.get(WAY)))
    if row is None:
        return None
    made = Fix(text=row.text, commands=row.commands)
    step = table.secure_boot_step(_text(facts, "os.id"), _text(facts, "os.version"))
    if facts.get("os.secure_boot") is True and not row.is_signed and row.commands and step is not None:
        return _with_step(made, row, step)
    return made


def secure_boot_fix(facts: Facts) -> Fix | None:
    """Give the way to get the module accepted by Secure Boot, None when it is not known for this distribution."""
    step = load_driver_install().secure_boot_step(_text(facts, "os.id"), _text(facts, "os.version"))
    return Fix(text=step.text, commands=(*step.commands, _RESTART)) if step is not None else None


def hold_fix(facts: Facts) -> Fix | None:
    """Give the way to keep the driver from being updated, None when it is not known for this distribution."""
    if facts.get("os.is_wsl") or facts.get("os.is_container"):
        return None
    step = load_driver_install().hold_step(_text(facts, "os.id"), _text(facts, "os.version"))
    return Fix(text=step.text, commands=step.commands) if step is not None else None


# By the word in a fix row's "takes".
FROM_TABLE = {"install": install_fix, "secure-boot": secure_boot_fix, "hold": hold_fix}


def _with_step(made: Fix, row: InstallWay, step: SystemStep) -> Fix:
    """Put the Secure Boot step between installation and restart."""
    commands = [command for command in row.commands if command != _RESTART]
    text = LocalText(en=f"{made.text.en} {step.text.en}", zh_cn=f"{made.text.zh_cn}{step.text.zh_cn}")
    return replace(made, text=text, commands=(*commands, *step.commands, _RESTART))


def _least_driver(facts: Facts) -> str | None:
    least: str | None = None
    for name in _LEAST:
        value = _text(facts, name)
        if value is not None and (least is None or (compare_versions(value, least) or 0) > 0):
            least = value
    return least


def _text(facts: Facts, name: str) -> str | None:
    value = facts.get(name)
    return value if isinstance(value, str) else None
