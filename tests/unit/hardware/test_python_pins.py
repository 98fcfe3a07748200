"""Who asks for which version, and which package hides which."""

from __future__ import annotations

import pytest

from tests.unit.hardware.layouts import lay_out
from tests.unit.hardware.pythons import TF, look, make_venv


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def test_packages_on_pythonpath_come_first_and_are_told(home):
    path = home.parent / "shared"
    lay_out(path, {"numpy-1.21.0.dist-info/": "", "keras/__init__.py": ""})
    make_venv(home / "tf", TF | {"keras-3.15.1.dist-info/": ""})

    (found,) = look(home, {"PYTHONPATH": f"src::{path}:/nowhere"})

    assert found.packages == {"keras": "3.15.1", "numpy": "1.21.0", "tensorflow": "2.21.0"}
    assert found.path_packages == {"keras": "", "numpy": "1.21.0"}
    assert found.hidden_packages == {"keras": "3.15.1", "numpy": "2.4.6"}


def metadata(name, version, *requires):
    lines = "".join(f"Requires-Dist: {text}\n" for text in requires)
    return f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{lines}\nRequires-Dist: numpy==0 in a text\n"


def test_who_pins_what_and_what_is_not_met(home):
    packages = {
        "tensorflow-2.17.1.dist-info/METADATA": metadata(
            "tensorflow",
            "2.17.1",
            'numpy<2.0.0,>=1.26.0; python_version >= "3.12"',
            'numpy<2.0.0,>=1.23.5; python_version <= "3.11"',
        ),
        "numpy-1.26.4.dist-info/METADATA": metadata("numpy", "1.26.4"),
        "other_thing-3.0.dist-info/METADATA": metadata("other-thing", "3.0", "NumPy (>=2)", "requests>=2"),
        "third-1.dist-info/METADATA": metadata("third", "1", 'numpy>=9; extra == "dev"', "numpy", "numpy ><broken"),
    }  # fmt: skip
    make_venv(home / "tf", packages)

    (found,) = look(home)

    assert found.pins == {"numpy": ("other-thing 3.0 (numpy>=2)", "tensorflow 2.17.1 (numpy<2.0.0,>=1.26.0)")}
    assert found.unmet_pins == ("other-thing 3.0 (numpy>=2)",)


def test_pins_are_read_only_where_tensorflow_is(home):
    make_venv(
        home / "web", {"numpy-1.26.4.dist-info/METADATA": "", "x-1.dist-info/METADATA": metadata("x", "1", "numpy>=2")}
    )

    assert look(home)[0].pins == {}
