"""Code and log: colours, finding, following the end, lines under way."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from gpuconfig_app.ui.widgets.code_view import MOST_LOG_LINES, CodeView, LogView

SCRIPT = '"""Say\nmore."""\nBATCH = 64  # fits\nname = "a # b"\n\n\ndef train() -> None:\n    return None\n'


@pytest.fixture
def log(show):
    made = show(LogView())
    made.window().resize(500, 200)
    return made


@pytest.fixture
def code(show):
    made = show(CodeView())
    made.window().resize(500, 200)
    made.show_code(SCRIPT, is_python=True)
    return made


def lines(log: LogView) -> list[str]:
    return log.toPlainText().split("\n")


def numbered(first: int, last: int) -> tuple[str, ...]:
    return tuple(f"line {number}" for number in range(first, last))


def color_at(code: CodeView, line: int, column: int) -> str:
    layout = code.document().findBlockByNumber(line).layout()
    return next(
        (
            part.format.foreground().color().name()
            for part in reversed(layout.formats())
            if part.start <= column < part.start + part.length
        ),
        "",
    )


def test_lines_come_in_order(log):
    log.add_lines(("a", "b"))
    log.add_lines(("c",))

    assert lines(log) == ["a", "b", "c"]


def test_line_under_way_is_replaced(log):
    log.add_lines(("Epoch 1",), "12/100")
    log.add_lines((), "50/100")
    log.add_lines(("100/100 - loss: 0.3",), "")

    assert lines(log) == ["Epoch 1", "100/100 - loss: 0.3"]


def test_same_line_under_way_changes_nothing(log, qtbot):
    log.add_lines((), "12/100")

    with qtbot.assertNotEmitted(log.textChanged):
        log.add_lines((), "12/100")

    assert lines(log) == ["12/100"]


def test_first_line_may_be_under_way(log):
    log.add_lines((), "1/2")
    log.add_lines((), "2/2")

    assert lines(log) == ["2/2"]


def test_log_follows_its_end(log, qapp):
    log.add_lines(numbered(0, 100))
    log.add_lines(numbered(100, 200))
    qapp.processEvents()

    bar = log.verticalScrollBar()
    assert bar.maximum() > 0
    assert bar.value() == bar.maximum()


def test_log_keeps_its_end_when_it_gets_smaller(log, qapp):
    """A curve that appears above takes room from the log; the newest line must stay in view."""
    log.add_lines(numbered(0, 100))
    log.window().resize(500, 120)
    qapp.processEvents()
    log.add_lines(numbered(100, 101))
    qapp.processEvents()

    bar = log.verticalScrollBar()
    assert bar.value() == bar.maximum()
    assert log.follows


def test_reader_further_up_is_left_in_peace(log, qapp):
    log.add_lines(numbered(0, 100))
    qapp.processEvents()
    log.verticalScrollBar().setValue(10)

    log.add_lines(numbered(100, 200))
    qapp.processEvents()

    assert log.verticalScrollBar().value() == 10
    assert not log.follows
    log.verticalScrollBar().setValue(log.verticalScrollBar().maximum())
    assert log.follows


def test_another_log_is_followed_again(log, qapp):
    log.add_lines(numbered(0, 100))
    qapp.processEvents()
    log.verticalScrollBar().setValue(0)

    log.clear_log()

    assert log.follows
    assert lines(log) == [""]


def test_endless_log_is_bounded(log):
    log.add_lines(numbered(0, MOST_LOG_LINES + 50))

    assert log.blockCount() == MOST_LOG_LINES
    assert lines(log)[-1] == f"line {MOST_LOG_LINES + 49}"


def test_python_is_colored(code, theme):
    colors = {name: theme.color(f"code.{name}").name() for name in ("keyword", "string", "number", "comment", "name")}

    assert color_at(code, 0, 0) == colors["string"]
    assert color_at(code, 1, 0) == colors["string"]
    assert color_at(code, 2, 0) == colors["name"]
    assert color_at(code, 2, 8) == colors["number"]
    assert color_at(code, 2, 13) == colors["comment"]
    assert color_at(code, 3, 12) == colors["string"]
    assert color_at(code, 6, 0) == colors["keyword"]


def test_plain_text_is_not_colored(code):
    code.show_code("def train", is_python=False)

    assert color_at(code, 0, 0) == ""


def test_finding_goes_round(code):
    assert code.find_next("None")
    first = code.textCursor().position()
    assert code.find_next("None")
    assert code.textCursor().position() > first
    assert code.find_next("None")
    assert code.textCursor().position() == first
    assert not code.find_next("nowhere")
    assert not code.find_next("")


def test_line_of_the_cursor_is_told(code, qtbot):
    with qtbot.waitSignal(code.line_selected) as heard:
        code.moveCursor(QTextCursor.MoveOperation.Down)

    assert heard.args == [2]


def test_keys_for_finding_ask(code, qtbot):
    with qtbot.waitSignal(code.find_asked):
        qtbot.keyClick(code, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)


def test_code_cannot_be_edited(code, qtbot):
    qtbot.keyClicks(code, "x")

    assert code.toPlainText() == SCRIPT


def test_gutter_has_the_numbers(code):
    assert code.viewportMargins().left() > 30
    image = code._gutter.grab().toImage()
    assert len({image.pixelColor(x, y).name() for x in range(image.width()) for y in range(60)}) > 2
