"""English sentences for comments; a missing one leaves the comment out."""

from __future__ import annotations

from gpuconfig_app.core.messages import Message
from gpuconfig_app.scriptgen.sentences import english


def test_numbers_get_their_units() -> None:
    assert english(Message("scriptgen.below-minimum", {"minimum": 12_345})) == "At least 12,345."
    assert english(Message("core.file-too-large", {"path": "x", "limit_bytes": 1024**3})).count("1.0 GiB") == 1


def test_what_cannot_be_said_is_left_out() -> None:
    assert english(Message("nowhere.nothing")) == ""
    assert english(Message("scriptgen.nothing")) == ""
    assert english(Message("scriptgen.below-minimum")) == ""
