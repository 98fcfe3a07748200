"""A lost card is told once, on whichever page is open, also when Monitor was never looked at."""

from __future__ import annotations

import pytest

from gpuconfig_app.core.sample import DeviceKey, Liveness, Sample
from gpuconfig_app.ui.application import Shell, make_application
from gpuconfig_app.ui.first_look import FirstLook


@pytest.mark.parametrize("page_id", ["overview", "monitor"])
def test_lost_card_stands_in_the_message_bar_of_every_page(qapp, qtbot, page_id):
    shell = Shell(make_application([]), FirstLook(language="en"))
    shell.window.show()
    shell.bring_to_life("training-2x4090")
    state = shell.state
    qtbot.waitUntil(lambda: state is not None and state.compat is not None, timeout=20_000)
    shell.window.open_page(page_id)
    told: list[object] = []
    state.notice_posted.connect(told.append)
    key = DeviceKey(state.report.machine_id, "1")

    state.bridge.put(
        Sample(key=key, taken_at=1.0, monotonic_s=state.workbench.clock.monotonic(), liveness=Liveness.LOST)
    )
    qtbot.waitUntil(lambda: bool(told), timeout=20_000)

    assert [notice.topic for notice in told] == ["gpu-1"]
    assert state.text(told[0].message) == "GPU 1 no longer answers."
    shell.end()
    shell.window.close_now()
    shell.window.deleteLater()
    shell.deleteLater()
    qapp.processEvents()
