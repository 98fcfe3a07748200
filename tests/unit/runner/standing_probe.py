"""A probe that stands in for ``trace_step.py``: what it does is told by words in ``--model``; real child processes."""

from __future__ import annotations

from pathlib import Path

SOURCE = '''
import argparse, json, os, signal, sys, time

parser = argparse.ArgumentParser()
parser.add_argument("--out")
parser.add_argument("--model")
parser.add_argument("--path")
parser.add_argument("--batch", type=int, action="append")
parser.add_argument("--precision")
parser.add_argument("--optimizer")
parser.add_argument("--input-shape", action="append")
parser.add_argument("--time-limit", type=float)
parser.add_argument("--gpu-layout")
parser.add_argument("--jit", action="store_true")
options = parser.parse_args()
words = options.model.rpartition(":")[2].split("__")


def write(record, **values):
    with open(options.out, "a") as file:
        file.write(json.dumps(dict(values, record=record)) + "\\n")


def happen(stage):
    if stage + "_hangs" in words:
        time.sleep(600)
    if stage + "_aborts" in words:
        sys.stderr.write("F check failed: it is over\\n")
        sys.stderr.flush()
        os.abort()
    if stage + "_segfaults" in words:
        import ctypes, faulthandler

        faulthandler.enable()
        sys.stderr.write("I0000 00:00:1 1 cudart_stub.cc:31] Could not find cuda drivers on your machine\\n")
        ctypes.string_at(0)
    if stage + "_killed" in words:
        os.kill(os.getpid(), signal.SIGKILL)
    if stage + "_exits" in words:
        sys.stderr.write("I leave\\n")
        sys.stderr.flush()
        os._exit(7)
    if stage + "_floods" in words:
        while True:
            os.write(2, b"x" * 65536 + b"\\n")
    if stage + "_prints" in words:
        for _ in range(2000):
            os.write(1, b"y" * 65536)
    if stage + "_asks" in words:
        try:
            input()
        except EOFError:
            write("error", kind="function-fails", name="f", place="f.py:1", detail="EOFError: EOF when reading a line")
            sys.exit(1)


def graph(batch):
    """One weight of 1 MiB, its gradient, and 1 MiB of activations for each sample."""
    mib = 1024 * 1024
    return dict(
        schema="gpuconfig-step/1", model=options.model, batch=batch, precision=options.precision,
        optimizer=options.optimizer, jit_compile=options.jit, loss="own", tensorflow="2.21.0", keras="3.15.1",
        python="3.12.1", is_optimized=True,
        kinds=["_Arg", "ReadVariableOp", "MatMul", "Relu6Grad2", "AssignVariableOp", "_Retval"],
        types=["resource", "float32"],
        ops=[
            [0, [], [], [0], 0, 0],
            [1, [0], [], [1]],
            [2, [1], [], [1]],
            [3, [2, 1], [], [1], 1],
            [4, [0, 3], [], []],
        ],
        sizes=[0, mib, batch * mib, mib],
        scalars={}, names=["w", "read", "forward", "gradient_tape/w", "assign"], open_sizes=0,
        variables=[["w", "trainable", mib]],
        data_bytes=[batch * 1024],
    )


write("begin", stage="tensorflow", pid=os.getpid())
happen("tensorflow")
for word in words:
    if word.startswith("error_"):
        write("error", kind=word[6:].replace("_", "-"), version="2.10.1", detail="last words", name=options.model,
              value="7", place="net.py:3", path="net.keras", names="a, b", count=2, expected=1)
        sys.exit(1)
write("begin", stage="model")
happen("model")
layers = ["LSTM"] if "lstm" in words else []
policy = "mixed_bfloat16" if "ownpolicy" in words else options.precision
write("facts", python="3.12.1", recurrent=layers, policy=policy)
if "noted" in words:
    write("note", kind="loss-not-restored", detail="TypeError: my_loss")
write("begin", stage="trace", batch=options.batch[0])
if "layers" in words:
    """One weight of 1 MiB; 1 MiB of activations for each sample."""
    row = ["Conv2D", -1, 1 << 20, 0, 256, 1 << 19, 0, 4, False]
    write("layers", trainable=[1 << 20], state=[], input_bytes=1024, output_elements=1 << 19, rows=[row], loss="own",
          tensorflow="2.21.0", keras="3.15.1")
if "broken_layers" in words:
    write("layers", trainable=[-1], state=[], input_bytes=1024, output_elements=10, rows=[["Conv2D"]])
if "step_fails" in words:
    write("error", kind="step-fails", detail="ValueError: 3 are needed")
    sys.exit(1)
happen("trace")
for number, batch in enumerate(options.batch):
    write("begin", stage="trace", batch=batch)
    write("graph", **graph(batch))
    if options.gpu_layout:
        laid_out = graph(batch)
        laid_out["sizes"][2] += laid_out["sizes"][2] // 4
        write("graph", **dict(laid_out, layout=options.gpu_layout))
    if number == 0:
        happen("later")
    if "folder" in words:
        write("note", kind="loss-not-restored", detail=os.getcwd() + "|" + options.path)
write("done")
'''


def write_probe(folder: Path) -> Path:
    """Write the stand-in and give its path."""
    path = folder / "stand_in_probe.py"
    path.write_text(SOURCE)
    return path


def write_python(folder: Path, executable: str) -> Path:
    """Write a program that takes the place of a Python and runs the stand-in, whichever probe it is given."""
    probe = write_probe(folder)
    path = folder / "bin" / "python"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{executable}\nimport sys\nsys.argv = sys.argv[1:]\nexec(open({str(probe)!r}).read())\n")
    path.chmod(0o755)
    return path
