from __future__ import annotations

import os

import pytest

from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.python_environment import EnvironmentKind
from gpuconfig_app.hardware.python_envs import find_environments
from gpuconfig_app.hardware.python_places import PythonPlaces
from tests.unit.hardware.layouts import lay_out
from tests.unit.hardware.pythons import CUDA, TF, look, make_conda, make_venv


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def test_venv_is_read_from_names_alone(home):
    make_venv(home / "work/project/.venv", TF | CUDA)

    (found,) = look(home)

    assert (found.kind, found.name, found.python_version) == (EnvironmentKind.VENV, "project", "3.12.8")
    assert found.packages == {"nvidia-cudnn-cu12": "9.10.2.21", "numpy": "2.4.6", "tensorflow": "2.21.0"}
    assert found.executable == str(home / "work/project/.venv/bin/python")
    assert [folder.rsplit("/", 2)[1] for folder in found.nvidia_library_folders] == ["cublas", "cudnn"]
    assert found.problem is None
    assert found.implementation == "CPython"


def test_fifty_environments_are_all_found(home):
    for number in range(25):
        make_venv(home / f"projects/p{number:02}/.venv")
        make_conda(home / f"miniforge3/envs/e{number:02}")

    found = look(home)

    assert len(found) == 50
    assert len({item.prefix for item in found}) == 50
    assert sum(item.kind is EnvironmentKind.CONDA for item in found) == 25
    assert all(item.problem is None for item in found)


def test_active_environment_comes_first_and_hides_the_conda_one_below(home):
    make_conda(home / "miniconda3")
    active = make_venv(home / "zzz")
    variables = {"VIRTUAL_ENV": str(active), "CONDA_PREFIX": str(home / "miniconda3")}

    found = look(home, variables)

    assert [(item.prefix, item.is_current) for item in found] == [
        (str(active), True),
        (str(home / "miniconda3"), False),
    ]


def test_active_environment_that_was_deleted_is_told(home):
    (found,) = look(home, {"VIRTUAL_ENV": str(home / "gone")})

    assert found.is_current
    assert found.problem is not None


def test_conda_versions_come_from_file_names(home):
    names = ("tensorflow-2.17.0-cuda120py311h5cbd639_203.json", "cudnn-8.9.7.29-h092f7fd_3.json", "zlib-1.3-h1_0.json")
    make_conda(home / "anaconda3/envs/tf", files=names)

    (found,) = look(home)

    assert (found.kind, found.name, found.python_version) == (EnvironmentKind.CONDA, "tf", "3.11.9")
    assert found.packages == {"cudnn": "8.9.7.29", "tensorflow": "2.17.0"}
    assert found.extra["conda_builds"]["tensorflow"] == "cuda120py311h5cbd639_203"


def test_conda_root_is_called_base_and_listed_environments_are_found(home):
    make_conda(home / "miniforge3")
    lay_out(home / "miniforge3", {"condabin/": ""})
    far = make_conda(home.parent / "far/away")
    lay_out(home, {".conda/environments.txt": f"{far}\n\n/not/there\n"})

    assert {item.name for item in look(home)} == {"base", "away"}


def test_conda_environment_without_python_is_broken(home):
    lay_out(home / "miniconda3/envs/empty", {"conda-meta/history": ""})

    (found,) = look(home)

    assert found.problem.id == "host.environment-conda-without-python"


def test_python_that_the_venv_was_made_with_is_gone(home):
    prefix = make_venv(home / "old", interpreter=False)
    (prefix / "bin").mkdir()
    (prefix / "bin/python").symlink_to("/usr/lib/python-that-was-removed/bin/python3.8")

    (found,) = look(home)

    assert found.problem.id == "host.environment-without-interpreter"
    assert found.problem.params["path"] == "/usr/lib/python-that-was-removed/bin/python3.8"


def test_venv_without_package_folder_is_broken(home):
    lay_out(home / "half", {"pyvenv.cfg": "home = /usr/bin\nversion = 3.11.2\n", "bin/python": ""})

    (found,) = look(home)

    assert found.problem.id == "host.environment-without-packages"


def test_pyenv_and_uv_versions_by_folder_name(home):
    for folder in (".pyenv/versions/3.10.13", ".local/share/uv/python/cpython-3.13.1-linux-x86_64-gnu"):
        lay_out(home / folder, {"bin/python3": "", "lib/python3.13/site-packages/": ""})

    found = {item.kind: item.python_version for item in look(home)}

    assert found == {EnvironmentKind.PYENV: "3.10.13", EnvironmentKind.UV: "3.13.1"}


def test_virtualenv_made_by_pyenv_or_uv_is_told_by_its_settings(home):
    make_venv(home / ".pyenv/versions/tf")
    make_venv(home / "app/.venv", settings="uv = 0.5.9\nversion_info = 3.12.4\nprompt = 'fast'\n")

    found = {item.name: item.kind for item in look(home)}

    assert found == {"tf": EnvironmentKind.VENV, "fast": EnvironmentKind.UV}


@pytest.mark.parametrize(
    "folder",
    [
        ".virtualenvs/a",
        ".local/share/pipx/venvs/a",
        ".cache/pypoetry/virtualenvs/a",
        ".local/share/uv/tools/a",
        ".local/share/pdm/venvs/a",
        ".local/share/hatch/env/virtual/project/Vb3XeJ9Y/a",
        ".local/share/virtualenvs/a",
        ".pyenv/versions/3.12.4/envs/a",
        "pipx/venvs/a",
        "x/y/a",
    ],
)
def test_usual_places(home, folder):
    make_venv(home / folder)

    assert [item.name for item in look(home)] == ["a"]


def test_hidden_folders_are_passed_over_unless_they_are_called_like_environments(home):
    make_venv(home / "project/.venv-tensorflow")
    make_venv(home / "project/.git/hooks")

    assert [item.name for item in look(home)] == [".venv-tensorflow"]


def test_named_folder_is_searched_deeper_and_outside_home(home):
    make_venv(home.parent / "data/team/projects/one/.venv")

    assert look(home) == ()
    assert [item.name for item in look(home, folders=[home.parent / "data"])] == ["one"]


def test_folder_that_is_itself_an_environment(home):
    prefix = make_venv(home.parent / "elsewhere")

    assert [item.prefix for item in look(home, folders=[prefix])] == [str(prefix)]


def test_links_are_not_followed_and_no_environment_comes_twice(home):
    prefix = make_venv(home / "real")
    (home / "link").symlink_to(prefix)
    (home / "loop").symlink_to(home)

    assert [item.prefix for item in look(home)] == [str(prefix)]
    assert len(look(home, {"VIRTUAL_ENV": str(home / "link")})) == 1


def test_packages_of_the_user_hide_those_of_the_system(home):
    """User-site packages are a known cause of "but I installed another version"."""
    root = home.parent / "root"
    lay_out(root, {"usr/bin/python3.11": "", "usr/lib/python3/dist-packages/numpy-1.24.2.egg-info/": ""})
    site = home / ".local/lib/python3.11/site-packages"
    lay_out(site, {"numpy-2.1.0.dist-info/": "", "tensorflow-2.18.0.dist-info/": ""})

    (seen,) = look(home)
    (unseen,) = look(home, {"PYTHONNOUSERSITE": "1"})

    assert (seen.kind, seen.python_version) == (EnvironmentKind.SYSTEM, "3.11")
    assert seen.packages == {"numpy": "2.1.0", "tensorflow": "2.18.0"}
    assert seen.user_site_packages == {"numpy": "2.1.0", "tensorflow": "2.18.0"}
    assert seen.hidden_packages == {"numpy": "1.24.2"}
    assert unseen.packages == {"numpy": "1.24.2"}


def test_venv_does_not_see_the_users_packages_unless_it_sees_the_system(home):
    lay_out(home / ".local/lib/python3.12/site-packages", {"keras-3.0.0.dist-info/": ""})
    make_venv(home / "closed")
    make_venv(home / "open", settings="include-system-site-packages = true\n")

    found = {item.name: "keras" in item.packages for item in look(home)}

    assert found == {"closed": False, "open": True}


def test_version_is_taken_from_the_file_only_when_the_name_has_none(home):
    packages = {
        "tensorflow.egg-info/PKG-INFO": "Metadata-Version: 2.1\nName: tensorflow\nVersion: 2.9.1\n\nVersion: 1\n"
    }
    make_venv(home / "own-build", packages)

    assert look(home)[0].packages == {"tensorflow": "2.9.1"}


def test_windows_installation_venv_and_store_alias(home):
    local = home / "AppData/Local"
    lay_out(local, {"Programs/Python/Python311/python.exe": "", "Programs/Python/Python311/Lib/site-packages/": ""})
    lay_out(local, {"Microsoft/WindowsApps/python3.12.exe": "", "Microsoft/WindowsApps/python.exe": ""})
    lay_out(home / "tf/.venv", {"pyvenv.cfg": "version = 3.10.11\n", "Scripts/python.exe": ""})
    lay_out(home / "tf/.venv/Lib/site-packages", {"tensorflow-2.10.1.dist-info/": ""})
    registered = lay_out(home / "D/Py39", {"python.exe": "", "Lib/site-packages/": ""})

    found = look(home, {"LOCALAPPDATA": str(local)}, platform="win32", registered=(str(registered),))

    by_kind = {(item.kind, item.python_version): item for item in found}
    assert (EnvironmentKind.SYSTEM, "3.11") in by_kind
    assert by_kind[(EnvironmentKind.VENV, "3.10.11")].packages == {"tensorflow": "2.10.1"}
    assert by_kind[(EnvironmentKind.STORE, "3.12")].problem.id == "host.environment-store-alias"
    assert any(item.prefix == str(registered) for item in found)


def test_folder_without_permission_is_passed_over(home, monkeypatch):
    make_venv(home / "good")
    (home / "closed").mkdir()
    real = os.scandir

    def scandir(path):
        if str(path).endswith("closed"):
            raise PermissionError(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)

    assert [item.name for item in look(home)] == ["good"]


def test_strange_environment_files_do_not_stop_the_search(home):
    lay_out(home / "binary", {"pyvenv.cfg": b"\xff\xfe\0\0=", "bin/python": ""})
    lay_out(home / "empty", {"pyvenv.cfg": "", "bin/python": "", "lib/python3.12/site-packages/": ""})
    make_venv(home / "good")

    assert {item.name: item.problem is None for item in look(home)} == {"binary": False, "empty": True, "good": True}


def test_search_ends_when_it_is_cancelled(home):
    make_venv(home / "one")
    control = JobControl()
    control.cancel()

    with pytest.raises(JobCancelledError):
        find_environments((), control, places=PythonPlaces(root=home.parent, home=home))


def test_free_threaded_python_is_told_apart(home):
    """Its wheels are others than those of the usual build, and TensorFlow has none."""
    lay_out(
        home / "nogil", {"pyvenv.cfg": "version = 3.13.1\n", "bin/python": "", "lib/python3.13t/site-packages/": ""}
    )
    lay_out(home.parent / "root", {"usr/bin/python3.13t": "", "usr/bin/python3.12": ""})

    found = {(item.python_version, item.implementation) for item in look(home)}

    assert found == {("3.13.1", "CPython without GIL"), ("3.13", "CPython without GIL"), ("3.12", "CPython")}


def test_folders_that_may_not_be_entered_do_not_stop_the_search(home, monkeypatch):
    """A folder of another user in the home folder, as containers leave them behind."""
    make_venv(home / "good")
    (home / "closed/inner").mkdir(parents=True)
    real = os.stat

    def stat(path, *args, **kwargs):
        if "/closed/" in str(path):
            raise PermissionError(path)
        return real(path, *args, **kwargs)

    monkeypatch.setattr(os, "stat", stat)

    assert [item.name for item in look(home, {"VIRTUAL_ENV": "x" * 5000})] == ["x" * 5000, "good"]


def test_packages_of_a_store_python_lie_in_the_users_folder(home):
    local = home / "AppData/Local"
    package = "Packages/PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0/LocalCache/local-packages"
    lay_out(local, {"Microsoft/WindowsApps/python3.11.exe": "", "Microsoft/WindowsApps/python3.12.exe": ""})
    lay_out(local / package / "Python311/site-packages", {"tensorflow-2.10.1.dist-info/": ""})

    found = {item.python_version: item for item in look(home, {"LOCALAPPDATA": str(local)}, platform="win32")}

    assert found["3.11"].packages == {"tensorflow": "2.10.1"}
    assert found["3.11"].problem is None
    assert found["3.12"].problem.id == "host.environment-store-alias"
