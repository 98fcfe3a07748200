"""Everything that goes wrong lands in one file, and a program without that file goes on."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
from collections.abc import Iterator

import pytest

from gpuconfig_app.storage.log import start_log
from gpuconfig_app.storage.places import user_places


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Give the process its logging, its hook and its fault handler back."""
    root, hook, last = logging.getLogger(), sys.excepthook, logging.lastResort
    level, handlers = root.level, list(root.handlers)
    yield
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    sys.excepthook = hook
    logging.lastResort = last
    if faulthandler.is_enabled():
        faulthandler.disable()
        faulthandler.enable()


def test_warnings_reach_the_file() -> None:
    path = start_log(user_places())

    logging.getLogger("gpuconfig_app.test").warning("card %s fell silent", 3)

    assert path is not None
    assert "WARNING gpuconfig_app.test: card 3 fell silent" in path.read_text("utf-8")


def test_a_name_that_is_no_text_reaches_the_file_too(capsys) -> None:
    path = start_log(user_places())

    logging.getLogger("gpuconfig_app.test").warning("cannot read %s", os.fsdecode(b"\xff\xfe.json"))

    assert path is not None
    assert "cannot read \\udcff\\udcfe.json" in path.read_text("utf-8")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("is_verbose", "is_there"), [(False, False), (True, True)])
def test_raw_readings_only_when_asked_for(is_verbose, is_there) -> None:
    path = start_log(user_places(), is_verbose=is_verbose)
    logging.getLogger("gpuconfig_app.test").debug("raw reading")
    logging.getLogger("gpuconfig_app.test").info("step")

    assert path is not None
    assert ("raw reading" in path.read_text("utf-8")) is is_there


def test_uncaught_errors_reach_the_file(expected_log_errors) -> None:
    expected_log_errors("uncaught error")
    path = start_log(user_places())

    error = ValueError("of all things")
    sys.excepthook(type(error), error, None)

    assert path is not None
    text = path.read_text("utf-8")
    assert "CRITICAL" in text
    assert "ValueError: of all things" in text


def test_a_log_that_cannot_be_opened_stops_nothing(tmp_path, monkeypatch) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    monkeypatch.setenv("GPUCONFIG_HOME", str(tmp_path / "file"))

    assert start_log(user_places()) is None
