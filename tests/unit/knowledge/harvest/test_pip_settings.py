"""Which index pip uses, asked of a real pip and read from what other versions print."""

from __future__ import annotations

import ensurepip
import os
import stat
import venv
from pathlib import Path

import pytest

from gpuconfig_app.knowledge.harvest.pip_settings import (
    default_index,
    parse_listing,
    read_pip_settings,
    settings_of,
    without_credentials,
)
from gpuconfig_app.knowledge.harvest.trouble import RefreshError

LISTING = """\
:env:.find-links='/opt/files other'
global.cert='/etc/ssl/own.pem'
global.extra-index-url='file:///srv/one/simple\\nhttps://two.example/simple'
global.index-url='https://global.example/simple'
install.index-url='https://me:secret@install.example/simple'
download.proxy='http://proxy.example:3128'
freeze.timeout='10'
nonsense
global.bad=unquoted
"""

# As pip 23.2 and pip 26 print it; the address stands for whichever they hold.
HELP = """\
Package Index Options:
  -i, --index-url <url>       Base URL of the Python Package Index (default https://index.example/simple). This should
                              point to a repository compliant with PEP 503.
  --extra-index-url <url>     Extra URLs of package indexes, see https://other.example/docs.
"""
NEW_HELP = """\
    -i, --index-url URL
        Base URL of the Python Package Index (default https://index.example/simple/). This
        should point to ...
    --extra-index-url URL
"""


def test_what_pip_is_told_for_installing_wins_and_variables_over_all():
    values = parse_listing(LISTING)

    settings = settings_of(values, values["index-url"], {})

    assert settings.indexes == (
        "https://me:secret@install.example/simple",
        "file:///srv/one/simple",
        "https://two.example/simple",
    )
    assert settings.find_links == ("/opt/files", "other")
    assert settings.cert == "/etc/ssl/own.pem"
    assert settings.proxy == "http://proxy.example:3128"


def test_settings_do_not_show_what_may_hold_credentials():
    values = parse_listing(LISTING)

    assert "secret" not in repr(settings_of(values, values["index-url"], {}))
    assert "proxy" not in repr(settings_of(values, values["index-url"], {})).replace("client", "")
    assert without_credentials("https://me:secret@host.example:8443/a/b?token=1#x") == "https://host.example:8443/a/b"


def test_no_index_leaves_the_folders():
    settings = settings_of({"no-index": "true", "find-links": "/opt/files"}, "https://index.example/simple", {})

    assert settings.indexes == ()
    with pytest.raises(RefreshError):
        settings_of({"no-index": "1"}, "https://index.example/simple", {})


def test_certificates_of_the_network_library_are_used():
    assert settings_of({}, "https://i.example/", {"REQUESTS_CA_BUNDLE": "/own.pem"}).cert == "/own.pem"
    assert (
        settings_of({"cert": "/pip.pem"}, "https://i.example/", {"REQUESTS_CA_BUNDLE": "/own.pem"}).cert == "/pip.pem"
    )


@pytest.mark.parametrize("text", [HELP, NEW_HELP])
def test_the_default_stands_in_the_help(text):
    assert (default_index(text) or "").rstrip("/") == "https://index.example/simple"


def test_other_help_names_no_default():
    assert default_index("usage: pip") is None


def test_a_real_pip_is_asked(tmp_path, monkeypatch):
    """The settings are those of a file and a variable, the default is the one this pip was built with."""
    python = _python_with_pip(tmp_path)
    file = tmp_path / "pip.conf"
    file.write_text("[global]\nextra-index-url = https://own.example/simple\n", encoding="utf-8")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file))
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))

    settings = read_pip_settings(python)

    assert settings.find_links == (str(tmp_path),)
    assert settings.indexes[-1] == "https://own.example/simple"
    assert settings.indexes[0].startswith("https://")
    assert settings.indexes[0].rstrip("/").endswith("/simple")


def test_a_variable_takes_the_place_of_the_default(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "https://mine.example/simple")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)

    folder = Path(_python_with_pip(tmp_path)).parents[1]

    assert read_pip_settings(str(folder)).indexes == ("https://mine.example/simple",)


def test_a_python_without_pip_is_told(tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho No module named pip >&2\nexit 1\n", encoding="utf-8")
    python.chmod(python.stat().st_mode | stat.S_IXUSR)

    with pytest.raises(RefreshError) as caught:
        read_pip_settings(str(python))

    assert caught.value.message.id == "harvest.no-pip-there"


@pytest.mark.parametrize("named", ["nonsense", "~nobody-of-this-name/python", "/dev/null"])
def test_a_python_that_is_none_is_told(named):
    with pytest.raises(RefreshError) as caught:
        read_pip_settings(named)

    assert caught.value.message.id == "harvest.no-pip-there"


def test_settings_that_pip_cannot_read_are_not_taken_for_a_missing_pip(tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho Configuration file could not be loaded. >&2\nexit 3\n", encoding="utf-8")
    python.chmod(python.stat().st_mode | stat.S_IXUSR)

    with pytest.raises(RefreshError) as caught:
        read_pip_settings(str(python))

    assert caught.value.message.id == "harvest.pip-settings-broken"


@pytest.mark.parametrize("address", ["http://[bad/simple", "http://host:99999/simple"])
def test_an_address_that_is_none_is_told_without_it(address):
    with pytest.raises(RefreshError) as caught:
        settings_of({}, address, {})

    assert caught.value.message.id == "harvest.bad-address"
    assert not caught.value.message.params


def test_another_interpreter_is_asked_when_the_path_has_no_pip(tmp_path, monkeypatch):
    """As on Debian, whose python3 comes without pip."""
    bare = tmp_path / "bin" / "python3"
    bare.parent.mkdir()
    bare.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    bare.chmod(bare.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr("gpuconfig_app.knowledge.harvest.pip_settings.is_frozen", lambda: True)
    variables = {
        "PATH": str(bare.parent),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "https://mine.example/simple",
    }

    settings = read_pip_settings(others=(_python_with_pip(tmp_path),), variables=variables)

    assert settings.indexes == ("https://mine.example/simple",)
    with pytest.raises(RefreshError):
        read_pip_settings(variables=variables)


def _python_with_pip(tmp_path: Path) -> str:
    """Give an interpreter with pip: the one that runs the tests may have none, but Python brings one along."""
    folder = tmp_path / "with-pip"
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    (wheel,) = (Path(ensurepip.__file__).parent / "_bundled").glob("pip-*.whl")
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "pip.pth").write_text(f"{wheel}\n", encoding="utf-8")
    return str(python)
