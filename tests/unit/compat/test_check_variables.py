"""Variables and settings of the user, what hides what, and libraries that stand in for the driver's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.finding import Confidence, Severity
from gpuconfig_app.core.python_environment import EnvironmentKind
from gpuconfig_app.core.system import LibraryFacts
from tests.unit.compat.machines import (
    answer,
    card,
    machine,
    nvidia,
    on_system,
    python,
    verdict_of,
    with_variables,
    wsl2,
)

COMPAT = "/usr/local/cuda-12.8/compat/libcuda.so.1"


def codes(report):
    return [item.code for item in report.findings]


def with_libcuda(report, path, libraries=None):
    facts = LibraryFacts(libcuda=path, wsl_libcuda=False, has_dxg=False, libraries=libraries or {})
    return replace(report, host=replace(report.host, libraries=facts))


@pytest.mark.parametrize(
    ("variables", "code", "verdict"),
    [
        ({"KERAS_BACKEND": "jax"}, "KERAS_BACKEND_OTHER", "ready_with_notes"),
        ({"KERAS_BACKEND": "TensorFlow"}, None, "ready"),
        ({"keras.json:backend": "torch"}, "KERAS_BACKEND_OTHER", "ready_with_notes"),
        ({"keras.json:backend": "torch", "KERAS_BACKEND": "tensorflow"}, None, "ready"),
        ({"keras.json:floatx": "float16"}, "KERAS_SETTINGS_UNUSUAL", "ready_with_notes"),
        ({"keras.json:floatx": "float32"}, None, "ready"),
        ({"keras.json:image_data_format": "channels_first"}, "KERAS_SETTINGS_UNUSUAL", "ready_with_notes"),
        ({"TF_USE_LEGACY_KERAS": "1"}, "KERAS3_VS_KERAS2", "ready_with_notes"),
        ({"TF_USE_LEGACY_KERAS": "0"}, None, "ready"),
        ({"TF_XLA_FLAGS": "--tf_xla_auto_jit=2"}, None, "ready"),
        ({"XLA_FLAGS": "--xla_gpu_cuda_data_dir=/usr/lib/cuda"}, "VARIABLES_SET", "ready"),
        ({"TF_FORCE_GPU_ALLOW_GROWTH": "true"}, "VARIABLES_SET", "ready"),
        ({"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}, "VARIABLES_SET", "ready"),
        ({"TF_CPP_MIN_LOG_LEVEL": "3"}, "LOG_LEVEL_HIDES_MESSAGES", "ready"),
        ({"LD_PRELOAD": "/opt/x/libcudnn.so.8"}, "LIBRARY_PRELOADED", "ready_with_notes"),
        ({"LD_PRELOAD": "/usr/lib/libtcmalloc.so.4"}, "VARIABLES_SET", "ready"),
        ({"CUDA_VISIBLE_DEVICES": "-1"}, "VISIBLE_DEVICES_EXCLUDES_ALL", "blocked"),
        ({"CUDA_VISIBLE_DEVICES": ""}, "VISIBLE_DEVICES_EXCLUDES_ALL", "blocked"),
        ({"CUDA_VISIBLE_DEVICES": "NoDevFiles"}, "VISIBLE_DEVICES_EXCLUDES_ALL", "blocked"),
        ({"CUDA_VISIBLE_DEVICES": "1"}, "VISIBLE_DEVICES_EXCLUDES_ALL", "blocked"),
        ({"CUDA_VISIBLE_DEVICES": "0,7"}, "VARIABLES_SET", "ready"),
        ({"CUDA_VISIBLE_DEVICES": "GPU-00000000"}, "VARIABLES_SET", "ready"),
        ({"CUDA_FORCE_PTX_JIT": "1"}, "PTX_JIT_FORCED", "blocked"),
        ({"CUDA_DISABLE_PTX_JIT": "1"}, "VARIABLES_SET", "ready"),
        ({"PYTHONNOUSERSITE": "1"}, "VARIABLES_SET", "ready"),
    ],
    ids=str,
)
def test_variable_is_read_and_named(variables, code, verdict):
    report = machine()
    report = replace(report, host=replace(report.host, variables=variables))
    found = verdict_of(report)

    assert found.verdict.value == verdict
    assert code is None or code in codes(found)


def test_every_telling_variable_is_named_in_one_finding():
    found = verdict_of(with_variables(machine(), XLA_FLAGS="--x", LD_LIBRARY_PATH="/opt/lib", TF_GPU_ALLOCATOR="cuda"))
    (named,) = [item for item in found.findings if item.code == "VARIABLES_SET"]

    assert "LD_LIBRARY_PATH, TF_GPU_ALLOCATOR, XLA_FLAGS" in named.text.en
    assert named.severity is Severity.NEUTRAL


def test_backend_that_is_not_installed_is_a_warning():
    found = verdict_of(with_variables(machine(), KERAS_BACKEND="jax"))
    fine = verdict_of(with_variables(machine(), KERAS_BACKEND="jax"), python(packages={"jax": "0.7.0"}))

    assert found.primary is not None
    assert found.primary.severity is Severity.WARNING
    assert "does not start" in found.primary.text.en
    assert [item.severity for item in fine.findings if item.code == "KERAS_BACKEND_OTHER"] == [Severity.NOTE]


def test_settings_file_is_named_where_the_backend_comes_from_it():
    report = machine()
    found = verdict_of(replace(report, host=replace(report.host, variables={"keras.json:backend": "numpy"})))

    assert any("keras.json names numpy" in item.text.en for item in found.findings)


def test_card_that_needs_the_compiler_fails_without_it():
    hopper = machine(card("NVIDIA H100", "9.0", memory_gib=80))

    assert answer(verdict_of(with_variables(hopper, CUDA_DISABLE_PTX_JIT="1"))) == (
        "blocked",
        "gpu_fails",
        "PTX_JIT_DISABLED",
    )
    assert "CUDA_CACHE_DISABLED" in codes(verdict_of(with_variables(hopper, CUDA_CACHE_DISABLE="1")))


def test_packages_of_the_user_are_named_with_what_they_hide():
    environment = replace(
        python("2.17.1", packages={"numpy": "2.1.0"}),
        kind=EnvironmentKind.CONDA,
        user_site_packages={"numpy": "2.1.0", "requests": "2"},
        hidden_packages={"numpy": "1.26.4"},
        pins={"numpy": ("other 1.0 (numpy>=2)", "tensorflow 2.17.1 (numpy<2.0.0,>=1.26.0)")},
    )
    found = verdict_of(machine(), environment)

    assert answer(found) == ("blocked", "import_fails", "NUMPY2_WITH_OLD_TF")
    assert any(item.params.get("value", "").startswith("other 1.0") for item in found.primary.evidence)
    (shadow,) = [item for item in found.findings if item.code == "USER_SITE_SHADOWS"]
    assert "numpy 2.1.0" in shadow.text.en
    assert "numpy 1.26.4" in shadow.text.en
    assert shadow.fixes[0].commands == ("export PYTHONNOUSERSITE=1",)


def test_module_of_unknown_version_on_the_path_is_never_ready():
    found = verdict_of(machine(), replace(python(), path_packages={"tensorflow": ""}))

    assert answer(found) == ("unknown", "unknown", "PYTHONPATH_SHADOWS")


def test_version_on_the_path_is_a_remark():
    environment = replace(
        python(packages={"keras": "3.14.0"}), path_packages={"keras": "3.14.0"}, hidden_packages={"keras": "3.15.1"}
    )

    assert answer(verdict_of(machine(), environment))[0] == "ready_with_notes"


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("libcudart.so.12.2.140", ("unknown", "unknown", "CUDA_LIBRARIES_SHADOWED")),
        ("libcudart.so.12.9.37", ("ready", "native", None)),
    ],
)
def test_older_cuda_on_the_loader_path_is_never_ready(file, expected):
    report = with_variables(machine(), LD_LIBRARY_PATH="/usr/local/cuda/lib64")
    libraries = {"libcudart.so.12": f"/usr/local/cuda/lib64/{file}"}
    found = verdict_of(with_libcuda(report, "/usr/lib/x86_64-linux-gnu/libcuda.so.1", libraries))

    assert answer(found) == expected
    assert "CUDA_LIBRARIES_SHADOWED" in codes(found)


def test_cuda_off_the_loader_path_shadows_nothing():
    libraries = {"libcudart.so.12": "/usr/local/cuda/lib64/libcudart.so.12.2.140"}
    found = verdict_of(with_libcuda(machine(), "/usr/lib/x86_64-linux-gnu/libcuda.so.1", libraries))

    assert "CUDA_LIBRARIES_SHADOWED" not in codes(found)


def test_compatibility_package_raises_the_driver_of_a_data_centre_card():
    hopper = replace(machine(card("NVIDIA H100 PCIe", "9.0", memory_gib=80)), drivers=(nvidia("535.104.05", "12.2"),))

    assert answer(verdict_of(hopper)) == ("blocked", "gpu_fails", "DRIVER_TOO_OLD")
    found = verdict_of(with_libcuda(hopper, COMPAT))
    assert found.verdict.value == "ready_with_notes"
    assert found.outcome.value == "jit_at_first_start"
    assert found.confidence is Confidence.MEDIUM
    assert "FORWARD_COMPATIBILITY_IN_USE" in codes(found)


def test_compatibility_package_stops_a_geforce():
    found = verdict_of(with_libcuda(replace(machine(), drivers=(nvidia("535.104.05", "12.2"),)), COMPAT))

    assert answer(found) == ("blocked", "cpu_only", "FORWARD_COMPATIBILITY_NOT_SUPPORTED")
    assert found.primary.fixes[0].commands == ("unset LD_LIBRARY_PATH",)


@pytest.mark.parametrize(
    ("name", "capability", "driver"),
    [("NVIDIA RTX A6000", "8.6", "535.104.05"), ("NVIDIA H100 PCIe", "9.0", "580.95.05")],
)
def test_doubtful_compatibility_package_is_never_ready(name, capability, driver):
    report = replace(machine(card(name, capability, memory_gib=80)), drivers=(nvidia(driver),))

    assert answer(verdict_of(with_libcuda(report, COMPAT))) == ("unknown", "unknown", "FORWARD_COMPATIBILITY_UNCLEAR")


def test_wsl_keeps_its_own_library():
    found = verdict_of(wsl2(replace(machine(), drivers=(nvidia("581.57", "13.0"),))))

    assert not [code for code in codes(found) if code.startswith("FORWARD")]


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({"NVIDIA_VISIBLE_DEVICES": "void"}, "CONTAINER_DEVICES_HIDDEN"),
        ({"NVIDIA_VISIBLE_DEVICES": "none"}, "CONTAINER_DEVICES_HIDDEN"),
        (
            {"NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "graphics,utility"},
            "CONTAINER_LACKS_COMPUTE",
        ),
        ({"NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "all"}, "CONTAINER_TOOLKIT_MISSING"),
    ],
)
def test_container_tells_why_it_has_no_card(variables, code):
    report = with_libcuda(with_variables(on_system(machine(), container="docker"), **variables), None)
    found = verdict_of(report)

    assert answer(found) == ("blocked", "cpu_only", code)
    assert "install the nvidia driver" not in found.primary.fixes[0].text.en.lower()


def test_device_plugin_that_says_void_but_gives_the_cards_is_fine():
    """Kubernetes with CDI sets the word and puts the cards in all the same."""
    report = with_variables(on_system(machine(), container="kubernetes"), NVIDIA_VISIBLE_DEVICES="void")

    assert verdict_of(report).verdict.value == "ready"


def test_ended_branch_is_named_and_changes_nothing():
    found = verdict_of(replace(machine(), drivers=(nvidia("535.183.01", "12.2"),)))
    newer = verdict_of(replace(machine(), drivers=(nvidia("580.95.05", "13.0"),)))

    assert found.verdict.value == "ready"
    assert any("2026-06" in item.title.en for item in found.findings if item.code == "DRIVER_BRANCH_ENDED")
    assert "DRIVER_BRANCH_ENDED" not in codes(newer)


def test_patch_that_is_not_in_the_table_lowers_the_confidence():
    environment = python()
    found = verdict_of(machine(), replace(environment, packages={**environment.packages, "tensorflow": "2.21.4"}))

    assert answer(found) == ("ready_with_notes", "native", None)
    assert found.confidence is Confidence.MEDIUM
    assert "TENSORFLOW_PATCH_NOT_LISTED" in codes(found)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("libcudart.so.12.2.140", ("unknown", "unknown", "CUDA_LIBRARIES_OLDER")),
        ("libcudart.so.12.8.90", ("ready", "native", None)),
    ],
)
def test_system_cuda_older_than_the_build_is_never_ready(file, expected):
    """CUDA from the system, none from wheels."""
    folder = "/usr/local/cuda/lib64"
    names = ("libcublas.so.12", "libcufft.so.11", "libcusolver.so.11", "libcusparse.so.12")
    libraries = {name: f"{folder}/{name}" for name in names}
    libraries |= {"libcudart.so.12": f"{folder}/{file}", "libcudnn.so.9": "/usr/lib/libcudnn.so.9.10.2"}
    report = with_libcuda(machine(), "/usr/lib/x86_64-linux-gnu/libcuda.so.1", libraries)
    environment = python()
    own = {name: version for name, version in environment.packages.items() if not name.startswith("nvidia-")}

    assert answer(verdict_of(report, replace(environment, packages=own))) == expected


def test_who_asked_for_the_wrong_cudnn_is_named():
    """torch pins one cuDNN exactly, and pip that installed it last obeyed it."""
    environment = replace(
        python(packages={"nvidia-cudnn-cu12": "9.1.0.70", "torch": "2.5.1"}),
        pins={"nvidia-cudnn-cu12": ("torch 2.5.1 (nvidia-cudnn-cu12==9.1.0.70)",)},
    )
    found = verdict_of(machine(), environment)

    assert answer(found) == ("blocked", "gpu_fails", "CUDNN_TOO_OLD")
    assert any("torch 2.5.1" in str(item.params.get("value")) for item in found.primary.evidence)
    assert any("-m venv" in " ".join(fix.commands) for fix in found.primary.fixes)
