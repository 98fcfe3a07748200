"""Python environments as pip leaves them: versions that were really released together."""

from __future__ import annotations

from gpuconfig_app.core.python_environment import EnvironmentKind, PythonEnvironment

# Pins of the and-cuda extra, from the METADATA of tensorflow 2.21.0 and its earlier releases.
_CUDA_125 = {
    "nvidia-cublas-cu12": "12.5.3.2", "nvidia-cuda-cupti-cu12": "12.5.82", "nvidia-cuda-nvcc-cu12": "12.5.82",
    "nvidia-cuda-nvrtc-cu12": "12.5.82", "nvidia-cuda-runtime-cu12": "12.5.82", "nvidia-cufft-cu12": "11.2.3.61",
    "nvidia-curand-cu12": "10.3.6.82", "nvidia-cusolver-cu12": "11.6.3.83", "nvidia-cusparse-cu12": "12.5.1.3",
    "nvidia-nvjitlink-cu12": "12.5.82",
}  # fmt: skip
_CUDA_123 = {
    "nvidia-cublas-cu12": "12.3.4.1", "nvidia-cuda-cupti-cu12": "12.3.101", "nvidia-cuda-nvcc-cu12": "12.3.107",
    "nvidia-cuda-nvrtc-cu12": "12.3.107", "nvidia-cuda-runtime-cu12": "12.3.101", "nvidia-cufft-cu12": "11.0.12.1",
    "nvidia-curand-cu12": "10.3.4.107", "nvidia-cusolver-cu12": "11.5.4.101", "nvidia-cusparse-cu12": "12.2.0.103",
    "nvidia-nvjitlink-cu12": "12.3.101",
}  # fmt: skip
_CUDA_122 = {
    "nvidia-cublas-cu12": "12.2.5.6", "nvidia-cuda-cupti-cu12": "12.2.142", "nvidia-cuda-nvcc-cu12": "12.2.140",
    "nvidia-cuda-nvrtc-cu12": "12.2.140", "nvidia-cuda-runtime-cu12": "12.2.140", "nvidia-cufft-cu12": "11.0.8.103",
    "nvidia-curand-cu12": "10.3.3.141", "nvidia-cusolver-cu12": "11.5.2.141", "nvidia-cusparse-cu12": "12.1.2.141",
    "nvidia-nvjitlink-cu12": "12.2.140",
}  # fmt: skip

_BASE = {
    "2.10.1": {"keras": "2.10.0", "numpy": "1.23.5", "protobuf": "3.19.6"},
    "2.11.0": {"keras": "2.11.0", "numpy": "1.23.5", "protobuf": "3.19.6"},
    "2.15.1": {"keras": "2.15.0", "numpy": "1.26.4", "protobuf": "4.25.8", "ml-dtypes": "0.3.2"},
    "2.16.1": {"keras": "3.3.3", "numpy": "1.26.4", "protobuf": "4.25.8", "ml-dtypes": "0.3.2"},
    "2.17.1": {"keras": "3.6.0", "numpy": "1.26.4", "protobuf": "4.25.8", "ml-dtypes": "0.4.1"},
    "2.18.0": {"keras": "3.8.0", "numpy": "2.0.2", "protobuf": "5.29.5", "ml-dtypes": "0.4.1"},
    "2.20.0": {"keras": "3.11.3", "numpy": "2.3.2", "protobuf": "6.32.0", "ml-dtypes": "0.5.3"},
    "2.21.0": {"keras": "3.15.1", "numpy": "2.4.6", "protobuf": "7.36.2", "ml-dtypes": "0.6.0"},
}
_CUDA = {
    "2.15.1": _CUDA_122 | {"nvidia-cudnn-cu12": "8.9.4.25", "nvidia-nccl-cu12": "2.16.5"},
    "2.16.1": _CUDA_123 | {"nvidia-cudnn-cu12": "8.9.7.29", "nvidia-nccl-cu12": "2.19.3"},
    "2.17.1": _CUDA_123 | {"nvidia-cudnn-cu12": "8.9.7.29", "nvidia-nccl-cu12": "2.19.3"},
    "2.18.0": _CUDA_125 | {"nvidia-cudnn-cu12": "9.3.0.75", "nvidia-nccl-cu12": "2.21.5"},
    "2.20.0": _CUDA_125 | {"nvidia-cudnn-cu12": "9.10.2.21", "nvidia-nccl-cu12": "2.27.7"},
    "2.21.0": _CUDA_125 | {"nvidia-cudnn-cu12": "9.10.2.21", "nvidia-nccl-cu12": "2.27.7"},
}
_FOLDERS = (
    "cublas", "cuda_cupti", "cuda_nvrtc", "cuda_runtime", "cudnn", "cufft", "curand", "cusolver", "cusparse", "nccl",
    "nvjitlink",
)  # fmt: skip


def environment(
    tensorflow: str | None,
    *,
    python: str = "3.12.8",
    cuda: bool = True,
    cudnn: str | None = None,
    folder: str = "~/training/.venv",
    kind: EnvironmentKind = EnvironmentKind.VENV,
    current: bool = True,
    windows: bool = False,
    extra: dict[str, str] | None = None,
) -> PythonEnvironment:
    """Give an environment with a TensorFlow release and what pip installs with it.

    Args:
        cuda: Installed with the and-cuda extra.
        cudnn: Other cuDNN than the usual one of that release.
        extra: Further packages, or other versions.
    """
    packages: dict[str, str] = {}
    folders: tuple[str, ...] = ()
    if tensorflow is not None:
        packages = {"tensorflow": tensorflow, "h5py": "3.14.0", **_BASE[tensorflow]}
        if cuda:
            packages |= _CUDA[tensorflow]
            if cudnn:
                packages["nvidia-cudnn-cu12"] = cudnn
            site = f"{folder}/lib/python{python.rsplit('.', 1)[0]}/site-packages/nvidia"
            folders = tuple(f"{site}/{name}/lib" for name in _FOLDERS)
    packages |= extra or {}
    return PythonEnvironment(
        executable=f"{folder}\\Scripts\\python.exe" if windows else f"{folder}/bin/python",
        prefix=folder,
        kind=kind,
        name=folder.replace("\\", "/").rstrip("/").split("/")[-2 if folder.endswith("venv") else -1],
        python_version=python,
        implementation="CPython",
        packages=dict(sorted(packages.items())),
        is_current=current,
        nvidia_library_folders=folders,
    )


def system_python(version: str = "3.12", executable: str = "/usr/bin/python3.12") -> PythonEnvironment:
    """Give a distribution's own Python, without TensorFlow."""
    return PythonEnvironment(
        executable=executable, prefix="/usr", kind=EnvironmentKind.SYSTEM, name="system", python_version=version,
        implementation="CPython",
    )  # fmt: skip
