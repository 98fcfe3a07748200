"""What the scripts need of TensorFlow and Keras, and what a plan and answers can't combine.

The templates are written for Keras 3, which TensorFlow brings since 2.16. They were run with TensorFlow 2.16.2 and
Keras 3.10.0, and with TensorFlow 2.21.0 and Keras 3.15.1. With Keras 3.3.3 and 3.6.0 the exported model of a table
could not be called and metrics were tensors, so those are refused; a newer Keras installs beside any of these
TensorFlows. TensorFlow 2.10 (the last with GPUs on native Windows) and
2.15 bring Keras 2, whose saving, export and mixed-precision interfaces differ throughout; they are refused with that
reason rather than served by a script that was never run.
"""

from __future__ import annotations

from collections.abc import Mapping

from gpuconfig_app.core.codec import encode
from gpuconfig_app.core.errors import AnswerError
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.versions import is_below
from gpuconfig_app.core.workload import StrategyKind
from gpuconfig_app.scriptgen.manifest import Template, holds

OLDEST_TENSORFLOW = "2.16.2"
OLDEST_KERAS = "3.10"


def check_target(plan: TrainingPlan) -> None:
    """Refuse a TensorFlow or Keras for which no template is written; an unknown one is taken to be current.

    Raises:
        AnswerError: Too old.
    """
    if is_below(plan.tensorflow_version, OLDEST_TENSORFLOW):
        params = {"version": str(plan.tensorflow_version), "oldest": OLDEST_TENSORFLOW}
        hint = Message("scriptgen.tensorflow-too-old-hint", {"tensorflow": OLDEST_TENSORFLOW})
        raise AnswerError(Message("scriptgen.tensorflow-too-old", params), hint)
    if is_below(plan.keras_version, OLDEST_KERAS):
        params = {"version": str(plan.keras_version), "oldest": OLDEST_KERAS}
        hint = Message("scriptgen.keras-too-old-hint", {"command": f'pip install "keras>={OLDEST_KERAS}"'})
        raise AnswerError(Message("scriptgen.keras-too-old", params), hint)


def check_plan(template: Template, values: Mapping[str, JsonValue], plan: TrainingPlan) -> None:
    """Refuse what can't run: combinations the manifest names, and plans no script can follow.

    Raises:
        AnswerError: With the reason.
    """
    if plan.strategy is StrategyKind.MIRRORED and plan.jit_compile:
        raise AnswerError(Message("scriptgen.refused-xla-on-several-gpus"))
    if plan.memory_growth and plan.memory_limit_bytes is not None:
        raise AnswerError(Message("scriptgen.refused-growth-and-limit"))
    if (plan.strategy is StrategyKind.CPU) == bool(plan.devices):
        raise AnswerError(Message("scriptgen.refused-devices-and-strategy"))
    seen = dict(values) | {f"plan.{name}": value for name, value in _plain_fields(plan).items()}
    for refusal in template.refusals:
        if holds(refusal.when, seen):
            raise AnswerError(Message(refusal.reason))


def _plain_fields(plan: TrainingPlan) -> dict[str, JsonValue]:
    names = ("strategy", "precision", "per_replica_batch", "accumulation_steps", "jit_compile")
    return {name: encode(getattr(plan, name)) for name in names}
