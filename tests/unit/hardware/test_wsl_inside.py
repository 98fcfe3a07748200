"""Looking into a distribution: the real script in a real shell, behind a stand-in for wsl.exe."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig_app.core.target_facts import WslDistribution
from gpuconfig_app.hardware import wsl_inside
from gpuconfig_app.hardware.inside_listing import read_listing
from gpuconfig_app.hardware.wsl_inside import look_inside
from tests.unit.hardware.layouts import lay_out
from tests.unit.stand_ins import Answer, StandIn, put_on_path, windows_words

UBUNTU = WslDistribution(name="我的 Ubuntu", version=2, is_default=True, is_running=True)
SITE = "lib/python3.12/site-packages"
VENV = {
    "projects/train/.venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.12.8\nprompt = 'train ing'\n",
    "projects/train/.venv/bin/python": "",
    f"projects/train/.venv/{SITE}/tensorflow-2.21.0.dist-info/": "",
    f"projects/train/.venv/{SITE}/numpy-2.4.6.dist-info/": "",
    f"projects/train/.venv/{SITE}/left_pad-1.0.dist-info/": "",
    f"projects/train/.venv/{SITE}/nvidia/cudnn/lib/libcudnn.so.9": "",
    "miniconda3/conda-meta/python-3.11.7-h1_0.json": "{}",
    "miniconda3/conda-meta/tensorflow-2.15.0-cuda_1.json": "{}",
    "miniconda3/bin/python": "",
    "miniconda3/condabin/": "",
    ".venvs/gone/pyvenv.cfg": "version = 3.10.4\n",
    ".profile": "export XLA_FLAGS=--xla_dump_to=/x\nexport MY_TOKEN=secret\necho Welcome home\n",
}


@pytest.fixture
def home(tmp_path) -> Path:
    return lay_out(tmp_path / "home" / "li", VENV)


def wsl(tmp_path: Path, home: Path) -> StandIn:
    """Whatever is behind --exec runs here, with that home folder."""
    return put_on_path(tmp_path / "bin", "wsl.exe", {"-d": Answer(runs=3, environment={"HOME": str(home)})})


def test_environments_inside_are_read_by_their_files(tmp_path, home):
    program = wsl(tmp_path, home)

    inside = look_inside(UBUNTU, program=str(program.path))

    assert inside.distribution.problem is None
    assert inside.distribution.home == str(home)
    (train,) = [item for item in inside.environments if item.prefix == f"{home}/projects/train/.venv"]
    assert train.executable == f"wsl:我的 Ubuntu:{home}/projects/train/.venv/bin/python"
    assert train.target.python == f"{home}/projects/train/.venv/bin/python"
    assert (train.name, train.python_version) == ("train ing (我的 Ubuntu)", "3.12.8")
    assert dict(train.packages) == {"numpy": "2.4.6", "tensorflow": "2.21.0"}
    assert train.nvidia_library_folders == (f"{home}/projects/train/.venv/{SITE}/nvidia/cudnn/lib",)
    (conda,) = [item for item in inside.environments if item.prefix == f"{home}/miniconda3"]
    assert (conda.kind.value, conda.python_version, conda.tensorflow_version) == ("conda", "3.11.7", "2.15.0")


def test_a_broken_environment_says_what_is_missing_where(tmp_path, home):
    inside = look_inside(UBUNTU, program=str(wsl(tmp_path, home).path))

    (gone,) = [item for item in inside.environments if item.prefix.endswith(".venvs/gone")]
    assert gone.problem.id == "host.environment-without-interpreter"
    assert gone.problem.params["path"].startswith(str(home))


def test_it_is_one_call_that_starts_no_python(tmp_path, home):
    program = wsl(tmp_path, home)

    look_inside(UBUNTU, program=str(program.path))

    assert program.calls == [["-d", "我的 Ubuntu", "--exec", "sh"]]


def test_the_system_inside_is_described(tmp_path, home):
    inside = look_inside(UBUNTU, program=str(wsl(tmp_path, home).path))

    assert inside.host.os.family.value == "linux"
    assert inside.host.os.glibc_version is not None
    assert inside.host.memory.total_bytes > 0
    assert inside.host.cpu.flags
    assert inside.host.variables["XLA_FLAGS"] == "--xla_dump_to=/x"
    assert "MY_TOKEN" not in inside.host.variables


def test_a_library_is_named_by_the_file_that_holds_its_version(tmp_path, home):
    folder = lay_out(tmp_path / "cuda", {"libcudnn.so.9.10.2": ""})
    (folder / "libcudnn.so.9").symlink_to("libcudnn.so.9.10.2")
    (home / ".profile").write_text(f"export LD_LIBRARY_PATH={folder}\n", encoding="utf-8")

    inside = look_inside(UBUNTU, program=str(wsl(tmp_path, home).path))

    assert inside.host.libraries.libraries["libcudnn.so.9"] == f"{folder}/libcudnn.so.9.10.2"


def test_a_folder_no_search_comes_by_is_read_when_it_is_named(tmp_path, home):
    far = lay_out(tmp_path / "far" / "away", {"env/pyvenv.cfg": "version = 3.13.1\n", "env/bin/python": ""}) / "env"

    inside = look_inside(UBUNTU, extra_prefixes=(str(far),), program=str(wsl(tmp_path, home).path))

    assert str(far) in [item.prefix for item in inside.environments]


def test_a_stopped_distribution_is_not_started_unasked(tmp_path, home):
    program = wsl(tmp_path, home)
    stopped = WslDistribution(name="Debian", version=2, is_running=False)

    closed = look_inside(stopped, program=str(program.path))
    opened = look_inside(stopped, may_start=True, program=str(program.path))

    assert closed.distribution.problem.id == "targets.distribution-stopped"
    assert closed.host is None
    assert opened.distribution.is_running
    assert len(program.calls) == 1


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (windows_words("WslRegisterDistribution failed with error: 0x80370102\n", code=255), "0x80370102"),
        (windows_words("找不到具有所提供名称的分发。\nError code: Wsl/Service/WSL_E_DISTRO_NOT_FOUND\n", code=255),
         "Wsl/Service/WSL_E_DISTRO_NOT_FOUND"),
        (Answer(crashes=True), "exit -6"),
        (Answer(out="home\t/home/li\ntext\t/etc/os-release\tID=ubu"), "text\t/etc/os-release\tID=ubu"),
    ],
)  # fmt: skip
def test_trouble_is_a_sentence_with_the_words_of_wsl(tmp_path, answer, detail):
    program = put_on_path(tmp_path, "wsl.exe", {"-d": answer})

    inside = look_inside(UBUNTU, program=str(program.path))

    assert inside.distribution.problem.id == "targets.distribution-failed"
    assert inside.distribution.problem.params["detail"] == detail
    assert inside.environments == ()


def test_a_distribution_that_hangs_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(wsl_inside, "LOOK_LIMIT_S", 0.5)
    program = put_on_path(tmp_path, "wsl.exe", {"-d": Answer(hangs=True)})

    assert look_inside(UBUNTU, program=str(program.path)).distribution.problem.id == "targets.distribution-silent"


def test_without_wsl_exe_it_is_a_sentence(tmp_path):
    inside = look_inside(UBUNTU, program=str(tmp_path / "wsl.exe"))

    assert inside.distribution.problem.id == "targets.distribution-failed"


def test_hostile_lines_stay_inside_the_folder(tmp_path):
    listing = "home\t/home/../../etc\nfile\t/../../evil\nfolder\t/home/x/a.dist-info/../../../y\ntext\t/a\0b\tx\ndone\n"
    program = put_on_path(tmp_path / "bin", "wsl.exe", {"-d": Answer(out=listing)})

    inside = look_inside(UBUNTU, program=str(program.path))

    assert inside.distribution.problem is None
    assert not (tmp_path / "evil").exists()
    assert inside.environments == ()


def test_lines_of_a_shells_start_are_passed_over():
    found = read_listing("Welcome to Ubuntu!\n\nhome\t/home/li\nspace\tmany\tfew\nprocessors\t0\ndone")

    assert (found.home, found.space, found.processors, found.is_whole) == ("/home/li", None, None, True)
