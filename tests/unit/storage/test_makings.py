"""Journals of makings: written, read again in order, and never in the way."""

from __future__ import annotations

from pathlib import Path

from gpuconfig_app.storage.makings import (
    LOGS_KEPT,
    Making,
    MakingState,
    drop_old_logs,
    forget_making,
    journal_file,
    load_makings,
    log_file,
    save_making,
)
from gpuconfig_app.storage.places import Places, user_places


def test_journals_are_read_again_oldest_first() -> None:
    places = user_places()
    second = Making(id="200-b", folder="/b", state=MakingState.MADE, folder_device=2**40, folder_inode=2**60)
    first = Making(id="100-a", folder="/a", made_parents=("/x/y", "/x"))

    save_making(places, second)
    save_making(places, first)

    assert load_makings(places) == (first, second)
    forget_making(places, "100-a")
    forget_making(places, "100-a")
    assert load_makings(places) == (second,)


def test_a_journal_that_cannot_be_read_is_left_out() -> None:
    places = user_places()
    save_making(places, Making(id="1"))
    journal_file(places, "2").write_text("{half", encoding="utf-8")

    assert [item.id for item in load_makings(places)] == ["1"]


def test_only_the_newest_logs_are_kept(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path, tmp_path, tmp_path)
    log_file(places, "x").parent.mkdir()
    for number in range(LOGS_KEPT + 5):
        log_file(places, f"{number:03}").write_text("", encoding="utf-8")

    drop_old_logs(places)

    assert min(path.stem for path in log_file(places, "x").parent.iterdir()) == "005"
