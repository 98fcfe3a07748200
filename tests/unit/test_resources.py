"""Data files are found in a checkout, in an installed wheel and in a frozen bundle."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from gpuconfig_app import resources
from gpuconfig_app.resources import is_frozen, resource_path, resource_root
from tests.source_files import PACKAGE, ROOT


@pytest.fixture(autouse=True)
def fresh_answer() -> Iterator[None]:
    """Forget the folder found by another test."""
    resource_root.cache_clear()
    yield
    resource_root.cache_clear()


def test_a_checkout_has_them_beside_the_package() -> None:
    assert resource_root() == ROOT / "resources"
    assert resource_path("text", "core.toml").is_file()


def test_an_installed_wheel_has_them_inside(tmp_path) -> None:
    installed = _copy(tmp_path / "site-packages" / "gpuconfig_app")
    (tmp_path / "site-packages" / "gpuconfig_app" / "_resources" / "text").mkdir(parents=True)
    (tmp_path / "site-packages" / "resources" / "text").mkdir(parents=True)

    assert installed.resource_root() == tmp_path / "site-packages" / "gpuconfig_app" / "_resources"


def test_a_bundle_has_them_where_it_was_unpacked(tmp_path, monkeypatch) -> None:
    (tmp_path / "gpuconfig_app" / "_resources" / "knowledge").mkdir(parents=True)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    monkeypatch.setattr(resources.sys, "frozen", True, raising=False)

    assert resource_root() == tmp_path / "gpuconfig_app" / "_resources"
    assert is_frozen()


def test_an_incomplete_installation_says_so(tmp_path) -> None:
    installed = _copy(tmp_path / "gpuconfig_app")

    with pytest.raises(FileNotFoundError, match="data files"):
        installed.resource_root()


def test_this_is_not_a_bundle() -> None:
    assert not is_frozen()


def _copy(package: Path) -> ModuleType:
    """Give the module as if it were installed elsewhere."""
    package.mkdir(parents=True)
    shutil.copy(PACKAGE / "resources.py", package)
    spec = importlib.util.spec_from_file_location("installed_resources", package / "resources.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
