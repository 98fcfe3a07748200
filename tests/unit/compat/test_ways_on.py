"""Which ways lead on from which machine, and their texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.compat.check import CheckOptions, check
from gpuconfig_app.compat.ways_on import has_ways
from gpuconfig_app.core.way_on import WayConfidence, WayStep
from tests.unit.compat.ways import (
    DOCKER,
    blackwell,
    machine,
    states,
    step,
    way,
    ways_of,
)


def test_windows_leads_to_wsl_first():
    found = ways_of(machine("windows-native"))

    assert found.code == "WINDOWS_NATIVE_NO_GPU_BUILD"
    assert found.page_title.en == "TensorFlow on Windows, by WSL2"
    assert [(item.id, item.confidence) for item in found.ways] == [
        ("wsl2", WayConfidence.KNOWN_TO_WORK),
        ("windows-210", WayConfidence.KNOWN_TO_WORK),
        ("directml", WayConfidence.NOT_PROVEN),
        ("processor", WayConfidence.CPU_ONLY),
    ]
    assert "Editing PATH" in [text.en for text in found.will_not_help]


def test_an_rtx_50_leads_to_the_container_first():
    found = ways_of(machine("rtx5090-stock-wheels"))

    assert found.page_title.en == "Ways on for RTX 5090"
    assert [(item.id, item.confidence) for item in found.ways] == [
        ("container", WayConfidence.KNOWN_TO_WORK),
        ("try-221", WayConfidence.NOT_PROVEN),
        ("other-card", WayConfidence.NATIVE),
    ]
    assert "Waiting at the first start of TensorFlow 2.20.0" in [text.en for text in found.will_not_help]


def test_where_waiting_does_help_it_is_not_called_vain():
    found = ways_of(machine("rtx5090-newest-release"))

    assert found is not None
    assert not any("Waiting" in text.en for text in found.will_not_help)


def test_an_rtx_50_on_windows_needs_both():
    report = machine("windows-native", gpus=machine("rtx5090-stock-wheels").gpus)

    found = ways_of(report)

    assert [item.id for item in found.ways] == ["wsl2-container", "other-card", "processor"]
    assert step(report, "wsl2-container", "windows-driver").needs.en.startswith("570 or later")


def test_a_python_in_wsl_without_code_for_the_card_leads_to_the_container():
    report = machine("windows-with-wsl", gpus=machine("rtx5090-stock-wheels").gpus)

    assert [item.id for item in ways_of(report, number=1).ways] == ["wsl2-container", "other-card"]


def test_a_note_is_no_step_to_do():
    found = way(machine("rtx5090-stock-wheels"), "container")

    assert (found.done, found.count, len(found.steps)) == (3, 6, 7)


def test_64_bit_arm_leads_to_nvidias_container_and_promises_nothing():
    found = ways_of(machine("gb10-dgx-spark"))

    assert [(item.id, item.confidence) for item in found.ways] == [("container-arm", WayConfidence.NOT_PROVEN)]


@pytest.mark.parametrize(
    "name", ["healthy-1x4090", "no-gpu", "card-without-driver", "driver-too-old", "gtx1080ti-new-cudnn", "wsl2"]
)
def test_elsewhere_the_fixes_are_all_there_is_to_say(name):
    report = machine(name)
    environment = report.environments[0]

    assert ways_of(report) is None
    assert not has_ways(report, check(report, CheckOptions(environment=environment)))


def test_from_within_a_container_no_container_is_offered():
    report = machine("rtx5090-stock-wheels")
    os = replace(report.host.os, container="docker")

    found = ways_of(replace(report, host=replace(report.host, os=os)))

    assert [item.id for item in found.ways] == ["try-221", "other-card"]


def test_a_ready_python_in_wsl_has_no_ways():
    assert ways_of(machine("windows-with-wsl"), number=1) is None


def test_xla_that_is_on_has_to_go_first():
    report = blackwell(DOCKER)
    on = replace(report.host, variables={"TF_XLA_FLAGS": "--tf_xla_auto_jit=2"})

    assert states(report, "try-221")["xla"] == "done"
    assert states(replace(report, host=on), "try-221")["xla"] == "todo"


def test_the_new_environment_is_made_beside_the_old_one():
    report = blackwell(DOCKER)
    report = replace(report, environments=report.environments[:1])

    found = way(report, "try-221")

    assert [item.state.value for item in found.steps] == ["todo", "info", "done", "waiting"]
    assert '"tensorflow[and-cuda]==2.21.0"' in found.steps[0].commands[1]


@pytest.mark.parametrize("name", ["windows-native", "windows-with-wsl", "rtx5090-stock-wheels", "gb10-dgx-spark"])
def test_no_text_or_command_has_a_gap(name):
    found = ways_of(machine(name))
    for item in found.ways:
        for text in (item.title, item.summary, *(part for one in item.steps for part in _texts(one))):
            assert "{" not in text.en
            assert "{" not in text.zh_cn
        assert not any("{" in command for one in item.steps for command in one.commands)


def _texts(one: WayStep):
    return [text for text in (one.name, one.needs, one.changes, one.explanation) if text is not None]
