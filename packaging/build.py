"""Build what people install: the one-folder bundle, and on Debian-like systems the .deb made from it.

``python packaging/build.py`` leaves ``dist/gpuconfig/`` and ``dist/gpuconfig_VERSION_ARCH.deb``; with ``--fast`` the
package is packed less tightly, for trying it out. The same sources give the same package: times inside are fixed.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINUX = ROOT / "packaging" / "linux"
DIST = ROOT / "dist"
WORK = ROOT / "build"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)


def main(arguments: list[str]) -> int:
    """Build everything this system can build; gives the exit code."""
    bundle = build_bundle()
    print(f"bundle: {bundle} ({folder_mib(bundle):.0f} MiB)")
    if sys.platform.startswith("linux") and shutil.which("dpkg-deb"):
        package = build_deb(bundle, "zstd" if "--fast" in arguments else "xz")
        print(f"package: {package} ({package.stat().st_size / 2**20:.1f} MiB)")
    return 0


def version() -> str:
    """Give the product's version without importing it."""
    found = re.search(
        r'^__version__ = "([^"]+)"', (ROOT / "gpuconfig_app" / "__init__.py").read_text("utf-8"), re.MULTILINE
    )
    if found is None:
        raise SystemExit("gpuconfig_app/__init__.py names no version")
    return found.group(1)


def source_time() -> int:
    """Give the time of the sources (last commit, or ``SOURCE_DATE_EPOCH``), in seconds since the epoch."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    told = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(told.stdout) if told.returncode == 0 and told.stdout.strip() else 1_767_225_600  # 2026-01-01


def build_bundle() -> Path:
    """Freeze the program; gives its folder."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    places = ["--distpath", str(DIST), "--workpath", str(WORK), str(ROOT / "packaging" / "gpuconfig.spec")]
    environment = os.environ | {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(source_time())}
    subprocess.run([*command, *places], cwd=ROOT, env=environment, check=True)
    bundle = DIST / "gpuconfig"
    if sys.platform.startswith("linux"):
        shrink(bundle)
    return bundle


def shrink(bundle: Path) -> None:
    """Take the symbol tables out of Python itself; Qt's and NumPy's libraries do not survive that."""
    internal = bundle / "_internal"
    libraries = [*internal.glob("libpython*.so*"), *internal.glob("python3*/lib-dynload/*.so")]
    for library in libraries:
        if not library.is_symlink():
            subprocess.run(["strip", "--strip-unneeded", str(library)], check=True)


def build_deb(bundle: Path, compression: str) -> Path:
    """Make a Debian package of the bundle; gives its path."""
    architecture = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    tree = WORK / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    lay_out(tree, bundle)
    control = tree / "DEBIAN"
    control.mkdir()
    (control / "control").write_text(control_text(architecture, folder_mib(tree)), encoding="utf-8")
    (control / "md5sums").write_text(checksums(tree), encoding="utf-8")
    settle(tree, source_time())
    package = DIST / f"gpuconfig_{version()}_{architecture}.deb"
    options = ["--root-owner-group", f"-Z{compression}", "--uniform-compression"]
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(source_time())}
    subprocess.run(["dpkg-deb", *options, "--build", str(tree), str(package)], env=environment, check=True)
    return package


def lay_out(tree: Path, bundle: Path) -> None:
    """Put every file where it will be after the installation."""
    shutil.copytree(bundle, tree / "opt" / "gpuconfig", symlinks=True)
    place(tree / "usr" / "bin").joinpath("gpuconfig").symlink_to("../../opt/gpuconfig/gpuconfig")
    share = tree / "usr" / "share"
    shutil.copy(LINUX / "gpuconfig.desktop", place(share / "applications"))
    fill(LINUX / "gpuconfig.metainfo.xml", place(share / "metainfo") / "gpuconfig.metainfo.xml")
    manual = place(share / "man" / "man1") / "gpuconfig.1"
    fill(LINUX / "gpuconfig.1", manual)
    subprocess.run(["gzip", "-9n", str(manual)], check=True)
    documents = place(share / "doc" / "gpuconfig")
    shutil.copy(LINUX / "copyright", documents)
    shutil.copy(ROOT / "CHANGELOG.md", documents / "changelog")
    subprocess.run(["gzip", "-9n", str(documents / "changelog")], check=True)
    icons = ROOT / "resources" / "icons" / "app"
    shutil.copy(icons / "gpuconfig.svg", place(share / "icons" / "hicolor" / "scalable" / "apps"))
    for size in ICON_SIZES:
        folder = place(share / "icons" / "hicolor" / f"{size}x{size}" / "apps")
        shutil.copy(icons / f"gpuconfig-{size}.png", folder / "gpuconfig.png")


def place(folder: Path) -> Path:
    """Give a folder, made when needed."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def fill(source: Path, target: Path) -> None:
    """Copy a text with version and date put in."""
    date = dt.datetime.fromtimestamp(source_time(), dt.UTC).date().isoformat()
    text = source.read_text(encoding="utf-8").replace("@VERSION@", version()).replace("@DATE@", date)
    target.write_text(text, encoding="utf-8")


def control_text(architecture: str, size_mib: float) -> str:
    """Give the description that the package manager reads."""
    lines = [line.strip() for line in (LINUX / "depends.txt").read_text("utf-8").splitlines()]
    depends = ", ".join(line for line in lines if line and not line.startswith("#"))
    return (
        f"Package: gpuconfig\nVersion: {version()}\nArchitecture: {architecture}\n"
        "Maintainer: The GPUConfig authors <gpuconfig@localhost>\n"
        f"Installed-Size: {round(size_mib * 1024)}\nDepends: {depends}\n"
        "Section: science\nPriority: optional\n"
        "Description: see your GPUs and get TensorFlow training scripts tuned to them\n"
        " Shows the GPUs of a workstation, tells whether TensorFlow will use them and, when\n"
        " it will not, the one cause and one fix to copy. Live memory and utilisation\n"
        " graphs, and a wizard that writes a training script for this very hardware.\n"
        " .\n"
        " Works offline, needs no administrator rights and changes nothing by itself.\n"
    )


def checksums(tree: Path) -> str:
    """Give the list by which the package manager can prove that nothing was changed."""
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink() and path.parts)
    names = [path.relative_to(tree).as_posix() for path in files if "DEBIAN" not in path.relative_to(tree).parts]
    told = subprocess.run(["md5sum", "--", *names], cwd=tree, capture_output=True, text=True, check=True)
    return told.stdout


def settle(tree: Path, time_s: int) -> None:
    """Give every file the permissions and the time that it shall have, whatever the umask here."""
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            is_program = path.is_file() and path.name == "gpuconfig" and path.parent.name == "gpuconfig"
            path.chmod(0o755 if path.is_dir() or is_program else 0o644)
        os.utime(path, (time_s, time_s), follow_symlinks=False)


def folder_mib(folder: Path) -> float:
    """Give the size of everything in a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir()) / 2**20


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
