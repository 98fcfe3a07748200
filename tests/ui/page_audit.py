"""What anyone could object to on a page that is shown: cut text, controls without a name or out of Tab's reach."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QScrollArea,
    QWidget,
)

from gpuconfig_app.ui.widgets.labels import ElidedLabel

# Rounding of text widths at fractional positions.
SLACK = 1
MOST_STEPS = 300


def cut_texts(window: QWidget) -> list[str]:
    """Give labels and buttons whose text does not fit, and scroll areas with content cut off at the right."""
    found = [f"{_describe(label)} needs {need}" for label in _shown(window, QLabel) if (need := _lacks_room(label))]
    found += [
        f"{_describe(button)} needs {button.sizeHint().width()} wide"
        for button in _shown(window, QAbstractButton)
        if button.text() and button.sizeHint().width() > button.width() + SLACK and not _draws_itself(button)
    ]
    for area in _shown(window, QScrollArea):
        inside = area.widget()
        scrolls = area.horizontalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if inside is not None and not scrolls and inside.width() > area.viewport().width() + SLACK:
            found.append(f"{_describe(area)}: {inside.width()} wide in {area.viewport().width()}")
    return found


def nameless_controls(window: QWidget) -> list[str]:
    """Give controls a screen reader would have nothing to say about."""
    return [_describe(control) for control in reachable_controls(window) if not _spoken_name(control)]


def unreached_controls(window: QWidget) -> list[str]:
    """Press Tab until it comes round; give the controls that never had the focus."""
    wanted = reachable_controls(window)
    seen = tab_round(window)
    reached = set(seen)
    for control in seen:
        if isinstance(control, QAbstractButton) and control.group() is not None:
            reached |= set(control.group().buttons())  # arrow keys do the rest, see group_neighbours
    return [_describe(control) for control in wanted if control not in reached]


def group_neighbours(first: QWidget) -> list[QWidget]:
    """Press the arrow key down until the focus stays; give what had it, in order."""
    window = first.window()
    seen: list[QWidget] = []
    while (focused := window.focusWidget()) is not None and focused not in seen:
        seen.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Down)
        QApplication.processEvents()
    return seen


def tab_round(window: QWidget) -> list[QWidget]:
    """Press Tab from the window's first control until it comes round; give what had the focus, in order."""
    window.activateWindow()
    first = reachable_controls(window)[0]
    first.setFocus(Qt.FocusReason.TabFocusReason)
    seen: list[QWidget] = []
    for _ in range(MOST_STEPS):
        focused = window.focusWidget()
        if focused is None or focused in seen:
            break
        seen.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
        QApplication.processEvents()
        if window.focusWidget() is focused:  # a text field or a table that keeps Tab: leave it as its user would
            QTest.keyClick(focused, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    return seen


def reachable_controls(window: QWidget) -> list[QWidget]:
    """Give what Tab must reach: shown, enabled, and taking the focus by Tab."""
    return [
        widget
        for widget in _shown(window, QWidget)
        if widget.isEnabled()
        and widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        and not widget.focusProxy()  # the text of a choice that may be typed: the choice itself has the focus
    ]


def shown_texts(window: QWidget) -> list[str]:
    """Give the texts of all labels and buttons that are shown, and accessible names of widgets that paint theirs."""
    texts = [label.text() for label in _shown(window, QLabel)]
    texts += [button.text() for button in _shown(window, QAbstractButton)]
    texts += [widget.accessibleName() for widget in _shown(window, QWidget)]
    texts += [widget.accessibleDescription() for widget in _shown(window, QWidget)]
    return [text for text in texts if text]


def _shown(window: QWidget, kind: type[QWidget]) -> Iterator[QWidget]:
    return (widget for widget in window.findChildren(kind) if widget.isVisible() and widget.window() is window)


def _lacks_room(label: QLabel) -> str:
    if not label.text() or isinstance(label, ElidedLabel):
        return ""
    if label.wordWrap():
        height = label.heightForWidth(label.width())
        return f"{height} high" if height > label.height() + SLACK else ""
    hint = label.sizeHint()
    is_short = hint.width() > label.width() + SLACK or hint.height() > label.height() + SLACK
    return f"{hint.width()}x{hint.height()}" if is_short else ""


def _draws_itself(button: QAbstractButton) -> bool:
    """Whether it shortens its text with dots by itself and tells all of it as a tool tip."""
    return bool(button.toolTip())


def _spoken_name(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else widget.accessibleName()


def _describe(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else widget.accessibleName()
    parents = []
    above = widget.parentWidget()
    while above is not None and len(parents) < 3:
        if not isinstance(above, QAbstractScrollArea) and type(above) is not QWidget:
            parents.append(type(above).__name__)
        above = above.parentWidget()
    place = widget.mapTo(widget.window(), QPoint(0, 0))
    where = f"{' < '.join(parents)} at {place.x()},{place.y()} {widget.width()}x{widget.height()}"
    return f"{type(widget).__name__} {text[:60]!r} in {where}"
