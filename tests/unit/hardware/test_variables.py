from __future__ import annotations

import pytest

from gpuconfig_app.hardware.variables import read_keras_settings, watched_variables
from tests.unit.hardware.layouts import lay_out


def test_only_variables_that_change_a_verdict_are_kept(tmp_path):
    variables = {"LD_LIBRARY_PATH": "/a", "CUDA_VISIBLE_DEVICES": "", "HF_TOKEN": "secret", "TF_CONFIG": "{}"}

    assert watched_variables(variables, tmp_path) == {"LD_LIBRARY_PATH": "/a", "CUDA_VISIBLE_DEVICES": ""}


def test_keras_settings_stand_beside_them(tmp_path):
    lay_out(
        tmp_path, {".keras/keras.json": '{"backend": "torch", "image_data_format": "channels_first", "epsilon": 1e-7}'}
    )

    assert watched_variables({}, tmp_path) == {
        "keras.json:backend": "torch",
        "keras.json:image_data_format": "channels_first",
    }


def test_keras_home_moves_the_file(tmp_path):
    lay_out(tmp_path, {"elsewhere/keras.json": '{"backend": "jax"}', ".keras/keras.json": '{"backend": "torch"}'})
    variables = {"KERAS_HOME": str(tmp_path / "elsewhere")}

    assert watched_variables(variables, tmp_path)["keras.json:backend"] == "jax"


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"backend": 3}', "[" * 100_000, "x" * 70_000])
def test_broken_keras_file_is_passed_over(tmp_path, text):
    lay_out(tmp_path, {"keras.json": text})

    assert read_keras_settings(tmp_path / "keras.json") == {}
