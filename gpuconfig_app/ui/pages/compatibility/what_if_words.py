"""What is assumed, and what it changes, in the words of the window; pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport, Requirement
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import OsFamily, SystemReport
from gpuconfig_app.ui.card_words import cards_in_words
from gpuconfig_app.workbench.what_if import WhatIfAnswer

Render = Callable[[Message | LocalText | None], str]
NONE = "none"
_NO_VERSION = frozenset({"compat.assume-no-version", "compat.assume-no-version-or-none"})
_SYSTEMS = {OsFamily.LINUX: "Linux", OsFamily.WINDOWS: "Windows", OsFamily.MACOS: "macOS"}


def system_word(report: SystemReport | None) -> str:
    """Give the operating system in a word, empty when it is not known."""
    if report is None:
        return ""
    if report.host.os.wsl_version is not None:
        return f"WSL{report.host.os.wsl_version}"
    return _SYSTEMS.get(report.host.os.family, "")


def assumed_sentence(
    answer: WhatIfAnswer,
    keys: Mapping[str, tuple[str, ...]],
    report: SystemReport | None,
    environment: PythonEnvironment | None,
    *,
    is_alone: bool,
) -> str:
    """Say what is assumed in place of what.

    Args:
        keys: The assumptions.
        report: The open machine.
        environment: The Python judged on it.
    """
    now = _facts(report, environment)
    then = _facts(answer.report, answer.environment)
    parts = [part for key in keys if (part := _part(key, now, then, keys, is_alone=is_alone))]
    parts = list(dict.fromkeys(parts))
    if is_alone:
        text = QCoreApplication.translate("WhatIf", "You see a machine that is not here: {parts}.")
        rest = [_ordinary(key, value) for key, value in answer.ordinary.items()]
        if not parts:
            text = QCoreApplication.translate("WhatIf", "You see a machine that is not here.")
        if rest:
            ordinary = QCoreApplication.translate("WhatIf", "Taken as ordinary: {values}.")
            text = f"{text} {ordinary.format(values=', '.join(rest))}"
        return text.replace("{parts}", ", ".join(parts))
    return QCoreApplication.translate("WhatIf", "You see what would be, with {parts}.").format(parts=", ".join(parts))


def problem_text(error: UsageError, text: Render) -> str:
    """Say in a sentence what is wrong with something that was typed."""
    value = error.message.params.get("value")
    if error.message.id not in _NO_VERSION or value is None:
        return text(error.message)
    sentence = QCoreApplication.translate(
        "WhatIf", "“{value}” is no version: write numbers with dots between them, or choose one."
    )
    return sentence.format(value=value)


def changed_rows(
    now: CompatReport, then: CompatReport, name_of: Callable[[Requirement], str], text: Render
) -> list[str]:
    """Say which requirements are met otherwise than now, ``GPU driver: Too old → Fits``."""
    before = {row.id: row for row in now.requirements}
    said = []
    for row in then.requirements:
        old = before.get(row.id)
        if old is not None and (old.severity, old.verdict.id) != (row.severity, row.verdict.id):
            said.append(f"{name_of(row)}: {text(old.verdict)} → {text(row.verdict)}")
    return said


def _facts(report: SystemReport | None, environment: PythonEnvironment | None) -> dict[str, str]:
    """Give what a machine has, by key of the assumption."""
    driver = report.driver(Vendor.NVIDIA) if report is not None else None
    return {
        "gpu": cards_in_words(report.gpus) if report is not None else "",
        "driver": (driver.version or "") if driver is not None else "",
        "os": system_word(report),
        "wsl": system_word(report),
        "python": (environment.python_version or "") if environment is not None else "",
        "tensorflow": (environment.tensorflow_version or "") if environment is not None else "",
    }


def _part(
    key: str, now: Mapping[str, str], then: Mapping[str, str], said: Mapping[str, tuple[str, ...]], *, is_alone: bool
) -> str:
    """Say one assumption."""
    value = ", ".join(said[key])
    if key == "cuda_libs":
        return _libraries(value)
    if key == "xla":
        on = QCoreApplication.translate("WhatIf", "XLA on")
        return on if value == "on" else QCoreApplication.translate("WhatIf", "XLA off")
    if value == NONE and key != "wsl":
        return _without(key)
    new, old = then.get(key) or value, now.get(key, "")
    named = _named(key, new)
    if is_alone or not old or old == new:
        return named
    return QCoreApplication.translate("WhatIf", "{new} instead of {old}").format(new=named, old=old)


def _named(key: str, value: str) -> str:
    names = {
        "driver": QCoreApplication.translate("WhatIf", "driver {value}"),
        "python": "Python {value}",
        "tensorflow": "TensorFlow {value}",
    }
    return names.get(key, "{value}").format(value=value)


def _ordinary(key: str, value: str) -> str:
    """Say what was taken as ordinary."""
    if key == "os":
        return {family.value: name for family, name in _SYSTEMS.items()}.get(value, value)
    return f"glibc {value}" if key == "glibc" else _named(key, value)


def _without(key: str) -> str:
    names = {
        "driver": QCoreApplication.translate("WhatIf", "no driver"),
        "gpu": QCoreApplication.translate("WhatIf", "no graphics card"),
        "tensorflow": QCoreApplication.translate("WhatIf", "no TensorFlow"),
    }
    return names.get(key, "")


def _libraries(value: str) -> str:
    names = {
        "pip": QCoreApplication.translate("WhatIf", "CUDA libraries in the environment"),
        "system": QCoreApplication.translate("WhatIf", "CUDA libraries of the system"),
    }
    return names.get(value, QCoreApplication.translate("WhatIf", "no CUDA libraries"))
