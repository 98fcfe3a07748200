from __future__ import annotations

import pytest

from gpuconfig_app.core.errors import StorageError
from gpuconfig_app.core.gpu import Gpu, GpuProcess, GpuState, MigInstance, NvLink, Vendor
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.privacy import Redaction
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.sample import DeviceKey, Liveness, Metric, Sample
from gpuconfig_app.core.system import (
    BackendState,
    BackendStatus,
    Disk,
    HostInfo,
    LibraryFacts,
    OsFamily,
    OsInfo,
    SystemReport,
)
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.hardware.recorder import new_redaction, record_machine

TITLE = LocalText("A box", "一台机器")
USER, HOST, HOME = "zhangwei", "lab-box42.corp.example", "/home/zhangwei"
CARD = "GPU-8a56a4bc-e184-a047-2620-be19fdf913d5"
SLICE = "MIG-41b36413-f8da-529b-9a3d-0a1b2c3d4e5f"
PLANTED = (
    USER, "lab-box42", "corp.example", "8a56a4bc-e184", "41b36413-f8da", "1320919059999", "10.20.30.40", "192.168.7.9",
    "fe80::1ff:fe23", "de:ad:be:ef:00:01", "hf_SECRETtoken1234567890", "ghp_0123456789abcdefghij0123456789abcdef",
    "hunter2", "topsecret", "this-5f2e9c",
)  # fmt: skip
WINDOWS_HOME = "C:\\Users\\zhangwei"


def _report() -> SystemReport:
    process = GpuProcess(pid=4711, name="/home/zhangwei/topsecret/train.py --token hf_SECRETtoken1234567890", user=USER)
    reason = Message(
        "host.file-not-readable",
        {"path": f"{HOME}/project/x", "detail": f"{USER}@{HOST} via 10.20.30.40 lost {CARD}", "n": 3},
    )
    gpu = Gpu(
        index=0, vendor=Vendor.NVIDIA, state=GpuState.READY, state_reason=reason, name="NVIDIA H100 80GB HBM3",
        uuid=CARD, serial="1320919059999", pci_bus_id="00000000:19:00.0",
        mig_instances=(MigInstance(index=0, uuid=SLICE),),
        nvlinks=(NvLink(index=0, remote_pci_bus_id="00000000:3b:00.0"),), processes=(process,), absent={"pcie": reason},
        extra={"planted": "hunter2"},
    )  # fmt: skip
    variables = {
        "CUDA_VISIBLE_DEVICES": f"{CARD},{SLICE}",
        "LD_LIBRARY_PATH": f"{HOME}/lib:/mnt/{USER}/cuda:/data/{USER}_env/lib",
        "XLA_FLAGS": "--dump_to=http://bob:hunter2@192.168.7.9/x",
        "PYTHONPATH": "/srv/ghp_0123456789abcdefghij0123456789abcdef:/net/10.20.30.40/x",
        "KERAS_HOME": f"{WINDOWS_HOME}\\keras",
    }
    return SystemReport(
        machine_id="this-5f2e9c",
        host=HostInfo(
            os=OsInfo(family=OsFamily.LINUX, name="Ubuntu 24.04.3 LTS", kernel="6.8.0-lab-box42"),
            host_name=HOST,
            disks=(Disk(mount=f"/media/{USER}/USB"),),
            libraries=LibraryFacts(
                libcuda=f"{HOME}/lib/libcuda.so.1", libraries={"libcudnn.so.9": f"{HOME}/libcudnn.so.9"}
            ),
            variables=variables,
        ),
        gpus=(gpu,),
        backends=(BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.FAILED, code="failed", reason=reason),),
        environments=(
            PythonEnvironment(
                executable=f"{HOME}/.venv/bin/python",
                prefix=f"{HOME}/.venv",
                name=f"{USER}-tf",
                packages={"nvidia-cudnn-cu12": "9.10.2.21"},
                nvidia_library_folders=(f"{HOME}/.venv/lib/python3.12/site-packages/nvidia/cudnn/lib",),
                problem=Message("host.environment-without-interpreter", {"path": f"{HOME}/py at de:ad:be:ef:00:01"}),
                pins={"numpy": ("hunter2 1.0 (numpy>=2)",)},
                unmet_pins=("hunter2 1.0 (numpy>=2)",),
                extra={"user_notes": {"keras": "hunter2"}},
            ),
        ),
        notes=(Message("host.part-failed", {"part": "x", "detail": f"fe80::1ff:fe23:4567:890a {HOST} {USER}"}),),
        extra={"planted": "hunter2"},
    )


def _samples() -> list[Sample]:
    process = GpuProcess(pid=4711, name="hunter2", user=USER, memory_used_bytes=5)
    error = Message("hardware.card-failed", {"detail": f"{CARD} on {HOST}"})
    key = DeviceKey("this-5f2e9c", "0")
    return [
        Sample(key=key, taken_at=1.0, monotonic_s=1.0, values={Metric.POWER_W: 70.0}, processes=(process,)),
        Sample(
            key=key, taken_at=2.0, monotonic_s=2.0, liveness=Liveness.LOST, error=error,
            absent={Metric.FAN_PCT: Message("hardware.reading-failed", {"detail": f"{USER} 192.168.7.9"})},
        ),
    ]  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    how = Redaction(salt="salt", home=HOME, user=USER, host=HOST)
    return record_machine(_report(), _samples(), tmp_path / "box", TITLE, how=how)


@pytest.mark.parametrize("secret", PLANTED)
def test_no_planted_secret_leaves(folder, secret):
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()))

    assert secret.lower() not in text.lower()


def test_what_others_need_is_still_there(folder):
    report = load_machine(folder).report

    assert report.gpus[0].name == "NVIDIA H100 80GB HBM3"
    assert report.gpus[0].pci_bus_id == "00000000:19:00.0"
    assert report.gpus[0].processes[0].pid == 4711
    assert report.environments[0].executable == "~/.venv/bin/python"
    assert report.environments[0].packages == {"nvidia-cudnn-cu12": "9.10.2.21"}
    assert report.host.variables["LD_LIBRARY_PATH"].startswith("~/lib:/mnt/user/cuda")
    assert report.gpus[0].state_reason.params["n"] == 3


def test_chosen_cards_can_still_be_told_apart(folder):
    """CUDA_VISIBLE_DEVICES must go on naming the same card as the report does."""
    report = load_machine(folder).report

    named = report.host.variables["CUDA_VISIBLE_DEVICES"].split(",")
    assert named == [report.gpus[0].uuid, report.gpus[0].mig_instances[0].uuid]
    assert named[0].startswith("GPU-")


def test_pseudonyms_differ_from_recording_to_recording(tmp_path):
    first, second = (record_machine(_report(), [], tmp_path / name, TITLE) for name in ("one", "two"))

    assert load_machine(first).report.gpus[0].uuid != load_machine(second).report.gpus[0].uuid


def test_default_rules_know_this_user_and_the_machines_name():
    how = new_redaction(_report())

    assert how.host == HOST
    assert len(how.salt) == 32


def test_windows_paths_lose_the_user(folder):
    assert load_machine(folder).report.host.variables["KERAS_HOME"] == "C:\\Users\\user\\keras"


def test_recording_is_not_replaced_silently(folder):
    with pytest.raises(StorageError) as caught:
        record_machine(_report(), [], folder, TITLE)

    assert caught.value.message.id == "host.recording-exists"
    assert load_machine(folder).samples


def test_replacing_leaves_no_old_telemetry(folder):
    record_machine(_report(), [], folder, TITLE, overwrite=True)

    assert load_machine(folder).samples == ()


def test_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError):
        record_machine(_report(), [], tmp_path / "file" / "box", TITLE)
