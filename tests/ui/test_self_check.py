"""The self-test of the window leaves the user's own settings alone."""

from __future__ import annotations

from gpuconfig_app.storage.places import user_places
from gpuconfig_app.storage.settings import settings_file
from gpuconfig_app.ui.self_check import open_every_page


def test_every_page_opens_and_nothing_of_the_user_changes(qapp):
    open_every_page("training-2x4090")

    assert not settings_file(user_places()).exists()
