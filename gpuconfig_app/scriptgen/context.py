"""What a template may name while it is rendered: answers, plan, model facts and the constants block.

Values reach a script through ``Constants`` only, which quotes them and remembers which question each came from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import gpuconfig_app
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.core.units import format_bytes
from gpuconfig_app.core.workload import Optimizer, Precision, StrategyKind
from gpuconfig_app.scriptgen.features import OLDEST_KERAS, OLDEST_TENSORFLOW
from gpuconfig_app.scriptgen.manifest import Template
from gpuconfig_app.scriptgen.quoting import assignment, plain_words
from gpuconfig_app.scriptgen.sentences import english

MOST_CLASS_NAMES = 1000
"""With more classes than this the script reads their names from the data folder."""
EXACT_TOLERANCE = 0.002
MIXED_TOLERANCE = 0.02

_OPTIMIZER_CLASSES: Mapping[str, str] = MappingProxyType(
    {
        Optimizer.SGD: "SGD",
        Optimizer.MOMENTUM: "SGD",
        Optimizer.RMSPROP: "RMSprop",
        Optimizer.ADAM: "Adam",
        Optimizer.ADAMW: "AdamW",
    }
)
_ASSIGNMENT = re.compile(r"^([A-Z][A-Z0-9_]*) = ")


class Constants:
    """Writes ``NAME = literal`` lines and remembers whose answer each one is.

    Args:
        plan: Its choices give the reasons.
    """

    def __init__(self, plan: TrainingPlan) -> None:
        self._reasons = {choice.id: english(choice.reason) for choice in plan.choices}
        self._questions: dict[str, str] = {}

    def __call__(
        self,
        name: str,
        value: JsonValue,
        *,
        choice: str | None = None,
        question: str | None = None,
        reason: str | None = None,
    ) -> str:
        """Write one constant.

        Args:
            choice: Choice of the plan whose reason stands beside it, when the plan gives one.
            question: Question that changes it.
            reason: Used where no choice gives one.
        """
        if question is not None:
            self._questions[name] = question
        return assignment(name, value, self._reasons.get(choice or "") or reason)

    def line_answers(self, text: str) -> dict[int, str]:
        """Give, for each line of a script that assigns a constant from an answer, the question's id."""
        found: dict[int, str] = {}
        for number, line in enumerate(text.split("\n"), 1):
            match = _ASSIGNMENT.match(line)
            if match and match.group(1) in self._questions:
                found[number] = self._questions[match.group(1)]
        return found


@dataclass(frozen=True)
class PlanRow:
    """One row of the plan in the bundle's README, safe for a Markdown table."""

    name: str
    value: str
    why: str


def make_context(
    template: Template,
    values: Mapping[str, JsonValue],
    plan: TrainingPlan,
    dataset: DatasetFacts | None,
    constants: Constants,
) -> dict[str, object]:
    """Gather all that the templates name.

    Args:
        values: Checked answers.
    """
    class_names = _class_names(dataset)
    return {
        "product_version": gpuconfig_app.__version__,
        "template": template,
        "answers": dict(values),
        "plan": plan,
        "constant": constants,
        "headline": _headline(template, values, plan),
        "model": template.models.get(str(values.get("model")), {}),
        "own_model": "keras_name" not in template.models.get(str(values.get("model")), {}),
        "optimizer_class": _OPTIMIZER_CLASSES[str(values["optimizer"])],
        "optimizer_arguments": _optimizer_arguments(values),
        "tolerance": EXACT_TOLERANCE if plan.precision is Precision.FLOAT32 else MIXED_TOLERANCE,
        "batch_name": "BATCH_PER_GPU" if plan.strategy is StrategyKind.MIRRORED else "BATCH_SIZE",
        "uses_tensorboard": bool(values.get("tensorboard")),
        "is_regression": values.get("target_task") == "regression",
        "metric": "mean_absolute_error" if values.get("target_task") == "regression" else "accuracy",
        "channels": 1 if values.get("color") == "grayscale" else 3,
        "class_names": class_names,
        "class_names_reason": "in the order of the model's outputs" if class_names else "empty: read from the folder",
        "broken_files": sorted(dataset.broken_files) if dataset else [],
        "has_header": dataset is None or dataset.has_header is not False,
        "encoding": _encoding(dataset),
        "all_columns": [column.name for column in dataset.columns] if dataset else [],
        "plan_rows": _plan_rows(plan),
        **_device_values(plan),
        **_requirements(plan),
    }


def _class_names(dataset: DatasetFacts | None) -> list[str]:
    names = [item.name for item in dataset.classes if item.count] if dataset else []
    return names if len(names) <= MOST_CLASS_NAMES else []


def _encoding(dataset: DatasetFacts | None) -> str:
    """UTF-8 is read with or without a byte-order mark."""
    found = dataset.encoding if dataset else None
    return "utf-8-sig" if found in (None, "utf-8") else str(found)


def _headline(template: Template, values: Mapping[str, JsonValue], plan: TrainingPlan) -> str:
    """One sentence without anything the user typed: it stands in a docstring and in a title."""
    where = {
        StrategyKind.CPU: "on the processor",
        StrategyKind.ONE_GPU: "on one GPU",
        StrategyKind.MIRRORED: f"on {len(plan.devices)} GPUs",
    }[plan.strategy]
    model = template.models.get(str(values.get("model")), {}).get("name", "a network")
    return f"Train {plain_words(str(model))} {where}: {plain_words(template.name.en).lower()}."


def _optimizer_arguments(values: Mapping[str, JsonValue]) -> list[str]:
    """Name constants of the script, never values."""
    arguments: list[str] = []
    if values["optimizer"] == Optimizer.MOMENTUM:
        arguments.append("momentum=0.9")
    if values["optimizer"] == Optimizer.ADAMW:
        arguments.append("weight_decay=WEIGHT_DECAY")
    if values["clip_norm"]:
        arguments.append("global_clipnorm=CLIP_NORM")
    return arguments


def _device_values(plan: TrainingPlan) -> dict[str, object]:
    uuids = [device.uuid for device in plan.devices if device.uuid]
    may_name = plan.is_for_this_machine and len(uuids) == len(plan.devices)
    return {
        "device_uuids": uuids if may_name else [],
        "device_indexes": [device.index for device in plan.devices],
    }


def _requirements(plan: TrainingPlan) -> dict[str, object]:
    """TensorFlow and Keras exactly as planned, else from the oldest the script was tried with."""
    package = "tensorflow" if plan.strategy is StrategyKind.CPU else "tensorflow[and-cuda]"
    marker = "" if plan.strategy is StrategyKind.CPU else '; sys_platform == "linux"'
    tensorflow = f"=={plan.tensorflow_version}" if plan.tensorflow_version else f">={OLDEST_TENSORFLOW}"
    keras = f"=={plan.keras_version}" if plan.keras_version else f">={OLDEST_KERAS}"
    lines = [f"{package}{tensorflow}{marker}"]
    if marker:
        lines.append(f'tensorflow{tensorflow}; sys_platform != "linux"')
    return {"tensorflow_requirement": "\n".join(lines), "keras_requirement": f"keras{keras}"}


def _plan_rows(plan: TrainingPlan) -> list[PlanRow]:
    """The plan in a few rows for people without GPUConfig."""
    names = ", ".join(plain_words(device.name or f"GPU {device.index}") for device in plan.devices)
    rows = [
        PlanRow("planned for", names or "processor", ""),
        PlanRow("samples for one update", str(plan.global_batch), ""),
    ]
    if plan.memory is not None:
        total = plan.memory.total
        low, high = format_bytes(int(total.low)), format_bytes(int(total.high))
        rows.append(PlanRow("predicted memory", f"{low} to {high}", "on each device, nine times in ten"))
    for choice in plan.choices:
        shown, reason = plain_words(english(choice.shown)), plain_words(english(choice.reason))
        rows.append(PlanRow(choice.id.replace("-", " "), shown, reason))
    return rows
