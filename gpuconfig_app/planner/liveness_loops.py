"""Loops of a step's graph: which operations are repeated, and how often.

TensorFlow executes a ``while`` as a ring: values enter, are merged with those of the round before, a condition sends
them through the body or out. The rounds run one after the other here; TensorFlow may overlap them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpuconfig_app.core.step_graph import StepGraph
from gpuconfig_app.planner.liveness_kernels import MERGES, SWITCHES
from gpuconfig_app.planner.liveness_wiring import Wiring

# Rounds of a loop whose condition does not tell them.
UNKNOWN_ROUNDS = 16

# Operations that a walk repeats at most in one loop, so that it ends in seconds.
_MOST_REPEATED = 60_000

_COMPARED = frozenset({"Less", "LessEqual"})
_JOINED = frozenset({"LogicalAnd", "Identity"})
_PASSED = frozenset({"Enter", "Identity", "Switch", *MERGES})


@dataclass(frozen=True)
class Loop:
    """A loop.

    Attributes:
        condition: The operation that decides about the next round.
        merges: Where a round begins.
        members: All operations that are repeated, those of loops inside too.
        pending: For each member, how many edges lead into it from other members.
        from_outside: (tensor, member) for values that are the same in each round.
        rounds: How often the body runs.
    """

    condition: int
    merges: frozenset[int]
    members: frozenset[int]
    pending: Mapping[int, int]
    from_outside: Sequence[tuple[int, int]]
    rounds: int


def find_loops(graph: StepGraph, wiring: Wiring) -> list[Loop]:
    """Give all loops of a graph, inner ones after outer ones."""
    conditions = [
        number for number, operation in enumerate(graph.operations) if operation.kind == "LoopCond" and operation.inputs
    ]
    loops: list[Loop] = []
    rounds: dict[int, int] = {}
    for condition in conditions:
        merges = frozenset(_merges(graph, wiring, condition))
        members = _members(graph, wiring, merges)
        told = _rounds(graph, wiring, condition, rounds)
        rounds[condition] = told
        pending = dict.fromkeys(members, 0)
        outside = []
        for number in members:
            operation = graph.operations[number]
            for tensor in operation.inputs:
                if wiring.producer[tensor] in members:
                    pending[number] += 1
                else:
                    outside.append((tensor, number))
            pending[number] += sum(1 for other in operation.controls if other in members)
        most = max(1, _MOST_REPEATED // max(1, len(members)))
        loops.append(Loop(condition, merges, members, pending, tuple(outside), min(told, most)))
    return sorted(loops, key=lambda loop: -len(loop.members))


def _merges(graph: StepGraph, wiring: Wiring, condition: int) -> list[int]:
    found = []
    for _, reader in wiring.readers[condition]:
        if graph.operations[reader].kind in SWITCHES:
            producer = wiring.producer[graph.operations[reader].inputs[0]]
            if graph.operations[producer].kind in MERGES:
                found.append(producer)
    return found


def _members(graph: StepGraph, wiring: Wiring, merges: frozenset[int]) -> frozenset[int]:
    """Give everything from the merges on up to where values leave; an inner loop's exits don't leave this one."""
    reached = set(merges)
    queue = list(merges)
    depth = dict.fromkeys(merges, 0)
    while queue:
        number = queue.pop()
        after = [reader for _, reader in wiring.readers[number]] + list(wiring.followers[number])
        for reader in after:
            kind = graph.operations[reader].kind
            level = depth[number] + (kind == "Enter") - (graph.operations[number].kind == "Exit")
            if reader in reached or level < 0:
                continue
            depth[reader] = level
            reached.add(reader)
            if kind != "Exit" or level > 0:
                queue.append(reader)
    return frozenset(reached)


def _rounds(graph: StepGraph, wiring: Wiring, condition: int, known: Mapping[int, int]) -> int:
    """Read from the condition how often the body runs: the smallest limit that a counter from 0 is compared with."""
    limits = []
    queue, seen = [wiring.producer[graph.operations[condition].inputs[0]]], set()
    while queue:
        number = queue.pop()
        if number in seen:
            continue
        seen.add(number)
        operation = graph.operations[number]
        if operation.kind in _COMPARED and len(operation.inputs) > 1:
            limit = _limit(graph, wiring, operation.inputs[1], known)
            if limit is not None:
                limits.append(limit)
        elif operation.kind in _JOINED:
            queue += [wiring.producer[tensor] for tensor in operation.inputs]
    return min(limits, default=UNKNOWN_ROUNDS)


def _limit(graph: StepGraph, wiring: Wiring, tensor: int, known: Mapping[int, int]) -> int | None:
    """Follow a limit to the constant it came from, or to another loop's counter, which ends at that loop's rounds."""
    for _ in range(50):
        number = wiring.producer[tensor]
        operation = graph.operations[number]
        if operation.scalar is not None:
            return max(0, operation.scalar)
        if operation.kind == "Exit" and operation.inputs:
            switch = graph.operations[wiring.producer[operation.inputs[0]]]  # an exit reads a switch
            return known.get(wiring.producer[switch.inputs[1]]) if len(switch.inputs) > 1 else None
        if operation.kind not in _PASSED or not operation.inputs:
            return None
        tensor = operation.inputs[0]
    return None


class LoopRun:
    """Where the loops of a walk are: which round, and what waits for the next one."""

    def __init__(self, loops: Sequence[Loop]) -> None:
        self._loops = loops
        self._by_condition = {loop.condition: loop for loop in loops}
        self._by_merge = {merge: loop for loop in loops for merge in loop.merges}
        self._round = dict.fromkeys(self._by_condition, 0)
        self._waiting: dict[int, dict[int, int]] = {loop.condition: {} for loop in loops}

    def takes(self, condition: int, *, otherwise: bool) -> bool:
        """Tell whether a switch sends its value into the body; ``otherwise`` for switches that are no loop's."""
        loop = self._by_condition.get(condition)
        return otherwise if loop is None else self._round[condition] < loop.rounds

    def goes_on(self, leaving: int) -> bool:
        """Tell whether the loop that an exit belongs to has rounds left."""
        return any(leaving in loop.members and self._round[loop.condition] < loop.rounds for loop in self._loops)

    def next_round(self, merge: int, tensor: int) -> Loop | None:
        """Note what a merge gets for the next round; gives the loop when all its merges have theirs."""
        loop = self._by_merge.get(merge)
        if loop is None:
            return None
        waiting = self._waiting[loop.condition]
        waiting[merge] = tensor
        return loop if len(waiting) == len(loop.merges) else None

    def begin(self, loop: Loop) -> Sequence[tuple[int, int]]:
        """Begin the next round; gives what each merge starts with. Loops inside start anew."""
        for inner in self._loops:
            if inner is not loop and inner.condition in loop.members:
                self._round[inner.condition] = 0
                self._waiting[inner.condition].clear()
        self._round[loop.condition] += 1
        starts = tuple(self._waiting[loop.condition].items())
        self._waiting[loop.condition].clear()
        return starts
