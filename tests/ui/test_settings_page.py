"""Settings: every control saves at once, the search thins out, sections are reached."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from gpuconfig_app.ui.pages.settings.about_sections import FactsSection
from gpuconfig_app.ui.pages.settings.fact_tables import FactTable, read_fact_tables
from gpuconfig_app.ui.pages.settings.general_section import GeneralSection
from gpuconfig_app.ui.pages.settings.python_section import PythonSection
from gpuconfig_app.ui.pages.settings.sampling_section import SamplingSection
from gpuconfig_app.ui.pages.settings_page import SettingsPage


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
