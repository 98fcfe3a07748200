"""Which facts of the machine decided between causes that print the same words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpuconfig_app.compat.conditions import Condition, Facts, FactValue
from gpuconfig_app.compat.facts_view import shown_value
from gpuconfig_app.compat.log_rules import LogRule, load_log_rules
from gpuconfig_app.compat.log_signs import Seen
from gpuconfig_app.core.messages import Message

# A fact of log and machine together, and the one that the machine alone tells.
_OF_MACHINE = {
    "case.capability": "gpu.capability",
    "case.tensorflow": "tf.installed",
    "case.driver": "driver.version",
    "case.python": "env.python_series",
}
# Facts told by their value, by a sentence for each word they may be, and by one for yes and one for no.
VALUES = frozenset(
    {
        "os.id", "os.architecture", "tf.installed", "driver.version", "driver.code", "env.python_series",
        "gpu.capability", "gpu.bound_driver", "gpus.total", "gpus.nvidia",
    }
)  # fmt: skip
WORDS = {
    "os.family": frozenset({"linux", "windows", "macos"}),
    "libs.source": frozenset({"pip", "system", "none", "partial"}),
    "driver.state": frozenset({"ready", "not_present", "driver_missing", "failed"}),
    "gpu.state": frozenset({"ready", "asleep", "driver_missing", "lost", "no_answer", "no_permission", "failed"}),
    "gpu.compute_mode": frozenset({"default", "exclusive_process", "exclusive_thread", "prohibited"}),
}
YES_OR_NO = frozenset(
    {
        "cpu.has_avx", "os.is_wsl", "os.is_container", "host.is_jetson", "host.is_hybrid", "host.was_suspended",
        "libcuda.is_found", "visible.excludes_all", "gpu.is_held_elsewhere", "gpu.is_blackwell",
        "gpu.is_before_turing", "cudnn.is_shadowed", "cudnn.is_too_old",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Decision:
    """What the machine added to a log.

    Attributes:
        decided_by: Facts the cause rests on or that spoke against another, a sentence each.
        ruled_out: Rules of other causes whose words stand in the log too, one for each code.
    """

    decided_by: tuple[Message, ...] = ()
    ruled_out: tuple[LogRule, ...] = ()


def decide(main: LogRule, facts: Facts, machine: Sequence[Facts], seen: Mapping[str, Seen]) -> Decision:
    """Tell what of the machine decided for the main cause.

    Args:
        facts: What the rule was asked about, log and machine together.
        machine: Facts of the machine alone, one view for each card.
        seen: Signs in the log.
    """
    own = next((view for view in machine if _is_of(view, facts)), {})
    used = [_fact_of_machine(item, own, facts) for item in (*main.all, *main.any) if item.holds(facts) is True]
    rivals: dict[str, LogRule] = {}
    for rule in load_log_rules():
        if rule.code == main.code or not _prints_the_same(rule, main, seen):
            continue
        against = [_fact_of_machine(item, own, facts) for item in _against(rule, facts)]
        if any(against):
            rivals.setdefault(rule.code, rule)
            used += against
    names = dict.fromkeys(name for name in used if name is not None)
    told = (_told(name, own.get(name)) for name in names)
    return Decision(tuple(message for message in told if message is not None), tuple(rivals.values()))


def _is_of(view: Facts, facts: Facts) -> bool:
    """Whether the facts are those of this card."""
    return bool(view) and all(facts.get(name) == value for name, value in view.items() if value is not None)


def _prints_the_same(rule: LogRule, main: LogRule, seen: Mapping[str, Seen]) -> bool:
    shared = set(rule.signs) & set(main.signs) & set(seen)
    is_blocked = any(name in seen for name in rule.unless) or any(name not in seen for name in rule.beside)
    return bool(shared) and not is_blocked and not rule.is_closing


def _against(rule: LogRule, facts: Facts) -> list[Condition]:
    """Give the conditions that speak against a rule: one of "all" that fails, or every one of "any"."""
    failing = [item for item in rule.all if item.holds(facts) is False]
    if failing or not rule.any or any(item.holds(facts) is not False for item in rule.any):
        return failing
    return list(rule.any)


def _fact_of_machine(condition: Condition, own: Facts, facts: Facts) -> str | None:
    """Give the machine's fact behind a condition; None when the log told it, or nothing did."""
    name = _OF_MACHINE.get(condition.fact, condition.fact)
    value = own.get(name)
    is_own = value is not None and (name == condition.fact or facts.get(condition.fact) == value)
    return name if is_own else None


def _told(name: str, value: FactValue) -> Message | None:
    """Say a fact; None for one without a sentence."""
    key = name.replace(".", "-").replace("_", "-")
    if name in YES_OR_NO and isinstance(value, bool):
        return Message(f"compat.log-fact-{key}-yes" if value else f"compat.log-fact-{key}-no")
    if value in WORDS.get(name, ()):
        word = str(value).replace("_", "-")
        return Message(f"compat.log-fact-{key}-{word}")
    shown = shown_value(value)
    return Message(f"compat.log-fact-{key}", {"value": shown}) if name in VALUES and shown is not None else None
