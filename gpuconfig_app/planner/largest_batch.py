"""The largest batch whose memory surely fits, and what earlier failures on this machine leave of it.

Memory over the batch is a straight line above a floor, bent a little by kernels' scratch and by the band. So the batch
at which it meets the limit is read off a line through two predictions and moved until the prediction itself says that
this size fits and the next does not; no range is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpuconfig_app.core.calibration import Calibration
from gpuconfig_app.core.plan import Fit
from gpuconfig_app.core.workload import Precision
from gpuconfig_app.planner.memory import DeviceMemory, StepMemory

# Tensor cores take 16-bit matrices in blocks of 8 (NVIDIA, "Deep Learning Performance: matrix multiplication"), TF32
# ones in blocks of 4. Elsewhere the same multiple costs at most seven samples and halves nothing.
GRAIN = 8
SMALL = (4, 2, 1)

LARGEST = 1 << 16

# The line is drawn anew this often before half the distance is taken instead: an end for every shape of curve.
_LINES_BEFORE_HALVING = 3


@dataclass(frozen=True, kw_only=True)
class FailedSize:
    """A batch that ran out of memory on this machine and has not worked since, in the precision it ran with."""

    batch: int
    precision: Precision


def rounded(size: int) -> int:
    """Round a batch down to a multiple of eight, or to 4, 2 or 1."""
    if size >= GRAIN:
        return size // GRAIN * GRAIN
    return next((small for small in SMALL if small <= size), 1)


def largest_fitting(memory: StepMemory, device: DeviceMemory, limit: int = LARGEST) -> int | None:
    """Give the largest batch whose whole interval lies below what is usable: a multiple of eight, or 4, 2, 1.

    Returns:
        None when not even one sample fits, ``limit`` rounded down when the device's memory is not known.
    """
    usable = device.usable_bytes
    if usable is None:
        return rounded(limit)

    def need(count: int) -> float:
        return memory.predict(count * GRAIN, device).total.high

    top = limit // GRAIN
    if top and need(top) <= usable:
        return top * GRAIN
    if top > 1 and need(1) <= usable:
        return _crossing(need, usable, 1, top) * GRAIN
    return next((size for size in SMALL if size <= limit and memory.predict(size, device).fit is Fit.FITS), None)


def safe_batch(
    memory: StepMemory, device: DeviceMemory, failed: Sequence[FailedSize] = (), limit: int = LARGEST
) -> int | None:
    """Give the largest batch that fits and stays clear of every size that failed; None when there is none."""
    size = largest_fitting(memory, device, limit)
    for failure in failed:
        if size is None:
            break
        cap = clear_of(failure, memory, size)
        size = None if cap is None else min(size, cap)
    return size


def clear_of(failure: FailedSize, memory: StepMemory, limit: int = LARGEST) -> int | None:
    """Give the largest batch that a failed one does not speak against; None when not even one sample is left.

    The failure shows that more was needed than predicted. So the whole interval of the batch must lie below what was
    expected of the failed one; where the batch hardly moves memory, half of the failed size is tried. Another
    precision is compared by its own memory.
    """
    half = failure.batch // 2
    size = rounded(half) if half else 0
    if failure.precision in memory.network.curves:
        was_expected = memory.with_precision(failure.precision).predict(failure.batch, DeviceMemory()).total.expected
        size = max(size, largest_fitting(memory, DeviceMemory(usable_bytes=int(was_expected)), limit) or 0)
    if failure.precision is memory.precision and size >= failure.batch:
        size = rounded(failure.batch - 1) if failure.batch > 1 else 0
    return min(size, limit) or None


def failed_sizes(runs: Sequence[Calibration], *, jit_compile: bool) -> tuple[FailedSize, ...]:
    """Give the smallest size of each precision that ran out of memory.

    A run of the same precision that worked later with as large a batch lifts a failure: memory was taken by others
    then. With and without XLA are different jobs.

    Args:
        runs: Of this job on this kind of card, newest first.
    """
    worked: dict[Precision, int] = {}
    failed: dict[Precision, int] = {}
    for run in runs:
        batch = run.per_replica_batch
        if run.jit_compile != jit_compile or batch < 1:
            continue
        if not run.ran_out_of_memory:
            worked[run.precision] = max(batch, worked.get(run.precision, 0))
        elif batch > worked.get(run.precision, 0):
            failed[run.precision] = min(batch, failed.get(run.precision, batch))
    return tuple(FailedSize(batch=batch, precision=precision) for precision, batch in failed.items())


def _crossing(need: Callable[[int], float], usable: float, fits: int, fails: int) -> int:
    """Give the largest count that is within ``usable``, between one that is and one that is not."""
    below, above = need(fits), need(fails)
    lines = 0
    while fails - fits > 1:
        lines += 1
        share = (usable - below) / (above - below)
        if lines % _LINES_BEFORE_HALVING == 0:
            share = 0.5
        middle = min(max(fits + int((fails - fits) * share), fits + 1), fails - 1)
        needed = need(middle)
        if needed <= usable:
            fits, below = middle, needed
        else:
            fails, above = middle, needed
    return fits
