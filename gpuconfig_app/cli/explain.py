"""``gpuconfig explain``: what an error log means."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from gpuconfig_app.cli.check import finding_json, print_fixes
from gpuconfig_app.cli.output import ExitCode, Output
from gpuconfig_app.compat.log_reading import MOST_BYTES, read_log_file
from gpuconfig_app.core.codec import encode
from gpuconfig_app.core.finding import Finding, Severity
from gpuconfig_app.core.log_report import LogFinding, LogLine, LogReport, LogRole
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.paths import expanded
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.workbench.bench import Workbench

SCHEMA = 1
_STANDARD_INPUT = "-"
_SHOWN_LINES = 5
_EXIT = {
    Severity.BLOCKED: ExitCode.BLOCKED,
    Severity.WARNING: ExitCode.RESERVATIONS,
    Severity.NOTE: ExitCode.RESERVATIONS,
    Severity.GOOD: ExitCode.GOOD,
    Severity.NEUTRAL: ExitCode.GOOD,
}


def explain_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """Print the findings in a log, main cause first."""
    log = _standard_input() if arguments.log == _STANDARD_INPUT else read_log_file(expanded(arguments.log))
    report = bench.explain(log, arguments.machine)
    if output.is_json:
        output.raw_json(_as_json(report, output))
    else:
        _print_report(report, output)
    return _EXIT[report.primary.severity]


def _standard_input() -> bytes:
    """Give what is piped in; one byte too many shows that it is too large."""
    return sys.stdin.buffer.read(MOST_BYTES + 1)


def _as_json(report: LogReport, output: Output) -> dict[str, JsonValue]:
    body = encode(report, keep_none=True, message=output.texts.as_json)
    if not isinstance(body, dict):
        raise TypeError("a report is an object")
    body["primary"] = finding_json(report.primary, output)
    body["findings"] = [_log_finding_json(item, output) for item in report.findings]
    return {"schema": SCHEMA} | body


def _log_finding_json(item: LogFinding, output: Output) -> JsonValue:
    body = encode(item, keep_none=True, message=output.texts.as_json)
    if not isinstance(body, dict):
        raise TypeError("a finding is an object")
    return body | {"finding": finding_json(item.finding, output)}


def _print_report(report: LogReport, output: Output) -> None:
    main = next((item for item in report.findings if item.role is LogRole.MAIN), None)
    _print_head(report.primary, output)
    if main is not None:
        _print_lines(main.lines, output)
    if not report.is_known:
        _print_lines(report.unexplained, output, most=len(report.unexplained))
        _print_collection(report.primary, output)
    else:
        print_fixes(report.primary, output)
    if report.findings and report.primary.source.title:
        output.say(Message("cli.source", {"title": report.primary.source.title}), indent=2)
    _print_decision(report, output)
    for item in report.findings:
        if item is not main:
            _print_further(item, output)
    if report.harmless:
        output.line()
        output.say(Message("cli.explain-harmless"))
        for line in report.harmless:
            output.say(_at(line.lines, line.count, output.sentence(line.text)), indent=2)
    if report.is_known and report.unexplained:
        output.line()
        output.say(Message("cli.explain-unexplained"))
        _print_lines(report.unexplained, output, most=len(report.unexplained))
    if report.findings and not report.has_machine:
        output.line()
        is_other = report.is_of_other_machine
        output.say(Message("cli.explain-other-machine" if is_other else "cli.explain-without-machine"))


def _print_decision(report: LogReport, output: Output) -> None:
    """Say which facts of the machine told this cause from others that print the same words."""
    if report.decided_by:
        output.say(Message("cli.explain-decided"), indent=2)
        for fact in report.decided_by:
            output.say(Message("cli.explain-collect-item", {"text": output.sentence(fact)}), indent=2)
    if report.ruled_out:
        causes = " · ".join(output.sentence(title) for title in report.ruled_out)
        output.say(Message("cli.explain-ruled-out", {"causes": causes}), indent=2)


def _print_head(finding: Finding, output: Output) -> None:
    output.say(Message(f"cli.explain-{finding.severity.value}"))
    output.line(f"{finding.code}: {output.sentence(finding.title)}")
    output.say(finding.text, indent=2)


def _print_collection(finding: Finding, output: Output) -> None:
    output.say(Message("cli.explain-collect"))
    for fix in finding.fixes:
        output.say(Message("cli.explain-collect-item", {"text": output.sentence(fix.text)}))
        for command in fix.commands:
            output.line(f"    {command}")


def _print_lines(lines: Sequence[LogLine], output: Output, most: int = _SHOWN_LINES) -> None:
    for line in lines[:most]:
        output.say(Message("cli.explain-line", {"number": str(line.number), "text": line.text or ""}), indent=2)


def _print_further(item: LogFinding, output: Output) -> None:
    output.line()
    title = f"{item.finding.code}: {output.sentence(item.finding.title)}"
    if item.consequence_of is not None:
        output.say(Message("cli.explain-consequence", {"title": title, "cause": item.consequence_of}))
        return
    output.say(Message("cli.explain-further", {"title": title}))
    output.say(item.finding.text, indent=2)
    _print_lines(item.lines, output, most=2)
    print_fixes(item.finding, output)


def _at(lines: Sequence[LogLine], count: int, text: str) -> Message:
    numbers = ", ".join(str(line.number) for line in lines[:_SHOWN_LINES])
    more = " …" if count > _SHOWN_LINES else ""
    return Message("cli.explain-harmless-line", {"numbers": numbers + more, "text": text})
