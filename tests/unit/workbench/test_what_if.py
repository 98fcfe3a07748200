"""What would be: an open machine with changes, one that is not here, and what can't be understood."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.finding import Proven, Verdict
from gpuconfig_app.workbench.what_if import what_if, what_if_choices
from tests.unit.compat.logs import recorded


def test_newer_driver_makes_an_old_server_ready() -> None:
    answer = what_if(*recorded("driver-too-old"), {"driver": ("580",)})

    assert answer.compat is not None
    assert answer.compat.verdict is Verdict.READY
    assert answer.compat.proven is Proven.FALSE
    assert answer.compat.releases
    assert answer.ordinary == {}


def test_older_driver_spoils_a_ready_machine() -> None:
    answer = what_if(*recorded("healthy-1x4090"), {"driver": ("470",)})

    assert answer.compat is not None
    assert answer.compat.primary is not None
    assert answer.compat.primary.code == "DRIVER_TOO_OLD"


def test_machine_of_assumptions_alone_tells_what_was_taken_as_ordinary() -> None:
    answer = what_if(None, None, {"gpu": ("RTX 4090", "RTX 4090")})

    assert answer.compat is not None
    assert answer.report is not None
    assert len(answer.report.gpus) == 2
    assert set(answer.ordinary) == {"os", "arch", "glibc", "driver", "python", "tensorflow"}


def test_each_wrong_assumption_is_told_by_its_key() -> None:
    answer = what_if(*recorded("healthy-1x4090"), {"driver": ("new",), "gpu": ("RTX 99999",), "python": ("3.12",)})

    assert answer.compat is None
    assert {key: error.message.id for key, error in answer.problems.items()} == {
        "driver": "compat.assume-no-version-or-none",
        "gpu": "compat.assume-unknown-card",
    }


def test_nothing_assumed_is_the_machine_itself() -> None:
    answer = what_if(*recorded("cudnn-shadowed"), {})

    assert answer.compat is not None
    assert answer.compat.primary is not None
    assert answer.compat.primary.code == "CUDNN_SHADOWED"


def test_choices_are_newest_first() -> None:
    choices = what_if_choices()

    assert choices.releases[-1] == "2.10"
    assert choices.pythons.index("3.12") < choices.pythons.index("3.9")
    assert choices.drivers.index("580") < choices.drivers.index("470")
    assert len(set(choices.cards)) == len(choices.cards)


@pytest.mark.parametrize("card", what_if_choices().cards)
def test_every_card_that_is_offered_is_understood(card: str) -> None:
    assert not what_if(None, None, {"gpu": (card,)}).problems
