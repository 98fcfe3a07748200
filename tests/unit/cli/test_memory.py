"""``gpuconfig memory``: output, exit codes and bad input, with a stand-in for the user's Python as a real process."""

from __future__ import annotations

import json
import re
import sys

import pytest

from gpuconfig_app.cli.main import main
from gpuconfig_app.cli.output import ExitCode
from tests.unit.runner.standing_probe import write_python

MACHINE = "training-2x4090"


@pytest.fixture
def ask(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    python = write_python(tmp_path, sys.executable)

    def run(words: str, *arguments: str, batch: str = "8") -> tuple[int, str, str]:
        given = ["--model", words if ":" in words or "." in words else f"module:{words}", "--batch", batch]
        given += [] if "--python" in arguments else ["--python", str(python)]
        given += [] if "--machine" in arguments else ["--machine", MACHINE]
        code = main(["memory", *given, *arguments], lambda: None)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def test_the_document_holds_what_scripts_need(ask) -> None:
    code, out, _ = ask("plain", "--json", "--optimizer", "sgd", "--precision", "mixed_bfloat16")

    told = json.loads(out)
    assert code == ExitCode.GOOD
    assert told["schema"] == 1
    assert set(told["parts"]) == {"weights", "gradients", "slots", "activations", "temporaries"}
    assert sum(told["parts"].values()) == told["step_peak_bytes"] == told["interval_bytes"]["expected"]
    assert told["interval_bytes"]["low"] <= told["step_peak_bytes"] <= told["interval_bytes"]["high"]
    assert told["needed_bytes"] == sum(told["needed_parts"].values()) > told["step_peak_bytes"]
    assert [card["fit"] for card in told["fit"]] == ["fits", "fits"]
    assert told["fit"][0]["largest_batch"] > 1000
    assert (told["batch"], told["precision"], told["optimizer"], told["jit"]) == (8, "mixed_bfloat16", "sgd", False)
    assert (told["loss"], told["tensorflow"], told["keras"]) == ("own", "2.21.0", "3.15.1")
    assert told["warnings"] == []


def test_a_rough_estimate_that_seems_to_fit_is_no_more_than_a_reservation(ask) -> None:
    code, out, _ = ask("layers__step_fails")
    document_code, document, _ = ask("layers__step_fails", "--json")

    assert (code, document_code) == (ExitCode.RESERVATIONS, ExitCode.RESERVATIONS)
    assert out.startswith("Rough estimate of one training step of module:layers__step_fails with batch 8")
    assert "this is a rough estimate from the model's layers" in out
    assert "ValueError: 3 are needed" in out
    assert json.loads(document)["source"] == "layers"
    assert {card["fit"] for card in json.loads(document)["fit"]} == {"fits"}
    assert json.loads(ask("plain", "--json")[1])["source"] == "trace"


def test_the_user_is_told_that_the_models_code_runs_and_where(ask, tmp_path) -> None:
    _, out, err = ask("plain", "--json")

    assert "this runs the model's own code, there and nowhere else" in err
    assert str(tmp_path / "bin" / "python") in err
    json.loads(out)


def test_sentences_show_parts_needs_and_cards(ask) -> None:
    code, out, _ = ask("plain")

    lines = out.splitlines()
    assert code == ExitCode.GOOD
    assert lines[0].startswith("One training step of module:plain with batch 8 (float32, adam): about 10 MiB")
    assert "       8 MiB  activations and batch" in lines
    assert any(line.endswith("left free by TensorFlow") for line in lines)
    assert sum("NVIDIA GeForce RTX 4090: fits" in line for line in lines) == 1
    assert any(line.startswith("GPU 0-1: ") for line in lines)
    assert any(line.strip().startswith("largest batch that fits:") for line in lines)
    assert "loss: the model's own" in lines[-1]


def test_sentences_in_chinese(ask, monkeypatch) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")

    code, out, err = ask("plain")

    assert code == ExitCode.GOOD
    assert "训练一步" in out
    assert "权重" in out
    assert "这会运行模型自身的代码" in err


@pytest.mark.parametrize(
    ("batch", "code", "word"), [("2000", ExitCode.GOOD, "fits"), ("100000", ExitCode.BLOCKED, "does not fit")]
)
def test_the_exit_code_follows_the_best_card(ask, batch: str, code: int, word: str) -> None:
    found, out, _ = ask("plain", batch=batch)

    assert found == code
    assert f"RTX 4090: {word} (" in out


def test_the_largest_batch_fits_and_a_little_more_may_not(ask) -> None:
    _, out, _ = ask("plain", "--json")
    largest = json.loads(out)["fit"][0]["largest_batch"]

    fitting, _, _ = ask("plain", batch=str(largest))
    code, shown, _ = ask("plain", batch=str(round(largest * 1.03)))

    assert fitting == ExitCode.GOOD
    assert code == ExitCode.RESERVATIONS
    assert "may not fit" in shown


def test_without_a_card_the_prediction_stands_alone(ask) -> None:
    code, out, _ = ask("plain", "--machine", "none")

    assert code == ExitCode.GOOD
    assert "No card to compare with" in out


def test_xla_is_marked(ask) -> None:
    code, out, _ = ask("plain", "--jit", "--json")

    told = json.loads(out)
    assert code == ExitCode.GOOD
    assert told["jit"] is True
    assert "not measured" in told["warnings"][0]["en"]
    assert told["warnings"][0]["zh_cn"]


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ("error_no_tensorflow", ExitCode.BLOCKED, "has no TensorFlow"),
        ("error_old_tensorflow", ExitCode.BLOCKED, "TensorFlow 2.10.1 in"),
        ("error_function_exits", ExitCode.USAGE, "instead of giving the model back"),
        ("model_aborts", ExitCode.BLOCKED, "crashed while the model was built (SIGABRT)"),
        ("model_killed", ExitCode.BLOCKED, "memory ran out"),
        ("trace_exits", ExitCode.BLOCKED, "ended with code 7"),
        ("none.keras", ExitCode.USAGE, "There is no file none.keras"),
        ("none.py:build", ExitCode.USAGE, "There is no Python file none.py"),
        ("nonsense:", ExitCode.USAGE, "is neither a Keras file"),
    ],
)
def test_trouble_is_one_sentence_and_an_exit_code(ask, words: str, code: int, sentence: str) -> None:
    found, out, err = ask(words, "--json")

    assert found == code, err
    assert out == ""
    told = [line for line in err.splitlines() if line.startswith("gpuconfig: ")]
    assert len(told) == 1
    assert sentence in told[0]
    assert "Traceback" not in err
    assert not re.search(r"memory\.[a-z]", told[0])


def test_a_hang_ends_with_the_given_limit(ask) -> None:
    code, _, err = ask("model_hangs", "--time-limit", "1.5")

    assert code == ExitCode.BLOCKED
    assert "did not end within 1.5 s" in err


@pytest.mark.parametrize(
    "more",
    [
        ("--batch", "0"),
        ("--batch", "-3"),
        ("--batch", "many"),
        ("--precision", "half"),
        ("--optimizer", "lion"),
        ("--input-shape", "wide"),
        ("--time-limit", "0"),
        ("--time-limit", "soon"),
        ("--machine", "no-such-machine"),
        ("--python", "/no/such/python"),
    ],
)
def test_wrong_usage(ask, more) -> None:
    code, out, err = ask("plain", *more)

    assert code == ExitCode.USAGE
    assert out == ""
    assert err.splitlines()[-1].startswith("gpuconfig: ")
    assert "Traceback" not in err


@pytest.mark.parametrize("missing", ["--model", "--batch"])
def test_what_must_be_given(capsys, missing: str) -> None:
    given = {"--model": "module:build", "--batch": "8"}
    del given[missing]

    code = main(["memory", *(word for pair in given.items() for word in pair)], lambda: None)

    assert code == ExitCode.USAGE
    assert missing in capsys.readouterr().err


@pytest.mark.parametrize("python", ["wsl:Ubuntu", "docker:tensorflow/tensorflow"])
def test_a_python_elsewhere_cannot_be_used(ask, python: str) -> None:
    code, _, err = ask("plain", "--python", python)

    assert code == ExitCode.BLOCKED
    assert "is not on this machine itself" in err


def test_help_in_both_languages(capsys, monkeypatch) -> None:
    shown = []
    for language in ("en", "zh_CN"):
        monkeypatch.setenv("LANGUAGE", language)
        with pytest.raises(SystemExit) as end:
            main(["memory", "--help"], lambda: None)
        assert end.value.code == 0
        shown.append(" ".join(capsys.readouterr().out.split()))

    assert "The model's own code is run for that" in shown[0]
    assert "会运行模型自身的代码" in shown[1].replace(" ", "")
    for option in (
        "--model",
        "--batch",
        "--precision",
        "--optimizer",
        "--jit",
        "--input-shape",
        "--python",
        "--machine",
    ):
        assert all(option in text for text in shown)
