"""The peak of a large training step beside reading as many numbers from JSON.

20 000 operations are more than any network of Keras Applications has; a prediction of one must not be felt.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable

from gpuconfig_app.planner.liveness import step_peak
from tests.unit.planner.step_graphs import layered_net

ROUNDS = 5
LAYERS = 1250
BOUND = 30.0


def test_a_large_step_beside_reading_it(tell: Callable[[str], None]) -> None:
    graph = layered_net(8, [4096] * LAYERS, 65536)
    rows = [[item.kind, item.inputs, item.controls, item.outputs, item.types] for item in graph.operations]
    text = json.dumps([rows, graph.tensor_bytes])
    ratios, walks = [], []
    for _ in range(ROUNDS):
        begin = time.process_time()
        step_peak(graph)
        middle = time.process_time()
        json.loads(text)
        ratios.append((middle - begin) / (time.process_time() - middle))
        walks.append(middle - begin)

    ratio = statistics.median(ratios)
    tell(f"peak of {len(rows)} operations: {ratio:.1f} times reading them ({min(walks):.2f} s)")
    assert ratio < BOUND
