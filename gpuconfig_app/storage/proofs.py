"""Stored proofs: the newest one of each interpreter in its own file, and the state of the machine it stands for."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path

from gpuconfig_app.core.codec import DocumentKind, dump_document, load_document
from gpuconfig_app.core.errors import MissingFileError, UnusableFileError
from gpuconfig_app.core.gpu import Gpu
from gpuconfig_app.core.proof import Proof
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target import IMAGE_ID
from gpuconfig_app.storage.places import Places, read_text, write_text

logger = logging.getLogger(__name__)
PROOF_DOCUMENT = DocumentKind("proof", 1, Proof, {})
MOST_BYTES = 4 * 1024**2
# They tell which shell the program was started from, and nothing of what TensorFlow does in a Python that is named.
_SHELL_VARIABLES = frozenset({"VIRTUAL_ENV", "CONDA_PREFIX", "TF_CPP_MIN_LOG_LEVEL"})


def fingerprint(report: SystemReport, environment: PythonEnvironment) -> dict[str, str]:
    """Give the state of machine and environment that a proof stands for, by part.

    Returns:
        ``driver``, ``gpus``, ``python``, ``packages``, ``variables``; texts that are only compared, digests where the
        parts are many.
    """
    variables = {name: value for name, value in report.host.variables.items() if name not in _SHELL_VARIABLES}
    drivers = sorted(f"{driver.vendor.value} {driver.version or driver.kernel_version}" for driver in report.drivers)
    return {
        "driver": ", ".join(drivers),
        "gpus": _digest(_gpu_identity(gpu) for gpu in report.gpus),
        "python": f"{environment.python_version} {environment.executable}",
        "packages": _digest(
            (*(f"{name}=={version}" for name, version in environment.packages.items()), *_image(environment))
        ),
        "variables": _digest(f"{name}={value}" for name, value in variables.items()),
    }


def changed_parts(then: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """Give the parts of a fingerprint that differ, empty when a proof still stands."""
    return tuple(name for name in sorted({*then, *now}) if then.get(name) != now.get(name))


def proof_file(places: Places, executable: str) -> Path:
    """Give the path of an interpreter's proof; it need not exist."""
    name = hashlib.sha256(executable.encode("utf-8", "replace")).hexdigest()[:24]
    return places.data / "proofs" / f"{name}.json"


def load_proof(places: Places, executable: str) -> Proof | None:
    """Read the newest proof of an interpreter; None when there is none or it can't be read."""
    path = proof_file(places, executable)
    try:
        proof = load_document(PROOF_DOCUMENT, read_text(path, limit_bytes=MOST_BYTES))
    except MissingFileError:
        return None
    except UnusableFileError as error:
        logger.warning("proof %s: %s", path, error)
        return None
    return proof if proof.executable == executable else None


def save_proof(places: Places, proof: Proof) -> None:
    """Keep a proof in place of the former one of its interpreter.

    Raises:
        StorageError: It can't be written.
    """
    write_text(proof_file(places, proof.executable), dump_document(PROOF_DOCUMENT, proof), mode=0o600)


def _image(environment: PythonEnvironment) -> tuple[str, ...]:
    """Name the content of a container's image; the same name may be given to another one."""
    known = environment.extra.get(IMAGE_ID)
    return (f"image {known}",) if known is not None else ()


def _gpu_identity(gpu: Gpu) -> str:
    """Name a card by its place and kind: a sleeping one tells no UUID, and waking it must not spoil the proof."""
    if gpu.pci_bus_id is not None and gpu.pci_id is not None:
        card = f"{gpu.pci_bus_id} {gpu.pci_id}"
    else:
        card = gpu.uuid or f"{gpu.index} {gpu.name}"
    return " ".join((card, *sorted(slice_.uuid or str(slice_.index) for slice_ in gpu.mig_instances)))


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(parts)).encode("utf-8", "replace")).hexdigest()[:24]
