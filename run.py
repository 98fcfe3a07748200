"""Start GPUConfig from its checkout, or test it, on a machine with python3 and nothing else.

    python3 run.py                 makes .venv from the hashed lock file and opens the window
    python3 run.py survey --json   every other word goes to the program itself
    python3 run.py test            the tests; what follows goes to pytest
    python3 run.py lint            formatter, linter, types, import rules
    python3 run.py nightly         the tests that take longer, too
    python3 run.py bench           the benchmarks
    python3 run.py package         the bundle and the .deb, in dist/
    python3 run.py package-check   builds them and tries the .deb in a clean Debian root

Before any of these: --yes installs missing system packages without asking (as CI=true does), --without-tensorflow
leaves out the tests that train. Standard library only; packages come from wherever this machine's pip or uv is set up
to look. An old Python must still be able to read this file, so its syntax is that of Python 3.6.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn, TextIO

ROOT = Path(__file__).resolve().parent
LOCKS = ROOT / "packaging" / "locks"
OLDEST = (3, 11)
TENSORFLOW_PYTHONS = ((3, 11), (3, 12), (3, 13))  # the wheels that the tests' lock file names
# Run by a Python that has TensorFlow, which comes without types.
NEEDING_TENSORFLOW = ("built_in_models.py", "count_traffic.py")
TOOLS = ("test", "lint", "nightly", "bench", "package", "package-check")
EXIT_CANNOT = 3

# What Qt loads, and the Debian package that brings it (names are the same on Ubuntu; where a package was renamed to
# …t64 the old name is still understood). First what Qt needs at all, then what its window on X11 needs.
QT_LIBRARIES = (
    ("libGL.so.1", "libgl1"),
    ("libEGL.so.1", "libegl1"),
    ("libxkbcommon.so.0", "libxkbcommon0"),
    ("libglib-2.0.so.0", "libglib2.0-0"),
    ("libfreetype.so.6", "libfreetype6"),
    ("libfontconfig.so.1", "libfontconfig1"),
    ("libdbus-1.so.3", "libdbus-1-3"),
    ("libX11.so.6", "libx11-6"),
    ("libstdc++.so.6", "libstdc++6"),
    ("libz.so.1", "zlib1g"),
    ("libzstd.so.1", "libzstd1"),
)
WINDOW_LIBRARIES = (
    ("libxcb-cursor.so.0", "libxcb-cursor0"),
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ("libxcb-icccm.so.4", "libxcb-icccm4"),
    ("libxcb-image.so.0", "libxcb-image0"),
    ("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    ("libxcb-randr.so.0", "libxcb-randr0"),
    ("libxcb-render-util.so.0", "libxcb-render-util0"),
    ("libxcb-shape.so.0", "libxcb-shape0"),
    ("libxcb-xkb.so.1", "libxcb-xkb1"),
    ("libX11-xcb.so.1", "libx11-xcb1"),
)
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


class CannotGoOnError(Exception):
    """One sentence for the user; nothing more can be done here."""


def main(arguments: "list[str]") -> int:
    """Do what the command line says; gives the exit code."""
    options = {"--yes": os.environ.get("CI", "").lower() == "true", "--without-tensorflow": False}
    while arguments and arguments[0] in options:
        options[arguments[0]] = True
        arguments = arguments[1:]
    if arguments and arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    is_tool = bool(arguments) and arguments[0] in TOOLS
    purpose = arguments[0] if is_tool else "window" if wants_window(arguments) else "command"
    need_system_packages(purpose, may_install=options["--yes"])
    if not is_tool:
        python = need_environment(ROOT / ".venv", ("app",))
        hand_over([python, "-m", "gpuconfig_app", *arguments])
    return run_tool(arguments[0], arguments[1:], with_tensorflow=not options["--without-tensorflow"])


def wants_window(arguments: "list[str]") -> bool:
    """Whether these words for the program open its window; a command on a server needs nothing to draw with."""
    return not any(word for word in arguments if not word.startswith("-")) or arguments[0] in ("--machine", "self-test")


def run_tool(tool: str, arguments: "list[str]", *, with_tensorflow: bool) -> int:
    """Run one of the tools for people who work on the program."""
    python = need_environment(ROOT / ".venv", ("app", "dev"))
    if tool == "lint":
        return lint(python)
    if tool in ("package", "package-check"):
        code = run([python, str(ROOT / "packaging" / "build.py"), *arguments])
        if code == 0 and tool == "package-check":
            code = run([python, str(ROOT / "packaging" / "check_deb.py")])
        return code
    pytest = [python, "-m", "pytest"]
    if tool == "bench":
        return run([*pytest, "tests/benchmarks", "-m", "benchmark", *arguments])
    if with_tensorflow:
        os.environ["GPUCONFIG_TENSORFLOW_PYTHON"] = need_tensorflow()
        marks = ["-m", "not benchmark"] if tool == "nightly" else []
    else:
        marks = ["-m", "not tensorflow and not benchmark" + ("" if tool == "nightly" else " and not nightly")]
    return run([*pytest, *marks, *arguments])


def lint(python: str) -> int:
    """Check form, types and import rules; all of them, then tell."""
    binaries = Path(python).parent
    typed = [path for path in (ROOT / "packaging").glob("*.py") if path.name not in NEEDING_TENSORFLOW]
    checks = (
        [str(binaries / "ruff"), "format", "--check", "."],
        [str(binaries / "ruff"), "check", "."],
        [python, "-m", "mypy"],
        [python, "-m", "mypy", "run.py", *sorted(str(path) for path in typed)],
        [str(binaries / "lint-imports")],
    )
    return max(run(check) for check in checks)


# --- Environments ---------------------------------------------------------------------------------------------------


def need_environment(folder: Path, locks: "tuple[str, ...]", base: str = sys.executable) -> str:
    """Give the interpreter of an environment that holds what the lock files say; make or complete it when needed."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = folder / "gpuconfig-locks.txt"
    wanted = [name + " " + hashlib.sha256((LOCKS / (name + ".lock")).read_bytes()).hexdigest() for name in locks]
    present = stamp.read_text(encoding="utf-8").splitlines() if stamp.exists() and python.exists() else []
    missing = [line for line in wanted if line not in present]
    if not missing:
        return str(python)
    if not python.exists():
        make_environment(folder, base)
    for line in missing:
        install(str(python), LOCKS / (line.split()[0] + ".lock"))
    if "app" in locks:
        link_checkout(str(python))
    stale = {line.split()[0] for line in wanted}
    kept = [line for line in present if line.split()[0] not in stale]
    stamp.write_text("\n".join(kept + wanted) + "\n", encoding="utf-8")
    return str(python)


def make_environment(folder: Path, base: str) -> None:
    """Make an empty environment: with uv when it is there, else with the standard library's venv."""
    tell(f"making {folder.name} …")
    uv = shutil.which("uv")
    if uv:
        options = ["--quiet", "--clear", "--seed", "--no-python-downloads", "--python", base]
        if quiet([uv, "venv", *options, str(folder)]):
            return
    if not quiet([base, "-m", "venv", "--clear", str(folder)]):
        raise CannotGoOnError(
            f"{base} can't make an environment in {folder}. On Debian and Ubuntu the package python3-venv is needed, "
            "elsewhere a complete Python; is there room on the disk?"
        )


def install(python: str, lock: Path) -> None:
    """Install exactly what a lock file says, every file checked against its hash."""
    tell(f"installing what {lock.name} names …")
    uv = shutil.which("uv")
    exact = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", str(lock)]
    if uv and quiet([uv, "pip", "install", "--quiet", "--python", python, *exact]):
        return
    if not quiet([python, "-m", "pip", "--version"]):
        quiet([python, "-m", "ensurepip"])
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    done = subprocess.run([*pip, *exact], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        lines = done.stdout.splitlines()
        told = next((line for line in lines if "ERROR" in line), lines[-1] if lines else "nothing").strip()
        raise CannotGoOnError(
            f"The packages of {lock.name} could not be installed. pip said: {told}\nIf this machine reaches packages "
            "through a mirror or a proxy, set it in pip's own configuration (pip config); it is used as it is."
        )


def link_checkout(python: str) -> None:
    """Make the checkout importable in its environment from every folder, without any variable that children inherit."""
    code = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    folder = subprocess.run([python, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout
    Path(folder.strip(), "gpuconfig-checkout.pth").write_text(str(ROOT) + "\n", encoding="utf-8")


def need_tensorflow() -> str:
    """Give an interpreter with TensorFlow for the tests; its Python may be another than the program's."""
    bases = [sys.executable, "python3.13", "python3.12", "python3.11", "python3"]
    for base in bases:
        if version_of(base) in TENSORFLOW_PYTHONS:
            return need_environment(ROOT / ".venv-tensorflow", ("tensorflow",), shutil.which(base) or base)
    raise CannotGoOnError(
        "The tests train with real TensorFlow, whose packages exist for Python 3.11 to 3.13; none of these was found "
        "here. Install one, or leave those tests out: python3 run.py --without-tensorflow test"
    )


def version_of(python: str) -> "tuple[int, int] | None":
    """Ask an interpreter for (major, minor); None when it doesn't answer."""
    program = shutil.which(python)
    if program is None:
        return None
    try:
        told = subprocess.check_output(
            [program, "-c", "import sys; print(*sys.version_info[:2])"], stderr=subprocess.DEVNULL
        )
        major, minor = told.split()
        return int(major), int(minor)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None


# --- System packages ------------------------------------------------------------------------------------------------


def need_system_packages(purpose: str, *, may_install: bool) -> None:
    """Have what pip can't bring: Qt's system libraries, a font, and for the tools what they start.

    Shows the one line that installs what is missing and asks; installs without asking when ``may_install``.
    """
    if not sys.platform.startswith("linux"):
        return
    missing = missing_packages(purpose)
    if not missing:
        return
    names = ", ".join(sorted(what for what, _ in missing))
    if shutil.which("apt-get") is None:
        line = "\n    " + dnf_line(missing) if shutil.which("dnf") else ""
        raise CannotGoOnError(f"This system lacks: {names}. Install them and start again.{line}")
    steps = apt_steps(sorted({package for _, package in missing}))
    line = " && ".join(" ".join(step) for step in steps)
    tell(f"This system lacks: {names}. This line installs them:\n    {line}")
    if not may_install and not agrees():
        raise CannotGoOnError("Nothing was changed. Run the line above, then start again.")
    for step in steps:
        if run(step, output=sys.stderr) != 0 and step[-1] != "update":  # one unreachable source need not matter
            raise CannotGoOnError("The system packages could not be installed; the message above says why.")


def missing_packages(purpose: str) -> "list[tuple[str, str]]":
    """List (what is missing, its Debian package) for a purpose: ``window``, ``command`` or the name of a tool."""
    missing = []
    if purpose not in ("command", "lint"):
        missing += [pair for pair in QT_LIBRARIES if not can_load(pair[0])]
    if purpose in ("window", "bench", "package", "package-check"):
        missing += [pair for pair in WINDOW_LIBRARIES if not can_load(pair[0])]
    if purpose not in ("command", "lint") and not has_font():
        missing.append(("a font", "fonts-dejavu-core"))
    if not shutil.which("uv") and not has_venv():
        missing.append(("Python's venv module", f"python3.{sys.version_info[1]}-venv"))
    programs = []
    if purpose in ("test", "nightly", "bench"):
        programs += [("cc", "gcc"), ("cc", "libc6-dev")]
    if purpose in ("package", "package-check"):
        programs += [("objdump", "binutils"), ("dpkg-deb", "dpkg")]
        programs += [("desktop-file-validate", "desktop-file-utils"), ("appstreamcli", "appstream")]
    if purpose == "package-check":
        programs += [("mmdebstrap", "mmdebstrap"), ("unshare", "util-linux")]
    return missing + [pair for pair in programs if shutil.which(pair[0]) is None]


def can_load(name: str) -> bool:
    """Whether the system's loader finds a library."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def has_font() -> bool:
    """Whether there is any font that Qt can draw with."""
    for folder in FONT_FOLDERS:
        for _, _, files in os.walk(os.path.expanduser(folder)):  # noqa: PTH111  # os.walk takes text
            if any(name.lower().endswith((".ttf", ".otf", ".ttc")) for name in files):
                return True
    return False


def has_venv() -> bool:
    """Whether this Python can make environments; Debian ships the two modules in a package of their own."""
    return quiet([sys.executable, "-c", "import venv, ensurepip"])


def apt_steps(packages: "list[str]") -> "list[list[str]]":
    """Give the commands that install Debian packages, with sudo where it is needed."""
    sudo = ["sudo"] if hasattr(os, "geteuid") and os.geteuid() != 0 else []
    install_step = [*sudo, "apt-get", "install", "--yes", "--no-install-recommends", *packages]
    return [[*sudo, "apt-get", "update"], install_step]


def dnf_line(missing: "list[tuple[str, str]]") -> str:
    """Give the line for Fedora and its kin, whose packages are found by the library they bring."""
    return "sudo dnf install " + " ".join(
        f"'{what}()(64bit)'" if ".so." in what else package for what, package in missing
    )


def agrees() -> bool:
    """Ask on the terminal; no terminal means no."""
    if not sys.stdin.isatty():
        return False
    return input("Run it now? [y/N] ").strip().lower() in ("y", "yes")


# --- Small things ---------------------------------------------------------------------------------------------------


def run(command: "list[str]", output: "TextIO | None" = None) -> int:
    """Run a command in the checkout, its output shown (on ``output`` when given); gives its exit code."""
    try:
        return subprocess.call(command, cwd=str(ROOT), stdout=output)
    except OSError as error:
        tell(f"{command[0]}: {error}")
        return EXIT_CANNOT


def quiet(command: "list[str]") -> bool:
    """Run a command without showing its output; whether it went well."""
    try:
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def hand_over(command: "list[str]") -> NoReturn:
    """Become the program, in the folder the user stands in."""
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)  # noqa: S606  # the words are ours and the user's, no shell


def tell(text: str) -> None:
    """Say something that is not the program's output."""
    print(text, file=sys.stderr, flush=True)


def find_newer_python() -> "str | None":
    """Give a Python on this machine that is new enough, None when there is none."""
    for minor in (14, 13, 12, 11):
        name = f"python3.{minor}"
        version = version_of(name)
        if version is not None and version >= OLDEST:
            return shutil.which(name)
    return None


if __name__ == "__main__":
    if sys.version_info < OLDEST:
        newer = find_newer_python()
        if newer is None:
            sys.exit(
                f"GPUConfig needs Python 3.11 or newer; this is {sys.version_info[0]}.{sys.version_info[1]}. Install a "
                "newer one and start run.py with it."
            )
        sys.exit(subprocess.call([newer, str(ROOT / "run.py"), *sys.argv[1:]]))
    try:
        sys.exit(main(sys.argv[1:]))
    except CannotGoOnError as error:
        tell(str(error))
        sys.exit(EXIT_CANNOT)
    except KeyboardInterrupt:
        sys.exit(130)
