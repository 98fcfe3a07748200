"""What goes wrong on users' machines ends in the documented exit code with a sentence, never in a traceback."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.generate import generate
from gpuconfig_app.scriptgen.templates import load_template
from gpuconfig_app.scriptgen.write import write_bundle
from tests.templates.running import ScriptRunner, read_events
from tests.templates.test_tables import wine_facts, write_table_bundle
from tests.unit.scriptgen.plans import make_plan_by_hand, pictures_facts

ONE_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000000301010018"
    "dd8db00000000049454e44ae426082"
)


def write_pictures_bundle(
    folder: Path, data: Path, names: tuple[str, ...], plan: str = "cpu", **answers: JsonValue
) -> Path:
    """Write a bundle for pictures of 32 pixels; its train.py."""
    given = {"model": "small_cnn", "image_size": 32, "epochs": 1, **answers}
    dataset = pictures_facts(str(data), names)
    made = make_plan_by_hand(plan, "image_classification", given, dataset)
    write_bundle(generate(load_template("image_classification"), given, made, dataset), folder)
    return folder / "train.py"


def write_pictures(data: Path, names: tuple[str, ...], count: int) -> None:
    """Write tiny pictures into class folders."""
    for name in names:
        (data / name).mkdir(parents=True)
        for number in range(count):
            (data / name / f"{number}.png").write_bytes(ONE_PIXEL)


def run_many(runner: ScriptRunner, folder: Path, jobs: list[list[str]], *options: str) -> list[int | str]:
    """Run scripts in one interpreter; their exit codes."""
    (folder / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    done = runner.helper("run_many.py", folder / "jobs.json", folder / "codes.json", *options)
    assert done.returncode == 0, done.stderr
    codes: list[int | str] = json.loads((folder / "codes.json").read_text(encoding="utf-8"))
    return codes


def meaning(folder: Path) -> str:
    """The sentence a script ended with."""
    event = read_events(folder / "out" / "metrics.jsonl")[-1]
    assert event["event"] == "exit"
    return str(event["meaning"])


def test_trouble_has_its_exit_code_and_sentence(runner: ScriptRunner, wine: Path, tmp_path: Path) -> None:
    facts = wine_facts(wine)
    absent = write_table_bundle(tmp_path / "absent", replace(facts, path=str(tmp_path / "nowhere.csv")))
    renamed = write_table_bundle(tmp_path / "renamed", replace(facts, columns=(*facts.columns[1:], facts.columns[0])))
    (tmp_path / "short.csv").write_text(wine.read_text(encoding="utf-8") + "1,2,3\n", encoding="utf-8")
    short = write_table_bundle(tmp_path / "short", replace(facts, path=str(tmp_path / "short.csv")))
    diverging = write_table_bundle(tmp_path / "diverging", facts, optimizer="sgd", schedule="constant")
    write_pictures(tmp_path / "broken_data", ("a", "b"), 12)
    (tmp_path / "broken_data" / "b" / "3.png").write_bytes(b"<html>")
    broken = write_pictures_bundle(tmp_path / "broken", tmp_path / "broken_data", ("a", "b"))
    nothing = write_pictures_bundle(tmp_path / "nothing", tmp_path / "no_data", ("a", "b"))
    other = write_pictures_bundle(tmp_path / "other", tmp_path / "broken_data", ("a", "c"))
    gpu = write_pictures_bundle(tmp_path / "gpu", tmp_path / "broken_data", ("a", "b"), plan="two_gpus")
    weights = write_pictures_bundle(
        tmp_path / "weights", tmp_path / "broken_data", ("a", "b"), model="mobilenet_v2", image_size=32
    )
    jobs = [[str(path)] for path in (absent, renamed, short, broken, nothing, other, gpu, weights)]
    jobs.append([str(diverging), "--learning-rate", "1e30"])
    (tmp_path / "renamed.csv").write_text("x,y\n1,2\n", encoding="utf-8")
    jobs[1] += ["--data", str(tmp_path / "renamed.csv")]

    codes = run_many(runner, tmp_path, jobs)

    assert codes == [3, 3, 3, 3, 3, 3, 7, 8, 5]
    assert "nowhere.csv could not be read" in meaning(tmp_path / "absent")
    assert "has no column" in meaning(tmp_path / "renamed")
    assert "line 180: 3 cells instead of 14" in meaning(tmp_path / "short")
    assert str(tmp_path / "broken_data" / "b" / "3.png") in meaning(tmp_path / "broken")
    assert "no_data" in meaning(tmp_path / "nothing")
    assert str(tmp_path / "broken_data" / "c") in meaning(tmp_path / "other")
    assert "GPU-0b7f2a51-6f0c-4c2e-9d6e-7a1f5f0f2b11" in meaning(tmp_path / "gpu")
    assert "could not be downloaded" in meaning(tmp_path / "weights")
    assert "learning rate" in meaning(tmp_path / "diverging")
    assert not (tmp_path / "diverging" / "out" / "best.weights.h5").exists()
    assert not (tmp_path / "diverging" / "out" / "state.json").exists()


def test_hostile_names_are_only_names(runner: ScriptRunner, tmp_path: Path) -> None:
    """Whatever a folder is called, nothing of it is run: each name would leave a file called ``pwned``."""
    bait = tmp_path / "pwned"
    code = f"open({str(bait)!r}, 'w')".replace("/", "\\57")
    names = (
        f'"); {code} #',
        "'''{{ 7 * 7 }}{% x %}\n'''",
        "名字 😀 \\N{BULLET} {0} %s",
        "\u202ertl\x7f`$(touch pwned)`",
    )
    data = tmp_path / f'da"ta\n中文 {{x}} 😀 "); {code} #'
    write_pictures(data, names, 12)
    bundle = tmp_path / "bun'dle \"\n{0} {x} 文 😀 %d"

    script = write_pictures_bundle(bundle, data, names, class_weights=True)
    done = runner.run(script, "--cache", "disk")
    guessed = runner.run(bundle / "predict.py", data)

    assert done.returncode == 0, done.stderr
    assert json.loads((bundle / "out" / "class_names.json").read_text(encoding="utf-8")) == list(names)
    assert len(guessed.stdout.splitlines()) == 12 * len(names)
    assert not bait.exists()
    assert not list(tmp_path.rglob("pwned*"))
