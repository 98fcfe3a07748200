"""What ``explain`` says about an error log: findings with their lines, harmless lines, and what stays unexplained."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gpuconfig_app.core.finding import Finding
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.record import Record, public_text


class LogRole(StrEnum):
    """What a finding is to the others: the main cause, a further one, or a consequence of another."""

    MAIN = "main"
    FURTHER = "further"
    CONSEQUENCE = "consequence"


@dataclass(frozen=True, kw_only=True)
class LogLine(Record):
    """One line of the log.

    Attributes:
        number: Counted from 1, as editors do.
        text: Shortened when it is long; without colours. Private: a log names people and folders.
    """

    number: int
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class LogFinding(Record):
    """One thing that was recognised.

    Attributes:
        lines: The first ones that show it, in order.
        count: How many lines show it.
        is_counted_fully: False when there were so many that counting was ended.
        consequence_of: Code of the finding that explains this one, None for a cause.
    """

    finding: Finding
    role: LogRole
    lines: tuple[LogLine, ...] = ()
    count: int = 0
    is_counted_fully: bool = True
    consequence_of: str | None = public_text()


@dataclass(frozen=True, kw_only=True)
class HarmlessLine(Record):
    """A kind of line that frightens and means nothing.

    Attributes:
        id: Of the sign, kebab case.
        text: What the line means.
    """

    id: str = public_text("")
    text: LocalText
    lines: tuple[LogLine, ...] = ()
    count: int = 0
    is_counted_fully: bool = True


@dataclass(frozen=True, kw_only=True)
class LogReport(Record):
    """The answer of ``explain``.

    Attributes:
        primary: What to deal with first; of a healthy log the statement that nothing is wrong.
        findings: All, main one first, consequences last.
        unexplained: Lines that tell of an error and were not recognised, the most telling last.
        is_known: False when the log tells of an error that is not recognised.
        line_count: Lines read.
        encoding: How the bytes were read, ``utf-8``, ``utf-16-le``, ``gb18030`` or ``latin-1``.
        has_machine: Facts of a machine were used beside the log.
        is_of_other_machine: The log tells of another system than the machine it was given with, whose facts were
            therefore left out.
        decided_by: Facts of the machine that the main cause rests on, or that spoke against another one.
        ruled_out: Titles of the causes that print the same words and that the machine speaks against.
    """

    primary: Finding
    findings: tuple[LogFinding, ...] = ()
    harmless: tuple[HarmlessLine, ...] = ()
    unexplained: tuple[LogLine, ...] = ()
    is_known: bool = True
    line_count: int = 0
    encoding: str = public_text("utf-8")
    has_machine: bool = False
    is_of_other_machine: bool = False
    decided_by: tuple[Message, ...] = ()
    ruled_out: tuple[LocalText, ...] = ()
