"""All releases on one machine, and the best of them."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig_app.core.finding import ReleaseVerdict, Verdict
from tests.unit.compat.machines import card, machine, on_system, python, verdict_of, windows


def _strip(report, environment=None) -> dict[str, ReleaseVerdict]:
    found = verdict_of(report, environment or python(version="3.11.9"), all_releases=True)
    return {item.series: item for item in found.releases}


def _best(strip: dict[str, ReleaseVerdict]) -> list[str]:
    return [series for series, item in strip.items() if item.is_best]


def test_every_series_is_judged_and_the_newest_native_one_is_best():
    strip = _strip(machine())

    assert list(strip) == [f"2.{number}" for number in range(10, 24)]
    assert _best(strip) == ["2.21"]
    assert strip["2.21"].is_installed
    assert strip["2.21"].reason is not None
    assert strip["2.21"].reason.en == "Works"
    assert strip["2.18"].verdict is Verdict.READY


def test_python_rules_old_releases_out():
    strip = _strip(machine(), python(version="3.12.8"))

    assert strip["2.15"].primary_code == "PYTHON_NOT_SUPPORTED"
    assert strip["2.15"].reason is not None
    assert strip["2.15"].reason.en == "Needs Python 3.9–3.11"
    assert strip["2.17"].verdict is Verdict.READY_WITH_NOTES
    assert strip["2.17"].reason is not None
    assert "NumPy 1" in strip["2.17"].reason.en


def test_old_releases_need_cuda_on_the_system():
    strip = _strip(machine())

    assert strip["2.12"].primary_code == "CUDA_RUNTIME_MISSING"
    assert strip["2.12"].reason is not None
    assert strip["2.12"].reason.en == "Needs system CUDA 11.8"
    assert strip["2.14"].primary_code == "AND_CUDA_NOT_INSTALLABLE"


def test_preview_is_never_best():
    strip = _strip(machine())

    assert strip["2.22"].release == "2.22.0rc0"
    assert not strip["2.22"].is_best
    assert strip["2.22"].primary_code == "TENSORFLOW_PREVIEW"
    assert strip["2.23"].release.startswith("2.23.0.dev")
    assert not strip["2.23"].is_best
    assert strip["2.23"].primary_code == "TENSORFLOW_PREVIEW"


def test_pascal_does_best_where_nothing_must_be_pinned():
    strip = _strip(machine(card("GTX 1080", "6.1")))

    assert _best(strip) == ["2.19"]
    assert strip["2.21"].primary_code == "CUDNN_DROPPED_ARCH"
    assert strip["2.21"].verdict is Verdict.READY_WITH_NOTES


def test_no_release_is_best_for_blackwell():
    strip = _strip(machine(card("RTX 5090", "12.0")))

    assert _best(strip) == []
    assert strip["2.20"].outcome == "gpu_fails"
    assert strip["2.21"].verdict is Verdict.UNKNOWN
    assert not any(item.verdict in {Verdict.READY, Verdict.READY_WITH_NOTES} for item in strip.values())


def test_old_c_library_holds_releases_back():
    strip = _strip(on_system(machine(), glibc_version="2.17"))

    assert strip["2.21"].primary_code == "GLIBC_TOO_OLD"
    assert _best(strip) == ["2.20"]


def test_windows_has_no_release_that_is_ready():
    strip = _strip(windows(machine()), python(version="3.10.11"))

    assert not any(item.verdict in {Verdict.READY, Verdict.READY_WITH_NOTES} for item in strip.values())
    assert strip["2.11"].primary_code == "WINDOWS_NATIVE_NO_GPU_BUILD"


def test_broken_machine_has_no_best_release():
    strip = _strip(replace(machine(), gpus=()))

    assert _best(strip) == []


def test_a_card_too_old_is_led_to_the_release_that_has_its_code():
    found = verdict_of(machine(card("GTX 980", "5.2")))

    assert found.primary is not None
    assert found.primary.code == "WHEEL_LACKS_ARCH_OLD_CARD"
    assert any("2.16.2" in command for command in found.primary.fixes[0].commands)
