"""The flat facts that conditions look at, and how they are written into texts and commands.

A fact that is not known is None; a name that is in no view is a mistake in a rule, which a test finds.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from gpuconfig_app.compat.conditions import Facts, FactValue
from gpuconfig_app.compat.driver_ways import WAY, driver_way
from gpuconfig_app.compat.environment_facts import environment_facts
from gpuconfig_app.compat.gpu_facts import candidates, gpu_facts, gpus_facts
from gpuconfig_app.compat.host_facts import driver_facts, host_facts
from gpuconfig_app.compat.shadow_facts import shadow_facts
from gpuconfig_app.compat.subject import Subject
from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.knowledge.cuda_drivers import CudaTable

_UNKNOWN = LocalText(en="unknown", zh_cn="未知")
_NAMELESS = LocalText(en="the card", zh_cn="该显卡")
_NAMES_OF_CARDS = frozenset({"gpu_name", "other_name"})
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def machine_facts(subject: Subject, table: CudaTable) -> dict[str, FactValue]:
    """Give the facts about machine, environment and release."""
    cards = candidates(subject)
    return _with_way(
        {
            **host_facts(subject),
            **driver_facts(subject, table),
            **environment_facts(subject),
            **shadow_facts(subject),
            **gpus_facts(subject, cards),
        }
    )


def facts_of_card(machine: Facts, subject: Subject, gpu: Gpu, table: CudaTable) -> dict[str, FactValue]:
    """Give the facts about the machine together with those about one card."""
    return _with_way({**machine, **gpu_facts(subject, gpu, table)})


def _with_way(facts: dict[str, FactValue]) -> dict[str, FactValue]:
    """Add which package of the driver suits: it depends on system, cards and the driver they want."""
    return {**facts, WAY: driver_way(facts)}


def placeholder_names(text: str) -> frozenset[str]:
    """Give the names in braces of a text: ``{gpu_name}`` stands for the fact ``gpu.name``."""
    return frozenset(_PLACEHOLDER.findall(text))


def fact_for(placeholder: str, facts: Facts) -> FactValue:
    """Give the fact a placeholder stands for; None also when there is no such fact."""
    for name in _fact_names(placeholder):
        if name in facts:
            return facts[name]
    return None


def fill_text(text: LocalText, facts: Facts) -> LocalText:
    """Write facts into a text; an unknown one becomes the word for it, a card without a name "the card"."""

    def filled(language: str, raw: str) -> str:
        def value(found: re.Match[str]) -> str:
            unknown = _NAMELESS if found.group(1) in _NAMES_OF_CARDS else _UNKNOWN
            return _shown(fact_for(found.group(1), facts), getattr(unknown, language))

        shown = _PLACEHOLDER.sub(value, raw)
        is_nameless = raw.startswith("{") and shown.startswith(_NAMELESS.en)
        return shown[:1].upper() + shown[1:] if is_nameless else shown

    return LocalText(en=filled("en", text.en), zh_cn=filled("zh_cn", text.zh_cn))


def fill_command(command: str, shell: str, facts: Facts) -> str | None:
    """Write facts into a command line, quoted for its shell; None when one of them is not known."""
    values: Mapping[str, FactValue] = {name: fact_for(name, facts) for name in placeholder_names(command)}
    if any(value is None for value in values.values()):
        return None
    return _PLACEHOLDER.sub(lambda found: quoted(_shown(values[found.group(1)], ""), shell), command)


def quoted(text: str, shell: str) -> str:
    """Quote one word for a shell; a leading ``~/`` stays outside the quotes, so that it still means the home folder."""
    if shell == "powershell":
        return text if re.fullmatch(r"[\w.:\\/-]+", text) else "'" + text.replace("'", "''") + "'"
    if text.startswith("~/"):
        return f"~/{shlex.quote(text[2:])}"
    return shlex.quote(text)


def shown_value(value: FactValue) -> str | None:
    """Write a fact for people; None when it is not known."""
    return None if value is None else _shown(value, "")


def _shown(value: FactValue, unknown: str) -> str:
    if value is None:
        return unknown
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _fact_names(placeholder: str) -> list[str]:
    """Give the facts a placeholder may mean: ``tf_keras_version`` is ``tf.keras_version`` or ``tf_keras.version``."""
    parts = placeholder.split("_")
    return ["_".join(parts[:cut]) + "." + "_".join(parts[cut:]) for cut in range(1, len(parts))]
