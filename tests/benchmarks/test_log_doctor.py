"""Reading a long log beside one pattern tried on each of its lines: what hundreds of signs may cost at most.

The logs are the ones that are dear: progress bars, lines full of words that signs begin with, and Chinese.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest

from gpuconfig_app.compat.log_doctor import explain
from gpuconfig_app.compat.log_reading import read_log
from gpuconfig_app.core.units import MIB

SIZE = 5 * MIB
LINES = {
    "progress": b"120/1875 [=======>......] - ETA: 3s - loss: 0.120 - accuracy: 0.912\n",
    "words of signs": b"xid hang keras undefined symbol: cu number of devices ms/step exit code: stall failed\n",
    "Chinese": "第一轮训练正常进行，显卡温度正常。\n".encode(),
}


def _cpu_s(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


@pytest.mark.parametrize("kind", LINES)
def test_long_log_against_one_pattern(kind: str, tell: Callable[[str], None]) -> None:
    line = LINES[kind]
    data = b"".join(b"%d %s" % (number, line) for number in range(SIZE // len(line)))
    explain(read_log(line))  # the tables are read once

    text, pattern = data.decode(), re.compile(r"\b(?:error|failed|warning)\b.{0,40}\d", re.IGNORECASE)
    one_s = _cpu_s(lambda: [item for item in text.split("\n") if pattern.search(item)])
    read_s = _cpu_s(lambda: explain(read_log(data)))

    ratio = read_s / one_s
    tell(f"log of {SIZE // MIB} MiB, {kind}: {read_s:.2f} s, one pattern {one_s:.2f} s, ratio {ratio:.1f}")
    assert ratio < 60
