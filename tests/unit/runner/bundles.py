"""Small stand-ins for generated scripts: standard library only, they speak the same options and events."""

from __future__ import annotations

from pathlib import Path

HEAD = """
import argparse, json, os, signal, subprocess, sys, time
parser = argparse.ArgumentParser()
parser.add_argument("--smoke", action="store_true")
parser.add_argument("--resume", action="store_true")
parser.add_argument("--metrics")
parser.add_argument("--out")
parser.add_argument("--epochs", type=int)
parser.add_argument("--steps", type=int)
options = parser.parse_args()

def tell(event, **values):
    with open(options.metrics, "a") as file:
        file.write(json.dumps(dict(values, event=event)) + "\\n")
"""

GOOD = """
print("Trains on the processor.")
tell("devices", strategy="cpu", devices=[{"name": "CPU"}])
tell("epoch", epoch=1, loss=0.5, epoch_s=1.0, step_s=0.05)
tell("exit", code=0, meaning="done")
"""

# Tells its number, then waits for the signal as a training does and saves.
SAVES_ON_SIGNAL = """
is_over = []
signal.signal(signal.SIGTERM, lambda number, frame: is_over.append(number))
print("ready", flush=True)
while not is_over:
    time.sleep(0.01)
print("saved after", len(is_over), "signal", flush=True)
tell("exit", code=6, meaning="interrupted")
sys.exit(6)
"""

# Ignores SIGTERM and starts descendants that ignore it too, one of them in a session of its own.
STUBBORN = '''
signal.signal(signal.SIGTERM, signal.SIG_IGN)
CHILD = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if sys.argv[1:]:
    subprocess.Popen([sys.executable, "-c", sys.argv[1]], start_new_session=True)
    os._exit(0)  # its own child becomes an orphan
print("pid", os.getpid(), flush=True)
time.sleep(600)
"""
subprocess.Popen([sys.executable, "-c", CHILD])
subprocess.Popen([sys.executable, "-c", CHILD], start_new_session=True)
subprocess.Popen([sys.executable, "-c", CHILD, CHILD])
print("pid", os.getpid(), flush=True)
time.sleep(600)
'''


def make_bundle(folder: Path, body: str) -> Path:
    """Write a bundle whose script does ``body``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "train.py").write_text(HEAD + body, encoding="utf-8")
    return folder
