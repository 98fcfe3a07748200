"""``explain()``: what an error log means, ranked, with the machine's facts to tell causes apart that print the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gpuconfig_app.compat.conditions import Facts, FactValue, all_hold, any_holds
from gpuconfig_app.compat.driver_ways import WAY, driver_way
from gpuconfig_app.compat.engine import make_fix
from gpuconfig_app.compat.facts_view import fill_text
from gpuconfig_app.compat.log_decision import decide
from gpuconfig_app.compat.log_facts import is_of_other_machine, machine_views, usual_facts, with_log
from gpuconfig_app.compat.log_reading import LogPiece, LogText, unwrapped
from gpuconfig_app.compat.log_rules import LogRule, closing_log_rule, load_log_fixes, load_log_rules
from gpuconfig_app.compat.log_signs import Seen, SeenLine, SignSearch, line_around, load_signs, shown_line
from gpuconfig_app.core.finding import Finding, Fix, Severity
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.log_report import HarmlessLine, LogFinding, LogLine, LogReport, LogRole
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.knowledge.table import first_source

MOST_UNEXPLAINED = 12
# What stands in lines that tell of trouble, whatever the trouble is; only for "I don't know this one".
TROUBLE_WORDS = (
    "error", "exception", "traceback", "failed", "failure", "fatal", "aborted", "segmentation fault", "core dumped",
    "cannot ", "could not ", "couldn't ", "unable to ", "denied", "crash", "panic", "err!", "错误", "失败", "异常",
    "fehler", "erreur", "ошибка",
)  # fmt: skip
# Lines around an error that say nothing of their own.
FRAME_WORDS = (
    "traceback (most recent call last)", "aborted", "root error(s) found", "during handling of the above exception",
    "failed to load the native tensorflow runtime", "the above exception was the direct cause",
    "derived errors ignored", '", line ', "raise ",
)  # fmt: skip
_NO_TROUBLE = ("0 errors", "no error", "errors: 0", "error: 0.", "_error:", "_error=", "failed=0")
_KEPT_TROUBLE = 200
_TRIES_FOR_TROUBLE = 2_000
_ORDER = {Severity.BLOCKED: 0, Severity.WARNING: 1, Severity.NOTE: 2, Severity.GOOD: 3, Severity.NEUTRAL: 4}


@dataclass(frozen=True)
class _Hit:
    rule: LogRule
    facts: Facts


@dataclass
class _Trouble:
    """Lines that tell of trouble: the first ones and the last ones."""

    first: dict[int, SeenLine] = field(default_factory=dict)
    last: deque[SeenLine] = field(default_factory=lambda: deque(maxlen=_KEPT_TROUBLE))

    def search(self, piece: LogPiece) -> None:
        """Search one piece."""
        lines: dict[int, tuple[int, int]] = {}
        flat = piece.text.lower()
        if len(flat) != len(piece.text):
            return
        for word in TROUBLE_WORDS:
            for at in _places(flat, word):
                start, end = line_around(piece.text, at)
                lines[start] = (start, end)
        for start, end in (lines[key] for key in sorted(lines)):
            if any(word in flat[start:end] for word in _NO_TROUBLE):
                continue
            number, last = piece.rows_at(start)
            line = SeenLine(number, shown_line(piece.text[start:end]), last)
            if len(self.first) < _KEPT_TROUBLE:
                self.first[number] = line
            else:
                self.last.append(line)

    def apart_from(self, explained: frozenset[int], *, with_frames: bool) -> tuple[LogLine, ...]:
        """Give the lines that nothing explains; of many the first and the last.

        Args:
            with_frames: Also lines that only say that something failed, not what.
        """
        lines = {**self.first, **{line.number: line for line in self.last}}
        left = [lines[number] for number in sorted(lines) if not _is_explained(lines[number], explained)]
        if not with_frames:
            left = [line for line in left if not any(word in line.text.lower() for word in FRAME_WORDS)]
        if len(left) > MOST_UNEXPLAINED:
            left = [*left[: MOST_UNEXPLAINED // 3], *left[-(MOST_UNEXPLAINED - MOST_UNEXPLAINED // 3) :]]
        return tuple(LogLine(number=line.number, text=line.text) for line in left)


def explain(
    log: LogText,
    report: SystemReport | None = None,
    environment: PythonEnvironment | None = None,
    control: JobControl | None = None,
) -> LogReport:
    """Say what a log means.

    Args:
        log: See ``log_reading.read_log``.
        report: The machine the log is from; None when it is not known. Left out when the log tells of another system.
        environment: The Python the log is from, None when it is not known.
        control: Ends the search early.

    Raises:
        JobCancelledError: The user ended it.
        UnusableFileError: A fact table cannot be used.
    """
    search, trouble, lines = SignSearch(load_signs()), _Trouble(), 0
    for piece in log.pieces():
        if control is not None:
            control.check()
        search.search(piece)
        trouble.search(unwrapped(piece))
        lines = piece.first_line + piece.text.count("\n") - piece.text.endswith("\n")
    seen = search.seen
    machine = machine_views(report, environment)
    is_other = report is not None and is_of_other_machine(machine, load_signs(), seen)
    if is_other:
        machine = machine_views(None, None)
    views = with_log(machine, load_signs(), seen)
    hits = _first_of_each_code(rule_hits(seen, views))
    findings = _ranked(hits, seen)
    main = next((hit for hit in hits if findings and hit.rule.code == findings[0].finding.code), None)
    decision = decide(main.rule, main.facts, machine, seen) if main is not None else None
    used = frozenset(name for hit in hits for name in (*hit.rule.signs, *hit.rule.beside))
    harmless = _harmless(seen, used)
    telling = used | {item.id for item in harmless} | (_signs_of_trouble() if findings else frozenset())
    known = frozenset(number for name in telling if name in seen for number in seen[name].lines)
    unexplained = trouble.apart_from(known, with_frames=not findings)
    closing = _closing(findings, harmless, unexplained, views[0])
    return LogReport(
        primary=closing or findings[0].finding,
        findings=findings,
        harmless=harmless,
        unexplained=unexplained,
        is_known=closing is None or closing.severity in {Severity.GOOD, Severity.NEUTRAL},
        line_count=lines,
        encoding=log.encoding,
        has_machine=report is not None and not is_other,
        is_of_other_machine=is_other,
        decided_by=decision.decided_by if decision else (),
        ruled_out=tuple(make_log_finding(rule, views[0]).title for rule in decision.ruled_out) if decision else (),
    )


def _signs_of_trouble() -> frozenset[str]:
    """Give the signs some rule speaks of: beside a finding, their lines are no news."""
    return frozenset(name for rule in load_log_rules() for name in rule.signs)


def rule_hits(seen: Mapping[str, Seen], views: Sequence[Facts]) -> tuple[_Hit, ...]:
    """Ask every rule, best first; each card of the machine is a view of its own, and one that fits is enough."""
    hits = []
    for rule in load_log_rules():
        if rule.is_closing or not any(name in seen for name in rule.signs):
            continue
        if any(name not in seen for name in rule.beside) or any(name in seen for name in rule.unless):
            continue
        view = next((facts for facts in views if all_hold(rule.all, facts) and any_holds(rule.any, facts)), None)
        if view is not None:
            hits.append(_Hit(rule, view))
    return tuple(sorted(hits, key=lambda hit: hit.rule.priority))


def _first_of_each_code(hits: Sequence[_Hit]) -> tuple[_Hit, ...]:
    by_code: dict[str, _Hit] = {}
    for hit in hits:
        by_code.setdefault(hit.rule.code, hit)
    return tuple(by_code.values())


def _ranked(hits: Sequence[_Hit], seen: Mapping[str, Seen]) -> tuple[LogFinding, ...]:
    """Order findings: causes by weight and priority, then what they lead to."""
    explained = {code: hit.rule.code for hit in reversed(hits) for code in hit.rule.explains}
    causes = [hit for hit in hits if hit.rule.code not in explained]
    causes.sort(key=lambda hit: (_ORDER[hit.rule.severity] > 1, hit.rule.priority))
    consequences = [hit for hit in hits if hit.rule.code in explained]
    made = []
    for position, hit in enumerate((*causes, *consequences)):
        role = LogRole.MAIN if position == 0 else LogRole.FURTHER
        cause = explained.get(hit.rule.code)
        made.append(_log_finding(hit, seen, LogRole.CONSEQUENCE if cause and position else role, cause))
    return tuple(made)


def _log_finding(hit: _Hit, seen: Mapping[str, Seen], role: LogRole, cause: str | None) -> LogFinding:
    of_rule = [seen[name] for name in (*hit.rule.signs, *hit.rule.beside) if name in seen]
    lines = {number: line for item in of_rule for number, line in item.lines.items()}
    return LogFinding(
        finding=make_log_finding(hit.rule, hit.facts),
        role=role,
        lines=_log_lines(lines),
        count=sum(item.count for item in of_rule),
        is_counted_fully=all(item.is_counted_fully for item in of_rule),
        consequence_of=cause if role is LogRole.CONSEQUENCE else None,
    )


def make_log_finding(rule: LogRule, facts: Facts) -> Finding:
    """Turn a rule into a finding: texts and commands filled in, fixes that do not apply left out."""
    known = {name: value for name, value in facts.items() if value is not None}
    filled: dict[str, FactValue] = {**usual_facts(), **rule.given, **known}
    filled[WAY] = driver_way(filled)
    rows = {row.id: row for row in load_log_fixes()}
    fixes = (make_fix(rows[name], filled) for name in rule.fixes)
    return Finding(
        code=rule.code,
        severity=rule.severity,
        title=fill_text(rule.title, filled),
        text=fill_text(rule.text, filled),
        fixes=_without_repeats([fix for fix in fixes if fix is not None]),
        source=first_source(rule),
        confidence=rule.confidence,
    )


def _without_repeats(fixes: Sequence[Fix]) -> tuple[Fix, ...]:
    return tuple(fix for at, fix in enumerate(fixes) if fix not in fixes[:at])


def _harmless(seen: Mapping[str, Seen], used: frozenset[str]) -> tuple[HarmlessLine, ...]:
    made = []
    for sign in load_signs():
        if sign.harmless is not None and sign.id in seen and sign.id not in used:
            item = seen[sign.id]
            lines = _log_lines(item.lines)
            made.append(
                HarmlessLine(
                    id=sign.id, text=sign.harmless, lines=lines, count=item.count,
                    is_counted_fully=item.is_counted_fully,
                )
            )  # fmt: skip
    return tuple(sorted(made, key=lambda item: item.lines[0].number))


def _closing(
    findings: Sequence[LogFinding],
    harmless: Sequence[HarmlessLine],
    unexplained: Sequence[LogLine],
    facts: Facts,
) -> Finding | None:
    """Give what is said when no finding speaks: not known, only harmless lines, or nothing wrong seen."""
    if findings:
        return None
    if unexplained:
        return make_log_finding(closing_log_rule("UNKNOWN_ERROR"), facts)
    return make_log_finding(closing_log_rule("OK_BENIGN_LINES" if harmless else "NOTHING_WRONG_SEEN"), facts)


def _log_lines(lines: Mapping[int, SeenLine]) -> tuple[LogLine, ...]:
    return tuple(LogLine(number=number, text=lines[number].text) for number in sorted(lines) if number)


def _is_explained(line: SeenLine, explained: frozenset[int]) -> bool:
    return any(row in explained for row in range(line.number, line.last + 1))


def _places(flat: str, word: str) -> list[int]:
    """Give where a word stands; in a piece that is full of it the first and the last places."""
    found: list[int] = []
    at = flat.find(word)
    while at >= 0 and len(found) < _TRIES_FOR_TROUBLE:
        found.append(at)
        at = flat.find(word, at + len(word))
    if at >= 0:
        end = len(flat)
        for _ in range(_KEPT_TROUBLE):
            end = flat.rfind(word, at, end)
            if end < 0:
                break
            found.append(end)
    return found
