"""Floors, levels and dropped cards as NVIDIA's tables and the cuDNN wheels give them."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.versions import ComputeCapability
from gpuconfig_app.knowledge.cuda_drivers import is_beyond_branch, load_cuda_table

TABLE = load_cuda_table()


@pytest.mark.parametrize(
    ("major", "linux", "windows"),
    [("11", "450.80.02", "452.39"), ("12", "525.60.13", "527.41"), ("13", "580.65.06", "580")],
)
def test_floors(major, linux, windows):
    floor = TABLE.floor(major)

    assert floor is not None
    assert (floor.linux_driver, floor.windows_driver) == (linux, windows)
    assert TABLE.floor("14") is None


@pytest.mark.parametrize(
    ("driver", "is_windows", "level"),
    [
        ("525.60.13", False, "12.0"),
        ("535.183.01", False, "12.2"),
        ("550.54.14", False, "12.4"),
        ("570.26", False, "12.8"),
        ("580.126.09", False, "13.0"),
        ("450.51.06", False, "11.0"),
        ("418.43", False, None),
        ("527.41", True, "12.0"),
        ("573.76", True, "12.8"),
        ("610.62", True, "13.3"),
        ("unreadable", False, None),
    ],
)
def test_cuda_level_of_a_driver(driver, is_windows, level):
    assert TABLE.level_of_driver(driver, is_windows) == level


def test_least_driver_of_a_level():
    assert TABLE.driver_for_level("12.5", is_windows_driver=False) == "555.42.02"
    assert TABLE.driver_for_level("12.5", is_windows_driver=True) == "555.85"
    assert TABLE.driver_for_level("13.0", is_windows_driver=True) == "580"
    assert TABLE.driver_for_level("99.0", is_windows_driver=False) is None


@pytest.mark.parametrize(
    ("isa", "level"), [("8.0", "12.0"), ("8.3", "12.3"), ("8.5", "12.5"), ("8.7", "12.8"), ("1.0", None)]
)
def test_ptx_needs_a_level(isa, level):
    assert TABLE.level_of_isa(isa) == level


@pytest.mark.parametrize(
    ("capability", "level"),
    [
        ("12.0", "12.8"),
        ("12.1", "12.8"),
        ("10.3", "12.8"),
        ("9.0", "11.8"),
        ("8.9", "11.8"),
        ("8.7", "11.1"),
        ("6.1", None),
    ],
)
def test_first_level_of_a_card(capability, level):
    first = TABLE.first_level(ComputeCapability(capability))

    assert (first.cuda_level if first else None) == level


@pytest.mark.parametrize(
    ("capability", "branch"),
    [
        ("2.1", "R390"),
        ("3.7", "R470"),
        ("5.0", "R580"),
        ("6.1", "R580"),
        ("7.0", "R580"),
        ("7.5", None),
        ("12.0", None),
    ],
)
def test_last_branch_of_a_card(capability, branch):
    last = TABLE.last_branch(ComputeCapability(capability))

    assert (last.branch if last else None) == branch


def test_branches():
    assert is_beyond_branch("595.71.05", "R580") is True
    assert is_beyond_branch("582.0", "R580") is False
    assert is_beyond_branch("?", "R580") is None


@pytest.mark.parametrize(
    ("version", "capability", "answer"),
    [
        ("9.10.2.21", "6.1", True),
        ("9.11.0", "6.1", False),
        ("9.28.0.42", "7.0", False),
        ("9.28.0.42", "7.5", True),
        ("8.9.7.29", "12.0", False),
        ("9.3.0.75", "12.0", False),
        ("9.10.2.21", "12.0", True),
        ("9.28.0.42", "9.0", True),
        ("8.9.7.29", "3.7", None),
        ("odd", "8.9", None),
    ],
)
def test_cudnn_serves_a_card(version, capability, answer):
    assert TABLE.cudnn_serves(version, ComputeCapability(capability)) is answer


def test_the_change_rows_agree_with_the_wheels_that_were_read():
    for row in TABLE.cudnn:
        for capability in row.capabilities:
            assert TABLE.cudnn_serves(row.version, ComputeCapability(capability)), (row.version, capability)


def test_pin_for_dropped_cards():
    assert TABLE.cudnn_to_stay_at(ComputeCapability("6.1")) == "9.10.2.21"
    assert TABLE.cudnn_to_stay_at(ComputeCapability("8.9")) is None
