"""Runs the proof of an environment, keeps it, and finds the kept one again."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.target_view import report_in_target
from gpuconfig_app.core.clock import Clock
from gpuconfig_app.core.errors import StorageError, UsageError
from gpuconfig_app.core.finding import CompatReport, Outcome
from gpuconfig_app.core.gpu import GpuState
from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.proof import Proof, ProofResult, ProofStage
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.hardware.login_shell import read_user_variables
from gpuconfig_app.runner.proof import COMPILING_LIMIT_S, USUAL_LIMIT_S, ProofRequest, run_proof
from gpuconfig_app.storage.places import Places
from gpuconfig_app.storage.proofs import changed_parts, fingerprint, load_proof, save_proof
from gpuconfig_app.workbench.proof_state import with_proof
from gpuconfig_app.workbench.text import Texts

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class ProveOptions:
    """How a proof is run.

    Attributes:
        may_wake: Sleeping cards may be woken; without it a machine with one is refused, so that the user is asked.
        time_limit_s: For each process; None for the usual one, which is longer where the driver has to compile.
        all_releases: Judge every release of the table, too.
    """

    may_wake: bool = False
    time_limit_s: float | None = None
    all_releases: bool = False


def sleeping_cards(report: SystemReport) -> tuple[str, ...]:
    """Give the names of the cards that a proof would wake; it asks first when there are any."""
    return tuple(gpu.name or f"GPU {gpu.index}" for gpu in report.gpus if gpu.state is GpuState.ASLEEP)


def prove_and_judge(
    places: Places,
    clock: Clock,
    report: SystemReport,
    environment: PythonEnvironment | None,
    options: ProveOptions,
    texts: Texts,
    control: JobControl | None = None,
) -> CompatReport:
    """Try TensorFlow on the cards of this machine, keep what came out, and give the verdict with it.

    Raises:
        UsageError: There is no Python to prove, its target can't be reached from here, the machine is a recorded one,
            or a card sleeps.
        StorageError: There is no room for the probe's answers.
        JobCancelledError: The user ended it.
    """
    if report.recorded_from is not None:
        raise UsageError(Message("workbench.proof-of-recorded"))
    if environment is None:
        raise UsageError(Message("workbench.proof-without-python"))
    asleep = sleeping_cards(report)
    if asleep and not options.may_wake:
        raise UsageError(Message("workbench.proof-would-wake", {"cards": ", ".join(asleep)}))
    from gpuconfig_app.workbench.target_place import place_of  # noqa: PLC0415  # no other part of a check needs it
    from gpuconfig_app.workbench.target_trouble import with_target_trouble  # noqa: PLC0415  # likewise

    compat = check(report, CheckOptions(environment=environment, all_releases=options.all_releases))
    usual_s = COMPILING_LIMIT_S if compat.outcome is Outcome.JIT_AT_FIRST_START else USUAL_LIMIT_S
    request = ProofRequest(
        python=environment.executable,
        variables=read_user_variables().values,
        time_limit_s=usual_s if options.time_limit_s is None else options.time_limit_s,
        place=place_of(report, environment),
    )
    seen = report_in_target(report, environment)
    proof = replace(run_proof(request, control, clock), fingerprint=fingerprint(seen, environment))
    logger.info("proof in %s: %s %s", environment.executable, proof.result, proof.failure)
    if not _is_about_the_way_there(proof, environment):
        _keep(places, proof)
    judged = with_proof(compat, proof, seen, proof.fingerprint, texts, environment)
    return with_target_trouble(judged, proof, environment)


def with_kept_proof(
    places: Places, report: SystemReport, compat: CompatReport, environment: PythonEnvironment | None, texts: Texts
) -> CompatReport:
    """Give the verdict on an environment as it is together with its newest proof; a recorded machine has none."""
    if environment is None or report.recorded_from is not None:
        return compat
    proof = load_proof(places, environment.executable)
    if proof is None:
        return compat
    seen = report_in_target(report, environment)
    return with_proof(compat, proof, seen, fingerprint(seen, environment), texts, environment)


def is_proven(places: Places, report: SystemReport, environment: PythonEnvironment) -> bool:
    """Whether a good proof of an environment is kept that stands for the machine as it is."""
    proof = load_proof(places, environment.executable)
    if proof is None or proof.result is not ProofResult.PROVEN:
        return False
    return not changed_parts(proof.fingerprint, fingerprint(report_in_target(report, environment), environment))


def _keep(places: Places, proof: Proof) -> None:
    try:
        save_proof(places, proof)
    except StorageError as error:
        logger.warning("proof not kept: %s", error)


def _is_about_the_way_there(proof: Proof, environment: PythonEnvironment) -> bool:
    """Whether the container or distribution did not start, which says nothing of the Python in it."""
    has_begun = proof.failure is None or proof.failure.stage is not ProofStage.START
    return environment.target is not None and not has_begun
