"""Start of the program: the window without a command, the command line with one.

Nothing heavy is imported here, so that the window's first paint comes early (design decision 8).
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Sequence

DEMO_MACHINE = "training-2x4090"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: Without the program's name; None takes the process's own.

    Returns:
        The exit code.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    is_window, machine = window_request(given)
    if is_window and not has_screen():
        from gpuconfig_app.cli.no_screen import tell_no_screen  # noqa: PLC0415  # only then

        return tell_no_screen()
    if is_window:
        gc.disable()  # the window does it on its own thread (ui.garbage); imports are quicker without
        from gpuconfig_app.ui.application import run_window  # noqa: PLC0415  # Qt only for the window

        return leave(run_window(machine))
    from gpuconfig_app.cli.main import main as run_command_line  # noqa: PLC0415  # not before the first paint

    return run_command_line(given, open_window_once)


def leave(code: int) -> int:
    """Give the exit code back; end the process at once when threads still run, for a driver call may hang in one.

    Such a thread can't be joined, and one that comes back while Python takes itself down makes the process crash.
    """
    if any(thread.daemon for thread in threading.enumerate() if thread is not threading.current_thread()):
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)
    return code


def window_request(arguments: Sequence[str]) -> tuple[bool, str | None]:
    """Tell whether the arguments ask for the window, and on which machine (None is this one)."""
    match list(arguments):
        case []:
            return True, None
        case ["--demo"]:
            return True, DEMO_MACHINE
        case ["--machine", name]:
            return True, name
        case [word] if word.startswith("--machine="):
            return True, word.removeprefix("--machine=")
        case _:
            return False, None


def has_screen() -> bool:
    """Tell whether there is a screen to open a window on; without one Qt ends the process with a core dump.

    A platform that the user chose for Qt counts as one.
    """
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    is_wayland = os.environ.get("XDG_SESSION_TYPE") == "wayland"
    return is_wayland or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"))


def open_window_once() -> None:
    """Open the window on a recorded machine, visit every page and close it; for the self-test.

    Without a screen it is drawn off the screen.

    Raises:
        RuntimeError: A page did not open, or Qt complained.
    """
    from gpuconfig_app.ui.self_check import open_every_page  # noqa: PLC0415  # Qt only when asked for

    open_every_page(DEMO_MACHINE, is_off_screen=not has_screen())


if __name__ == "__main__":
    sys.exit(main())
