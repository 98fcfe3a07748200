"""The pages of the window, in the order of the rail, and those that open inside one of them.

A page's module is imported when the page is first opened.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QT_TRANSLATE_NOOP


class PageSpec(NamedTuple):
    """One page.

    Attributes:
        id: Stable name for navigation and settings.
        icon: Lucide name.
        title: English title, translated in the context ``Pages``.
        factory: ``module:Class``; the class takes the ``AppState``.
        is_apart: Stands at the bottom of the rail.
        parent: Page it opens inside of: no place in the rail, Escape leads back. Empty for a page of the rail.
    """

    id: str
    icon: str
    title: str
    factory: str
    is_apart: bool = False
    parent: str = ""


PAGES: tuple[PageSpec, ...] = (
    PageSpec(
        "overview",
        "layout-dashboard",
        str(QT_TRANSLATE_NOOP("Pages", "Overview")),
        "gpuconfig_app.ui.pages.overview_page:OverviewPage",
    ),
    PageSpec(
        "monitor",
        "activity",
        str(QT_TRANSLATE_NOOP("Pages", "Monitor")),
        "gpuconfig_app.ui.pages.monitor_page:MonitorPage",
    ),
    PageSpec(
        "compatibility",
        "shield-check",
        str(QT_TRANSLATE_NOOP("Pages", "Compatibility")),
        "gpuconfig_app.ui.pages.compatibility_page:CompatibilityPage",
    ),
    PageSpec(
        "new_script",
        "wand-sparkles",
        str(QT_TRANSLATE_NOOP("Pages", "New script")),
        "gpuconfig_app.ui.pages.new_script_page:NewScriptPage",
    ),
    PageSpec("runs", "play", str(QT_TRANSLATE_NOOP("Pages", "Runs")), "gpuconfig_app.ui.pages.runs_page:RunsPage"),
    PageSpec(
        "settings",
        "settings",
        str(QT_TRANSLATE_NOOP("Pages", "Settings")),
        "gpuconfig_app.ui.pages.settings_page:SettingsPage",
        is_apart=True,
    ),
)

SUB_PAGES: tuple[PageSpec, ...] = (
    PageSpec(
        "explain",
        "message-square-text",
        str(QT_TRANSLATE_NOOP("Pages", "Explain an error")),
        "gpuconfig_app.ui.pages.explain_page:ExplainPage",
        parent="compatibility",
    ),
    PageSpec(
        "ways_on",
        "list-checks",
        str(QT_TRANSLATE_NOOP("Pages", "Ways on")),
        "gpuconfig_app.ui.pages.ways_on.ways_on_page:WaysOnPage",
        parent="compatibility",
    ),
    PageSpec(
        "make_environment",
        "plus",
        str(QT_TRANSLATE_NOOP("Pages", "Make a working environment")),
        "gpuconfig_app.ui.pages.make_environment_page:MakeEnvironmentPage",
        parent="compatibility",
    ),
)


def find_page(page_id: str) -> PageSpec | None:
    """Give the page of an id, None when there is none (an old setting)."""
    return next((spec for spec in (*PAGES, *SUB_PAGES) if spec.id == page_id), None)
