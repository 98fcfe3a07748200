"""Settings: every control saves at once, the search thins out, sections are reached."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from gpuconfig_app.core.messages import Message
from gpuconfig_app.knowledge.harvest.trouble import RefreshError
from gpuconfig_app.ui.pages.settings import facts_section
from gpuconfig_app.ui.pages.settings.fact_tables import FactTable, read_fact_tables
from gpuconfig_app.ui.pages.settings.facts_section import REFRESH, TABLES, FactsSection
from gpuconfig_app.ui.pages.settings.general_section import GeneralSection
from gpuconfig_app.ui.pages.settings.python_section import PythonSection
from gpuconfig_app.ui.pages.settings.sampling_section import SamplingSection
from gpuconfig_app.ui.pages.settings_page import SettingsPage
from gpuconfig_app.workbench.facts import Refreshed


@pytest.fixture
def page(state, qtbot):
    made = SettingsPage(state)
    qtbot.addWidget(made)
    made.resize(1104, 800)
    made.show()
    made.on_enter({})
    return made


def _section(page, kind):
    return next(section for section in page.sections if isinstance(section, kind))


def test_language_is_saved_at_once(page, state):
    general = _section(page, GeneralSection)
    general.language.setCurrentIndex(general.language.findData("zh_CN"))

    general.language.activated.emit(general.language.currentIndex())

    assert state.settings.language == "zh_CN"


def test_theme_is_saved_at_once(page, state, qtbot):
    qtbot.keyClick(_section(page, GeneralSection).theme, Qt.Key.Key_Right)

    assert state.settings.theme == "light"


def test_sampling_is_saved_at_once(page, state, qtbot):
    sampling = _section(page, SamplingSection)

    qtbot.keyClick(sampling.interval, Qt.Key.Key_Right)
    qtbot.keyClick(sampling.slow, Qt.Key.Key_Left)
    qtbot.keyClick(sampling.history, Qt.Key.Key_Right)
    qtbot.keyClick(sampling.wakes, Qt.Key.Key_Space)

    settings = state.settings
    assert (settings.sampling_interval_s, settings.slow_interval_s, settings.history_hours) == (2.0, 2.0, 6.0)
    assert settings.wakes_sleeping_gpus


def test_value_set_elsewhere_is_among_the_choices(state, qtbot):
    state.update_settings(sampling_interval_s=0.3)

    made = SettingsPage(state)
    qtbot.addWidget(made)

    assert _section(made, SamplingSection).interval.value == "0.3"


def test_folders_are_added_and_removed(page, state, qtbot):
    python = _section(page, PythonSection)
    python.add_folder("/data/envs")
    python.add_folder("/data/envs")
    added = state.settings.extra_python_folders
    row = python.rows[0]

    qtbot.mouseClick(row.findChildren(type(python.add))[0], Qt.MouseButton.LeftButton)

    assert added == ("/data/envs",)
    assert state.settings.extra_python_folders == ()
    assert ("refresh", None) in state.calls


def test_search_shows_only_what_matches(page):
    page.search.setText("interval")
    visible = [section.section_id for section in page.sections if section.isVisible()]
    page.search.setText("")

    assert visible == ["sampling"]
    assert all(section.isVisible() for section in page.sections)


def test_search_without_a_hit_says_so(page):
    page.search.setText("flux capacitor")

    assert page._nothing.isVisible()


def test_title_of_a_section_finds_all_its_rows(page):
    page.search.setText("sampling")

    assert all(row.isVisible() for row in _section(page, SamplingSection).rows)


def test_section_is_reached_by_argument_and_list(page, qapp):
    page.on_enter({"section": "about"})
    by_argument = page._items["about"].isChecked()
    page._items["general"].click()
    qapp.processEvents()

    assert by_argument
    assert page._area.verticalScrollBar().value() == 0


def test_fact_tables_are_read_in_the_background(page, state):
    assert "fact tables" in state.background.asked

    facts = _section(page, FactsSection)
    facts.show_tables((FactTable("releases", 2, "2026-11-30", "2.10", "2.22"), FactTable("cards", 103, "2026-11-30")))

    assert facts.rows[0].remark.text() == "checked 2026-11-30 · 2.10 to 2.22 · shipped with the program"
    assert "103 cards" in facts.rows[1].remark.text()


def test_fact_tables_have_rows_and_dates():
    tables = {table.id: table for table in read_fact_tables()}

    assert tables["releases"].first < tables["releases"].last
    assert all(table.count and table.checked_on.startswith("20") for table in tables.values())


def test_every_control_has_a_name(page):
    from PySide6.QtWidgets import QWidget

    nameless = [
        type(widget).__name__
        for widget in page.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]

    assert not nameless


def _tables() -> tuple[FactTable, ...]:
    return (
        FactTable("releases", 2, "2026-11-30", "2.10.1", "2.22.0rc0", is_refreshed=True),
        FactTable("packages", 8, "2026-11-30"),
    )


def test_refresh_shows_its_steps_and_can_be_cancelled(page, state, qtbot):
    facts = _section(page, FactsSection)
    facts.show_tables(_tables())
    idle = facts.rows[0].remark.text()

    qtbot.mouseClick(facts.button, Qt.MouseButton.LeftButton)
    state.background.busy.add(REFRESH)
    show_step = state.background.jobs[REFRESH][3]
    show_step(0.25, Message("harvest.reading-package", {"package": "tf-nightly", "received_bytes": 3 << 20}))
    running = (facts.button.text(), facts.rows[0].remark.text())
    qtbot.mouseClick(facts.button, Qt.MouseButton.LeftButton)
    state.busy_changed.emit(REFRESH, False)

    assert "refreshed by you" in idle
    assert running == ("Cancel", "25 % · Reading the state of tf-nightly (3 MiB so far)")
    assert not state.background.is_busy(REFRESH)
    assert (facts.button.text(), facts.rows[0].remark.text()) == ("Refresh now", idle)


def test_result_of_a_refresh_is_told_and_the_tables_are_read_again(page, state, qtbot, monkeypatch):
    refreshed = Refreshed(
        changed=("2.21 linux-x86_64",), warnings=(), received_bytes=1 << 20, requests=3, duration_s=2.0
    )
    monkeypatch.setattr(facts_section, "refresh_facts", lambda *_, **__: refreshed)
    facts = _section(page, FactsSection)
    facts.show_tables(_tables())
    notices = []
    state.notice_posted.connect(notices.append)
    qtbot.mouseClick(facts.button, Qt.MouseButton.LeftButton)
    state.background.asked.clear()

    state.background.finish(REFRESH)
    state.busy_changed.emit(REFRESH, False)

    assert [(notice.topic, notice.severity.value, notice.message.id) for notice in notices] == [
        (REFRESH, "good", "facts.refreshed")
    ]
    assert TABLES in state.background.asked


def test_a_refresh_that_fails_is_told_with_what_to_do(page, state, qtbot, monkeypatch):
    def fail(*_, **__):
        raise RefreshError(Message("harvest.no-pip"), Message("harvest.no-pip-hint"))

    monkeypatch.setattr(facts_section, "refresh_facts", fail)
    notices = []
    state.notice_posted.connect(notices.append)
    facts = _section(page, FactsSection)
    facts.show_tables(_tables())
    qtbot.mouseClick(facts.button, Qt.MouseButton.LeftButton)

    state.background.finish(REFRESH)

    assert [(notice.message.id, notice.hint.id) for notice in notices] == [("harvest.no-pip", "harvest.no-pip-hint")]
