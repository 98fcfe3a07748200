"""Every TensorFlow release on this machine, each in a fresh environment, and the best of them."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig_app.compat.conditions import FactValue
from gpuconfig_app.compat.engine import Hits, ask_rules, short_reason
from gpuconfig_app.compat.facts_view import fill_text, machine_facts
from gpuconfig_app.compat.gpu_facts import candidates
from gpuconfig_app.compat.subject import Subject, make_subject, platform_of
from gpuconfig_app.compat.verdict import Judgement, judge
from gpuconfig_app.core.finding import Outcome, ReleaseVerdict, Verdict
from gpuconfig_app.core.messages import LocalText
from gpuconfig_app.core.python_environment import EnvironmentKind, PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.versions import release_series
from gpuconfig_app.knowledge.cuda_drivers import CudaTable
from gpuconfig_app.knowledge.tensorflow_releases import TensorflowRelease, releases_for


@dataclass(frozen=True, kw_only=True)
class JudgedRelease:
    """A release with its answer."""

    row: TensorflowRelease
    subject: Subject
    hits: Hits
    judgement: Judgement


def judge_subject(subject: Subject, table: CudaTable) -> tuple[Hits, Judgement]:
    """Ask the rules about a subject and weigh the answers."""
    cards = candidates(subject)
    machine = machine_facts(subject, table)
    hits = ask_rules(subject, machine, cards, table)
    return hits, judge(subject, hits, cards, table)


def judge_releases(
    report: SystemReport,
    environment: PythonEnvironment | None,
    devices: tuple[int, ...] | None,
    table: CudaTable,
    *,
    any_python: bool = False,
) -> tuple[JudgedRelease, ...]:
    """Judge every release with a wheel for this platform, oldest first.

    Args:
        environment: Its Python is taken for the fresh environment; None takes one that suits each release.
        any_python: Take one that suits each release in any case.
    """
    judged: list[JudgedRelease] = []
    for row in releases_for(platform_of(report.host.os) or ""):
        python = environment if environment is not None and not any_python else _suiting_python(row)
        subject = make_subject(report, python, row.newest, devices, is_fresh=True)
        hits, judgement = judge_subject(subject, table)
        judged.append(JudgedRelease(row=row, subject=subject, hits=hits, judgement=judgement))
    return tuple(judged)


def best_release(judged: tuple[JudgedRelease, ...]) -> JudgedRelease | None:
    """Give the release to take: the best verdict, native before compiled, then the newest; None when all fail."""
    able = [
        item
        for item in judged
        if not item.row.is_preview and item.judgement.verdict in {Verdict.READY, Verdict.READY_WITH_NOTES}
    ]
    return max(able, key=_rank) if able else None


def release_verdicts(
    judged: tuple[JudgedRelease, ...], environment: PythonEnvironment | None
) -> tuple[ReleaseVerdict, ...]:
    """Put the answers into the words of the release strip."""
    best = best_release(judged)
    package = environment.tensorflow_package if environment is not None else None
    installed = environment.packages[package] if environment and package else None
    return tuple(_verdict_of(item, item is best, installed) for item in judged)


def _verdict_of(item: JudgedRelease, is_best: bool, installed: str | None) -> ReleaseVerdict:
    judgement = item.judgement
    primary = judgement.primary or next(iter(judgement.hits), None)
    return ReleaseVerdict(
        release=item.row.newest,
        series=item.row.series,
        verdict=judgement.verdict,
        outcome=judgement.outcome,
        confidence=judgement.confidence,
        is_installed=installed is not None and release_series(installed) == item.row.series,
        is_best=is_best,
        reason=_reason(item),
        primary_code=primary.rule.code if primary else None,
    )


def _reason(item: JudgedRelease) -> LocalText:
    judgement = item.judgement
    extra: dict[str, FactValue] = {}
    primary = judgement.primary or next(iter(judgement.hits), None)
    if primary is not None:
        return short_reason(primary, extra)
    if judgement.closing is None:
        return LocalText(en="", zh_cn="")
    return fill_text(judgement.closing.short, item.hits.machine)


def _rank(item: JudgedRelease) -> tuple[bool, bool, int]:
    judgement = item.judgement
    is_native = judgement.outcome is Outcome.NATIVE
    series = int(item.row.series.split(".")[1])
    return is_native, judgement.verdict is Verdict.READY, series


def _suiting_python(row: TensorflowRelease) -> PythonEnvironment:
    """Give a Python as one would make it for a release."""
    series = row.python[-2] if len(row.python) > 1 else row.python[-1]
    return PythonEnvironment(kind=EnvironmentKind.VENV, python_version=f"{series}.0")
