"""Whether index, wheel folder and lock file hold what is wanted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gpuconfig_app.core.environment_plan import CheckState, EnvironmentOrder, PackageSize, PlanCheck
from gpuconfig_app.core.errors import GpuConfigError, UsageError
from gpuconfig_app.runner.environment_index import (
    ask_pip,
    is_index_address,
    read_lock,
    resolved_check,
    source_options,
    wheelhouse_check,
)
from gpuconfig_app.runner.environment_sizes import Resolved
from tests.fakes import write_program

HAS = """print("tensorflow (2.21.0)"); print("Available versions: 2.21.0, 2.20.0, 2.19.1")"""
FAILS = """import sys; print({!r}, file=sys.stderr); sys.exit(1)"""


def ask(tmp_path: Path, source: str, version: str = "2.21.0") -> PlanCheck:
    return ask_pip(str(write_program(tmp_path, "python3", source)), version, (), dict(os.environ))


@pytest.mark.parametrize(
    ("source", "version", "state", "sentence"),
    [
        (HAS, "2.20.0", CheckState.GOOD, "index-has"),
        (HAS, "2.2", CheckState.BAD, "index-lacks"),
        (FAILS.format("ERROR: No matching distribution found for tensorflow"), "2.21.0", CheckState.BAD, "index-empty"),
        (
            FAILS.format("NewConnectionError: refused\nERROR: No matching distribution found for tensorflow"),
            "2.21.0", CheckState.BAD, "index-silent",
        ),
        (
            "print('An error occurred during configuration: option timeout'); raise SystemExit(3)",
            "2.21.0", CheckState.BAD, "index-settings",
        ),
        (FAILS.format('ERROR: unknown command "index"'), "2.21.0", CheckState.UNKNOWN, "index-not-asked"),
    ],
)  # fmt: skip
def test_pip_is_asked(source: str, version: str, state: CheckState, sentence: str, tmp_path: Path) -> None:
    check = ask(tmp_path, source, version)

    assert (check.state, check.text.id) == (state, f"environment.{sentence}")


def test_an_index_that_never_answers_is_bad_and_nothing_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuconfig_app.runner.environment_index.ASK_LIMIT_S", 0.3)

    assert ask(tmp_path, "import time; time.sleep(60)").text.id == "environment.index-silent"


def test_a_password_in_an_answer_is_not_shown(tmp_path: Path) -> None:
    check = ask(tmp_path, FAILS.format("ERROR: connection to https://anna:secret@example.org refused"))

    assert "secret" not in str(check.text.params)


def test_uvs_answer_is_said() -> None:
    good = resolved_check("2.21.0", Resolved(packages=(PackageSize(name="tensorflow"),)))
    network = resolved_check("2.21.0", Resolved(problem="error: dns error"))
    clash = resolved_check("2.21.0", Resolved(problem="  × No solution found when resolving dependencies"))

    assert good.state is CheckState.GOOD
    assert network.text.id == "environment.index-silent"
    assert clash.text.id == "environment.index-no-solution"


def test_a_folder_of_wheels_must_hold_the_release() -> None:
    wheels = (PackageSize(name="tensorflow", version="2.20.0"), PackageSize(name="numpy", version="2.0.0"))

    assert wheelhouse_check("2.20.0", wheels).state is CheckState.GOOD
    assert wheelhouse_check("2.21.0", wheels).text.params == {"version": "2.21.0", "held": "2.20.0"}
    assert wheelhouse_check("2.21.0", ()).state is CheckState.BAD
    assert wheelhouse_check("2.21.0", wheels[1:]).text.id == "environment.folder-without"


def test_a_lock_file_tells_its_release_and_whether_it_is_hashed(tmp_path: Path) -> None:
    plain, hashed, half = (tmp_path / name for name in ("plain", "hashed", "half"))
    plain.write_text("# made\nnumpy==2.0.0\nTensorFlow[and-cuda]==2.21.0 ; python_version > '3'\n", encoding="utf-8")
    hashed.write_text("tensorflow==2.20.0 \\\n    --hash=sha256:00\nsix==1.0 --hash=sha256:11\n", encoding="utf-8")
    half.write_text("tensorflow==2.20.0 --hash=sha256:00\nsix==1.0\n", encoding="utf-8")

    assert read_lock(plain) == ("2.21.0", False)
    assert read_lock(hashed) == ("2.20.0", True)
    assert read_lock(half) == ("2.20.0", False)


def test_a_lock_file_without_tensorflow_or_not_there_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "none").write_text("numpy==2.0.0\ntensorflow>=2\n", encoding="utf-8")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00\x01")

    with pytest.raises(UsageError):
        read_lock(tmp_path / "none")
    for name in ("gone", "bytes"):
        with pytest.raises(GpuConfigError):
            read_lock(tmp_path / name)


def test_the_true_address_goes_to_the_installer_only() -> None:
    order = EnvironmentOrder(index_url="https://anna:secret@example.org/simple")

    assert source_options(order) == ("--index-url=https://anna:secret@example.org/simple",)
    assert source_options(EnvironmentOrder(wheelhouse="/w")) == ("--no-index", "--find-links=/w")
    assert source_options(EnvironmentOrder()) == ()


def test_pips_words_for_a_broken_connection_are_shown_without_its_objects(tmp_path: Path) -> None:
    said = (
        "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError("
        "'<pip._vendor.urllib3.connection.HTTPConnection object at 0x7f34>: Failed to establish a new connection: "
        "[Errno 111] Connection refused')': /simple/tensorflow/"
    )

    check = ask(tmp_path, FAILS.format(said))

    assert check.text.params == {"detail": "Failed to establish a new connection: [Errno 111] Connection refused"}


@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "folder"])
def test_what_is_no_ordinary_file_is_no_lock_and_is_never_read(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()

    with pytest.raises(UsageError) as raised:
        read_lock(tmp_path / name)

    assert raised.value.message.id == "environment.lock-no-file"


def test_a_lock_that_an_older_powershell_wrote_is_named_as_that(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("tensorflow==2.21.0\n", encoding="utf-16")

    with pytest.raises(UsageError) as raised:
        read_lock(tmp_path / "lock")

    assert raised.value.message.id == "environment.lock-utf16"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("https://example.org/simple", True),
        ("http://me:secret@[::1]:8080/simple", True),
        ("file:///srv/simple", True),
        ("nonsense", False),
        ("", False),
        ("http://", False),
        ("http://[bad/simple", False),
        ("http://127.0.0.1:99999/simple", False),
        ("http://a\nb/simple", False),
        ("ftp://example.org/simple", False),
        ("--extra-index-url=http://example.org", False),
    ],
)
def test_only_an_address_is_taken_for_an_index(text: str, is_one: bool) -> None:
    assert is_index_address(text) is is_one
