"""``gpuconfig check``: the verdict with one cause and one fix."""

from __future__ import annotations

import argparse

from gpuconfig_app.cli.output import ExitCode, Output
from gpuconfig_app.cli.proof import print_proof
from gpuconfig_app.cli.ways import print_ways, ways_json
from gpuconfig_app.core.codec import encode
from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport, Confidence, Finding, Proven, ReleaseVerdict, Verdict
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target import is_target_name
from gpuconfig_app.core.versions import parse_version, release_series
from gpuconfig_app.core.way_on import WaysOn
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.machine import NO_MACHINE, THIS_MACHINE
from gpuconfig_app.workbench.prove import ProveOptions

SCHEMA = 1
_EXIT = {
    Verdict.READY: ExitCode.GOOD,
    Verdict.READY_WITH_NOTES: ExitCode.RESERVATIONS,
    Verdict.CPU_ONLY: ExitCode.RESERVATIONS,
    Verdict.UNKNOWN: ExitCode.RESERVATIONS,
    Verdict.BLOCKED: ExitCode.BLOCKED,
}


def check_command(arguments: argparse.Namespace, bench: Workbench, output: Output) -> int:
    """Print the verdict of an environment on a machine, as it is or under assumptions."""
    release = arguments.tensorflow
    if release is not None and parse_version(release.strip()) is None:
        raise UsageError(Message("cli.bad-release", {"value": release}))
    if arguments.machine == NO_MACHINE and arguments.python is not None:
        raise UsageError(Message("cli.python-without-machine"))
    wanted = release.strip() if release is not None else None
    machine: SystemReport | None = None
    if arguments.prove:
        machine, report = _prove(arguments, bench, output, wanted)
    elif arguments.assume or arguments.machine == NO_MACHINE:
        report = bench.check_assuming(
            arguments.machine,
            arguments.assume,
            python=arguments.python,
            tensorflow=wanted,
            all_releases=arguments.all_releases,
        )
    else:
        machine, environment = _open(arguments, bench)
        report = bench.check(machine, environment, tensorflow=wanted, all_releases=arguments.all_releases)
    _print_report(report, _ways(bench, machine, report), output)
    return _EXIT[report.verdict]


def _ways(bench: Workbench, machine: SystemReport | None, report: CompatReport) -> WaysOn | None:
    """Give the ways on from a verdict; a machine that consists of assumptions has no targets to be asked."""
    if machine is None or report.verdict in {Verdict.READY, Verdict.READY_WITH_NOTES}:
        return None
    from gpuconfig_app.workbench.ways_on import find_ways_on  # noqa: PLC0415  # most machines have no use for it

    return find_ways_on(bench.places, machine, report, is_fresh=True)


def _print_report(report: CompatReport, ways: WaysOn | None, output: Output) -> None:
    if output.is_json:
        output.raw_json(_as_json(report, output) | {"ways_on": ways_json(ways, output)})
        return
    _print_verdict(report, output)
    if ways is not None:
        print_ways(ways, output)


def _open(arguments: argparse.Namespace, bench: Workbench) -> tuple[SystemReport, PythonEnvironment | None]:
    """Open the machine and find the Python that is meant, in it or in one of its targets."""
    report = bench.open_machine(arguments.machine).report
    if arguments.python is not None and is_target_name(arguments.python):
        from gpuconfig_app.workbench.targets import target_environment  # noqa: PLC0415  # seldom asked for

        return target_environment(report, arguments.python, bench.check)
    return report, bench.choose_environment(report, arguments.python)


def _prove(
    arguments: argparse.Namespace, bench: Workbench, output: Output, wanted: str | None
) -> tuple[SystemReport, CompatReport]:
    """Run the real test in the chosen Python of this machine; gives the machine beside the verdict."""
    if arguments.machine not in {None, THIS_MACHINE} or arguments.assume:
        raise UsageError(Message("cli.prove-only-here"))
    if arguments.time_limit is not None and not arguments.time_limit > 0:
        raise UsageError(Message("cli.bad-time-limit"))
    report, environment = _open(arguments, bench)
    installed = environment.tensorflow_version if environment is not None else None
    if wanted is not None and installed is not None and wanted not in {installed, release_series(installed)}:
        raise UsageError(Message("cli.prove-only-installed", {"wanted": wanted, "installed": installed}))
    if environment is not None and not output.is_json:
        output.say(Message("cli.proving", {"python": environment.executable}))
    options = ProveOptions(
        may_wake=arguments.wake, time_limit_s=arguments.time_limit, all_releases=arguments.all_releases
    )
    return report, bench.prove(report, environment, options=options)


def _as_json(report: CompatReport, output: Output) -> dict[str, JsonValue]:
    body = encode(report, keep_none=True, message=output.texts.as_json)
    if not isinstance(body, dict):
        raise TypeError("a report is an object")
    body["primary"] = finding_json(report.primary, output) if report.primary is not None else None
    body["findings"] = [finding_json(item, output) for item in report.findings]
    return {"schema": SCHEMA} | body


def finding_json(finding: Finding, output: Output) -> JsonValue:
    """Give a finding as scripts get it, with its first fix apart."""
    body = encode(finding, keep_none=True, message=output.texts.as_json)
    if not isinstance(body, dict):
        raise TypeError("a finding is an object")
    first = encode(finding.fixes[0], keep_none=True, message=output.texts.as_json) if finding.fixes else None
    return body | {"fix": first}


def _print_verdict(report: CompatReport, output: Output) -> None:
    word = report.verdict.value.replace("_", "-")
    if report.proven is Proven.TRUE:
        output.say(Message(f"cli.proven-{word}"))
    else:
        output.say(Message(f"cli.verdict-{word}"))
    if report.headline is not None:
        output.say(report.headline)
    if report.confidence is not Confidence.HIGH and report.proven is not Proven.TRUE:
        output.say(Message(f"cli.confidence-{report.confidence.value}"))
    subject = [report.python or "", f"TensorFlow {report.tensorflow}" if report.tensorflow else ""]
    if any(subject):
        output.line("  " + " · ".join(item for item in subject if item))
    if report.primary is not None:
        output.line()
        _print_finding(report.primary, output)
    for finding in report.findings:
        if finding != report.primary:
            output.line(f"- {finding.code}: {output.sentence(finding.title)}")
    if report.proof is not None:
        print_proof(report.proof, output)
    for release in report.releases:
        _print_release(release, output)


def _print_finding(finding: Finding, output: Output) -> None:
    output.line(f"{finding.code}: {output.sentence(finding.title)}")
    output.say(finding.text, indent=2)
    for evidence in finding.evidence:
        output.line(f"  - {output.sentence(evidence)}")
    print_fixes(finding, output)
    if finding.source.title:
        output.say(Message("cli.source", {"title": finding.source.title}), indent=2)


def print_fixes(finding: Finding, output: Output) -> None:
    """Print the ways out of a finding, the best one first, with their commands."""
    for number, fix in enumerate(finding.fixes):
        output.say(Message("cli.fix-first" if number == 0 else "cli.fix-other", {"text": output.sentence(fix.text)}))
        for command in fix.commands:
            output.line(f"    {command}")


def _print_release(release: ReleaseVerdict, output: Output) -> None:
    reason = output.sentence(release.reason) if release.reason is not None else ""
    mark = "*" if release.is_best else " "
    output.line(f"{mark} {release.release:<10} {release.verdict.value:<17} {release.outcome.value:<19} {reason}")
