"""The machine around the cards as rows of label, value and remark."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject

from gpuconfig_app.core.gpu import Gpu, Vendor
from gpuconfig_app.core.system import Disk, DiskKind, DriverInfo, SystemReport
from gpuconfig_app.core.units import GB, TIB, format_bytes

_TB = 10**12


@dataclass(frozen=True)
class MachineRow:
    """One fact; ``remark`` is shown muted behind the value."""

    label: str
    value: str
    remark: str = ""


class MachineRows(QObject):
    """Makes the rows in the shown language."""

    def rows(self, report: SystemReport) -> tuple[MachineRow, ...]:
        """Give all facts that are known."""
        found = [
            MachineRow(self.tr("Processor"), self._processor(report)),
            MachineRow(self.tr("Memory"), self._memory(report)),
            MachineRow(self.tr("Disk"), self._disk(report)),
            MachineRow(self.tr("System"), self._system(report)),
            *self._drivers(report),
        ]
        link = self._link(report.gpus)
        if link:
            found.append(MachineRow(self.tr("GPU link"), link))
        if report.host.os.container:
            found.append(MachineRow(self.tr("Container"), report.host.os.container))
        return tuple(row for row in found if row.value)

    def _processor(self, report: SystemReport) -> str:
        cpu = report.host.cpu
        parts = [_short_cpu(cpu.name)] if cpu.name else []
        if cpu.physical_cores:
            parts.append(self.tr("%n core(s)", "", cpu.physical_cores))
        if cpu.usable_threads and cpu.logical_cores and cpu.usable_threads < cpu.logical_cores:
            parts.append(self.tr("%n thread(s) usable", "", cpu.usable_threads))
        return self.tr(", ").join(parts)

    def _memory(self, report: SystemReport) -> str:
        memory = report.host.memory
        if memory.total_bytes is None:
            return ""
        total = memory.limit_bytes or memory.total_bytes
        text = format_bytes(total, 1 if total >= TIB else 0)
        if memory.available_bytes is not None:
            free = format_bytes(memory.available_bytes, 1 if memory.available_bytes >= TIB else 0)
            text = self.tr("{total}, {free} free").format(total=text, free=free)
        if memory.limit_bytes is not None:
            text = self.tr("{memory} (limited)").format(memory=text)
        return text

    def _disk(self, report: SystemReport) -> str:
        disk = _main_disk(report.host.disks)
        if disk is None or disk.total_bytes is None:
            return ""
        kinds = {
            DiskKind.NVME: "NVMe",
            DiskKind.SSD: "SSD",
            DiskKind.HDD: self.tr("hard disk"),
            DiskKind.NETWORK: self.tr("network"),
            DiskKind.MEMORY: self.tr("in memory"),
        }
        kind = f" {kinds[disk.kind]}" if disk.kind is not None else ""
        total = f"{_decimal(disk.total_bytes)}{kind}"
        if disk.free_bytes is None:
            return total
        return self.tr("{total}, {free} free").format(total=total, free=_decimal(disk.free_bytes))

    def _system(self, report: SystemReport) -> str:
        os = report.host.os
        name = os.name or os.family.value.capitalize()
        parts = [name]
        if os.wsl_version:
            parts.append(f"WSL{os.wsl_version}")
        if os.kernel:
            parts.append(self.tr("kernel {version}").format(version=os.kernel.split("-")[0]))
        return self.tr(", ").join(parts)

    def _drivers(self, report: SystemReport) -> list[MachineRow]:
        label = self.tr("Driver")
        rows = [self._driver(label, driver) for driver in report.drivers if driver.version]
        if not rows and report.gpus:
            rows.append(MachineRow(label, self.tr("version not told") if report.drivers else self.tr("none answers")))
        return rows

    def _driver(self, label: str, driver: DriverInfo) -> MachineRow:
        remark = ""
        if driver.cuda_version:
            remark = self.tr("runs CUDA up to {version}").format(version=driver.cuda_version)
        return MachineRow(label, driver.version or "", remark)

    def _link(self, gpus: tuple[Gpu, ...]) -> str:
        if not gpus:
            return ""
        links = sum(any(link.is_active for link in gpu.nvlinks) for gpu in gpus)
        generations = {gpu.pcie.max_generation for gpu in gpus if gpu.pcie is not None and gpu.pcie.max_generation}
        parts = [f"PCIe {generation}.0" for generation in sorted(generations, reverse=True)]
        if links > 1:
            parts.append(self.tr("NVLink between %n GPUs", "", links))
        elif len(gpus) > 1 and all(gpu.vendor is Vendor.NVIDIA for gpu in gpus):
            parts.append(self.tr("no NVLink"))
        return self.tr(", ").join(parts)


def _main_disk(disks: tuple[Disk, ...]) -> Disk | None:
    """The disk with most free room, for that is where data and environments go."""
    real = [disk for disk in disks if disk.kind is not DiskKind.MEMORY]
    return max(real, key=lambda disk: disk.free_bytes or 0, default=None)


def _decimal(count: int) -> str:
    """Disks are sold and shown in decimal units."""
    return f"{count / _TB:.3g} TB" if count >= _TB else f"{count / GB:.0f} GB"


def _short_cpu(name: str) -> str:
    for noise in ("(R)", "(TM)", " CPU", " Processor"):
        name = name.replace(noise, "")
    name = name.replace("AMD Ryzen Threadripper", "Threadripper")
    words = [word for word in name.split("@")[0].split() if not word.endswith(("-Core", "-Cores"))]
    return " ".join(words)
