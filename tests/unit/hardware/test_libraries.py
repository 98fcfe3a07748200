from __future__ import annotations

from gpuconfig_app.command import CommandResult
from gpuconfig_app.hardware.libraries import find_windows_libraries, parse_loader_cache, read_linux_libraries
from tests.unit.hardware.layouts import FakeCommands, lay_out, recorded


def test_cache_gives_cuda_libraries_of_this_architecture():
    found = dict(parse_loader_cache(recorded("ldconfig.txt"), "x86_64"))

    assert found["libcuda.so.1"] == "/lib/x86_64-linux-gnu/libcuda.so.1"
    assert found["libcudart.so.12"].startswith("/usr/local/cuda-12.5/")
    assert "libzstd.so.1" not in found
    assert "libcudadebugger.so.1" not in found


def test_library_path_wins_over_the_cache(tmp_path):
    """An older cuDNN on LD_LIBRARY_PATH is found first, as the loader finds it (keras issues call it shadowed)."""
    lay_out(tmp_path, {"sbin/ldconfig": "", "opt/old/libcudnn.so.9": "", "opt/new/libcudnn.so.9": ""})
    variables = {"LD_LIBRARY_PATH": ":/opt/old:/opt/new:relative:"}

    facts, absent = read_linux_libraries(
        tmp_path, variables, "x86_64", FakeCommands({"ldconfig": recorded("ldconfig.txt")})
    )

    assert facts.libraries["libcudnn.so.9"] == "/opt/old/libcudnn.so.9"
    assert facts.libcuda == "/lib/x86_64-linux-gnu/libcuda.so.1"
    assert "libcuda.so" not in facts.libraries
    assert absent == {}


def test_wsl_library_off_the_path_is_seen_but_not_found(tmp_path):
    """WSL2 where /usr/lib/wsl/lib is not on the loader's path: the library exists, the loader does not find it."""
    lay_out(tmp_path, {"usr/lib/wsl/lib/libcuda.so.1": "", "dev/dxg": "", "sbin/ldconfig": ""})

    facts, _ = read_linux_libraries(tmp_path, {}, "x86_64", FakeCommands({"ldconfig": "0 libs found\n"}))

    assert facts.wsl_libcuda is True
    assert facts.has_dxg is True
    assert facts.libcuda is None


def test_missing_or_failing_ldconfig_is_a_reason(tmp_path):
    _, without = read_linux_libraries(tmp_path, {}, "x86_64", FakeCommands())
    lay_out(tmp_path, {"usr/sbin/ldconfig": ""})
    _, failing = read_linux_libraries(tmp_path, {}, "x86_64", FakeCommands({"ldconfig": CommandResult(1, "", "no")}))

    assert without["libraries.libraries"].id == "host.tool-gave-nothing"
    assert failing["libraries.libraries"].id == "host.tool-gave-nothing"


def test_windows_looks_through_path_in_order(tmp_path):
    lay_out(
        tmp_path,
        {
            "Win/System32/nvcuda.dll": "",
            "a/cudart64_110.dll": "",
            "b/cudart64_110.dll": "",
            "b/cudnn64_8.dll": "",
            "b/x.dll": "",
        },
    )

    facts = find_windows_libraries(f"{tmp_path / 'a'}|{tmp_path / 'b'}|", str(tmp_path / "Win"), separator="|")

    assert facts.libcuda == str(tmp_path / "Win/System32/nvcuda.dll")
    assert facts.libraries == {
        "cudart64_110.dll": str(tmp_path / "a/cudart64_110.dll"),
        "cudnn64_8.dll": str(tmp_path / "b/cudnn64_8.dll"),
    }


def test_library_of_another_architecture_is_passed_over():
    cache = "\tlibcuda.so.1 (libc6) => /lib/i386/libcuda.so.1\n\tlibcuda.so.1 (libc6,x86-64) => /lib/x64/libcuda.so.1\n"

    assert dict(parse_loader_cache(cache, "x86_64")) == {"libcuda.so.1": "/lib/x64/libcuda.so.1"}
    assert dict(parse_loader_cache("\tlibcuda.so.1 (libc6) => /lib/i386/libcuda.so.1\n", "x86_64")) == {}


def test_version_is_told_by_the_file_a_link_leads_to(tmp_path):
    """TensorFlow opens libcudnn.so.9; which 9.x that is stands in the name of the file behind it."""
    lay_out(tmp_path, {"opt/a/libcudnn.so.9.1.0": "", "opt/b/": "", "elsewhere/libnccl.so.2.21.5": ""})
    (tmp_path / "opt/a/libcudnn.so.9").symlink_to("libcudnn.so.9.1.0")
    (tmp_path / "opt/b/libnccl.so.2").symlink_to("../../elsewhere/libnccl.so.2.21.5")

    facts, _ = read_linux_libraries(tmp_path, {"LD_LIBRARY_PATH": "/opt/a:/opt/b"}, "x86_64", FakeCommands())

    assert facts.libraries["libcudnn.so.9"] == "/opt/a/libcudnn.so.9.1.0"
    assert facts.libraries["libnccl.so.2"] == "/opt/b/libnccl.so.2"


def test_compatibility_library_tells_its_driver(tmp_path):
    """NVIDIA's cuda-compat on LD_LIBRARY_PATH: the file's name says which driver it stands for."""
    folder = lay_out(tmp_path / "usr/local/cuda-12.8/compat", {"libcuda.so.570.86.10": ""})
    (folder / "libcuda.so.1").symlink_to("libcuda.so.570.86.10")

    facts, _ = read_linux_libraries(
        tmp_path, {"LD_LIBRARY_PATH": "/usr/local/cuda-12.8/compat"}, "x86_64", FakeCommands()
    )

    assert facts.libcuda == "/usr/local/cuda-12.8/compat/libcuda.so.570.86.10"
