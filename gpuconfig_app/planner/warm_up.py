"""What the first steps take beside their work, once in a training: it is not part of a step or an epoch.

Building the graph was measured; the rest is estimated and says so in ``throughput.toml``, hence the wide intervals.
"""

from __future__ import annotations

from gpuconfig_app.core.finding import Outcome
from gpuconfig_app.core.plan import Interval
from gpuconfig_app.knowledge.throughput import load_throughput_facts
from gpuconfig_app.planner.network import Network

# Factors to both ends: what was measured on one processor, and what was not.
_MEASURED, _ESTIMATED = 2.5, 3.0


def warm_up_time(network: Network, *, jit_compile: bool, outcome: Outcome | None, has_cards: bool = True) -> Interval:
    """Estimate the seconds before the steps come at their usual pace.

    Args:
        jit_compile: XLA compiles the step.
        outcome: The verdict's; with ``jit_at_first_start`` the driver compiles TensorFlow's own kernels, at the very
            first start only.
    """
    numbers = load_throughput_facts().numbers
    parts = [(numbers["graph-layer-s"] * network.layer_count, _MEASURED)]
    if has_cards:
        parts.append((numbers["kernel-start-s"] + numbers["kernel-layer-s"] * network.layer_count, _ESTIMATED))
    if has_cards and jit_compile:
        parts.append((numbers["xla-layer-s"] * network.layer_count, _ESTIMATED))
    if has_cards and outcome is Outcome.JIT_AT_FIRST_START:
        parts.append((numbers["ptx-compile-s"], _ESTIMATED))
    return Interval(
        low=sum(size / factor for size, factor in parts),
        expected=sum(size for size, _ in parts),
        high=sum(size * factor for size, factor in parts),
    )
