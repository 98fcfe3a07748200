"""A Python elsewhere by its name, the place of its proof, and why a proof could not begin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gpuconfig_app.core.errors import UsageError
from gpuconfig_app.core.finding import CompatReport, Proven, Verdict
from gpuconfig_app.core.gpu import Vendor
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import SystemReport
from gpuconfig_app.core.target_facts import ContainerEngine, EngineState, TargetFacts
from gpuconfig_app.hardware.container_engines import EngineSources
from gpuconfig_app.hardware.recorded import load_machine
from gpuconfig_app.hardware.targets import TargetSources
from gpuconfig_app.runner.proof_place import ContainerPlace, WslPlace
from gpuconfig_app.storage.proofs import load_proof
from gpuconfig_app.workbench.bench import Workbench
from gpuconfig_app.workbench.machine import OpenMachine
from gpuconfig_app.workbench.plan_request import plan_request
from gpuconfig_app.workbench.prove import is_proven
from gpuconfig_app.workbench.target_place import place_of
from gpuconfig_app.workbench.targets import target_environment
from gpuconfig_app.workbench.ways_on import find_ways_on
from tests.unit.hardware import test_targets as machines
from tests.unit.runner.test_proof_place import IMAGE, docker
from tests.unit.stand_ins import Answer, put_on_path

ROOT = Path(__file__).resolve().parents[3]
PERMISSION = (
    "docker: permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: "
    'Head "http://%2Fvar%2Frun%2Fdocker.sock/_ping": dial unix /var/run/docker.sock: connect: permission denied.\n'
)
NO_DAEMON = "docker: Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?\n"
TOOLKIT = 'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].\n'
CDI = "Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all\n"


@pytest.fixture
def bench() -> Workbench:
    return Workbench()


def machine(name: str) -> SystemReport:
    """A recorded machine, taken as if it were this one."""
    return replace(load_machine(ROOT / "tests" / "machines" / name).report, recorded_from=None)


def environment(name: str, report: SystemReport, bench: Workbench) -> PythonEnvironment:
    return target_environment(report, name, bench.check)[1]


# --- by name -------------------------------------------------------------------------------------------------------


def test_a_recorded_windows_knows_its_distributions(bench):
    report = load_machine(ROOT / "tests/machines/windows-with-wsl").report

    best = environment("wsl:ubuntu-22.04", report, bench)
    exact = environment("wsl:Ubuntu-22.04:~/tensorflow/bin/python", report, bench)

    assert best == exact
    assert best.tensorflow_version == "2.21.0"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wsl:Debian", "targets.distribution-stopped"),
        ("wsl:Nowhere", "targets.no-distribution"),
        ("wsl:Ubuntu-22.04:/opt/x/bin/python", "targets.no-such-python"),
    ],
)
def test_what_is_not_there_is_a_sentence(bench, name, message):
    report = load_machine(ROOT / "tests/machines/windows-with-wsl").report

    with pytest.raises(UsageError) as caught:
        environment(name, report, bench)

    assert caught.value.message.id == message


def test_wsl_is_for_windows_only(bench):
    with pytest.raises(UsageError) as caught:
        environment("wsl:Ubuntu", machine("healthy-1x4090"), bench)

    assert caught.value.message.id == "targets.no-wsl"


def test_a_distribution_that_is_named_is_started_and_looked_into(tmp_path, bench):
    program = machines.wsl(tmp_path)
    report = machine("windows-native")

    opened, found = target_environment(report, "wsl:debian", bench.check, sources=machines.sources(tmp_path))

    assert ["-d", "Debian", "--exec", "sh"] in program.calls
    assert found.target.distribution == "Debian"
    assert found.tensorflow_version in {"2.21.0", "2.15.0"}
    assert "Debian" in opened.hosts_inside


def test_another_name_of_the_same_interpreter_is_understood(tmp_path, bench):
    machines.wsl(tmp_path)
    prefix = f"{tmp_path}/home/li/projects/train/.venv"

    _, found = target_environment(
        machine("windows-native"),
        f"wsl:Ubuntu:{prefix}/bin/python3",
        bench.check,
        sources=machines.sources(tmp_path),
    )

    assert found.prefix == prefix
    assert found.executable == f"wsl:Ubuntu:{prefix}/bin/python3"


def test_an_image_needs_no_engine_to_be_described(bench):
    known = environment(f"docker:{IMAGE}", machine("rtx5090-stock-wheels"), bench)
    other = environment("podman:own/tf:1", machine("rtx5090-stock-wheels"), bench)

    assert known.tensorflow_version == "2.17.0+nv25.02"
    assert other.tensorflow_version is None


# --- the place of a proof ------------------------------------------------------------------------------------------


def sources(tmp_path: Path, *programs: str) -> TargetSources:
    for name in programs:
        put_on_path(tmp_path / "bin", name, {})
    return TargetSources(engines=EngineSources(root=tmp_path / "root", path=str(tmp_path / "bin")))


@pytest.mark.parametrize(
    ("name", "facts", "devices"),
    [
        ("docker", {"has_nvidia_runtime": True}, ("--gpus", "all")),
        ("docker", {"has_nvidia_runtime": False, "has_cdi": True}, ("--device", "nvidia.com/gpu=all")),
        ("docker", {"has_nvidia_runtime": False, "has_cdi": False}, ("--gpus", "all")),
        ("podman", {"has_cdi": True}, ("--device", "nvidia.com/gpu=all")),
        ("apptainer", {}, ("--nv",)),
    ],
)
def test_the_cards_are_passed_on_as_the_engine_wants_it(tmp_path, bench, name, facts, devices):
    engine = ContainerEngine(name=name, state=EngineState.READY, **facts)
    report = replace(machine("healthy-1x4090"), targets=TargetFacts(engines=(engine,)))

    place = place_of(report, environment(f"{name}:x", report, bench), sources(tmp_path, name))

    assert isinstance(place, ContainerPlace)
    assert place.devices == devices


def test_without_a_card_nothing_is_passed_on(tmp_path, bench):
    report = machine("no-gpu")

    place = place_of(report, environment("podman:x", report, bench), sources(tmp_path, "podman"))

    assert place.devices == ()


def test_an_amd_card_is_passed_on_by_its_devices(tmp_path, bench):
    report = machine("radeon-rx6700xt")
    assert {gpu.vendor for gpu in report.gpus} == {Vendor.AMD}

    place = place_of(report, environment("docker:x", report, bench), sources(tmp_path, "docker"))

    assert "--device=/dev/kfd" in place.devices


def test_an_engine_that_is_not_installed_is_a_sentence(tmp_path, bench):
    report = machine("healthy-1x4090")

    with pytest.raises(UsageError) as caught:
        place_of(report, environment("podman:x", report, bench), sources(tmp_path))

    assert caught.value.message.id == "targets.no-engine"


def test_an_image_file_is_named_by_its_full_path(tmp_path, bench, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = machine("healthy-1x4090")

    found = environment("apptainer:tf.sif", report, bench)

    assert found.executable == f"apptainer:{tmp_path}/tf.sif"
    assert place_of(report, found, sources(tmp_path, "apptainer")).image == f"{tmp_path}/tf.sif"


def test_an_image_that_would_have_to_be_fetched_is_refused(tmp_path, bench):
    report = machine("healthy-1x4090")

    with pytest.raises(UsageError) as caught:
        place_of(report, environment("apptainer:docker://x/y:1", report, bench), sources(tmp_path, "apptainer"))

    assert caught.value.message.id == "targets.no-image-file"


def test_a_distribution_is_started_with_its_users_variables(tmp_path):
    report = machine("windows-with-wsl")
    inside = {name: replace(host, variables={"XLA_FLAGS": "--x"}) for name, host in report.hosts_inside.items()}
    report = replace(report, hosts_inside=inside)
    machines.wsl(tmp_path)

    place = place_of(report, report.environments[1], machines.sources(tmp_path))

    assert isinstance(place, WslPlace)
    assert (place.distribution, place.python, place.drives) == ("Ubuntu-22.04", "~/tensorflow/bin/python", "/mnt/")
    assert place.variables == {"XLA_FLAGS": "--x"}


def test_a_python_of_this_machine_has_no_place_of_its_own():
    report = machine("healthy-1x4090")

    assert place_of(report, report.environments[0]) is None


# --- the proof of a target -----------------------------------------------------------------------------------------


@pytest.fixture
def prove(tmp_path, bench, monkeypatch):
    def run(words: str = "gpus=1", answer: Answer | None = None, image_id: str = "sha256:aa11") -> CompatReport:
        docker(tmp_path, words, answer, image_id=image_id)
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        report = machine("rtx5090-stock-wheels")
        return bench.prove(report, environment(f"docker:{IMAGE}", report, bench))

    return run


def test_a_proven_container_is_ready_and_stays_so(prove, bench):
    found = prove()

    assert found.verdict in {Verdict.READY, Verdict.READY_WITH_NOTES}
    assert found.proven is Proven.TRUE
    report = machine("rtx5090-stock-wheels")
    again = environment(f"docker:{IMAGE}", report, bench)
    assert bench.check(report, again).proven is Proven.TRUE
    assert is_proven(bench.places, report, again)


def test_another_image_under_the_same_name_is_not_proven(prove, bench, tmp_path):
    prove(image_id="sha256:old")
    report = machine("rtx5090-stock-wheels")
    same = bench.check(report, environment(f"docker:{IMAGE}", report, bench))
    docker(tmp_path, "gpus=1", image_id="sha256:new")
    other = bench.check(report, environment(f"docker:{IMAGE}", report, bench))

    assert same.proven is Proven.TRUE
    assert other.proven is Proven.STALE
    assert other.verdict is Verdict.UNKNOWN


def test_a_proof_of_one_engine_is_none_of_another(prove, bench):
    prove()
    report = machine("rtx5090-stock-wheels")

    assert not is_proven(bench.places, report, environment(f"podman:{IMAGE}", report, bench))


@pytest.mark.parametrize(
    ("answer", "code", "command"),
    [
        (Answer(err=TOOLKIT, code=125), "CONTAINER_TOOLKIT_MISSING", "nvidia-c"),
        (Answer(err=CDI, code=126), "CONTAINER_TOOLKIT_MISSING", "nvidia-c"),
        (Answer(err=PERMISSION, code=125), "CONTAINER_NO_PERMISSION", "usermod"),
        (Answer(err=NO_DAEMON, code=125), "CONTAINER_ENGINE_DOWN", "systemctl"),
        (Answer(err="docker: Error response from daemon: No such image: x\n", code=125), "CONTAINER_IMAGE_MISSING",
         f"docker pull {IMAGE}"),
        (Answer(err="something nobody knows\n", code=125), "PROOF_FAILED", ""),
    ],
)  # fmt: skip
def test_why_a_container_did_not_start(prove, bench, answer, code, command):
    found = prove(answer=answer)

    assert found.verdict is Verdict.BLOCKED
    assert found.primary.code == code
    assert command in " ".join(line for fix in found.primary.fixes for line in fix.commands)
    assert "{" not in found.primary.text.en
    assert found.findings[0] == found.primary


def test_what_did_not_begin_is_not_kept_as_a_proof(prove, bench):
    prove(answer=Answer(err=PERMISSION, code=125))

    assert load_proof(bench.places, f"docker:{IMAGE}") is None


def test_what_failed_inside_is_kept(prove, bench):
    found = prove("import-exits")

    assert found.verdict is Verdict.BLOCKED
    assert load_proof(bench.places, f"docker:{IMAGE}") is not None


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("WslRegisterDistribution failed with error: 0x80370102\n", "WSL_NO_VIRTUALIZATION"),
        ("Error code: Wsl/Service/WSL_E_DISTRO_NOT_FOUND\n", "WSL_DISTRIBUTION_MISSING"),
        ("Catastrophic failure\nError code: Wsl/Service/E_UNEXPECTED\n", "WSL_FAILED"),
    ],
)
def test_why_a_distribution_did_not_start(tmp_path, bench, monkeypatch, words, code):
    put_on_path(tmp_path / "bin", "wsl.exe", {"-d": Answer(err=words, code=255)})
    monkeypatch.setattr("gpuconfig_app.workbench.target_place.TargetSources", lambda: machines.sources(tmp_path))
    monkeypatch.setattr("gpuconfig_app.runner.proof_place.to_wsl", lambda path, *_: path)
    report = machine("windows-with-wsl")

    found = bench.prove(report, report.environments[1])

    assert (found.verdict, found.primary.code) == (Verdict.BLOCKED, code)


# --- ways, with what is kept and asked -----------------------------------------------------------------------------


def test_ways_of_this_machine_ask_its_targets_and_count_its_proofs(prove, bench, tmp_path):
    prove()
    report = machine("rtx5090-stock-wheels")
    compat = bench.check(report, report.environments[0])
    engines = EngineSources(root=tmp_path / "root", path=str(tmp_path / "bin"))

    found = find_ways_on(bench.places, report, compat, sources=TargetSources(engines=engines))

    last = found.ways[0].steps[-1]
    assert (last.id, last.state.value) == ("container-proof", "done")


def test_a_machine_without_ways_is_asked_nothing(bench, tmp_path):
    program = docker(tmp_path, "")
    report = machine("healthy-1x4090")
    compat = bench.check(report, report.environments[0])

    assert find_ways_on(bench.places, report, compat, sources=sources(tmp_path)) is None
    assert program.calls == []


def test_a_recorded_machine_is_judged_by_what_was_recorded(bench, tmp_path):
    program = docker(tmp_path, "")
    report = load_machine(ROOT / "tests/machines/rtx5090-stock-wheels").report
    compat = bench.check(report, report.environments[0])

    found = find_ways_on(bench.places, report, compat, sources=sources(tmp_path))

    assert found.ways[0].next_step.id == "toolkit"
    assert program.calls == []


# --- what is written for a target ----------------------------------------------------------------------------------


def test_a_plan_for_wsl_counts_with_its_memory_and_names_its_python(bench):
    report = load_machine(ROOT / "tests/machines/windows-with-wsl").report
    template = bench.template("tabular")
    answers = bench.example_answers(template)

    request = plan_request(template, answers, OpenMachine(report, "m"), report.environments[1], None, None, None)

    assert request.report.host.os.family.value == "linux"
    assert request.python.executable == "~/tensorflow/bin/python"
    assert request.compat.verdict is Verdict.READY


def test_assumptions_are_about_where_tensorflow_runs(bench):
    place = str(ROOT / "tests/machines/windows-with-wsl")
    inside = "wsl:Ubuntu-22.04:~/tensorflow/bin/python"

    as_it_is = bench.check_assuming(place, ["driver=581.42"], python=inside)
    older = bench.check_assuming(place, ["glibc=2.12"], python=inside)

    assert as_it_is.verdict is Verdict.READY
    assert older.verdict is not Verdict.READY


def test_a_log_from_wsl_is_explained_with_the_facts_of_linux(bench, monkeypatch):
    place = ROOT / "tests/machines/windows-with-wsl"
    report = load_machine(place).report
    monkeypatch.setattr(bench, "choose_environment", lambda *_: report.environments[1])
    log = b"Could not find cuda drivers on your machine, GPU will not be used.\nSkipping registering GPU devices...\n"

    told = bench.explain(log, str(place))

    assert told.primary.code != "WINDOWS_NATIVE_NO_GPU_BUILD"
