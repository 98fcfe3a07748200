"""Nothing personal leaves the machine: secrets are planted in every text of every record and looked for afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from gpuconfig_app.core.codec import DocumentKind, dump_document
from gpuconfig_app.core.dataset import ClassFacts, ColumnFacts, DatasetFacts
from gpuconfig_app.core.finding import CompatReport, Confidence, Finding, Fix, Outcome, Severity, Verdict
from gpuconfig_app.core.gpu import Gpu, GpuProcess, Vendor
from gpuconfig_app.core.messages import LocalText, Message
from gpuconfig_app.core.plan import TrainingPlan
from gpuconfig_app.core.privacy import Redaction, redact
from gpuconfig_app.core.record import Record, path_text, pseudonym, public_text
from gpuconfig_app.core.run_result import RunRecord, RunResult
from gpuconfig_app.core.system import HostInfo, LibraryFacts, OsFamily, OsInfo, SystemReport
from tests.record_examples import example

HOW = Redaction(salt="grain", home="/home/mallory", user="mallory", host="secretbox.lab.example")
UUID = "GPU-1c5f0a42-93b7-4ad1-bd1e-6c0a55e0f9aa"
SECRETS = ("mallory", "secretbox", UUID, "10.23.45.67", "hf_ABCDEFGHIJKLMNOPqrst", "de:ad:be:ef:00:01")
PLANTED = f"/home/mallory/x {' '.join(SECRETS)}"


@dataclass(frozen=True, kw_only=True)
class Sheet(Record):
    """A record with one text of each kind."""

    private: str = ""
    private_or_none: str | None = None
    shown: str | None = public_text()
    identifier: str | None = pseudonym()
    place: str | None = path_text()
    private_list: tuple[str, ...] = ()
    places: tuple[str, ...] = path_text(())
    by_name: dict[str, str] = field(default_factory=dict)


def test_texts_are_private_unless_they_were_declared_otherwise() -> None:
    sheet = redact(
        Sheet(
            private="a", private_or_none="b", shown="RTX 4090", identifier=UUID, place="/home/mallory/venv/bin/python",
            private_list=("c",), places=("/home/mallory/a", "/opt/b"), by_name={"d": "e"},
        ),
        HOW,
    )  # fmt: skip

    assert sheet.private == ""
    assert sheet.private_or_none is None
    assert sheet.private_list == ()
    assert sheet.by_name == {}
    assert sheet.shown == "RTX 4090"
    assert sheet.place == "~/venv/bin/python"
    assert sheet.places == ("~/a", "/opt/b")


def test_a_pseudonym_is_the_same_within_a_recording_and_another_elsewhere() -> None:
    first, again, elsewhere = HOW.pseudonym(UUID), HOW.pseudonym(UUID), replace(HOW, salt="other").pseudonym(UUID)

    assert first == again != elsewhere
    assert first.startswith("GPU-")
    assert len(first) == len(UUID)
    assert UUID[4:] not in first


def test_unknown_keys_do_not_leave() -> None:
    gpu = Gpu(index=0, vendor=Vendor.NVIDIA, extra={"owner": "mallory"})

    assert redact(gpu, HOW).extra == {}


def test_numbers_words_of_ours_and_structure_stay() -> None:
    gpu = Gpu(index=3, vendor=Vendor.NVIDIA, name="NVIDIA A100", memory_total_bytes=42, processes=(GpuProcess(pid=7),))

    assert redact(gpu, HOW) == gpu


def test_processes_lose_name_and_user() -> None:
    process = GpuProcess(pid=7, name="/home/mallory/train.py", user="mallory", memory_used_bytes=5)

    assert redact(process, HOW) == GpuProcess(pid=7, memory_used_bytes=5)


def test_names_of_the_user_s_own_data_do_not_leave() -> None:
    facts = DatasetFacts(
        path="/home/mallory/scans", sample_count=3, classes=(ClassFacts(name="patient-a", count=3),),
        columns=(ColumnFacts(name="salary", examples=("1", "2")),), broken_files=("mallory.png",),
    )  # fmt: skip

    cleaned = redact(facts, HOW)

    assert cleaned.path == "~/scans"
    assert cleaned.classes == (ClassFacts(count=3),)
    assert cleaned.columns == (ColumnFacts(),)
    assert cleaned.broken_files == ()


def test_sentences_of_a_finding_lose_paths_and_keep_versions() -> None:
    text = LocalText(en="cuDNN 9.10.2.21 in /home/mallory/venv", zh_cn="/home/mallory/venv 中的 cuDNN 9.10.2.21")
    finding = Finding(severity=Severity.NOTE, title=text, text=text, fixes=(Fix(text=text),))

    cleaned = redact(finding, HOW)

    assert cleaned.text == LocalText(en="cuDNN 9.10.2.21 in ~/venv", zh_cn="~/venv 中的 cuDNN 9.10.2.21")
    assert cleaned.fixes[0].text == cleaned.title == cleaned.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/home/mallory/a", "~/a"),
        ("/data/mallory/a", "/data/user/a"),
        ("/data/mallory-lab/a", "/data/user-lab/a"),
        ("C:\\Users\\mallory\\a", "C:\\Users\\user\\a"),
        ("/net/secretbox/a", "/net/host/a"),
        ("https://name:pass@mirror.example/x", "https://[hidden]@mirror.example/x"),
        ("/usr/local/cuda-12.5/lib64", "/usr/local/cuda-12.5/lib64"),
        ("libcudnn.so.9.10.2", "libcudnn.so.9.10.2"),
        ("from 192.168.1.20 port 22", "from [address] port 22"),
        ("fe80::1ff:fe23:4567:890a", "[address]"),
    ],
)
def test_paths_lose_what_is_personal_and_nothing_else(before, after) -> None:
    assert HOW.path(before) == after


def test_a_short_or_common_user_name_does_not_hide_words() -> None:
    how = Redaction(salt="grain", home="/root", user="root", host="ubuntu")

    assert how.public("Ubuntu 24.04 LTS") == "Ubuntu 24.04 LTS"
    assert how.path("/usr/lib/chroot") == "/usr/lib/chroot"


@pytest.mark.parametrize("kind", [SystemReport, CompatReport, TrainingPlan, RunResult, RunRecord, DatasetFacts])
def test_no_planted_secret_is_left_in_any_field(kind) -> None:
    planted = _with_secrets(example(kind))

    text = dump_document(DocumentKind("x", 1, kind, {}), redact(planted, HOW))

    assert [secret for secret in SECRETS if secret.lower() in text.lower()] == []


def test_the_planting_reaches_the_fields() -> None:
    report = SystemReport(host=HostInfo(os=OsInfo(family=OsFamily.LINUX), host_name="x", libraries=LibraryFacts()))

    planted = _with_secrets(report)

    assert planted.host.host_name == PLANTED
    assert redact(planted, HOW).host.host_name is None


def test_a_verdict_without_secrets_is_unchanged() -> None:
    report = CompatReport(
        verdict=Verdict.READY, outcome=Outcome.NATIVE, confidence=Confidence.HIGH, tensorflow="2.21.0",
        gpu_indexes=(0,),
    )  # fmt: skip

    assert redact(report, HOW) == report


def _with_secrets(value: Any) -> Any:
    """Put every secret into every text, but into those that the product itself writes (public ones, ids)."""
    if isinstance(value, Message):
        return Message(
            value.id, {key: PLANTED if isinstance(item, str) else item for key, item in value.params.items()}
        )
    if isinstance(value, LocalText):
        return LocalText(en=f"/home/mallory/x {UUID}", zh_cn=f"/home/mallory/x {UUID}")
    if is_dataclass(value):
        changes = {}
        for item in fields(value):
            inner = getattr(value, item.name)
            if item.metadata.get("privacy") == "public" or item.name == "extra":
                continue
            if item.metadata.get("privacy") == "pseudonym":
                changes[item.name] = UUID if isinstance(inner, str) else (UUID,)
            else:
                changes[item.name] = _with_secrets(inner)
        return replace(value, **changes, **({"extra": {"later": PLANTED}} if hasattr(value, "extra") else {}))
    if isinstance(value, str) and type(value) is str:
        return PLANTED
    if isinstance(value, tuple):
        return tuple(_with_secrets(item) for item in value)
    if isinstance(value, dict):
        return {key: _with_secrets(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("python train.py --password=hunter2", "hunter2"),
        ("python train.py --token hunter2", "hunter2"),
        ("WANDB_API_KEY=hunter2", "hunter2"),
        ("AKIAIOSFODNN7EXAMPLE", "AKIA"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3", "eyJ"),
        ("sent by ann.lee@corp.example", "corp.example"),
        ("\\\\fileserver01\\share\\data", "fileserver01"),
        ("https://bob:hunter2@index.example/simple", "hunter2"),
    ],
)
def test_free_text_loses_what_opens_doors(text, secret) -> None:
    assert secret not in HOW.path(text)
    gpu = Gpu(index=0, vendor=Vendor.NVIDIA, name=text)
    if secret in {"hunter2", "AKIA", "eyJ"}:
        assert secret not in str(redact(gpu, HOW).name)


def test_a_distribution_of_wsl_keeps_its_path() -> None:
    assert HOW.path("\\\\wsl.localhost\\Ubuntu\\opt") == "\\\\wsl.localhost\\Ubuntu\\opt"
