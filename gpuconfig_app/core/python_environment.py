"""A Python on the machine, read from outside: never started, never imported.

A probe (``runner``) may later prove what is only read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.record import Record, path_text, public_text
from gpuconfig_app.core.target import Target

# Each provides ``import tensorflow``. One that may hold GPU support speaks before one that never does.
TENSORFLOW_PACKAGES = (
    "tensorflow",
    "tensorflow-gpu",
    "tensorflow-rocm",
    "tf-nightly",
    "tensorflow-cpu",
    "tensorflow-intel",
    "tensorflow-cpu-aws",
    "tf-nightly-cpu",
)


class EnvironmentKind(StrEnum):
    """How an environment was made."""

    SYSTEM = "system"
    VENV = "venv"
    CONDA = "conda"
    PYENV = "pyenv"
    UV = "uv"
    STORE = "windows_store"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True)
class PythonEnvironment(Record):
    """One environment with what its metadata tells.

    Attributes:
        executable: The interpreter to start; of an environment elsewhere the name of its target
            (``wsl:Ubuntu:/usr/bin/python3``), which ``--python`` takes likewise.
        prefix: Its folder (``sys.prefix``).
        python_version: ``3.12.8``, None when it can't be read without starting it.
        packages: Version by normalised name (PEP 503), only those that matter for TensorFlow.
        is_current: It is active where the program was started (``$VIRTUAL_ENV``, ``$CONDA_PREFIX``).
        nvidia_library_folders: Folders of CUDA libraries that wheels brought.
        problem: Why it can't be read or used, None when fine.
        target: Where it is, when that is not this machine itself.
    """

    executable: str = path_text("")
    prefix: str = path_text("")
    kind: EnvironmentKind = EnvironmentKind.OTHER
    name: str | None = public_text()
    python_version: str | None = public_text()
    implementation: str | None = public_text()
    packages: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "public"})
    is_current: bool = False
    nvidia_library_folders: tuple[str, ...] = field(default=(), metadata={"privacy": "path"})
    problem: Message | None = None
    target: Target | None = None

    @property
    def tensorflow_package(self) -> str | None:
        """Package that provides ``import tensorflow``, None when there is none."""
        return next((name for name in TENSORFLOW_PACKAGES if name in self.packages), None)

    @property
    def tensorflow_version(self) -> str | None:
        """Version of the package that provides ``import tensorflow``, None when there is none."""
        package = self.tensorflow_package
        return self.packages[package] if package is not None else None
