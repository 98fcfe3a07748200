"""What an environment holds, written down for another machine."""

from __future__ import annotations

from pathlib import Path

from gpuconfig_app.core.environment_plan import Installer
from gpuconfig_app.runner.environment_lock import lock_text, sync_command


def test_every_package_with_its_version_and_without_the_tools(tmp_path: Path) -> None:
    site = tmp_path / "lib/python3.12/site-packages"
    for name, version in (("Keras", "3.15.1"), ("absl_py", "2.5.1"), ("pip", "26.0"), ("numpy", "2.0.0")):
        info = site / f"{name}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nVersion: of the text\n", encoding="utf-8"
        )
    (site / "broken-1.dist-info").mkdir()

    assert lock_text(tmp_path) == "absl-py==2.5.1\nkeras==3.15.1\nnumpy==2.0.0\n"
    assert lock_text(tmp_path / "nothing") == ""


def test_the_line_for_the_other_machine() -> None:
    assert sync_command(Installer.UV).posix == "uv pip sync requirements.lock"
    assert sync_command(Installer.PIP).posix == "python -m pip install --no-deps --requirement requirements.lock"
