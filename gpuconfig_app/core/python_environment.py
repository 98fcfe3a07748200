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
        made_by: Tool that made it where that can be told: ``poetry``, ``pipx``, ``hatch``, ``virtualenv`` …
        is_current: It is active where the program was started (``$VIRTUAL_ENV``, ``$CONDA_PREFIX``).
        nvidia_library_folders: Folders of CUDA libraries that wheels brought.
        user_site_packages: Those of ``packages`` that come from the user's own folder, which stands before the
            environment's.
        path_packages: Those that come from ``PYTHONPATH``, which stands before both; the version is empty where a
            module lies there without telling one.
        hidden_packages: Versions in the environment itself that one of those hides.
        pins: By package, who asks for which versions of it: ``tensorflow 2.17.1 (numpy<2.0.0,>=1.26.0)``; read only
            where TensorFlow is.
        unmet_pins: Those of them that what is installed does not meet.
        problem: Why it can't be read or used, None when fine.
        target: Where it is, when that is not this machine itself.
    """

    executable: str = path_text("")
    prefix: str = path_text("")
    kind: EnvironmentKind = EnvironmentKind.OTHER
    name: str | None = public_text()
    python_version: str | None = public_text()
    implementation: str | None = public_text()
    made_by: str | None = public_text()
    packages: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "public"})
    is_current: bool = False
    nvidia_library_folders: tuple[str, ...] = field(default=(), metadata={"privacy": "path"})
    user_site_packages: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "public"})
    path_packages: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "public"})
    hidden_packages: Mapping[str, str] = field(default_factory=dict, metadata={"privacy": "public"})
    pins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unmet_pins: tuple[str, ...] = ()
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
