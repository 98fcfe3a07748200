"""Connections: retries, broken transfers, logins, cancellation."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.job import JobCancelledError, JobControl
from gpuconfig_app.core.messages import Message
from gpuconfig_app.knowledge.harvest.pip_settings import IndexSettings
from gpuconfig_app.knowledge.harvest.transport import Limits, Transport
from gpuconfig_app.knowledge.harvest.trouble import DownloadError, RangesUnservedError
from tests.fakes import FakeClock
from tests.package_index_server import IndexBehaviour, OfferedFile, package_index

CONTENT = bytes(range(256)) * 8192  # 2 MiB
NAME = "tensorflow-2.16.2-cp312-cp312-win_amd64.whl"
QUICK = Limits(answer_s=5.0, pauses_s=(0.0, 0.0, 0.0))


def _behaviour() -> IndexBehaviour:
    return IndexBehaviour(projects={"tensorflow": [OfferedFile(NAME, CONTENT)]})


def _transport(control: JobControl | None = None, **settings: object) -> Transport:
    return Transport(IndexSettings(**settings), control or JobControl(), limits=QUICK)  # type: ignore[arg-type]


def test_a_broken_range_is_taken_up_where_it_broke():
    behaviour = _behaviour()
    behaviour.break_after, behaviour.breaks_left = 700_001, 2
    with package_index(behaviour) as address:
        content = b"".join(_transport().stream(f"{address}/files/{NAME}", 1000, len(CONTENT)))

    assert content == CONTENT[1000:]
    assert len(behaviour.requests) == 3
    assert behaviour.requests[1].endswith(f"bytes=701001-{len(CONTENT) - 1}")


def test_a_server_that_breaks_off_without_end_is_given_up():
    behaviour = _behaviour()
    behaviour.failures_left = 99
    with package_index(behaviour) as address, pytest.raises(DownloadError) as caught:
        _transport().part(f"{address}/files/{NAME}", 0, 10)

    assert caught.value.message.id == "harvest.no-answer"
    assert caught.value.message.params["detail"] == "HTTP 503"
    assert len(behaviour.requests) == 4


def test_a_short_fault_is_got_over():
    behaviour = _behaviour()
    behaviour.failures_left = 2
    with package_index(behaviour) as address:
        assert _transport().part(f"{address}/files/{NAME}", 5, 9) == CONTENT[5:9]


def test_a_whole_download_that_breaks_starts_again(tmp_path):
    behaviour = _behaviour()
    behaviour.break_after, behaviour.breaks_left = 1_500_000, 1
    with package_index(behaviour) as address:
        transport = _transport()
        transport.download(f"{address}/files/{NAME}", tmp_path / "file")

    assert (tmp_path / "file").read_bytes() == CONTENT
    assert transport.received_bytes == 1_500_000 + len(CONTENT)


def test_a_server_without_ranges_is_told():
    behaviour = _behaviour()
    behaviour.serves_ranges = False
    with package_index(behaviour) as address:
        with pytest.raises(RangesUnservedError):
            _transport().part(f"{address}/files/{NAME}", 5, 9)
        with pytest.raises(RangesUnservedError):
            _transport().size(f"{address}/files/{NAME}")


def test_size_is_told_by_a_range():
    with package_index(_behaviour()) as address:
        assert _transport().size(f"{address}/files/{NAME}") == len(CONTENT)


def test_login_in_the_address_is_used_and_never_shown():
    behaviour = _behaviour()
    behaviour.login = "me:p@ss word"
    with package_index(behaviour) as address:
        inside = address.replace("http://", "http://me:p%40ss%20word@")
        assert _transport().part(f"{inside}/files/{NAME}", 0, 4) == CONTENT[:4]
        behaviour.login = "me:changed"
        with pytest.raises(DownloadError) as caught:
            _transport().part(f"{inside}/files/{NAME}", 0, 4)

    assert caught.value.message.id == "harvest.not-let-in"
    assert "ss" not in str(caught.value.message.params["address"])


def test_login_of_the_netrc_file_is_used(tmp_path, monkeypatch):
    file = tmp_path / "netrc"
    file.write_text("machine 127.0.0.1 login me password secret\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(file))
    behaviour = _behaviour()
    behaviour.login = "me:secret"
    with package_index(behaviour) as address:
        assert _transport().part(f"{address}/files/{NAME}", 0, 4) == CONTENT[:4]


def test_login_does_not_go_along_a_redirect():
    elsewhere = _behaviour()
    with package_index(elsewhere) as target:
        behaviour = _behaviour()
        behaviour.moved_to = target
        with package_index(behaviour) as address:
            inside = address.replace("http://", "http://me:secret@")
            _transport().part(f"{inside}/files/{NAME}", 0, 4)

    assert behaviour.logins_seen == ["Basic bWU6c2VjcmV0"]
    assert elsewhere.logins_seen == [None]


def test_cancelling_ends_a_transfer_between_two_pieces():
    control = JobControl()
    with package_index(_behaviour()) as address:
        pieces = _transport(control).stream(f"{address}/files/{NAME}", 0, len(CONTENT))
        next(pieces)
        control.cancel()
        with pytest.raises(JobCancelledError):
            next(pieces)


def test_cancelling_ends_the_wait_before_a_further_try():
    behaviour = _behaviour()
    behaviour.failures_left = 99
    control = JobControl()

    class Cancelling(Transport):
        def _pause_or_raise(self, address: str, failures: int, error: Exception) -> None:
            control.cancel()
            super()._pause_or_raise(address, failures, error)

    transport = Cancelling(IndexSettings(), control, limits=Limits(pauses_s=(600.0,)))
    with package_index(behaviour) as address, pytest.raises(JobCancelledError):
        transport.part(f"{address}/files/{NAME}", 0, 4)


def test_a_trickle_is_given_up():
    clock = FakeClock()

    def slow(_: int) -> None:
        clock.advance(100.0)

    limits = Limits(stall_s=60.0, stall_bytes=1 << 30, pauses_s=())
    transport = Transport(IndexSettings(), JobControl(), limits=limits, clock=clock, on_bytes=slow)
    with package_index(_behaviour()) as address, pytest.raises(DownloadError) as caught:
        transport.part(f"{address}/files/{NAME}", 0, len(CONTENT))

    assert caught.value.message.params["detail"] == "too slow"


@pytest.mark.parametrize("address", ["ftp://example.org/x", "file:///etc/passwd", "/etc/passwd"])
def test_only_the_web_is_asked(address):
    with pytest.raises(DownloadError) as caught:
        _transport().page(address, "text/html")

    assert caught.value.message.id == "harvest.odd-address"


def test_a_certificate_file_that_is_none_is_told(tmp_path):
    file = tmp_path / "cert.pem"
    file.write_text("nothing", encoding="utf-8")
    with pytest.raises(DownloadError) as caught:
        _transport(cert=str(file)).page("https://127.0.0.1:9/", "text/html")

    assert caught.value.message == Message("harvest.bad-certificate-file", caught.value.message.params)
