from __future__ import annotations

import threading

import pytest

from gpuconfig_app.core.gpu import Gpu, GpuState, Vendor
from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.core.python_environment import PythonEnvironment
from gpuconfig_app.core.system import BackendState, BackendStatus, DriverInfo, HostInfo, OsFamily, OsInfo
from gpuconfig_app.hardware.backend import BackendResult
from gpuconfig_app.hardware.login_shell import UserVariables
from gpuconfig_app.hardware.pci import PciCard
from gpuconfig_app.hardware.registry import BACKENDS
from gpuconfig_app.hardware.survey import SurveyOptions, SurveyParts, survey
from tests.fakes import FakeClock, ProgressLog

BUS = "00000000:01:00.0"
HOST = HostInfo(os=OsInfo(family=OsFamily.LINUX, name="Ubuntu 24.04.3 LTS"))
CARD = PciCard(bus_id=BUS, vendor=Vendor.NVIDIA, pci_id="10de:2684", driver="nvidia")
GPU = Gpu(index=0, vendor=Vendor.NVIDIA, name="NVIDIA GeForce RTX 4090", pci_bus_id=BUS)
READY = BackendStatus(vendor=Vendor.NVIDIA, state=BackendState.READY, source="nvml")


class FakeBackend:
    """Answers with what it was given, or as it is told."""

    def __init__(self, work, vendor=Vendor.NVIDIA):
        self.vendor = vendor
        self.asked = []
        self._work = work

    def detect(self, options):
        self.asked.append(options)
        return self._work() if callable(self._work) else self._work


class RunningClock(FakeClock):
    """A clock on which a second passes with every look."""

    def monotonic(self):
        self.advance(1.0)
        return super().monotonic()


def parts(*backends, **changes):
    known = {
        "backends": backends, "scan": lambda: (CARD,), "bus_tells_all": lambda: True,
        "variables": lambda: UserVariables({"A": "1"}), "host": lambda variables: HOST,
        "environments": lambda folders, control, variables: (PythonEnvironment(prefix="/v"),), "clock": FakeClock(),
    }  # fmt: skip
    return SurveyParts(**(known | changes))


def ready(*gpus):
    return FakeBackend(BackendResult(status=READY, gpus=gpus, driver=DriverInfo(vendor=Vendor.NVIDIA, version="580.1")))


def test_report_holds_every_part():
    report = survey(SurveyOptions(machine_id="this-1"), parts=parts(ready(GPU)))

    assert (report.machine_id, report.taken_at, report.recorded_from) == ("this-1", 1_800_000_000.0, None)
    assert report.host == HOST
    assert [gpu.name for gpu in report.gpus] == ["NVIDIA GeForce RTX 4090"]
    assert report.gpus[0].pci_id == "10de:2684"
    assert report.driver(Vendor.NVIDIA).version == "580.1"
    assert report.backend(Vendor.NVIDIA) == READY
    assert report.environments[0].prefix == "/v"
    assert report.notes == ()


def test_registered_backends_are_one_per_vendor():
    vendors = [backend.vendor for backend in BACKENDS]

    assert Vendor.NVIDIA in vendors
    assert len(set(vendors)) == len(vendors)


def test_backend_is_told_of_cards_and_sleepers_of_its_vendor_only():
    sleeper = PciCard(
        bus_id="00000000:02:00.0", vendor=Vendor.NVIDIA, pci_id="10de:28e0", driver="nvidia", is_asleep=True
    )
    other = PciCard(bus_id="00000000:03:00.0", vendor=Vendor.AMD, pci_id="1002:744c", driver="amdgpu", is_asleep=True)
    backend = ready(GPU)

    survey(SurveyOptions(driver_limit_s=4.0), parts=parts(backend, scan=lambda: (CARD, sleeper, other)))

    (asked,) = backend.asked
    assert asked.pci_bus_ids == (BUS, "00000000:02:00.0")
    assert asked.sleeping_bus_ids == frozenset({"00000000:02:00.0"})
    assert asked.wakes_sleeping_gpus is False
    assert asked.time_limit_s == 4.0


@pytest.mark.parametrize(
    ("scan", "tells_all", "expected"),
    [(lambda: None, True, None), (tuple, False, None), (tuple, True, ())],
)
def test_no_bus_and_wsl_leave_open_whether_there_is_a_card(scan, tells_all, expected):
    backend = ready()

    survey(parts=parts(backend, scan=scan, bus_tells_all=lambda: tells_all))

    assert backend.asked[0].pci_bus_ids == expected


def test_sleeping_laptop_card_is_shown_and_not_woken():
    sleeper = PciCard(bus_id=BUS, vendor=Vendor.NVIDIA, pci_id="10de:28e0", driver="nvidia", is_asleep=True)

    report = survey(parts=parts(ready(), scan=lambda: (sleeper,)))

    assert report.gpus[0].state is GpuState.ASLEEP


def test_hanging_driver_leaves_the_rest_and_says_so():
    release = threading.Event()
    hanging = FakeBackend(release.wait)
    other = FakeBackend(
        BackendResult(status=BackendStatus(vendor=Vendor.AMD, state=BackendState.NOT_PRESENT)), Vendor.AMD
    )
    try:
        report = survey(SurveyOptions(driver_limit_s=2.0), parts=parts(hanging, other, clock=RunningClock()))
    finally:
        release.set()

    status = report.backend(Vendor.NVIDIA)
    assert (status.state, status.code) == (BackendState.FAILED, "no_answer")
    assert report.gpus[0].state is GpuState.NO_ANSWER
    assert report.backend(Vendor.AMD).state is BackendState.NOT_PRESENT
    assert report.host == HOST
    assert report.environments


def _broken(*arguments):
    raise ZeroDivisionError


def test_broken_backend_takes_nobody_along(expected_log_errors):
    expected_log_errors("back-end nvidia")

    report = survey(parts=parts(FakeBackend(_broken)))

    assert (report.backend(Vendor.NVIDIA).state, report.backend(Vendor.NVIDIA).code) == (BackendState.FAILED, "failed")
    assert report.gpus[0].state is GpuState.FAILED
    assert report.host == HOST


@pytest.mark.parametrize("part", ["host", "environments", "scan", "variables", "bus_tells_all"])
def test_broken_part_is_a_note(part, expected_log_errors):
    expected_log_errors("survey: ")

    report = survey(parts=parts(ready(GPU), **{part: _broken}))

    assert [note.id for note in report.notes] == ["host.part-failed"]
    assert report.gpus[0].name == "NVIDIA GeForce RTX 4090"


def test_hanging_search_for_environments_is_a_note():
    release = threading.Event()
    try:
        report = survey(parts=parts(ready(GPU), environments=lambda *arguments: release.wait(), clock=RunningClock()))
    finally:
        release.set()

    assert report.environments == ()
    assert [note.id for note in report.notes] == ["host.part-no-answer"]


def test_environments_can_be_left_out():
    report = survey(SurveyOptions(include_environments=False), parts=parts(ready(GPU), environments=_broken))

    assert report.environments == ()
    assert report.notes == ()


def test_given_variables_are_used_and_named_as_such():
    seen = []

    def host(variables):
        seen.append(variables)
        return HOST

    survey(SurveyOptions(variables={"B": "2"}), parts=parts(ready(GPU), host=host, variables=_broken))

    assert seen == [UserVariables({"B": "2"}, "given")]


def test_silent_login_shell_is_a_note():
    problem = Message("host.login-shell-failed")

    report = survey(parts=parts(ready(GPU), variables=lambda: UserVariables({}, problem=problem)))

    assert report.notes == (problem,)


def test_progress_goes_forward():
    log = ProgressLog()

    survey(control=JobControl(log), parts=parts(ready(GPU)))

    assert log.shares == sorted(log.shares)
    assert "host.looking-for-environments" in log.ids


def test_cancelled_survey_ends_while_the_driver_hangs():
    release = threading.Event()
    control = JobControl(lambda share, message: share == 0.4 and control.cancel())
    try:
        with pytest.raises(JobCancelledError):
            survey(control=control, parts=parts(FakeBackend(release.wait)))
    finally:
        release.set()


def test_this_machine_can_be_surveyed():
    report = survey(SurveyOptions(variables={}, include_environments=False))

    assert report.host.os.family is not OsFamily.OTHER
    assert report.host.variables_origin == "given"
    assert report.backend(Vendor.NVIDIA) is not None
