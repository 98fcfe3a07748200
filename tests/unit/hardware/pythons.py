"""Python environments laid out as folders, and the search for them."""

from __future__ import annotations

from gpuconfig_app.hardware.python_envs import find_environments
from gpuconfig_app.hardware.python_places import PythonPlaces
from tests.unit.hardware.layouts import lay_out

TF = {"tensorflow-2.21.0.dist-info/": "", "numpy-2.4.6.dist-info/": "", "requests-2.32.0.dist-info/": ""}
CUDA = {
    "nvidia_cudnn_cu12-9.10.2.21.dist-info/": "",
    "nvidia/cudnn/lib/libcudnn.so.9": "",
    "nvidia/cublas/lib/libcublas.so.12": "",
    "nvidia/cublas/include/cublas.h": "",
}


def look(home, variables=None, folders=(), platform="linux", registered=()):
    places = PythonPlaces(
        platform=platform, root=home.parent / "root", home=home, variables=variables or {}, registered=registered
    )
    return find_environments(folders, places=places)


def make_venv(prefix, packages=TF, *, python="3.12.8", settings="", interpreter=True):
    short = python.rsplit(".", 1)[0]
    lay_out(prefix, {"pyvenv.cfg": f"home = /usr/bin\nversion = {python}\n{settings}"})
    if interpreter:
        lay_out(prefix, {"bin/python": "", "bin/python3": ""})
    lay_out(prefix / f"lib/python{short}/site-packages", packages)
    return prefix


def make_conda(prefix, python="3.11.9", files=(), packages=None):
    meta = [f"python-{python}-hb806964_0_cpython.json", *files]
    lay_out(prefix, {f"conda-meta/{name}": "{}" for name in meta})
    lay_out(prefix, {"conda-meta/history": "", "bin/python": ""})
    short = python.rsplit(".", 1)[0]
    lay_out(prefix / f"lib/python{short}/site-packages", packages or {"pip-24.0.dist-info/": ""})
    return prefix
