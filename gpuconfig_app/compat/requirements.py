"""Needed beside found, row by row; the verdict is "ready" only when every row that counts is proven to fit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gpuconfig_app.compat.conditions import Facts
from gpuconfig_app.compat.engine import Hits
from gpuconfig_app.compat.facts_view import shown_value
from gpuconfig_app.compat.machine_code import CodeKind
from gpuconfig_app.compat.subject import Subject
from gpuconfig_app.core.finding import Requirement, Severity, Source
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.units import GB
from gpuconfig_app.knowledge.cuda_drivers import CudaTable
from gpuconfig_app.knowledge.table import first_source

DISK_FOR_CHECK_BYTES = 2 * GB


class State(StrEnum):
    """How a row stands; only the first three let a machine be ready."""

    FITS = "fits"
    NATIVE = "native"
    JIT = "jit"
    FITS_NOT = "fits-not"
    TOO_OLD = "too-old"
    MISSING = "missing"
    NOT_REACHED = "not-reached"
    SCARCE = "scarce"
    NOT_NEEDED = "not-needed"
    OTHER_MAKER = "other-maker"  # read as not needed, yet nothing that speaks for the card
    UNKNOWN = "unknown"


_GOOD = frozenset({State.FITS, State.NATIVE, State.JIT})
# What CUDA brings; cards of other makers have no use for it.
_NVIDIA_ROWS = ("cuda_libraries", "cudnn", "machine_code")
_BAD = frozenset({State.FITS_NOT, State.TOO_OLD, State.MISSING, State.NOT_REACHED})


@dataclass(frozen=True, kw_only=True)
class JudgedRow:
    """A row with the answer the verdict uses.

    Attributes:
        counts: It must fit for the machine to be ready.
    """

    id: str
    state: State
    needs: Message | None = None
    found: Message | None = None
    counts: bool = True
    source: Source | None = None

    @property
    def is_proven(self) -> bool:
        """Whether it is known to fit, or does not matter."""
        return not self.counts or self.state in _GOOD or self.state is State.NOT_NEEDED

    def as_requirement(self) -> Requirement:
        """Give the row for people."""
        severity = Severity.NEUTRAL
        if self.state in _GOOD:
            severity = Severity.GOOD
        elif self.state in _BAD:
            severity = Severity.BLOCKED
        elif self.state is State.SCARCE:
            severity = Severity.WARNING
        word = State.NOT_NEEDED if self.state is State.OTHER_MAKER else self.state
        return Requirement(
            id=self.id,
            needs=self.needs,
            found=self.found,
            severity=severity,
            verdict=Message(f"compat.requirement-{word.value}"),
            source=self.source,
        )


def judge_rows(subject: Subject, hits: Hits, usable: tuple[int, ...], table: CudaTable) -> tuple[JudgedRow, ...]:
    """Judge every row.

    Args:
        hits: For the facts.
        usable: Cards nothing stands in the way of; their worst machine code counts.
        table: For the source of the driver row.
    """
    facts = hits.machine
    release = first_source(subject.release) if subject.release else None
    floor = table.floor(str(facts.get("tf.cuda_major")))
    if _is_without_nvidia(subject):
        rows = [_other_driver(subject.report), *(_only_for_nvidia(name) for name in _NVIDIA_ROWS)]
    else:
        cards = [hits.cards[index] for index in usable]
        rows = [_driver(facts, cards, first_source(floor) if floor else None), _libraries(facts), _cudnn(facts)]
        rows.append(_machine_code(facts, cards))
    rows += [_python(facts), _glibc(facts), _processor(facts), _packages(facts), _disk(facts), _toolkit(facts)]
    return tuple(row if row.source else _with_source(row, release) for row in rows)


def _is_without_nvidia(subject: Subject) -> bool:
    """Whether no card here ever takes CUDA; a container without a card may lack only the access to one."""
    gpus = subject.report.gpus
    if not gpus:
        return subject.report.host.os.container is None
    return all(gpu.vendor is not Vendor.NVIDIA for gpu in gpus)


def _other_driver(report: SystemReport) -> JudgedRow:
    if not report.gpus:
        return _only_for_nvidia("driver")
    makers = {gpu.vendor for gpu in report.gpus}
    version = next((item.version for item in report.drivers if item.vendor in makers and item.version), None)
    found = Message("compat.plain", {"value": version}) if version else None
    return JudgedRow(id="driver", state=State.UNKNOWN, found=found)


def _only_for_nvidia(name: str) -> JudgedRow:
    return JudgedRow(id=name, state=State.OTHER_MAKER, needs=Message("compat.for-nvidia-cards"))


def _with_source(row: JudgedRow, source: Source | None) -> JudgedRow:
    if source is None or row.id in {"disk", "toolkit"}:
        return row
    return JudgedRow(
        id=row.id, state=row.state, needs=row.needs, found=row.found, counts=row.counts, source=source
    )  # fmt: skip


def _value(name: str, facts: Facts, fact: str) -> Message | None:
    """Give the sentence for one fact, None when it is not known."""
    value = shown_value(facts.get(fact))
    return Message(f"compat.{name}", {"value": value}) if value is not None else None


def _plain(facts: Facts, fact: str) -> Message | None:
    return _value("plain", facts, fact)


def _from_claim(claim: object, bad: State = State.FITS_NOT) -> State:
    """Turn a yes, no or don't-know into a state."""
    if claim is None:
        return State.UNKNOWN
    return State.FITS if claim else bad


def _driver(facts: Facts, cards: list[Facts], source: Source | None) -> JudgedRow:
    if facts.get("driver.version") is None:
        state = State.MISSING if facts.get("driver.state") == "driver_missing" else State.UNKNOWN
        found = Message("compat.not-installed") if state is State.MISSING else None
        return JudgedRow(
            id="driver", state=state, needs=_value("or-later", facts, "driver.floor"), found=found, source=source
        )  # fmt: skip
    state = _from_claim(facts.get("driver.meets_floor"), State.TOO_OLD)
    if cards and all(card.get("gpu.is_too_new_for_driver") for card in cards):
        state = State.TOO_OLD
    if facts.get("driver.is_mismatched") or (cards and all(card.get("gpu.is_dropped_by_driver") for card in cards)):
        state = State.FITS_NOT
    return JudgedRow(
        id="driver",
        state=state,
        needs=_value("or-later", facts, "driver.floor"),
        found=_plain(facts, "driver.version"),
        source=source,
    )


def _libraries(facts: Facts) -> JudgedRow:
    if facts.get("tf.is_cuda_build") is False or facts.get("tf.is_cpu_package"):
        return JudgedRow(id="cuda_libraries", state=State.FITS_NOT, found=Message("compat.libraries-cpu-build"))
    origin = "libraries-from-pip" if facts.get("tf.has_and_cuda") else "libraries-from-system"
    needs = _value(origin, facts, "tf.cuda")
    source = str(facts.get("libs.source"))
    state = {"pip": State.FITS, "system": State.FITS, "partial": State.MISSING, "none": State.MISSING}.get(source)
    if state is State.FITS and facts.get("libs.are_reachable") is False:
        state = State.NOT_REACHED
    return JudgedRow(
        id="cuda_libraries",
        state=state or State.UNKNOWN,
        needs=needs,
        found=_libraries_found(facts, source),
    )


def _libraries_found(facts: Facts, source: str) -> Message | None:
    if source == "pip":
        is_installed = bool(facts.get("tf.is_installed"))
        return Message("compat.libraries-in-environment" if is_installed else "compat.libraries-come-with-pip")
    if source in {"partial", "none"}:
        return _value("libraries-lacking", facts, "libs.missing_names") or Message("compat.not-installed")
    return Message("compat.libraries-in-system") if source == "system" else None


def _cudnn(facts: Facts) -> JudgedRow:
    least, below = shown_value(facts.get("tf.cudnn_min")), shown_value(facts.get("tf.cudnn_below"))
    needs = Message("compat.from-below", {"least": least, "below": below}) if least and below else None
    version = shown_value(facts.get("cudnn.version"))
    if version is None:
        is_missing = facts.get("libs.source") == "none"
        return JudgedRow(id="cudnn", state=State.MISSING if is_missing else State.UNKNOWN, needs=needs)
    path = shown_value(facts.get("cudnn.path"))
    found = Message("compat.version-at", {"version": version, "path": path}) if path else _plain(facts, "cudnn.version")
    state = State.FITS
    if facts.get("cudnn.is_too_old"):
        state = State.TOO_OLD
    elif facts.get("cudnn.is_too_new") is not False or facts.get("cudnn.is_too_old") is None:
        state = State.FITS_NOT if facts.get("cudnn.is_too_new") else State.UNKNOWN
    return JudgedRow(id="cudnn", state=state, needs=needs, found=found)


def _machine_code(facts: Facts, cards: list[Facts]) -> JudgedRow:
    if not cards:
        return JudgedRow(id="machine_code", state=State.UNKNOWN)
    order = {CodeKind.BROKEN.value: 0, CodeKind.UNKNOWN.value: 1, CodeKind.JIT.value: 2, CodeKind.NATIVE.value: 3}
    worst = min(cards, key=lambda card: order.get(str(card.get("gpu.code")), 1))
    states = {"native": State.NATIVE, "jit": State.JIT, "broken": State.FITS_NOT}
    state = states.get(str(worst.get("gpu.code")), State.UNKNOWN)
    if state in _GOOD and worst.get("gpu.cudnn_serves") is not True:
        state = State.UNKNOWN if worst.get("gpu.cudnn_serves") is None else State.FITS_NOT
    return JudgedRow(
        id="machine_code",
        state=state,
        needs=_value("for-capability", worst, "gpu.capability"),
        found=_value("in-the-wheel", facts, "tf.capabilities"),
    )


def _python(facts: Facts) -> JudgedRow:
    return JudgedRow(
        id="python",
        state=_from_claim(facts.get("env.python_fits")),
        needs=_plain(facts, "tf.python_range"),
        found=_plain(facts, "env.python_version"),
    )


def _glibc(facts: Facts) -> JudgedRow:
    if facts.get("tf.glibc") is None and facts.get("tf.is_listed"):
        return JudgedRow(id="glibc", state=State.NOT_NEEDED)
    return JudgedRow(
        id="glibc",
        state=_from_claim(facts.get("tf.glibc_fits"), State.TOO_OLD),
        needs=_value("or-later", facts, "tf.glibc"),
        found=_plain(facts, "os.glibc"),
    )


def _processor(facts: Facts) -> JudgedRow:
    if facts.get("tf.needs_avx") is False:
        return JudgedRow(id="processor", state=State.NOT_NEEDED, found=_plain(facts, "cpu.name"))
    has_avx = facts.get("cpu.has_avx")
    found = None if has_avx is None else Message("compat.avx" if has_avx else "compat.no-avx")
    return JudgedRow(
        id="processor", state=_from_claim(has_avx, State.MISSING), needs=Message("compat.avx"), found=found
    )  # fmt: skip


def _packages(facts: Facts) -> JudgedRow:
    if facts.get("packages.misfits"):
        found = _plain(facts, "packages.misfits")
    else:
        found = _value("libraries-lacking", facts, "packages.missing_names")
    return JudgedRow(id="packages", state=_from_claim(facts.get("packages.fit")), found=found)


def _disk(facts: Facts) -> JudgedRow:
    free = facts.get("disk.free_gb")
    needs = Message("compat.disk-for-check", {"needed_bytes": DISK_FOR_CHECK_BYTES})
    if not isinstance(free, float):
        return JudgedRow(id="disk", state=State.UNKNOWN, needs=needs, counts=False)
    found = Message("compat.disk-free", {"free_bytes": int(free * GB)})
    state = State.FITS if free * GB >= DISK_FOR_CHECK_BYTES else State.SCARCE
    return JudgedRow(id="disk", state=state, needs=needs, found=found, counts=False)


def _toolkit(facts: Facts) -> JudgedRow:
    needed = facts.get("tf.is_cuda_build") is True and facts.get("tf.has_and_cuda") is False
    needs = Message("compat.toolkit-as-system-libraries" if needed else "compat.toolkit-not-needed")
    return JudgedRow(id="toolkit", state=State.NOT_NEEDED, needs=needs, counts=False)
