"""The same troubles in the words of other releases, languages and tools; and ``check`` where it can judge a case."""

from __future__ import annotations

import pytest

from gpuconfig_app.compat.check import CheckOptions, check
from tests.unit.compat.logs import ask, public_cases, recorded

# Healthy machines, on which a case is a matter of the log alone.
_HEALTHY = {"healthy-1x4090", "training-2x4090", "8xh100"}
# A recorded machine that stands for the case's words, while its own verdict is another one.
_OTHER_VERDICT = {"P-A17", "P-A33"}


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in public_cases()
        if case.machine and case.machine not in _HEALTHY and case.id not in _OTHER_VERDICT
    ],
    ids=lambda case: f"{case.id}-{case.code}",
)
def test_check_gives_the_same_code_on_the_machine_of_the_case(case):
    report, environment = recorded(case.machine)

    verdict = check(report, CheckOptions(environment=environment))

    assert verdict.primary is not None
    assert verdict.primary.code == case.code


@pytest.mark.parametrize(
    ("log", "code"),
    [
        ("Failed call to cuInit: UNKNOWN ERROR (303)", "WSL_LIBCUDA_PATH"),
        ("libcuda.so.1: 无法打开共享对象文件: 没有那个文件或目录", "WSL_LIBCUDA_PATH"),
        (
            'CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\nenv: CUDA_VISIBLE_DEVICES="3"',
            "VISIBLE_DEVICES_EXCLUDES_ALL",
        ),
        ("CUDA_VISIBLE_DEVICES is set to -1 - this hides all GPUs from CUDA", "VISIBLE_DEVICES_EXCLUDES_ALL"),
        ("2 GPUs: 45 ms/step\n1 GPU: 30 ms/step", "SCALING_WORKLOAD_TOO_SMALL"),
        ("With MirroredStrategy (4 GPUs) epoch took 120 s\nOneDeviceStrategy: 80 s", "SCALING_WORKLOAD_TOO_SMALL"),
        ("2 GPUs: 25 ms/step\n1 GPU: 45 ms/step", "NOTHING_WRONG_SEEN"),
        ("2 GPUs: 45 ms/step\n1 GPU: 30 s", "NOTHING_WRONG_SEEN"),
        (
            'File "C:\\Users\\bob\\venv\\lib\\site-packages\\x.py"\nNum GPUs Available:  0',
            "WINDOWS_NATIVE_NO_GPU_BUILD",
        ),
        (
            "TensorFlow GPU support is not available on native Windows for TensorFlow >= 2.11.",
            "WINDOWS_NATIVE_NO_GPU_BUILD",
        ),
        ("ungültiger Maschinenbefehl (Speicherabzug geschrieben)", "CPU_LACKS_AVX"),
        ("非法指令 (核心已转储)", "CPU_LACKS_AVX"),
        ("Process finished with exit code 132 (interrupted by signal 4: SIGILL)", "CPU_LACKS_AVX"),
        ("Process finished with exit code -1073741795 (0xC000001D)", "CPU_LACKS_AVX"),
        ("could not insert 'nvidia': Schlüssel wurde vom Dienst abgelehnt", "SECURE_BOOT_MODULE_REJECTED"),
        ("Lockdown: modprobe: unsigned module loading is restricted", "SECURE_BOOT_MODULE_REJECTED"),
        ("module verification failed: signature and/or required key missing - tainting kernel", "OK_BENIGN_LINES"),
        ("ImportError: libcublas.so.12: 无法打开共享对象文件", "CUDA_LIBRARIES_INCOMPLETE"),
        ("NVRM: API mismatch: the client has the version 535.171.04, but", "DRIVER_LIBRARY_MISMATCH"),
        ("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "DRIVER_LIBRARY_MISMATCH"),
        ("CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "FORWARD_COMPATIBILITY_NOT_SUPPORTED"),
        ("'SymbolDatabase' object has no attribute 'GetPrototype'", "PROTOBUF_TOO_NEW"),
        ("ImportError: numpy.core.umath failed to import", "NUMPY2_WITH_OLD_TF"),
        ("module 'numpy' has no attribute 'object'", "NUMPY_TOO_NEW"),
        ("Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all", "CONTAINER_TOOLKIT_MISSING"),
        ("The NVIDIA Driver was not detected.  GPU functionality will not be available.", "CONTAINER_TOOLKIT_MISSING"),
        ("INFO: Could not find any nv files on this host!", "CONTAINER_TOOLKIT_MISSING"),
        ("requirement error: unsatisfied condition: cuda>=12.8, please update your driver", "DRIVER_TOO_OLD"),
        ("with AMDGPU version : gfx1032. The supported AMDGPU versions are gfx1030, gfx1100.", "ROCM_ARCH_UNSUPPORTED"),
        ("slurmstepd: error: Detected 1 oom-kill event(s) in StepId=12.batch", "HOST_OUT_OF_MEMORY"),
        ("./train.sh: line 3: 2211 Killed                  python3 train.py", "HOST_OUT_OF_MEMORY"),
        ("RuntimeError: CUDA error: out of memory", "GPU_OUT_OF_MEMORY"),
        (
            "failed to allocate 2.34GiB (2512650240 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY",
            "PREALLOCATION_EXCEEDS_FREE",
        ),
        (
            "Allocator (GPU_0_bfc) ran out of memory to allocate 2GiB. The caller indicates that this is not a failure",
            "OK_BENIGN_LINES",
        ),
        ("compatible with compute capability 8.9. CUDA kernels will be jit-compiled", "NOTHING_WRONG_SEEN"),
        (
            "TensorFlow was not built with CUDA kernel binaries compatible with compute capability 10.0.",
            "WHEEL_LACKS_ARCH_FATAL",
        ),
        (
            "tensorflow==2.21.0\nwas not built with CUDA kernel binaries compatible with compute capability 12.0.",
            "WHEEL_LACKS_ARCH_SLOW_FIRST_START",
        ),
        ("Kernel driver in use: vfio-pci", "VFIO_BOUND"),
        ("configuration: driver=nouveau latency=0", "NOUVEAU_BOUND"),
        ("nouveau, is present and prevents the NVIDIA kernel module", "NOTHING_WRONG_SEEN"),
        ("AMD-Vi: Event logged [IO_PAGE_FAULT device=23:00.0", "P2P_BLOCKED_BY_IOMMU"),
        (
            "NewConnectionError\nCould not find a version that satisfies the requirement tensorflow (from versions: )",
            "NETWORK_UNREACHABLE",
        ),
        (
            "package tensorflow-2.10.0 requires python >=3.10,<3.11.0a0, but none can be installed",
            "PYTHON_NOT_SUPPORTED",
        ),
        ("No matching distribution found for nvidia-nccl-cu12==2.16.5", "AND_CUDA_NOT_INSTALLABLE"),
        ("No MIG devices found", "MIG_WITHOUT_INSTANCE"),
        (
            "Compute Mode                          : Prohibited\nall CUDA-capable devices are busy or unavailable",
            "COMPUTE_MODE_EXCLUSIVE",
        ),
        (
            "| 30%  60C   P2   100W / 350W | 23000MiB / 24576MiB |  0%   Default |\n|  No running processes found",
            "ORPHANED_GPU_PROCESS",
        ),
        ("NVRM: The GPU requires use of the NVIDIA open kernel modules", "DRIVER_FLAVOUR_WRONG"),
        ("Failed to initialize NVML: GPU access blocked by the operating system", "GPU_ACCESS_BLOCKED"),
        ("module 'tensorflow' has no attribute 'Session'", "TF1_CODE_WITH_TF2"),
        ("CUDA_VISIBLE_DEVICES=0 python train.py\nEpoch 1 loss: 0.2", "NOTHING_WRONG_SEEN"),
    ],
)
def test_other_words_for_the_same(log, code):
    assert ask(log).primary.code == code
