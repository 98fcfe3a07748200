"""The sentences about an environment that was made, and the line that makes it the active one."""

from __future__ import annotations

from gpuconfig_app.core.environment_made import MakeOutcome
from gpuconfig_app.core.environment_plan import CommandLine, EnvironmentPlan, PlanGoal, PythonOrigin
from gpuconfig_app.core.finding import CompatReport
from gpuconfig_app.core.messages import Message, MessageValue
from gpuconfig_app.core.proof import ProofResult
from gpuconfig_app.runner.environment_commands import activation


def made_headline(outcome: MakeOutcome, plan: EnvironmentPlan, compat: CompatReport) -> Message:
    """Say in one sentence what there is now."""
    params: dict[str, MessageValue] = {"version": compat.tensorflow or plan.tensorflow or "?"}
    if outcome is MakeOutcome.PROVEN:
        names = ", ".join(f"GPU {index}" for index in compat.gpu_indexes) or "GPU"
        return Message("environment.made-proven", {**params, "cards": names})
    if outcome is MakeOutcome.CPU_PROVEN:
        return Message("environment.made-cpu", params)
    proof = compat.proof
    if proof is not None and proof.result is ProofResult.NO_GPU and plan.goal is not PlanGoal.CPU_ONLY:
        return Message("environment.made-without-gpu", params)
    return Message("environment.made-not-proven", params)


def activate_command(plan: EnvironmentPlan, home: str | None) -> CommandLine:
    """Give the line for a terminal."""
    origin = plan.python.origin if plan.python is not None else PythonOrigin.FOUND
    return activation(plan.order.folder, plan.platform, origin, home)
