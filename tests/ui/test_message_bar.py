"""Message bars: topics, order, how many, how long; and the only place that turns errors into text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QPushButton

from gpuconfig_app.core.errors import StorageError
from gpuconfig_app.core.finding import Severity
from gpuconfig_app.core.messages import Language, Message
from gpuconfig_app.ui.messages import Messages, split_lead
from gpuconfig_app.ui.notice import Notice
from gpuconfig_app.ui.widgets.message_bar import LEAVES_AFTER_MS, BarText, MessageArea


@pytest.fixture
def area(theme, qtbot):
    made = MessageArea()
    qtbot.addWidget(made)
    made.resize(800, 300)
    made.show()
    return made


def _text(topic: str, severity: str = "note", lead: str = "Something happened.") -> BarText:
    return BarText(topic, severity, lead)


def test_newest_stands_on_top(area):
    for topic in ("a", "b", "c"):
        area.show_text(_text(topic))

    assert area.topics == ("c", "b", "a")


def test_three_are_shown_and_the_rest_is_counted(area):
    for topic in "abcde":
        area.show_text(_text(topic))

    visible = [topic for topic in area.topics if area.bar(topic).isVisible()]

    assert visible == ["e", "d", "c"]
    assert "2 more" in [label.text() for label in area.findChildren(type(area._more))]


def test_same_topic_takes_the_place_of_the_former(area):
    area.show_text(_text("a"))
    area.show_text(_text("b"))

    area.show_text(_text("a", lead="News."))

    assert area.topics == ("b", "a")
    assert area.bar("a").text.lead == "News."


def test_errors_stay_and_others_leave(area, qtbot):
    area.show_text(_text("error", "blocked"))
    area.show_text(_text("note", "note"))

    assert not area.bar("error").is_leaving
    assert area.bar("note").is_leaving
    assert area.bar("note")._timer.interval() == LEAVES_AFTER_MS == 8000
    with qtbot.waitSignal(area.closed):
        area.bar("note")._timer.timeout.emit()
    assert area.topics == ("error",)


def test_hovered_bar_does_not_leave(area, qtbot):
    area.show_text(_text("note"))
    bar = area.bar("note")
    point = QPointF(5, 5)

    bar.enterEvent(QEnterEvent(point, point, point))
    hovered = bar.is_leaving
    bar.leaveEvent(QEvent(QEvent.Type.Leave))

    assert (hovered, bar.is_leaving) == (False, True)


def test_focused_bar_does_not_leave(area, qtbot):
    area.show_text(_text("note"))
    bar = area.bar("note")
    button = bar.findChildren(QPushButton)[-1]
    area.window().activateWindow()

    button.setFocus(Qt.FocusReason.TabFocusReason)
    bar._follow_focus()

    assert button.hasFocus()
    assert not bar.is_leaving


def test_close_button_closes(area, qtbot):
    area.show_text(_text("note"))
    button = area.bar("note").findChildren(QPushButton)[-1]

    with qtbot.waitSignal(area.closed):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    assert area.topics == ()
    assert not area.isVisible()


def test_action_is_called(area, qtbot):
    pressed = []
    area.show_text(BarText("note", "note", "Lead.", "More.", "Show", lambda: pressed.append(True)))
    button = area.bar("note").findChildren(QPushButton)[0]

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    assert pressed == [True]


def test_bar_is_named_for_screen_readers(area):
    area.show_text(BarText("note", "note", "Lead.", "More."))

    assert area.bar("note").accessibleName() == "Lead. More."


@pytest.fixture
def messages(state, area):
    made = Messages(state, area)
    yield made
    made.deleteLater()


def test_error_of_ours_is_shown_in_its_own_words(state, area, messages):
    state.post_error("save", StorageError(Message("core.disk-full", {"path": "/data"}), Message("core.disk-full-hint")))

    bar = area.bar("save")
    assert bar.text.severity == "blocked"
    assert "/data" in bar.text.lead
    assert bar.text.sentence == "Free some space and try again."


def test_defect_is_named_without_a_traceback(state, area, messages):
    state.post_error("work", ValueError("inner detail"))

    bar = area.bar("work")
    assert "ValueError" in bar.accessibleName()
    assert "inner detail" not in bar.accessibleName()


def test_topic_that_is_over_goes_away(state, area, messages):
    state.post(Notice("disk", Severity.WARNING, Message("core.disk-full-hint")))
    state.post(Notice("disk", Severity.WARNING, Message("core.disk-full-hint"), is_over=True))

    assert area.topics == ()


def test_lines_are_written_again_in_another_language(state, area, messages, theme, qtbot):
    state.post(Notice("disk", Severity.WARNING, Message("core.disk-full-hint")))
    other = MessageArea()
    qtbot.addWidget(other)
    state.set_language(Language.CHINESE)

    following = Messages(state, other)
    following.take_over(messages)

    assert other.bar("disk").text.lead == "请清理磁盘空间后重试。"
    following.deleteLater()


def test_first_sentence_is_the_lead():
    assert split_lead("It broke. Try again.") == ("It broke.", "Try again.")
    assert split_lead("出错了。请重试。") == ("出错了。", "请重试。")
    assert split_lead("One sentence only.") == ("One sentence only.", "")
