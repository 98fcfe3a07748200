"""A proof is kept for its interpreter and stands for one state of the machine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.gpu import Gpu, GpuState, MigInstance, Vendor
from gpuconfig_app.core.proof import Proof, ProofResult
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import DriverInfo, HostInfo, OsFamily, OsInfo, SystemReport
from gpuconfig_app.storage.places import Places, user_places
from gpuconfig_app.storage.proofs import changed_parts, fingerprint, load_proof, proof_file, save_proof

CARD = Gpu(
    index=0, vendor=Vendor.NVIDIA, uuid="GPU-1", pci_bus_id="00000000:01:00.0", pci_id="10de:2684", name="RTX 4090"
)
REPORT = SystemReport(
    host=HostInfo(os=OsInfo(family=OsFamily.LINUX), variables={"LD_LIBRARY_PATH": "/usr/lib"}),
    gpus=(CARD,),
    drivers=(DriverInfo(vendor=Vendor.NVIDIA, version="580.126.09"),),
)
PYTHON = PythonEnvironment(executable="/envs/a/bin/python", python_version="3.12.8", packages={"tensorflow": "2.21.0"})


@pytest.fixture
def places() -> Places:
    return user_places()


def changes(report: SystemReport = REPORT, environment: PythonEnvironment = PYTHON) -> tuple[str, ...]:
    return changed_parts(fingerprint(REPORT, PYTHON), fingerprint(report, environment))


def with_variables(**more: str) -> SystemReport:
    return replace(REPORT, host=replace(REPORT.host, variables={**REPORT.host.variables, **more}))


def test_a_proof_is_found_again_by_its_interpreter(places) -> None:
    proof = Proof(result=ProofResult.PROVEN, executable="/envs/a/bin/python", taken_at=5.0)

    save_proof(places, proof)

    assert load_proof(places, "/envs/a/bin/python") == proof
    assert load_proof(places, "/envs/b/bin/python") is None


def test_the_newest_proof_takes_the_place_of_the_former(places) -> None:
    for taken_at in (1.0, 2.0):
        save_proof(places, Proof(result=ProofResult.NO_GPU, executable="/p", taken_at=taken_at))

    assert load_proof(places, "/p").taken_at == 2.0
    assert len(list(proof_file(places, "/p").parent.iterdir())) == 1


def test_a_broken_file_counts_as_none(places) -> None:
    save_proof(places, Proof(result=ProofResult.PROVEN, executable="/p"))
    proof_file(places, "/p").write_text("{", encoding="utf-8")

    assert load_proof(places, "/p") is None


def test_the_same_state_has_the_same_fingerprint() -> None:
    assert changes() == ()


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        (replace(REPORT, drivers=(DriverInfo(vendor=Vendor.NVIDIA, version="590.10"),)), "driver"),
        (replace(REPORT, gpus=()), "gpus"),
        (replace(REPORT, gpus=(CARD, replace(CARD, index=1, pci_bus_id="00000000:02:00.0"))), "gpus"),
        (replace(REPORT, gpus=(replace(CARD, pci_id="10de:2204"),)), "gpus"),
        (replace(REPORT, gpus=(replace(CARD, mig_instances=(MigInstance(index=0, uuid="MIG-1"),)),)), "gpus"),
        (with_variables(CUDA_VISIBLE_DEVICES="-1"), "variables"),
        (with_variables(LD_LIBRARY_PATH="/opt/cuda/lib64"), "variables"),
    ],
)
def test_a_change_of_the_machine_is_named(changed, part) -> None:
    assert changes(changed) == (part,)


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        (replace(PYTHON, packages={"tensorflow": "2.20.0"}), "packages"),
        (replace(PYTHON, packages={**PYTHON.packages, "nvidia-cudnn-cu12": "9.3.0.75"}), "packages"),
        (replace(PYTHON, python_version="3.12.9"), "python"),
    ],
)
def test_a_change_of_the_environment_is_named(changed, part) -> None:
    assert changes(environment=changed) == (part,)


def test_a_card_that_fell_asleep_is_the_same_card() -> None:
    asleep = replace(CARD, state=GpuState.ASLEEP, uuid=None, name=None)

    assert changes(replace(REPORT, gpus=(asleep,))) == ()


def test_another_shell_is_no_change() -> None:
    assert changes(with_variables(VIRTUAL_ENV="/envs/b", CONDA_PREFIX="/conda")) == ()
