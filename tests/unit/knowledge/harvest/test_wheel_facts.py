"""What wheels declare, with the forms that released TensorFlow wheels really have."""

from __future__ import annotations

import pytest

from gpuconfig_app.knowledge.harvest.remote_zip import LocalWheel
from gpuconfig_app.knowledge.harvest.trouble import UnreadableWheelError
from gpuconfig_app.knowledge.harvest.wheel_facts import (
    glibc_of_tags,
    least_version,
    parse_build_info,
    platform_of_tags,
    python_of_tags,
    read_wheel_facts,
)
from tests.unit.knowledge.harvest.gpu_libraries import build_info, wheel

LINUX = "linux-x86_64"
BUILD_INFO = "tensorflow/python/platform/build_info.py"
NEEDS = (
    "Requires-Dist: numpy (<2.0.0,>=1.23.5)",
    "Requires-Dist: keras>=3.0.0",
    "Requires-Dist: protobuf !=4.21.0,<5.0.0dev,>=3.20.3",
    'Requires-Dist: tensorflow-intel ==2.16.2 ; platform_system == "Windows"',
    "Provides-Extra: and-cuda",
    "Requires-Dist: nvidia-cudnn-cu12 <10.0,>=9.10.2.21 ; extra == 'and-cuda'",
    "Requires-Dist: nvidia-cuda-nvcc-cu12 <13.0,>=12.5.82 ; extra == 'and-cuda'",
    "Requires-Dist: h5py",
)


def _opened(tmp_path, members, needs=NEEDS):
    name = "tensorflow-2.16.2-cp312-cp312-manylinux2014_x86_64.whl"
    path = tmp_path / name
    path.write_bytes(wheel(name, members, needs))
    return LocalWheel(name, path)


def _facts(tmp_path, *, platform=LINUX, needs=NEEDS, **values):
    return read_wheel_facts(_opened(tmp_path, {BUILD_INFO: build_info(**values)}, needs), platform, "3.12")


def test_a_build_with_cuda(tmp_path):
    facts = _facts(tmp_path, is_cuda_build=True, cuda_version="12.3", cudnn_version="8")

    assert facts.is_cuda_build
    assert (facts.cuda, facts.cudnn) == ("12.3", "8")
    assert (facts.numpy, facts.keras) == ("<2.0.0,>=1.23.5", ">=3.0.0")
    assert facts.protobuf == "!=4.21.0,<5.0.0dev,>=3.20.3"
    assert dict(facts.and_cuda) == {
        "nvidia-cuda-nvcc-cu12": "<13.0,>=12.5.82",
        "nvidia-cudnn-cu12": "<10.0,>=9.10.2.21",
    }
    assert facts.provider is None


def test_a_build_that_tells_no_versions_gets_them_from_the_pins(tmp_path):
    """As from 2.22 on."""
    facts = _facts(tmp_path, is_cuda_build=True, is_rocm_build=False)

    assert (facts.cuda, facts.cudnn) == ("12.5", None)


def test_windows_tells_the_end_of_file_names(tmp_path):
    """As 2.10 did."""
    facts = _facts(tmp_path, platform="windows-x86_64", is_cuda_build=True, cuda_version="64_112", cudnn_version="64_8")

    assert (facts.cuda, facts.cudnn) == ("11.2", "8")


def test_a_build_without_cuda_has_no_pins(tmp_path):
    facts = _facts(tmp_path, is_cuda_build=False)

    assert not facts.is_cuda_build
    assert facts.cuda is None
    assert not facts.and_cuda


def test_a_stub_names_who_brings_the_code(tmp_path):
    opened = _opened(tmp_path, {})

    assert read_wheel_facts(opened, "windows-x86_64", "3.12").provider == ("tensorflow-intel", "2.16.2")
    with pytest.raises(UnreadableWheelError):
        read_wheel_facts(opened, LINUX, "3.12")


def test_no_keras_but_its_nightly_is_no_bound(tmp_path):
    assert _facts(tmp_path, needs=("Requires-Dist: keras-nightly>=3.12.0.dev",), is_cuda_build=False).keras is None


def test_a_build_info_without_answer_is_refused(tmp_path):
    with pytest.raises(UnreadableWheelError):
        _facts(tmp_path, is_rocm_build=False)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("build_info = {'is_cuda_build': True}", {"is_cuda_build": True}),
        ("import os\nbuild_info = OrderedDict([('a', 1)])", {"a": 1}),
        ("build_info = open('/etc/passwd')", {}),
        ("build_info = 7", {}),
        ("build_info = {", {}),
        ("other = {'a': 1}", {}),
    ],
)
def test_build_info_is_read_and_never_run(text, answer):
    assert parse_build_info(text) == answer


@pytest.mark.parametrize(
    ("tags", "platform", "glibc"),
    [
        (("manylinux_2_17_x86_64", "manylinux2014_x86_64"), "linux-x86_64", "2.17"),
        (("manylinux_2_27_aarch64",), "linux-aarch64", "2.27"),
        (("manylinux2010_x86_64",), "linux-x86_64", "2.12"),
        (("win_amd64",), "windows-x86_64", None),
        (("macosx_12_0_arm64",), "macos-arm64", None),
        (("macosx_10_15_x86_64",), "macos-x86_64", None),
        (("musllinux_1_2_x86_64",), None, None),
        (("manylinux_2_28_ppc64le",), None, "2.28"),
        (("any",), None, None),
    ],
)
def test_platform_tags(tags, platform, glibc):
    assert platform_of_tags(tags) == platform
    assert glibc_of_tags(tags) == glibc


@pytest.mark.parametrize(
    ("pythons", "abis", "answer"),
    [
        (("cp312",), ("cp312",), "3.12"),
        (("cp37",), ("cp37m",), "3.7"),
        (("cp313",), ("cp313t",), None),
        (("py3",), ("none",), None),
        (("cp39",), ("abi3",), None),
    ],
)
def test_python_tags(pythons, abis, answer):
    assert python_of_tags(pythons, abis) == answer


@pytest.mark.parametrize(
    ("bounds", "answer"), [("<10,>=9.3.0.75", "9.3.0.75"), ("==8.9.4.25", "8.9.4.25"), ("<2", None)]
)
def test_where_bounds_begin(bounds, answer):
    assert least_version(bounds) == answer


def test_a_requirement_with_a_senseless_condition_is_passed_over(tmp_path):
    needs = ('Requires-Dist: numpy>=1; python_version ~= "x"', "Requires-Dist: numpy>=2", "Requires-Dist: ==broken")

    assert _facts(tmp_path, needs=needs, is_cuda_build=False).numpy == ">=2"
