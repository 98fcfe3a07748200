"""The code of a whole wheel, put into one answer."""

from __future__ import annotations

import pytest

from gpuconfig_app.knowledge.harvest.fat_binaries import Container, Origin, PtxCode
from gpuconfig_app.knowledge.harvest.trouble import UnreadableWheelError
from gpuconfig_app.knowledge.harvest.wheel_code import summarise


def _container(archs: set[int], *codes: tuple[str | None, str], origin: Origin = Origin.COMPILER) -> Container:
    return Container(0, frozenset(archs), tuple(PtxCode(*code) for code in codes), origin)


def test_what_all_kernels_have_and_what_some_have():
    code = summarise(
        "w",
        [
            _container({60, 70, 80, 89, 90}, ("sm_90", "8.3")),
            _container({60, 70, 80, 89}, ("sm_90", "8.5"), origin=Origin.ELSEWHERE),
            _container(set(), ("sm_90", "8.3"), origin=Origin.RELOCATABLE),
        ],
    )

    assert code is not None
    assert code.sass == ("6.0", "7.0", "8.0", "8.9")
    assert code.sass_partial == ("9.0",)
    assert (code.ptx_compiler, code.ptx_mlir) == (PtxCode("sm_90", "8.3"), PtxCode("sm_90", "8.5"))


def test_kernels_that_are_only_linked_further_do_not_count():
    code = summarise(
        "w",
        [_container({80}, ("sm_80", "7.2")), _container({35}, ("sm_35", "7.9"), origin=Origin.RELOCATABLE)],
    )

    assert code is not None
    assert (code.sass, code.sass_partial) == (("8.0",), ())
    assert code.ptx_compiler == PtxCode("sm_80", "7.2")


def test_capabilities_of_two_digits():
    code = summarise("w", [_container({75, 100, 120})])

    assert code is not None
    assert code.sass == ("7.5", "10.0", "12.0")
    assert code.ptx_compiler is None


def test_of_several_targets_the_strictest_counts():
    code = summarise("w", [_container({80}, ("sm_100", "8.6")), _container({80}, ("sm_90a", "8.0"))])

    assert code is not None
    assert code.ptx_compiler == PtxCode("sm_90a", "8.6")


def test_no_gpu_code_is_none():
    assert summarise("w", []) is None


def test_ptx_that_cannot_be_unpacked_makes_the_wheel_unreadable():
    with pytest.raises(UnreadableWheelError):
        summarise("w", [_container({90}, (None, "8.5"))])
