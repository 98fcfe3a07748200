"""What a bundle holds follows from the plan: no code for GPUs without any, UUIDs only at home, gates by version."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from gpuconfig_app.core.bundle import ScriptBundle
from gpuconfig_app.core.dataset import DatasetFacts
from gpuconfig_app.core.errors import AnswerError
from gpuconfig_app.core.record import JsonValue
from gpuconfig_app.scriptgen.generate import generate
from gpuconfig_app.scriptgen.templates import load_template
from tests.unit.scriptgen.plans import CARD, make_plan_by_hand, pictures_facts, table_facts


def bundle_of(
    plan: str,
    template_id: str = "image_classification",
    dataset: DatasetFacts | None = None,
    answers: dict[str, JsonValue] | None = None,
    **changes: object,
) -> ScriptBundle:
    facts = dataset or (pictures_facts() if template_id == "image_classification" else table_facts())
    given = answers if answers is not None else {"model": "small_cnn"} if template_id.startswith("image") else {}
    made = make_plan_by_hand(plan, template_id, given, facts, **changes)
    return generate(load_template(template_id), given, made, facts)


def script_of(plan: str, template_id: str = "image_classification", **more: object) -> str:
    return bundle_of(plan, template_id, **more).file("train.py").content  # type: ignore[arg-type]  # passed on


def test_the_first_statement_names_the_backend() -> None:
    script = script_of("cpu")

    assert re.search(r'import os\n\nos\.environ\["KERAS_BACKEND"\] = "tensorflow"', script)
    assert script.index("KERAS_BACKEND") < script.index("import keras")


def test_the_processor_needs_no_code_for_gpus() -> None:
    script = script_of("cpu")

    for word in ("CUDA", "MirroredStrategy", "nvidia-smi", "memory_growth", "synchronized", "Accumulating", "--gpus"):
        assert word not in script


def test_one_gpu_needs_no_distribution() -> None:
    script = script_of("one_gpu")

    for word in ("distribute", "scope()", "synchronized"):
        assert word not in script
    assert "set_memory_growth(gpu, True)" in script
    assert "JIT_COMPILE = False" in script


def test_several_gpus_get_what_they_need() -> None:
    script = script_of("two_gpus_accumulating")

    for word in ("MirroredStrategy(devices)", "synchronized=True", "jit_compile=False", "steps_per_execution=1"):
        assert word in script
    assert "gradient_accumulation_steps" not in script
    assert "--jit" not in script
    assert "def train_step" in script


def test_cards_are_named_by_uuid_on_their_own_machine_only() -> None:
    here, elsewhere = bundle_of("one_gpu"), bundle_of("one_gpu_elsewhere")

    assert str(CARD.uuid) in here.file("train.py").content
    assert all(str(CARD.uuid) not in file.content for file in elsewhere.files)
    assert "GPU_INDEXES = [\n    0,\n]" in elsewhere.file("train.py").content


def test_cuda_visible_devices_is_never_overwritten() -> None:
    script = script_of("one_gpu")

    checked = script.index('if "CUDA_VISIBLE_DEVICES" in os.environ')
    assert script.count('os.environ["CUDA_VISIBLE_DEVICES"] =') == 1
    assert script.index('os.environ["CUDA_VISIBLE_DEVICES"] =') > checked
    assert 'os.environ["CUDA_VISIBLE_DEVICES"]' not in script_of("one_gpu_elsewhere")


def test_memory_grows_or_has_a_limit_never_both() -> None:
    limited = script_of("one_gpu_float16")

    assert "MEMORY_LIMIT_MIB = 6144" in limited
    assert "memory_growth" not in limited
    with pytest.raises(AnswerError):
        bundle_of("one_gpu", memory_limit_bytes=5)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"jit_compile": True}, "refused-xla-on-several-gpus"),
        ({"tensorflow_version": "2.10.1"}, "tensorflow-too-old"),
        ({"tensorflow_version": "2.15.1"}, "tensorflow-too-old"),
        ({"keras_version": "3.6.0"}, "keras-too-old"),
        ({"devices": ()}, "refused-devices-and-strategy"),
    ],
)
def test_impossible_plans_are_refused_with_a_reason(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(AnswerError) as caught:
        bundle_of("two_gpus", **changes)

    assert caught.value.message.id == f"scriptgen.{reason}"


def test_a_deterministic_script_refuses_a_plan_with_xla() -> None:
    with pytest.raises(AnswerError) as caught:
        bundle_of("one_gpu_xla", answers={"model": "small_cnn", "deterministic": True})

    assert caught.value.message.id == "scriptgen.refused-xla-deterministic"


def test_problems_of_answers_are_raised() -> None:
    with pytest.raises(AnswerError) as caught:
        bundle_of("cpu", answers={"epochs": 0})

    assert caught.value.message.id == "scriptgen.below-minimum"
    assert caught.value.hint is not None
    assert caught.value.hint.params == {"question": "epochs"}


def test_requirements_pin_what_was_planned() -> None:
    gpu = bundle_of("one_gpu").file("requirements.txt").content
    unknown = bundle_of("unknown_tensorflow").file("requirements.txt").content
    parquet = bundle_of("cpu", "tabular", answers={"table_format": "parquet"}).file("requirements.txt").content

    assert 'tensorflow[and-cuda]==2.21.0; sys_platform == "linux"' in gpu
    assert "keras==3.15.1" in gpu
    assert "tensorflow>=2.16.2" in unknown
    assert "keras>=3.10" in unknown
    assert parquet.splitlines()[-1] == "pyarrow"


def test_lines_lead_back_to_their_answers() -> None:
    bundle = bundle_of("cpu")
    lines = bundle.file("train.py").content.split("\n")

    by_question = {question: lines[number - 1] for number, question in bundle.line_answers.items()}

    assert by_question["image_size"].startswith("IMAGE_SIZE = ")
    assert by_question["batch_size"].startswith("BATCH_SIZE = ")
    assert by_question["epochs"].startswith("EPOCHS = ")


def test_reasons_of_the_plan_stand_beside_its_values() -> None:
    assert "BATCH_SIZE = 8  # At least 8." in script_of("cpu")


def test_broken_files_are_left_out() -> None:
    facts = replace(pictures_facts(), broken_files=("cat/x.jpg", "a\n\"b'.png"), broken_count=2)

    script = script_of("cpu", dataset=facts)

    assert 'LEFT_OUT = [\n    "a\\n\\"b\'.png",\n    "cat/x.jpg",\n]' in script


def test_a_table_without_names_gets_them_from_the_scan() -> None:
    script = script_of("cpu", "tabular", dataset=replace(table_facts(), has_header=False, encoding="gb18030"))

    assert "COLUMNS = [" in script
    assert "header = COLUMNS" in script
    assert 'ENCODING = "gb18030"' in script


def test_very_many_classes_are_read_from_the_folder() -> None:
    script = script_of("cpu", dataset=pictures_facts(names=tuple(f"class {number}" for number in range(1001))))

    assert "CLASS_NAMES = []" in script


def test_nothing_wrong_from_the_old_texts_is_repeated() -> None:
    for plan in ("cpu", "one_gpu", "two_gpus_accumulating"):
        text = "".join(file.content for file in bundle_of(plan).files)
        for trap in ("is_gpu_available", "distribute.experimental", "tensorflow-gpu", "device_lib", "--gpus="):
            assert trap not in text


def test_every_constant_of_the_plan_has_its_option() -> None:
    here = script_of("one_gpu", answers={"model": "small_cnn", "tensorboard": True})
    options = set(re.findall(r'add\("--([a-z-]+)"', here))

    assert {"smoke", "resume", "data", "out", "metrics", "steps", "gpus", "precision", "jit", "batch"} <= options
    assert {"learning-rate", "epochs", "patience", "seed", "validation-share", "test-share", "image-size"} <= options
    assert {"parallel-calls", "prefetch-batches", "cache", "shuffle-buffer", "tensorboard", "profile"} <= options


def test_launchers_come_when_asked_for() -> None:
    names = {file.name for file in bundle_of("cpu", answers={"model": "small_cnn", "launchers": "both"}).files}

    assert {"run.sh", "run.ps1"} <= names
    assert not {"run.sh", "run.ps1"} & {file.name for file in bundle_of("cpu").files}
