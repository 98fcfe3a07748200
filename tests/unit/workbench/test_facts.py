"""The fact tables as both faces show them, and their refresh into the user's data folder."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.job import JobControl
from gpuconfig_app.core.messages import Language
from gpuconfig_app.knowledge import tensorflow_releases
from gpuconfig_app.knowledge.cuda_drivers import load_cuda_table
from gpuconfig_app.knowledge.harvest import pip_settings
from gpuconfig_app.knowledge.harvest.trouble import RefreshError
from gpuconfig_app.knowledge.table import REFRESHED_TABLES, is_refreshed_newer, refreshed_path
from gpuconfig_app.storage.places import user_places
from gpuconfig_app.workbench.facts import fact_tables, forget_tables, refresh_facts
from gpuconfig_app.workbench.text import load_texts
from tests.fakes import FakeClock
from tests.package_index_server import package_index
from tests.unit.knowledge.harvest.small_index import settings_at, small_index


@pytest.fixture(autouse=True)
def fresh_tables():
    forget_tables()
    yield
    forget_tables()


@pytest.fixture
def index(monkeypatch):
    behaviour = small_index()
    with package_index(behaviour) as address:
        monkeypatch.setattr(pip_settings, "read_pip_settings", lambda *_, **__: settings_at(address))
        yield behaviour


def _refresh(control: JobControl | None = None):
    return refresh_facts(user_places(), control or JobControl(), clock=FakeClock())


def test_every_table_is_told_with_counts_days_and_origin():
    tables = {table.id: table for table in fact_tables()}

    releases = tables["tensorflow_releases"]
    assert releases.rows == len(tensorflow_releases.load_releases())
    assert releases.sources > 10
    assert releases.checked_from <= releases.checked_to
    assert releases.harvested_at is not None
    assert not releases.is_refreshed
    assert tables["gpus"].harvested_at is None
    assert set(REFRESHED_TABLES) <= set(tables)
    for table in tables.values():
        assert load_texts().render(table.title, Language.ENGLISH)


def test_a_refresh_takes_effect_at_once(index):
    before = {(row.series, row.platform) for row in tensorflow_releases.load_releases()}

    refreshed = _refresh()

    assert refreshed.sentence.id == "facts.refreshed"
    rows = {(row.series, row.platform): row for row in tensorflow_releases.load_releases()}
    assert before <= set(rows)
    assert rows["2.16", "linux-x86_64"].checked_on == "2027-01-15"
    assert {table.id for table in fact_tables() if table.is_refreshed} == set(REFRESHED_TABLES)
    assert load_cuda_table().cudnn[-1].ptx == "sm_120f"
    assert _refresh().sentence.id == "facts.nothing-new"


def test_a_damaged_refreshed_table_gives_way_to_the_shipped_one(index):
    _refresh()
    path = refreshed_path("tensorflow_releases")
    path.write_text(path.read_text(encoding="utf-8").replace("sass = ", "sassy = "), encoding="utf-8")
    forget_tables()

    rows = tensorflow_releases.load_releases()

    assert is_refreshed_newer("tensorflow_releases")
    assert all(row.checked_on < "2027" for row in rows)


def test_a_table_of_a_later_program_gives_way_to_the_shipped_one(index):
    _refresh()
    path = refreshed_path("tensorflow_releases")
    path.write_text(path.read_text(encoding="utf-8").replace("schema = 1", "schema = 2"), encoding="utf-8")
    forget_tables()

    assert all(row.checked_on < "2027" for row in tensorflow_releases.load_releases())


def test_a_refreshed_table_older_than_the_shipped_one_is_passed_over(index):
    _refresh()
    path = refreshed_path("tensorflow_releases")
    path.write_text(path.read_text(encoding="utf-8").replace("2027-01-15T", "2020-01-15T"), encoding="utf-8")
    forget_tables()

    assert not is_refreshed_newer("tensorflow_releases")
    assert all(row.checked_on < "2027" for row in tensorflow_releases.load_releases())


def test_a_refresh_that_fails_leaves_what_there_was(index):
    _refresh()
    kept = refreshed_path("tensorflow_releases").read_bytes()
    index.failures_left = 0
    index.projects["tensorflow"].clear()

    with pytest.raises(RefreshError):
        _refresh()

    assert refreshed_path("tensorflow_releases").read_bytes() == kept
