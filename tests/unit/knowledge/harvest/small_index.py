"""A constructed index with a handful of TensorFlow releases: wheel, stub, candidate, nightly, cuDNN, plug-in."""

from __future__ import annotations

from gpuconfig_app.knowledge.harvest.pip_settings import IndexSettings
from tests.package_index_server import IndexBehaviour, OfferedFile
from tests.unit.knowledge.harvest.gpu_libraries import (
    build_info,
    container,
    elf_library,
    gpu_library,
    kernel,
    machine_code,
    wheel,
)

LINUX_TAG = "manylinux_2_17_x86_64.manylinux2014_x86_64"
BUILD_INFO = "tensorflow/python/platform/build_info.py"
LIBRARY = "tensorflow/libtensorflow_cc.so.2"
CUDNN_PIN = "Requires-Dist: nvidia-cudnn-cu12 {bounds} ; extra == 'and-cuda'"
NEEDS = ("Requires-Dist: numpy <2.0.0,>=1.26", "Requires-Dist: keras>=3.0.0", "Requires-Dist: protobuf>=3.20")


def cuda_wheel(name: str, *, bounds: str = "==8.9.7.29", library: bytes | None = None, **told: object) -> bytes:
    told = {"is_cuda_build": True} | (told or {"cuda_version": "12.3", "cudnn_version": "8"})
    members = {BUILD_INFO: build_info(**told), LIBRARY: library if library is not None else gpu_library()}
    pins = (
        "Provides-Extra: and-cuda",
        CUDNN_PIN.format(bounds=bounds),
        "Requires-Dist: nvidia-cuda-nvcc-cu12 >=12.5.82 ; extra == 'and-cuda'",
    )
    return wheel(name, members, (*NEEDS, *pins))


def cpu_wheel(name: str) -> bytes:
    return wheel(name, {BUILD_INFO: build_info(is_cuda_build=False)}, NEEDS)


def stub_wheel(name: str, provider: str) -> bytes:
    version = name.split("-")[1]
    return wheel(name, {}, (f'Requires-Dist: {provider} =={version} ; platform_system == "Windows"',))


def cudnn_wheel(name: str, archs: tuple[int, ...], target: str) -> bytes:
    entry = elf_library({".nv_fatbin": kernel(archs, target, "8.8"), ".nvFatBinSegment": bytes(1 << 20)})
    engines = elf_library({".nv_fatbin": container(machine_code(50)), ".nvFatBinSegment": bytes(1 << 20)})
    return wheel(
        name,
        {"nvidia/cudnn/lib/libcudnn_ops.so.9": entry, "nvidia/cudnn/lib/libcudnn_engines_precompiled.so.9": engines},
    )


def plain_library() -> bytes:
    """Build a library whose MLIR kernels are for any later card."""
    return gpu_library(mlir_target="sm_90")


def small_index() -> IndexBehaviour:
    """Give the whole index."""
    stable = [
        (f"tensorflow-2.16.1-cp312-cp312-{LINUX_TAG}.whl", cuda_wheel, "2024-03-09"),
        (f"tensorflow-2.16.2-cp311-cp311-{LINUX_TAG}.whl", cuda_wheel, "2024-06-28"),
        (f"tensorflow-2.16.2-cp312-cp312-{LINUX_TAG}.whl", cuda_wheel, "2024-06-29"),
        (
            "tensorflow-2.16.2-cp312-cp312-win_amd64.whl",
            lambda name: stub_wheel(name, "tensorflow-intel"),
            "2024-06-28",
        ),
        (
            "tensorflow-2.16.1-cp312-cp312-win_amd64.whl",
            lambda name: stub_wheel(name, "tensorflow-intel"),
            "2024-03-09",
        ),
        ("tensorflow-2.16.2-cp312-cp312-macosx_12_0_arm64.whl", cpu_wheel, "2024-06-28"),
        ("tensorflow-2.9.3-cp310-cp310-win_amd64.whl", cpu_wheel, "2022-01-01"),
        (
            "tensorflow-2.22.0rc0-cp314-cp314-manylinux_2_27_x86_64.whl",
            lambda name: cuda_wheel(name, bounds="<10.0,>=9.10.2.21", library=plain_library(), is_rocm_build=False),
            "2026-09-22",
        ),
    ]
    behaviour = IndexBehaviour()
    behaviour.projects["tensorflow"] = [_offered(*item) for item in stable]
    behaviour.projects["tensorflow"].append(OfferedFile("tensorflow-2.16.2.tar.gz", b"source"))
    behaviour.projects["tensorflow-intel"] = [
        _offered("tensorflow_intel-2.16.1-cp312-cp312-win_amd64.whl", cpu_wheel),
        _offered("tensorflow_intel-2.16.2-cp39-cp39-win_amd64.whl", cpu_wheel),  # not for the Pythons of the stub
    ]
    behaviour.projects["tf-nightly"] = [nightly("20261026"), nightly("20261025")]
    behaviour.projects["nvidia-cudnn-cu12"] = [
        OfferedFile(name, cudnn_wheel(name, archs, target))
        for name, archs, target in (
            ("nvidia_cudnn_cu12-8.9.7.29-py3-none-manylinux1_x86_64.whl", (50, 60, 90), "sm_90"),
            ("nvidia_cudnn_cu12-9.10.2.21-py3-none-manylinux_2_27_x86_64.whl", (50, 60, 90, 120), "sm_120"),
            ("nvidia_cudnn_cu12-9.28.0.42-py3-none-manylinux_2_27_x86_64.whl", (75, 90, 120), "sm_120f"),
        )
    ]
    nvcc = "nvidia_cuda_nvcc_cu12-12.9.86-py3-none-manylinux2014_x86_64.whl"
    behaviour.projects["nvidia-cuda-nvcc-cu12"] = [OfferedFile(nvcc, b"never opened")]
    metal = "tensorflow_metal-1.2.0-cp312-cp312-macosx_12_0_arm64.whl"
    plug_in = wheel(metal, {}, ("Requires-Dist: tensorflow>=2.13", 'Requires-Dist: tensorflow-x ; extra == "x"'))
    behaviour.projects["tensorflow-metal"] = [OfferedFile(metal, plug_in, "2025-01-31T00:00:00Z")]
    return behaviour


def nightly(day: str, library: bytes | None = None, *, series: str = "2.23") -> OfferedFile:
    """Give the nightly build of a day."""
    name = f"tf_nightly-{series}.0.dev{day}-cp314-cp314-manylinux_2_27_x86_64.whl"
    made = cuda_wheel(name, bounds=">=9.10.2.21", library=library or plain_library(), is_rocm_build=False)
    return OfferedFile(name, made, f"{day[:4]}-{day[4:6]}-{day[6:]}T00:00:00Z")


def settings_at(address: str) -> IndexSettings:
    """Give the settings of a pip that uses a served index."""
    return IndexSettings(indexes=(f"{address}/simple",))


def _offered(name: str, make, day: str = "2024-06-28") -> OfferedFile:
    return OfferedFile(name, make(name), f"{day}T00:00:00Z")
