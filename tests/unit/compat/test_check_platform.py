"""The verdict on systems and makers for which TensorFlow has no GPU build."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.finding import Outcome, Verdict
from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.system import BackendState, BackendStatus, LibraryFacts, OsFamily
from gpuconfig_app.core.units import GIB
from tests.unit.compat.machines import (
    all_text,
    answer,
    card,
    machine,
    on_cards,
    on_system,
    python,
    verdict_of,
    windows,
    with_code,
    wsl2,
)


def test_native_windows_is_never_ready_with_a_current_release():
    found = verdict_of(windows(machine()), python("2.20.0"))

    assert answer(found) == ("blocked", "cpu_only", "WINDOWS_NATIVE_NO_GPU_BUILD")
    assert found.primary is not None
    assert found.primary.fixes[0].commands == ("wsl --install -d Ubuntu-24.04",)
    assert found.primary.fixes[0].leads_to == "wsl"
    assert found.primary.fixes[0].shell == "powershell"


def test_blackwell_on_windows_is_not_sent_to_tensorflow_210():
    found = verdict_of(windows(machine(card("RTX 5090", "12.0"))))

    assert found.primary is not None
    assert not any("2.10.1" in command for fix in found.primary.fixes for command in fix.commands)


def test_arm_has_no_gpu_build():
    found = verdict_of(on_system(machine(card("NVIDIA GH200 480GB", "9.0")), architecture="aarch64"))

    assert answer(found) == ("blocked", "cpu_only", "AARCH64_WHEEL_IS_CPU_ONLY")
    assert "and-cuda" not in all_text(found)


def test_jetson_is_told_apart_from_other_arm():
    report = on_system(machine(card("Orin (nvgpu)", "8.7")), architecture="aarch64")
    found = verdict_of(report)

    assert answer(found) == ("blocked", "cpu_only", "JETSON_NEEDS_NVIDIA_WHEEL")
    assert "and-cuda" not in all_text(found)


def test_macos_runs_on_the_processor():
    report = on_system(machine(Gpu(index=0, vendor=Vendor.APPLE, name="Apple M3")), family=OsFamily.MACOS, id="macos")

    assert answer(verdict_of(report)) == ("cpu_only", "cpu_only", "MACOS_CPU_ONLY")


def test_no_gpu_is_cpu_only():
    report = replace(
        machine(), gpus=(), backends=(BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.NOT_PRESENT),)
    )

    assert answer(verdict_of(report)) == ("cpu_only", "cpu_only", "NO_GPU")


def test_processor_without_avx_is_seen_before_the_gpu():
    report = machine()
    report = replace(report, host=replace(report.host, cpu=replace(report.host.cpu, flags=("sse4_2",))))

    assert answer(verdict_of(report)) == ("blocked", "import_fails", "CPU_LACKS_AVX")


def test_old_c_library():
    assert answer(verdict_of(on_system(machine(), glibc_version="2.17"))) == (
        "blocked", "cannot_install", "GLIBC_TOO_OLD",
    )  # fmt: skip
    assert verdict_of(on_system(machine(), glibc_version="2.17"), python("2.20.0")).verdict is Verdict.READY


def test_wsl2_without_its_library_on_the_path():
    found = verdict_of(wsl2(machine(), libcuda=None))

    assert answer(found) == ("blocked", "cpu_only", "WSL_LIBCUDA_PATH")
    assert found.primary is not None
    assert "/usr/lib/wsl/lib" in found.primary.fixes[0].commands[0]
    assert "apt install nvidia" not in all_text(found)


def test_linux_driver_inside_wsl2_shadows_the_right_one():
    found = verdict_of(wsl2(machine(), libcuda="/usr/lib/x86_64-linux-gnu/libcuda.so.1"))

    assert answer(found) == ("blocked", "cpu_only", "WSL_LINUX_DRIVER_SHADOWS")


def test_container_without_gpu_is_mended_on_the_host():
    report = on_cards(machine(), state=GpuState.DRIVER_MISSING)
    report = replace(report, drivers=(), host=replace(report.host, libraries=LibraryFacts()))
    report = with_code(on_system(report, container="docker"), "library_not_found", BackendState.DRIVER_MISSING)
    found = verdict_of(report)

    assert answer(found) == ("blocked", "cpu_only", "CONTAINER_TOOLKIT_MISSING")
    assert [item.code for item in found.findings] == ["CONTAINER_TOOLKIT_MISSING"]


@pytest.mark.parametrize(
    ("gpu", "answer"),
    [
        (Gpu(index=0, vendor=Vendor.AMD, name="RX 6700 XT", target="gfx1031"), ("blocked", "ROCM_ARCH_UNSUPPORTED")),
        (Gpu(index=0, vendor=Vendor.AMD, name="MI210", target="gfx90a"), ("blocked", "AMD_NEEDS_ROCM_BUILD")),
        (Gpu(index=0, vendor=Vendor.AMD, name="APU", memory_is_shared=True), ("cpu_only", "NO_SUPPORTED_GPU")),
        (Gpu(index=0, vendor=Vendor.INTEL, name="Arc A770"), ("cpu_only", "INTEL_GPU_NOT_SUPPORTED")),
        (Gpu(index=0, vendor=Vendor.HUAWEI, name="910B3"), ("cpu_only", "ASCEND_NEEDS_TF_ADAPTER")),
        (Gpu(index=0, vendor=Vendor.HYGON), ("cpu_only", "HYGON_NEEDS_VENDOR_WHEEL")),
        (Gpu(index=0, vendor=Vendor.OTHER, name="MTT S80"), ("cpu_only", "NO_SUPPORTED_GPU")),
    ],
    ids=lambda item: item[1] if isinstance(item, tuple) else "",
)
def test_other_makers_get_honest_words(gpu, answer):
    found = verdict_of(replace(machine(gpu), drivers=(), backends=()))

    assert (found.verdict.value, found.primary.code if found.primary else None) == answer
    assert found.outcome is Outcome.CPU_ONLY
    assert "cuda" not in (found.primary.text.en.lower() if found.primary else "")


def test_installed_rocm_build_is_for_the_proof_to_say():
    gpu = Gpu(index=0, vendor=Vendor.AMD, name="Instinct MI100", target="gfx908")
    environment = replace(python(None), packages={"tensorflow-rocm": "2.14.0.600"})
    found = verdict_of(replace(machine(gpu), drivers=(), backends=()), environment)

    assert answer(found) == ("unknown", "unknown", "ROCM_NEEDS_PROOF")


def test_processor_graphics_beside_an_nvidia_card_are_not_mentioned():
    both = (card(index=0), Gpu(index=1, vendor=Vendor.INTEL, name="UHD 770", memory_total_bytes=GIB))

    assert verdict_of(machine(*both)).verdict is Verdict.READY
