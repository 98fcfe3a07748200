"""``check()``: will TensorFlow use the GPUs of this machine, what is the one cause if not, and what helps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpuconfig_app.compat.conditions import Facts, FactValue
from gpuconfig_app.compat.engine import Hits, make_finding, make_fixes
from gpuconfig_app.compat.environment_facts import is_plain_python
from gpuconfig_app.compat.facts_view import fill_text
from gpuconfig_app.compat.releases import best_release, judge_releases, judge_subject, release_verdicts
from gpuconfig_app.compat.subject import Subject, make_subject, python_series
from gpuconfig_app.compat.target_view import environment_in_target, is_unseen_image, report_in_target
from gpuconfig_app.compat.verdict import Judgement
from gpuconfig_app.core.finding import CompatReport, Finding, ReleaseVerdict, Verdict
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.knowledge.cuda_drivers import CudaTable, load_cuda_table
from gpuconfig_app.knowledge.identify import fill_from_catalogue
from gpuconfig_app.knowledge.table import first_source

_NO_MACHINE = "none"


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """What is asked.

    Attributes:
        environment: Python to judge; None when there is none. One in a target is judged as seen from there.
        tensorflow: Release or series to judge instead of the installed one, in a fresh environment of that Python.
        devices: Cards to judge by index, None for all.
        all_releases: Also judge every release of the table.
    """

    environment: PythonEnvironment | None = None
    tensorflow: str | None = None
    devices: tuple[int, ...] | None = None
    all_releases: bool = False


def check(report: SystemReport, options: CheckOptions = CheckOptions()) -> CompatReport:
    """Give the verdict.

    Args:
        report: The machine; what its cards could not tell is filled from the catalogue.
        options: What is asked.

    Raises:
        UnusableFileError: A fact table cannot be used.
    """
    table = load_cuda_table()
    report = fill_from_catalogue(report_in_target(report, options.environment))
    environment, is_unseen = environment_in_target(options.environment), is_unseen_image(options.environment)
    subject = make_subject(report, environment, options.tensorflow, options.devices)
    hits, judgement = judge_subject(subject, table)
    extra = _extra_facts(subject, hits, judgement, table)
    findings = _findings(judgement, hits, extra)
    releases: tuple[ReleaseVerdict, ...] = ()
    if options.all_releases and not is_unseen:
        judged = judge_releases(report, environment, options.devices, table)
        releases = release_verdicts(judged, environment)
    return CompatReport(
        verdict=judgement.verdict,
        outcome=judgement.outcome,
        confidence=judgement.confidence,
        primary=_primary(judgement, findings),
        findings=findings,
        requirements=tuple(row.as_requirement() for row in judgement.rows),
        releases=releases,
        tensorflow=None if is_unseen and subject.is_installed else subject.tensorflow,
        python=options.environment.executable if options.environment else None,
        python_version=options.environment.python_version if options.environment else None,
        gpu_indexes=judgement.gpu_indexes,
        headline=_headline(judgement, findings, hits, extra),
        variables_of=_variables_of(report),
    )


def _extra_facts(subject: Subject, hits: Hits, judgement: Judgement, table: CudaTable) -> dict[str, FactValue]:
    """Give what only the weighed answer knows, for texts and commands."""
    working = ",".join(str(index) for index in _working(judgement, hits))
    extra: dict[str, FactValue] = {"working.indexes": working or None}
    if judgement.verdict in {Verdict.BLOCKED, Verdict.UNKNOWN}:
        best = best_release(
            judge_releases(subject.report, subject.environment, subject.devices, table, any_python=True)
        )
        if best is not None and best.row.newest != subject.tensorflow:
            extra["best.release"] = best.row.newest
            extra |= _python_for(best.row.python, subject, usual=python_series(best.subject.environment))
    return extra


def _python_for(series: Sequence[str], subject: Subject, *, usual: str | None) -> dict[str, FactValue]:
    """Give the Python to make an environment with: one that is here and that a release supports, else its usual one.

    Args:
        series: What the release supports.
    """
    here = (*filter(None, (subject.environment,)), *subject.report.environments)
    usable = [item for item in here if item.executable and item.problem is None]
    found = next((item for item in usable if python_series(item) in series and is_plain_python(item)), None)
    return {
        "best.python": python_series(found) if found else usual,
        "best.interpreter": found.executable if found else None,
    }


def _working(judgement: Judgement, hits: Hits) -> tuple[int, ...]:
    """Give the cards no rule stands against, also when another card spoils them."""
    return tuple(
        index
        for index in hits.cards
        if not any(hit.is_blocking or hit.rule.verdict is Verdict.UNKNOWN for hit in hits.about(index))
        and (not judgement.gpu_indexes or judgement.verdict is Verdict.BLOCKED or index in judgement.gpu_indexes)
    )


def _findings(judgement: Judgement, hits: Hits, extra: Facts) -> tuple[Finding, ...]:
    found = [make_finding(hit, extra, is_demoted=hit.rule.id in judgement.demoted) for hit in judgement.hits]
    if judgement.verdict is Verdict.UNKNOWN and judgement.primary is None:
        found.insert(0, _facts_missing(judgement, hits, extra))
    return tuple(found)


def _facts_missing(judgement: Judgement, hits: Hits, extra: Facts) -> Finding:
    """Say what would have to be known, one sentence for each requirement that is not proven."""
    rule = judgement.closing
    if rule is None:
        raise ValueError("an unknown verdict has a closing rule")
    facts: Facts = {**hits.machine, **extra}
    return Finding(
        code=rule.code,
        severity=rule.severity,
        title=fill_text(rule.title, facts),
        text=fill_text(rule.text, facts),
        evidence=_unproven(judgement, facts),
        fixes=make_fixes(rule.fixes, facts),
        source=first_source(rule),
        confidence=rule.confidence,
        outcome=judgement.outcome,
    )


def _unproven(judgement: Judgement, facts: Facts) -> tuple[Message, ...]:
    """Name what is not known; of a release that no table holds, what was found here is not called unknown."""
    names = judgement.unproven or ("gpu",)
    said: list[Message] = []
    version = facts.get("tf.version")
    if facts.get("tf.is_listed") is False and version is not None:
        said.append(Message("compat.unproven-release", {"version": str(version)}))
        found = {row.id for row in judgement.rows if row.found is not None}
        names = tuple(name for name in names if name not in found | {"machine_code"})
    return (*said, *(Message(f"compat.unproven-{name.replace('_', '-')}") for name in names))


def _primary(judgement: Judgement, findings: tuple[Finding, ...]) -> Finding | None:
    if judgement.primary is None:
        return findings[0] if judgement.verdict is Verdict.UNKNOWN else None
    position = judgement.hits.index(judgement.primary)
    return findings[position]


def _headline(judgement: Judgement, findings: tuple[Finding, ...], hits: Hits, extra: Facts) -> LocalText:
    if judgement.verdict in {Verdict.READY, Verdict.READY_WITH_NOTES} and judgement.closing is not None:
        return fill_text(judgement.closing.title, {**hits.machine, **extra})
    return findings[0].title


def _variables_of(report: SystemReport) -> str:
    if report.machine_id == _NO_MACHINE:
        return "none"
    return "recorded" if report.recorded_from is not None else "user"
