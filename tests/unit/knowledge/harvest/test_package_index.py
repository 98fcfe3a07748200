"""Index pages of every kind that pip takes."""

from __future__ import annotations

import pytest
from packaging.version import Version

from gpuconfig_app.core.job import JobControl
from gpuconfig_app.knowledge.harvest.package_index import list_files, parse_page
from gpuconfig_app.knowledge.harvest.pip_settings import IndexSettings
from gpuconfig_app.knowledge.harvest.transport import Limits, Page, Transport
from gpuconfig_app.knowledge.harvest.trouble import DownloadError
from tests.package_index_server import IndexBehaviour, OfferedFile, package_index

NAMES = (
    "tensorflow-2.16.2-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
    "tensorflow-2.16.2.tar.gz",
    "tensorflow_cpu-2.16.2-cp312-cp312-win_amd64.whl",
    "tensorflow-odd.whl",
    "notes.txt",
)
QUICK = Limits(answer_s=5.0, pauses_s=(0.0, 0.0))


def _behaviour() -> IndexBehaviour:
    return IndexBehaviour(projects={"tensorflow": [OfferedFile(name, name.encode()) for name in NAMES]})


def _listed(settings: IndexSettings, project: str = "tensorflow"):
    return list_files(project, settings, Transport(settings, JobControl(), limits=QUICK))


@pytest.mark.parametrize("is_json", [True, False])
def test_pages_of_both_forms(is_json):
    behaviour = _behaviour()
    behaviour.is_json = is_json
    with package_index(behaviour) as address:
        files = _listed(IndexSettings(indexes=(f"{address}/simple/",)), "TensorFlow")

    assert [file.name for file in files] == [NAMES[0], NAMES[1]]
    wheel = files[0]
    assert wheel.is_wheel
    assert wheel.version == Version("2.16.2")
    assert (wheel.pythons, wheel.abis) == (("cp312",), ("cp312",))
    assert wheel.platforms == ("manylinux_2_17_x86_64", "manylinux2014_x86_64")
    assert wheel.address == f"{address}/files/{NAMES[0]}"
    assert wheel.sha256 == OfferedFile(NAMES[0], NAMES[0].encode()).digest
    assert wheel.uploaded_on == ("2026-01-02" if is_json else None)
    assert wheel.size_bytes == (len(NAMES[0]) if is_json else None)
    assert not files[1].is_wheel


@pytest.mark.parametrize("has_page", [True, False])
def test_an_index_in_a_folder(tmp_path, has_page):
    folder = tmp_path / "sim ple" / "tensorflow"
    folder.mkdir(parents=True)
    if has_page:
        (folder / "index.html").write_text(f'<a href="../../files/{NAMES[0]}#sha256=abc">x</a>', encoding="utf-8")
    else:
        (folder / NAMES[0]).write_bytes(b"12345")

    (found,) = _listed(IndexSettings(indexes=((tmp_path / "sim ple").as_uri(),)))

    assert found.name == NAMES[0]
    assert found.address.startswith("file://")
    assert found.sha256 == ("abc" if has_page else None)


def test_find_links_may_be_a_folder_or_a_page(tmp_path):
    (tmp_path / NAMES[0]).write_bytes(b"1")
    page = tmp_path / "links.html"
    page.write_text(f'<base href="https://example.org/x/"><a href="{NAMES[1]}">s</a>', encoding="utf-8")

    files = _listed(IndexSettings(find_links=(str(tmp_path), page.as_uri())))

    assert [file.name for file in files] == [NAMES[0], NAMES[1]]
    assert files[1].address == f"https://example.org/x/{NAMES[1]}"


def test_a_second_index_adds_what_the_first_lacks(tmp_path):
    (tmp_path / "tensorflow").mkdir()
    (tmp_path / "tensorflow" / "tensorflow-2.21.0-cp312-cp312-win_amd64.whl").write_bytes(b"1")
    with package_index(_behaviour()) as address:
        files = _listed(IndexSettings(indexes=(f"{address}/simple", tmp_path.as_uri())))
        nothing = _listed(IndexSettings(indexes=(f"{address}/simple", tmp_path.as_uri())), "keras")

    assert [str(file.version) for file in files] == ["2.16.2", "2.16.2", "2.21.0"]
    assert nothing == ()


def test_withdrawn_files_are_marked():
    behaviour = _behaviour()
    behaviour.projects["tensorflow"][0].is_yanked = True
    with package_index(behaviour) as address:
        settings = IndexSettings(indexes=(f"{address}/simple",))
        as_json = _listed(settings)
        behaviour.is_json = False
        as_html = _listed(settings)

    assert as_json[0].is_yanked
    assert as_html[0].is_yanked


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("application/vnd.pypi.simple.v1+json", b"not json"),
        ("application/vnd.pypi.simple.v1+json", b"[]"),
        ("application/vnd.pypi.simple.v1+json", b'{"meta": {"api-version": "2.0"}, "files": []}'),
        ("application/vnd.pypi.simple.v1+json", b'{"meta": {"api-version": "1.0"}, "files": [{"url": "x"}]}'),
        ("application/vnd.pypi.simple.v1+json", b'{"meta": {"api-version": "1.0"}, "files": [7]}'),
        ("application/octet-stream", b"\x00\x01"),
    ],
)
def test_a_page_that_is_none_is_refused(kind, content):
    with pytest.raises(DownloadError) as caught:
        parse_page(Page("https://user:secret@example.org/simple/x/", kind, content), "x")

    assert caught.value.message.id == "harvest.odd-page"
    assert "secret" not in str(caught.value.message.params)


def test_a_page_of_the_web_does_not_lead_to_this_disk():
    name = NAMES[0]
    html = f'<a href="file:///etc/{name}">x</a><a href="/files/{name}">y</a>'.encode()

    (found,) = parse_page(Page("https://example.org/simple/tensorflow/", "text/html", html), "tensorflow")

    assert found.address == f"https://example.org/files/{name}"


@pytest.mark.parametrize("is_json", [True, False])
def test_a_page_that_breaks_off_is_asked_for_again(is_json):
    """Half an HTML page would look like an index with fewer releases."""
    behaviour = _behaviour()
    behaviour.is_json = is_json
    behaviour.pages_broken = 1
    with package_index(behaviour) as address:
        files = _listed(IndexSettings(indexes=(f"{address}/simple",)))

    assert len(files) == 2
    assert len(behaviour.requests) == 2
