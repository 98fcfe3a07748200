"""Try the .deb as a newcomer gets it: in a clean Debian, with nothing else installed.

``python packaging/check_deb.py`` makes a minimal Debian root, installs the newest package of ``dist/`` there, asks the
loader about every library *before* anything else is installed, runs the self-test off the screen, then opens the
window under Xvfb, takes a picture of it, removes the program and looks for what it left behind.

Needs root (for the root folder's owners and devices) and mmdebstrap. Nothing of this machine is mounted into the
root: its ``/dev`` is the static one that mmdebstrap makes, its ``/proc`` lives in a mount namespace of its own and
vanishes with the process; the folder is removed without crossing into other file systems.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from xwd import Picture, read_screen, write_png

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
SUITE = "bookworm"
USER = "newcomer"
SCREEN_LIMIT_S = 90
LOADING_S = 8  # the shell is drawn at once, the machine a moment later
STEP_LIMIT_S = 900
FEWEST_COLOURS = 40
PATCH_BYTES = 3 * 16
# What apt and the loader keep for themselves after a removal.
KEPT_BY_THE_SYSTEM = ("/etc/ld.so.cache", "/etc/mailcap", "/etc/.pwd.lock", "/usr/share/mime", "/usr/local")


class CheckFailedError(Exception):
    """What did not hold, in one sentence."""


def main() -> int:
    """Run the check; gives the exit code."""
    reason = why_not_here()
    if reason:
        print(f"The package was not tried: {reason}", file=sys.stderr)
        return 3
    packages = sorted(DIST.glob("gpuconfig_*.deb"), key=lambda path: path.stat().st_mtime)
    if not packages:
        print("There is no package in dist/; packaging/build.py makes it.", file=sys.stderr)
        return 3
    try:
        with clean_root() as root:
            check(root, packages[-1])
    except (CheckFailedError, subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    print("The package installs, starts, passes its self-test and leaves nothing behind.")
    return 0


def why_not_here() -> str | None:
    """Tell what is missing here, None when nothing is."""
    if not sys.platform.startswith("linux"):
        return "a Debian package can only be tried on Linux."
    if os.geteuid() != 0:
        return "making a Debian root needs root (its files belong to root and it has device nodes)."
    missing = [name for name in ("mmdebstrap", "unshare", "tar", "chroot") if shutil.which(name) is None]
    return f"missing: {', '.join(missing)}." if missing else None


def check(root: Path, package: Path) -> None:
    """Everything, in the order in which a newcomer would meet it."""
    inside(root, ["apt-get", "-qq", "update"])
    inside(root, ["useradd", "--create-home", USER])
    before = files_of(root)

    step("install")
    shutil.copy(package, root / "tmp" / package.name)
    inside(root, [*APT_INSTALL, f"/tmp/{package.name}"])  # noqa: S108  # of the root, where nobody else is
    step("libraries, before anything else is installed")
    check_libraries(root)
    step("command line and self-test, off the screen")
    as_user(root, ["gpuconfig", "--help"])
    as_user(root, ["gpuconfig", "survey", "--json"])
    as_user(root, ["gpuconfig", "self-test"], QT_QPA_PLATFORM="offscreen")

    step("window under Xvfb")
    inside(root, [*APT_INSTALL, "xvfb"])
    picture = picture_of_the_window(root)
    target = DIST / f"window-{SUITE}.png"
    write_png(picture, target)
    print(f"  {target} ({picture.colour_count()} colours)")

    step("removal")
    inside(root, ["apt-get", "-qq", "purge", "--yes", "--autoremove", "gpuconfig", "xvfb"])
    check_nothing_is_left(root, before)


APT_INSTALL = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends"]


def check_libraries(root: Path) -> None:
    """Ask the loader about every library and program of the package, with the search path that the program sets.

    Raises:
        CheckFailedError: One of them needs a library that is not there.
    """
    look_up = 'LD_LIBRARY_PATH=/opt/gpuconfig/_internal ldd "$file" 2>/dev/null | grep "not found" | sed "s|^|$file |"'
    script = (
        "cd /opt/gpuconfig && find . -type f \\( -name '*.so*' -o -name gpuconfig \\) | "
        f"while read -r file; do {look_up}; done; "
        'find . -xtype l | sed "s|$| dangling|"'
    )
    lacking = [line for line in inside(root, ["sh", "-c", script]).splitlines() if line.strip()]
    if lacking:
        raise CheckFailedError("libraries are missing:\n  " + "\n  ".join(sorted(set(lacking))))


def picture_of_the_window(root: Path) -> Picture:
    """Start the demo on a virtual screen and wait until the window is drawn.

    Raises:
        CheckFailedError: The program ended, or nothing was drawn in time.
    """
    screen = root / "tmp" / "screen"
    screen.mkdir(mode=0o777)
    screen.chmod(0o777)
    script = (
        "Xvfb :99 -screen 0 1280x800x24 -fbdir /tmp/screen -nolisten tcp >/tmp/screen/xvfb.log 2>&1 & "
        "for try in $(seq 100); do [ -e /tmp/.X11-unix/X99 ] && break; sleep 0.1; done; "
        "export DISPLAY=:99 GPUCONFIG_HOME=/tmp/screen/home; "
        "gpuconfig --demo >/tmp/screen/app.log 2>&1; echo $? >/tmp/screen/ended"
    )
    process = subprocess.Popen(
        command_inside(root, script_as_user(script), is_offline=True), cwd="/", start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        return wait_for_window(screen)
    finally:
        process.kill()  # unshare ignores polite signals; --kill-child then ends all that lives in its process namespace
        process.wait(30)


def wait_for_window(screen: Path) -> Picture:
    """Give the first picture that does not change any more and is more than an empty screen."""
    last: Picture | None = None
    start = time.monotonic()
    end = start + SCREEN_LIMIT_S
    while time.monotonic() < end:
        if (screen / "ended").exists():
            raise CheckFailedError(
                "the window closed by itself:\n" + (screen / "app.log").read_text("utf-8", "replace")
            )
        time.sleep(1.0)
        with contextlib.suppress(ValueError, FileNotFoundError):
            now = read_screen(screen / "Xvfb_screen0")
            is_drawn = now.colour_count() >= FEWEST_COLOURS and time.monotonic() - start > LOADING_S
            if is_drawn and last is not None and is_settled(last, now):
                return now
            last = now
    if last is not None:
        write_png(last, DIST / f"window-{SUITE}.png")
    log = screen / "app.log"
    told = log.read_text("utf-8", "replace") if log.exists() else ""
    raise CheckFailedError(f"no window was drawn, or it did not come to rest (picture in dist/): {told}")


def is_settled(before: Picture, now: Picture) -> bool:
    """Whether less than a tenth of the picture changed: live graphs go on moving, a page that loads changes more."""
    changed = total = 0
    for old, new in zip(before.rows, now.rows, strict=True):
        for at in range(0, len(new), PATCH_BYTES):
            total += 1
            changed += old[at : at + PATCH_BYTES] != new[at : at + PATCH_BYTES]
    return changed < total / 10


def check_nothing_is_left(root: Path, before: set[str]) -> None:
    """Compare the root with how it was before the installation.

    Raises:
        CheckFailedError: There are files that were not there.
    """
    left = sorted(path for path in files_of(root) - before if not path.startswith(KEPT_BY_THE_SYSTEM))
    if left:
        raise CheckFailedError("left behind after the removal:\n  " + "\n  ".join(left[:40]))


def files_of(root: Path) -> set[str]:
    """Give every path that programs are installed to."""
    found = set()
    for top in ("etc", "opt", "usr"):
        for folder, names, files in os.walk(root / top):
            found |= {str(Path(folder, name).relative_to(root)) for name in (*names, *files)}
    return {f"/{path}" for path in found}


# --- The root --------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def clean_root() -> Iterator[Path]:
    """Unpack a minimal Debian into a folder of its own, and remove it afterwards."""
    archive = root_archive()
    folder = Path(tempfile.mkdtemp(prefix="gpuconfig-root-"))
    try:
        subprocess.run(["tar", "--numeric-owner", "-xpf", str(archive), "-C", str(folder)], check=True)
        shutil.copy("/etc/resolv.conf", folder / "etc" / "resolv.conf")
        (folder / "etc" / "apt" / "apt.conf.d" / "99host").write_text(host_apt_settings(), encoding="utf-8")
        folder.chmod(0o755)
        yield folder
    finally:
        subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=True)


def root_archive() -> Path:
    """Give the archive of a minimal Debian, made once a month and kept in the user's cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gpuconfig-check"
    archive = cache / f"{SUITE}-{time.strftime('%Y-%m')}.tar"
    if archive.exists():
        return archive
    step(f"making a minimal Debian {SUITE} (kept in {cache})")
    cache.mkdir(parents=True, exist_ok=True)
    unfinished = archive.with_suffix(".part.tar")
    command = ["mmdebstrap", "--quiet", "--variant=minbase", SUITE, str(unfinished), *host_sources()]
    subprocess.run(command, check=True)
    unfinished.replace(archive)
    return archive


def host_sources() -> list[str]:
    """Give this machine's own list of Debian's package sources, when it is the same Debian."""
    folder = Path("/etc/apt")
    for path in (folder / "sources.list.d" / "debian.sources", folder / "sources.list"):
        if path.exists() and SUITE in path.read_text(encoding="utf-8"):
            return [str(path)]
    return []


def host_apt_settings() -> str:
    """Give how this machine reaches package sources (a proxy), in the words of apt."""
    told = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=False)
    return "".join(f"{line}\n" for line in told.stdout.splitlines() if "::Proxy" in line)


# --- Programs inside -------------------------------------------------------------------------------------------------


def command_inside(root: Path, command: list[str], *, is_offline: bool = False, **variables: str) -> list[str]:
    """Give the command line that runs a program in the root, in mount and process namespaces of its own.

    Args:
        is_offline: In a network of its own, too: the program must work without one, and screens of this machine's
            other X servers can't be mistaken for its own.
    """
    own = ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--root={root}", "--mount-proc"]
    own += ["--net"] if is_offline else []
    clean = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8"}
    clean["DEBIAN_FRONTEND"] = "noninteractive"
    words = [f"{name}={value}" for name, value in (clean | variables).items()]
    return [*own, "env", "-i", *words, *command]


def inside(root: Path, command: list[str], *, is_offline: bool = False) -> str:
    """Run a program in the root and give what it printed.

    Raises:
        CheckFailedError: It failed; with its last lines.
    """
    done = subprocess.run(
        command_inside(root, command, is_offline=is_offline),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        text=True, errors="replace", check=False, cwd="/", timeout=STEP_LIMIT_S,
    )  # fmt: skip
    if done.returncode != 0:
        last = "\n  ".join(done.stdout.splitlines()[-25:])
        raise CheckFailedError(f"{' '.join(command)} ended with {done.returncode}:\n  {last}")
    return done.stdout


def as_user(root: Path, command: list[str], **variables: str) -> str:
    """Run a program in the root as an ordinary user, without a network."""
    words = [f"{name}={value}" for name, value in variables.items()]
    return inside(root, ["runuser", "-u", USER, "--", "env", f"HOME=/home/{USER}", *words, *command], is_offline=True)


def script_as_user(script: str) -> list[str]:
    """Give the command that runs a shell script as an ordinary user."""
    return ["runuser", "-u", USER, "--", "env", f"HOME=/home/{USER}", "sh", "-c", script]


def step(text: str) -> None:
    """Say what comes next."""
    print(f"- {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
