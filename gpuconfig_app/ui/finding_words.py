"""Findings, releases and verdicts in the words of the window; pure functions over the report."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication

from gpuconfig_app.core.finding import CompatReport, Confidence, Finding, Outcome, ReleaseVerdict, Verdict
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.ui.widgets.finding_card import FindingLink, FindingShown
from gpuconfig_app.ui.widgets.release_strip import ReleaseShown

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
    return ReleaseShown(
        name=release.series,
        severity=_RELEASE_SEVERITY[release.verdict],
        word=word,
        reason=text(release.reason),
        is_installed=release.is_installed,
    )


def release_word(verdict: Verdict, outcome: Outcome) -> str:
    """Give the word of a release's verdict."""
    if outcome is Outcome.CANNOT_INSTALL:
        return QCoreApplication.translate("FindingWords", "No wheel")
    words = {
        Verdict.READY: QCoreApplication.translate("FindingWords", "Works"),
        Verdict.READY_WITH_NOTES: QCoreApplication.translate("FindingWords", "Works, with a note"),
        Verdict.CPU_ONLY: QCoreApplication.translate("FindingWords", "CPU only"),
        Verdict.BLOCKED: QCoreApplication.translate("FindingWords", "Fails"),
        Verdict.UNKNOWN: QCoreApplication.translate("FindingWords", "Not proven"),
    }
    return words[verdict]


def source_text(finding: Finding, text: Render) -> str:
    """Say where a finding's fact comes from and how sure it is."""
    source = finding.source
    lines = [text(finding.title), source.title]
    if source.address:
        lines.append(source.address)
    checked = QCoreApplication.translate("FindingWords", "Checked on {date}").format(date=source.checked_on)
    lines.append(f"{checked} · {_confidence_word(finding.confidence)}")
    return "\n".join(line for line in lines if line)


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
    return QCoreApplication.translate("FindingWords", "Main cause")


def _confidence_word(confidence: Confidence) -> str:
    words = {
        Confidence.HIGH: QCoreApplication.translate("FindingWords", "certain"),
        Confidence.MEDIUM: QCoreApplication.translate("FindingWords", "inferred"),
        Confidence.LOW: QCoreApplication.translate("FindingWords", "unsure"),
    }
    return words[confidence]
