from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.disk_speed import DiskSpeed
from gpuconfig_app.core.system import CpuInfo, Disk, DiskKind, MemoryInfo
from gpuconfig_app.core.units import GIB, MIB
from gpuconfig_app.core.workload import Optimizer, Requests
from gpuconfig_app.planner.pipeline import choose_pipeline, disk_of
from tests.unit.planner.machines import HOST, card, images, plan, table


def _host(**changes):
    return replace(HOST, **changes)


def test_data_that_fit_are_kept_in_memory() -> None:
    found = choose_pipeline(images(), HOST, 64)

    assert found.plan.cache == "memory"
    assert found.cache_reason.params["need_bytes"] == 20_691 * 224 * 224 * 3


def test_a_containers_limit_counts_not_the_hosts_memory() -> None:
    """Kubernetes pods and docker containers see the host's RAM and die at their own limit."""
    host = _host(memory=MemoryInfo(total_bytes=512 * GIB, available_bytes=400 * GIB, limit_bytes=4 * GIB))

    found = choose_pipeline(images(), host, 64)

    assert found.plan.cache == "disk"
    assert found.cache_reason.params["available_bytes"] == 4 * GIB


@pytest.mark.parametrize(
    ("kind", "free", "cache"),
    [
        (DiskKind.NVME, 1000 * GIB, "disk"),
        (DiskKind.SSD, 1000 * GIB, "disk"),
        (DiskKind.HDD, 1000 * GIB, "none"),
        (DiskKind.NETWORK, 1000 * GIB, "none"),
        (None, 1000 * GIB, "none"),
        (DiskKind.NVME, 1 * GIB, "none"),
    ],
)
def test_a_cache_on_disk_needs_a_fast_and_free_disk(kind, free, cache) -> None:
    host = _host(memory=MemoryInfo(available_bytes=2 * GIB), disks=(Disk(mount="/", kind=kind, free_bytes=free),))

    assert choose_pipeline(images(), host, 64).plan.cache == cache


def test_unknown_size_means_no_cache() -> None:
    assert choose_pipeline(images(sample_count=None), HOST, 64).plan.cache == "none"


def test_a_requested_cache_that_is_too_large_is_warned_of() -> None:
    host = _host(memory=MemoryInfo(available_bytes=1 * GIB))

    made = plan(images(requests=Requests(cache="memory")), card("4090"), host=host)

    assert made.input.cache == "memory"
    assert "planner.warning-cache" in {warning.id for warning in made.warnings}


@pytest.mark.parametrize(
    ("threads", "kind", "readers"),
    [
        (24, DiskKind.NVME, 24),
        (128, DiskKind.NVME, 32),
        (24, DiskKind.HDD, 4),
        (24, DiskKind.NETWORK, 16),
        (1, None, 1),
    ],
)
def test_readers_follow_threads_and_disk(threads, kind, readers) -> None:
    host = _host(cpu=CpuInfo(usable_threads=threads), disks=(Disk(mount="/", kind=kind, free_bytes=GIB),))

    assert choose_pipeline(images(), host, 64).plan.parallel_calls == readers


def test_affinity_and_limits_count_not_the_cores() -> None:
    host = _host(cpu=CpuInfo(logical_cores=64, usable_threads=2))

    assert choose_pipeline(images(), host, 64).plan.parallel_calls == 2


def test_unknown_threads_leave_it_to_tf_data() -> None:
    assert choose_pipeline(images(), _host(cpu=CpuInfo()), 64).plan.parallel_calls == 0


def test_the_disk_is_the_one_that_holds_the_path() -> None:
    disks = (Disk(mount="/"), Disk(mount="/data"), Disk(mount="/data/pets-old"))

    assert disk_of(disks, "/data/pets/cat").mount == "/data"
    assert disk_of(disks, "/database").mount == "/"
    assert disk_of((), "/data") is None


def test_the_shuffle_buffer_stays_in_memory() -> None:
    host = _host(memory=MemoryInfo(available_bytes=1 * GIB))

    found = choose_pipeline(images(), host, 64)

    assert found.plan.shuffle_buffer * 224 * 224 * 3 <= 0.11 * GIB
    assert found.plan.shuffle_buffer >= 2 * 64


def test_little_data_are_shuffled_as_a_whole() -> None:
    assert choose_pipeline(table(), HOST, 16).plan.shuffle_buffer == 353


@pytest.mark.parametrize(
    ("optimizer", "pretrained", "frozen", "batch", "rate"),
    [
        (Optimizer.SGD, False, False, 64, 0.025),
        (Optimizer.MOMENTUM, False, False, 256, 0.1),
        (Optimizer.MOMENTUM, True, False, 256, 0.01),
        (Optimizer.ADAM, False, False, 64, 0.001),
        (Optimizer.ADAM, False, False, 256, 0.001),
        (Optimizer.ADAMW, True, False, 64, 0.0001),
        (Optimizer.ADAMW, True, True, 64, 0.001),
    ],
)
def test_only_the_rate_of_sgd_grows_with_the_batch(optimizer, pretrained, frozen, batch, rate) -> None:
    workload = images(
        "mobilenet_v2",
        optimizer=optimizer,
        is_pretrained=pretrained,
        is_backbone_frozen=frozen,
        requests=Requests(per_replica_batch=batch),
    )

    assert plan(workload, card("h100")).learning_rate == pytest.approx(rate)


@pytest.mark.parametrize(
    ("optimizer", "pretrained", "batch", "reason"),
    [
        (Optimizer.MOMENTUM, False, 64, "planner.rate-linear"),
        (Optimizer.MOMENTUM, False, 4096, "planner.rate-linear-capped"),
        (Optimizer.SGD, True, 64, "planner.rate-linear-fine-tuning"),
        (Optimizer.ADAM, False, 64, "planner.rate-default"),
        (Optimizer.ADAM, True, 64, "planner.rate-fine-tuning"),
    ],
)
def test_the_rule_of_the_rate_is_stated(optimizer, pretrained, batch, reason) -> None:
    requests = Requests(per_replica_batch=batch)
    made = plan(images("mobilenet_v2", optimizer=optimizer, is_pretrained=pretrained, requests=requests), card("h100"))

    assert next(choice.reason.id for choice in made.choices if choice.id == "learning-rate") == reason


def test_a_requested_rate_is_respected() -> None:
    assert plan(images(requests=Requests(learning_rate=0.02)), card("4090")).learning_rate == 0.02


def test_a_full_disk_is_told_beside_the_checkpoint() -> None:
    host = _host(disks=(Disk(mount="/", kind=DiskKind.NVME, free_bytes=300 * MIB),))

    made = plan(images("resnet50"), card("4090"), host=host)

    reason = next(choice for choice in made.choices if choice.id == "checkpoint").reason
    assert reason.id == "planner.checkpoint-tight"


def _read_at(files_per_s: float | None, bytes_per_s: float = 50e6, *, is_from_cache: bool = False) -> DatasetFacts:
    """Pictures of 120 kB, more than main memory holds, read so fast."""
    return DatasetFacts(
        image_size=(500, 375, 3),
        total_bytes=200 * GIB,
        disk_speed=DiskSpeed(read_bytes_per_s=bytes_per_s, files_per_s=files_per_s, is_from_cache=is_from_cache),
    )


BIG = images("mobilenet_v2", sample_count=1_700_000)


def test_a_slow_disk_sets_the_pace() -> None:
    made = plan(BIG, card("h100"), dataset=_read_at(400.0))

    assert made.time.limited_by == "input"
    assert made.time.step is not None
    assert made.time.step.expected == pytest.approx(made.global_batch / 400)
    advice = next(item for item in made.advice if item.id == "planner.advice-read")
    assert advice.params["rate_bytes"] == 50_000_000


def test_a_fast_disk_leaves_the_pace_to_decoding_or_the_card() -> None:
    without = plan(BIG, card("h100"), dataset=DatasetFacts(image_size=(500, 375, 3), total_bytes=200 * GIB))

    made = plan(BIG, card("h100"), dataset=_read_at(1e6, 10e9))

    assert made.time == without.time
    assert "planner.advice-read" not in {item.id for item in made.advice}


def test_without_whole_files_the_bytes_count() -> None:
    made = plan(BIG, card("h100"), dataset=_read_at(None, 60e6))

    assert made.time.step is not None
    assert made.time.step.expected == pytest.approx(made.global_batch * 120_000 / 60e6)


def test_files_that_stay_in_memory_are_read_once() -> None:
    """The operating system keeps them, so the disk sets no pace from the second epoch on."""
    slow = replace(_read_at(400.0), total_bytes=2 * GIB)
    big_pictures = images("mobilenet_v2", 1024, sample_count=20_000)

    made = plan(big_pictures, card("h100"), dataset=slow, host=_host(memory=MemoryInfo(available_bytes=40 * GIB)))

    assert made.input.cache != "memory"
    assert "planner.advice-read" not in {item.id for item in made.advice}


def test_a_cache_needs_no_files() -> None:
    made = plan(images("mobilenet_v2"), card("h100"), dataset=_read_at(10.0))

    assert made.input.cache == "memory"
    assert made.time.limited_by != "input"


@pytest.mark.parametrize(
    ("kind", "speed", "cache", "reason"),
    [
        (DiskKind.NVME, DiskSpeed(read_bytes_per_s=80e6, is_from_cache=False), "none", "planner.cache-none-slow"),
        (DiskKind.NVME, DiskSpeed(read_bytes_per_s=80e6, is_from_cache=True), "disk", "planner.cache-disk"),
        (None, DiskSpeed(read_bytes_per_s=900e6, is_from_cache=False), "disk", "planner.cache-disk-measured"),
        (DiskKind.HDD, DiskSpeed(read_bytes_per_s=5e9, is_from_cache=True), "none", "planner.cache-none"),
        (None, DiskSpeed(read_bytes_per_s=900e6, is_from_cache=True), "none", "planner.cache-none"),
    ],
)
def test_a_measured_disk_decides_over_its_kind_unless_it_came_from_memory(kind, speed, cache, reason) -> None:
    disks = (Disk(mount="/", kind=kind, free_bytes=1000 * GIB),)
    host = _host(memory=MemoryInfo(available_bytes=2 * GIB), disks=disks)

    found = choose_pipeline(images(), host, 64, speed)

    assert found.plan.cache == cache
    assert found.cache_reason.id == reason


def test_tables_are_read_once() -> None:
    slow = DatasetFacts(disk_speed=DiskSpeed(read_bytes_per_s=1e3, is_from_cache=False), total_bytes=GIB)

    assert plan(table(5000), card("4090"), dataset=slow).time.limited_by != "input"
