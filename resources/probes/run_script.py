"""Watch over one training script: start it, end it when asked, and write down how it ended.

Run by the same Python that runs the script. It outlives the window that started it, so a training can be found again
and its exit code is never lost. Standard library only, Python 3.7 syntax.

    python run_script.py --folder RUN [--time-limit S] [--grace S] [--parent PID] -- SCRIPT [ARGUMENT ...]

In the folder RUN it writes ``process.json`` (pid of the script) and ``exit.json`` (exit code, reason, peak memory).
When a file ``stop.json`` appears there ({"grace_s": 10}), or the time limit is reached, or the parent is gone, the
script gets SIGTERM, and after the grace time it and everything it started is ended by force.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time

RESERVED_BYTES = 4096
LOOK_EVERY_S = 0.2
IS_POSIX = os.name == "posix"


def main():
    options = parse(sys.argv[1:])
    exit_file = os.path.join(options.folder, "exit.json")
    reserve(exit_file)
    adopt_orphans()
    started = time.monotonic()
    try:
        child = start(options.command)
    except OSError as error:
        write_exit(exit_file, {"exit_code": None, "reason": "not_started", "detail": str(error), "ended_at": time.time()})
        return 127
    write_json(
        os.path.join(options.folder, "process.json"),
        {"pid": child.pid, "watcher": os.getpid(), "started_at": time.time()},
    )
    forward_signals(child)
    reason = watch(child, options, started)
    if options.parent:
        end_tree(child)  # a test run leaves nothing behind
    code = child.returncode
    write_exit(
        exit_file,
        {
            "exit_code": code,
            "reason": reason,
            "ended_at": time.time(),
            "duration_s": time.monotonic() - started,
            "peak_host_bytes": peak_host_bytes(),
            "disk_free_bytes": shutil.disk_usage(options.folder).free,
        },
    )
    return code if code >= 0 else 128 - code


def parse(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", required=True)
    parser.add_argument("--time-limit", type=float, default=0.0)
    parser.add_argument("--grace", type=float, default=10.0)
    parser.add_argument("--parent", type=int, default=0)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args(words)
    if options.command[:1] == ["--"]:
        options.command = options.command[1:]
    if not options.command:
        parser.error("no script")
    return options


def start(command):
    """Start the script in a group of its own, so that its group can be ended without us."""
    more = {"start_new_session": True} if IS_POSIX else {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return subprocess.Popen([sys.executable] + command, stdin=subprocess.DEVNULL, **more)


def watch(child, options, started):
    """Wait for the script; give why it ended: ended, stopped, time_limit or parent_gone."""
    stop_file = os.path.join(options.folder, "stop.json")
    while True:
        try:
            child.wait(LOOK_EVERY_S)
            return "stopped" if os.path.exists(stop_file) else "ended"
        except subprocess.TimeoutExpired:
            pass
        if os.path.exists(stop_file):
            end(child, read_grace(stop_file, options.grace))
            return "stopped"
        if options.time_limit and time.monotonic() - started >= options.time_limit:
            end(child, options.grace)
            return "time_limit"
        if options.parent and not is_running(options.parent):
            end(child, min(options.grace, 5.0))
            return "parent_gone"


def end(child, grace):
    """Ask the script to end, wait, then end everything it started by force."""
    if IS_POSIX:
        ask(child, signal.SIGTERM)
    else:
        ask(child, signal.CTRL_BREAK_EVENT)
    try:
        child.wait(max(grace, 0.0))
    except subprocess.TimeoutExpired:
        pass
    end_tree(child)
    child.wait()


def ask(child, number):
    try:
        child.send_signal(number)
    except OSError:
        pass  # it has just ended


def end_tree(child):
    """End the script and all its descendants, also those that left its group or ignore SIGTERM."""
    if not IS_POSIX:
        subprocess.call(
            ["taskkill", "/F", "/T", "/PID", str(child.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        return
    for _ in range(20):  # a descendant may start another one while we look
        alive = [pid for pid in descendants(os.getpid()) if pid != os.getpid()]
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except OSError:
            pass
        for pid in alive:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        reap(child)
        if not alive:
            return
        time.sleep(0.02)


def reap(child):
    """Collect ended orphans that were handed to us; the script itself stays with its Popen object."""
    child.poll()
    for pid in descendants(os.getpid()):
        if pid != child.pid:
            try:
                os.waitpid(pid, os.WNOHANG)
            except OSError:
                pass  # a grandchild, its own parent collects it


def descendants(root):
    """Give the pids of all living descendants of a process, without starting a program where /proc exists."""
    parents = parents_from_proc() if os.path.isdir("/proc/self") else parents_from_ps()
    found, level = [], {root}
    while level:
        level = {pid for pid, parent in parents.items() if parent in level and pid not in found}
        found.extend(level)
    return found


def parents_from_proc():
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, "rb") as file:
                    state, parent = file.read().rpartition(b")")[2].split()[:2]
            except (OSError, ValueError):
                continue
            if state != b"Z" or int(parent) == os.getpid():
                parents[int(name)] = int(parent)
    return parents


def parents_from_ps():
    parents = {}
    ps = subprocess.Popen(["ps", "-axo", "pid=,ppid="], stdout=subprocess.PIPE)
    for line in ps.communicate()[0].splitlines():
        words = line.split()
        if len(words) == 2 and int(words[0]) != ps.pid:
            parents[int(words[0])] = int(words[1])
    return parents


def adopt_orphans():
    """On Linux let descendants whose parent ends become our children, so that none can hide from end_tree()."""
    if sys.platform.startswith("linux"):
        try:
            import ctypes

            ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER, linux/prctl.h
        except (ImportError, OSError, AttributeError):
            pass


def forward_signals(child):
    """Pass on what the system or a batch queue tells us, so that the script can save and end."""
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is not None:
            signal.signal(number, lambda got, frame: ask(child, got if IS_POSIX else signal.CTRL_BREAK_EVENT))


def is_running(pid):
    """Tell whether the parent that started us is still there."""
    if IS_POSIX:
        return os.getppid() == pid
    import ctypes

    kernel = ctypes.windll.kernel32
    handle = kernel.OpenProcess(0x00100000, False, pid)  # SYNCHRONIZE
    if not handle:
        return False
    try:
        return kernel.WaitForSingleObject(handle, 0) == 0x102  # WAIT_TIMEOUT: not ended yet
    finally:
        kernel.CloseHandle(handle)


def peak_host_bytes():
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def read_grace(stop_file, default):
    try:
        with open(stop_file, encoding="utf-8") as file:
            return float(json.load(file).get("grace_s", default))
    except (OSError, ValueError, AttributeError):
        return default


def reserve(path):
    """Take the room for the exit file now, so that a disk that fills up meanwhile can't lose the exit code."""
    with open(path, "wb") as file:
        file.write(b"{}".ljust(RESERVED_BYTES))
        file.flush()
        os.fsync(file.fileno())


def write_exit(path, values):
    raw = json.dumps(values).encode("utf-8")[:RESERVED_BYTES]
    with open(path, "r+b") as file:
        file.write(raw.ljust(RESERVED_BYTES))
        file.flush()
        os.fsync(file.fileno())


def write_json(path, values):
    try:
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(values, file)
        os.replace(path + ".new", path)
    except OSError:
        pass  # disk full: only the number of the script's process is then missing


if __name__ == "__main__":
    sys.exit(main())
