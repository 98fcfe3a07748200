"""Findings, releases and verdicts in the words of the window; pure functions over the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication

from gpuconfig_app.core.finding import (
    CompatReport,
    Confidence,
    Finding,
    Outcome,
    Proven,
    ReleaseVerdict,
    Requirement,
    Source,
    Verdict,
)
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.ui.widgets.finding_card import FindingLink, FindingShown
from gpuconfig_app.ui.widgets.release_strip import ReleaseShown
from gpuconfig_app.ui.widgets.source_card import SourceShown
from gpuconfig_app.ui.widgets.ways_card import WayShown

Render = Callable[[Message | LocalText | None], str]
_RELEASE_SEVERITY = {
    Verdict.READY: "good",
    Verdict.READY_WITH_NOTES: "note",
    Verdict.CPU_ONLY: "warning",
    Verdict.BLOCKED: "blocked",
    Verdict.UNKNOWN: "neutral",
}


def finding_shown(
    finding: Finding, text: Render, on_source: Callable[[Finding], object], *, is_primary: bool
) -> FindingShown:
    """Say a finding with its first way out.

    Args:
        on_source: Shows where the fact comes from.
    """
    fix = finding.fixes[0] if finding.fixes else None
    links = []
    if finding.source.title:
        name = QCoreApplication.translate("FindingWords", "Where this comes from")
        links.append(FindingLink(name, partial(on_source, finding)))
    lead = _primary_lead(finding) if is_primary else _confidence_word(finding.confidence)
    return FindingShown(
        severity=finding.severity.value,
        lead=lead,
        title=text(finding.title),
        text=text(finding.text),
        fix_title=QCoreApplication.translate("FindingWords", "What to do") if fix is not None else "",
        fix_text=text(fix.text) if fix is not None else "",
        commands=fix.commands if fix is not None else (),
        shell=fix.shell if fix is not None else "sh",
        changes=text(fix.changes) if fix is not None else "",
        links=tuple(links),
    )


def release_shown(release: ReleaseVerdict, text: Render) -> ReleaseShown:
    """Say the verdict of a release in one word."""
    word = release_word(release.verdict, release.outcome)
    reason = text(release.reason)
    return ReleaseShown(
        name=release.series,
        severity=_RELEASE_SEVERITY[release.verdict],
        word=word,
        reason="" if reason == word else reason,
        is_installed=release.is_installed,
    )


def release_word(verdict: Verdict, outcome: Outcome) -> str:
    """Give the word of a release's verdict."""
    if outcome is Outcome.CANNOT_INSTALL:
        return QCoreApplication.translate("FindingWords", "Not installable")
    words = {
        Verdict.READY: QCoreApplication.translate("FindingWords", "Works"),
        Verdict.READY_WITH_NOTES: QCoreApplication.translate("FindingWords", "Works, with a note"),
        Verdict.CPU_ONLY: QCoreApplication.translate("FindingWords", "Processor only"),
        Verdict.BLOCKED: QCoreApplication.translate("FindingWords", "Fails"),
        Verdict.UNKNOWN: QCoreApplication.translate("FindingWords", "Not proven"),
    }
    return words[verdict]


def finding_source(finding: Finding, text: Render) -> SourceShown:
    """Say what was seen, where a finding's fact comes from and how sure it is."""
    source = finding.source
    parts = (_checked_text(source) if source.title else "", _confidence_word(finding.confidence))
    return SourceShown(
        subject=text(finding.title),
        seen=tuple(text(line) for line in finding.evidence),
        title=source.title,
        address=source.address or "",
        checked=" · ".join(part for part in parts if part),
    )


def requirement_source(name: str, requirement: Requirement, text: Render) -> SourceShown:
    """Say what was found for a requirement, in full, and where the need comes from."""
    source = requirement.source or Source()
    found = text(requirement.found)
    return SourceShown(
        subject=" · ".join(part for part in (name, text(requirement.needs)) if part),
        seen=(found,) if found else (),
        title=source.title,
        address=source.address or "",
        checked=_checked_text(source) if source.title else "",
    )


def ways_shown(finding: Finding, text: Render) -> tuple[WayShown, ...]:
    """Say the ways out beside the first."""
    return tuple(WayShown(text(fix.text), fix.commands, fix.shell, text(fix.changes)) for fix in finding.fixes[1:])


@dataclass(frozen=True)
class VerdictWord:
    """Verdict in one word, with its severity."""

    severity: str
    word: str


def verdict_word(compat: CompatReport) -> VerdictWord:
    """Give the word of a verdict, the one that the page Overview has too."""
    if compat.verdict is Verdict.READY:
        is_proven = compat.proven is Proven.TRUE
        return VerdictWord(
            "good",
            QCoreApplication.translate("FindingWords", "Ready for TensorFlow")
            if is_proven
            else QCoreApplication.translate("FindingWords", "Should be ready for TensorFlow"),
        )
    words = {
        Verdict.READY_WITH_NOTES: ("warning", QCoreApplication.translate("FindingWords", "Ready, with a note")),
        Verdict.CPU_ONLY: (
            "warning",
            QCoreApplication.translate("FindingWords", "TensorFlow will use the processor only"),
        ),
        Verdict.BLOCKED: ("blocked", QCoreApplication.translate("FindingWords", "Not ready for TensorFlow")),
        Verdict.UNKNOWN: ("neutral", QCoreApplication.translate("FindingWords", "A test must decide")),
    }
    return VerdictWord(*words[compat.verdict])


def _checked_text(source: Source) -> str:
    return QCoreApplication.translate("FindingWords", "Checked on {date}").format(date=source.checked_on)


def subject_text(compat: CompatReport) -> str:
    """Say what was judged: interpreter, Python and TensorFlow."""
    parts = [compat.python or ""]
    if compat.python_version:
        parts.append(f"Python {compat.python_version}")
    if compat.tensorflow:
        parts.append(f"TensorFlow {compat.tensorflow}")
    return " · ".join(part for part in parts if part)


def _primary_lead(finding: Finding) -> str:
    if finding.severity.value == "blocked":
        return QCoreApplication.translate("FindingWords", "Not ready · main cause")
    if finding.severity.value == "note":
        return QCoreApplication.translate("FindingWords", "It works · good to know")
    return QCoreApplication.translate("FindingWords", "Main cause")


def _confidence_word(confidence: Confidence) -> str:
    words = {
        Confidence.HIGH: QCoreApplication.translate("FindingWords", "certain"),
        Confidence.MEDIUM: QCoreApplication.translate("FindingWords", "inferred"),
        Confidence.LOW: QCoreApplication.translate("FindingWords", "unsure"),
    }
    return words[confidence]
