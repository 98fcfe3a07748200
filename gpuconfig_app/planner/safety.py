"""Learning rate, checkpoints and early stopping: what keeps a training on its way."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.plan import Choice, ChoiceGroup
from gpuconfig_app.core.system import HostInfo
from gpuconfig_app.core.workload import Optimizer, Workload
from gpuconfig_app.planner.memory import SLOTS
from gpuconfig_app.planner.network import FLOAT_BYTES, OPTIMIZER_NAMES, Network
from gpuconfig_app.planner.pipeline import disk_of

# SGD: linear in the batch, 0.1 at 256 (Goyal et al. 2017, "Accurate, Large Minibatch SGD"); others: Keras defaults.
SGD_RATE, SGD_BATCH, SGD_MAXIMUM = 0.1, 256, 0.4
DEFAULT_RATE = 0.001
# A pretrained network that is trained as a whole forgets at the default rate (Keras guide "Transfer learning").
FINE_TUNING_RATE = 0.0001
FINE_TUNING_SHARE = 0.1

# A checkpoint is written beside the last one, the best weights and the final model.
CHECKPOINTS_ON_DISK = 4


@dataclass(frozen=True, kw_only=True)
class RateChoice:
    """Learning rate and why."""

    rate: float
    reason: Message
    is_requested: bool = False


def choose_learning_rate(workload: Workload, global_batch: int) -> RateChoice:
    """Choose the learning rate; only SGD's grows with the batch."""
    if workload.requests.learning_rate is not None:
        reason = Message("planner.rate-requested")
        return RateChoice(rate=workload.requests.learning_rate, reason=reason, is_requested=True)
    if workload.optimizer in (Optimizer.SGD, Optimizer.MOMENTUM):
        return _linear_rate(global_batch, is_fine_tuned=_is_fine_tuned(workload))
    if _is_fine_tuned(workload):
        reason = Message("planner.rate-fine-tuning", {"optimizer": OPTIMIZER_NAMES[workload.optimizer]})
        return RateChoice(rate=FINE_TUNING_RATE, reason=reason)
    reason = Message("planner.rate-default", {"optimizer": OPTIMIZER_NAMES[workload.optimizer]})
    return RateChoice(rate=DEFAULT_RATE, reason=reason)


def _linear_rate(global_batch: int, *, is_fine_tuned: bool) -> RateChoice:
    linear = SGD_RATE * global_batch / SGD_BATCH
    rate = min(SGD_MAXIMUM, linear) * (FINE_TUNING_SHARE if is_fine_tuned else 1.0)
    if is_fine_tuned:
        reason = Message("planner.rate-linear-fine-tuning", {"batch": global_batch})
    elif linear > SGD_MAXIMUM:
        reason = Message("planner.rate-linear-capped", {"batch": global_batch, "limit": f"{SGD_MAXIMUM:g}"})
    else:
        reason = Message("planner.rate-linear", {"batch": global_batch})
    return RateChoice(rate=float(f"{rate:.2g}"), reason=reason)


def choose_safety(workload: Workload, network: Network | None, host: HostInfo) -> tuple[Choice, ...]:
    """Choose checkpoints and early stopping."""
    return (_checkpoint(workload, network, host), _early_stopping(workload))


def checkpoint_bytes(workload: Workload, network: Network) -> int:
    """Give the size of one checkpoint: weights and slots."""
    return (network.params + network.trainable_params * SLOTS[workload.optimizer]) * FLOAT_BYTES


def _is_fine_tuned(workload: Workload) -> bool:
    return workload.is_pretrained and not workload.is_backbone_frozen


def _checkpoint(workload: Workload, network: Network | None, host: HostInfo) -> Choice:
    if network is None:
        reason = Message("planner.checkpoint-reason")
    else:
        size = checkpoint_bytes(workload, network)
        disk = disk_of(host.disks, workload.data_path)
        free = disk.free_bytes if disk is not None else None
        if free is None:
            reason = Message("planner.checkpoint-size", {"size_bytes": size})
        elif free < size * CHECKPOINTS_ON_DISK:
            reason = Message("planner.checkpoint-tight", {"size_bytes": size, "free_bytes": free})
        else:
            reason = Message("planner.checkpoint-free", {"size_bytes": size, "free_bytes": free})
    return Choice(
        id="checkpoint",
        group=ChoiceGroup.SAFETY,
        value=1,
        shown=Message("planner.shown-checkpoint"),
        reason=reason,
        step="training",
    )


def _early_stopping(workload: Workload) -> Choice:
    """Say that it stops; after how many epochs is an answer of the template, told here when the workload carries it."""
    patience = workload.model_options.get("patience")
    shown = Message("planner.shown-early-stopping")
    if isinstance(patience, int):
        shown = Message("planner.shown-early-stopping-after", {"patience": patience})
    return Choice(
        id="early-stopping",
        group=ChoiceGroup.SAFETY,
        value=patience,
        shown=shown,
        reason=Message("planner.early-stopping-best"),
        step="training",
    )
