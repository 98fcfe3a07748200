"""Colours, sizes and type of the window, read from ``resources/style/tokens.toml``.

Code names a token, never a hex value. One ``Theme`` belongs to the application object, as Qt's own palette does;
widgets reach it through ``current_theme()`` so that each can be built and tested alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from string import Template
from typing import NamedTuple, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from gpuconfig_app.resources import resource_path

ANY_SIZE = 16_777_215  # Qt's QWIDGETSIZE_MAX, which PySide6 does not name
LIGHT = "light"
DARK = "dark"
SYSTEM = "system"
_PLAIN_GROUPS = ("surface", "line", "text", "accent")
_SMALLEST_CHINESE_PX = 12


class TypeStyle(NamedTuple):
    """One row of the type scale; sizes in px at 96 dpi."""

    size: int
    line: int
    weight: int
    is_mono: bool


class Tokens(NamedTuple):
    """The token file, flattened.

    Attributes:
        colors: Hex colour by theme and name: ``text``, ``good.fg``, ``chart.grid``, ``metric.util``, ``part.weights``.
        sizes: Pixels by dotted name: ``height.button``, ``space.m``, ``radius.card``.
        types: Type scale by role.
        severity_icons: Icon by severity or state.
        verdicts: Severity by verdict.
        series: Colours of chart lines in order, by theme.
    """

    colors: Mapping[str, Mapping[str, str]]
    sizes: Mapping[str, int]
    types: Mapping[str, TypeStyle]
    severity_icons: Mapping[str, str]
    verdicts: Mapping[str, str]
    series: Mapping[str, tuple[str, ...]]
    heat_mix: tuple[float, ...]


@cache
def load_tokens() -> Tokens:
    """Read the token file of this installation."""
    table = tomllib.loads(resource_path("style", "tokens.toml").read_text(encoding="utf-8"))
    sizes = {
        f"{group}.{name}": value
        for group in ("space", "radius", "height", "width", "icon", "border", "motion", "memory_bar", "heat")
        for name, value in table[group].items()
        if isinstance(value, int)
    }
    types = {
        role: TypeStyle(row["size"], row["line"], row["weight"], "family" in row)
        for role, row in table["type"].items()
        if isinstance(row, dict)
    }
    return Tokens(
        colors={name: _flat_colors(table[name]) for name in (LIGHT, DARK)},
        sizes=sizes,
        types=types,
        severity_icons=table["severity"]["icon"],
        verdicts=table["verdict"],
        series={name: tuple(table["okabe_ito"][name]) for name in (LIGHT, DARK)},
        heat_mix=tuple(table["heat"]["mix"]),
    )


class Theme(QObject):
    """Light or dark, with everything a painter asks for.

    Args:
        app: Application the theme is for; palette, style sheet and font are set on it.

    Attributes:
        tokens: All tokens.

    Signals:
        changed(): Colours or fonts changed; style sheet and palette are already in place.
    """

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.setObjectName("theme")
        self.tokens = load_tokens()
        self._app = app
        self._choice = SYSTEM
        self._is_chinese = False
        self._name = ""
        self._colors: dict[str, QColor] = {}
        self._fonts: dict[tuple[str, int | None], QFont] = {}
        self._families = ui_families()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def name(self) -> str:
        """``light`` or ``dark``."""
        return self._name

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are in use."""
        return self._name == DARK

    def choose(self, choice: str, *, is_chinese: bool | None = None) -> None:
        """Apply ``light``, ``dark`` or ``system`` to the whole application.

        Args:
            is_chinese: Use the type rules for Chinese (nothing below 12 px, no medium weight); None keeps them.
        """
        self._choice = choice
        name = _system_name() if choice == SYSTEM else choice
        wants_chinese = self._is_chinese if is_chinese is None else is_chinese
        if (name, wants_chinese) == (self._name, self._is_chinese):
            return
        self._name, self._is_chinese = name, wants_chinese
        self._colors.clear()
        self._fonts.clear()
        self._app.setFont(self.font("body"))
        self._app.setPalette(self._palette())
        self._app.setStyleSheet(self.style_sheet())
        self.changed.emit()

    def color(self, name: str) -> QColor:
        """Give a colour by its token.

        Raises:
            KeyError: There is no such token.
        """
        found = self._colors.get(name)
        if found is None:
            found = self._colors[name] = QColor(self.tokens.colors[self._name][name])
        return found

    def series(self, position: int) -> QColor:
        """Give the colour of the n-th line of a chart, repeating after the last."""
        colors = self.tokens.series[self._name]
        return QColor(colors[position % len(colors)])

    def size(self, name: str) -> int:
        """Give a length in device-independent pixels, ``height.button``."""
        return self.tokens.sizes[name]

    def font(self, role: str, weight: int | None = None) -> QFont:
        """Give the font of a role of the type scale, with tabular digits.

        Args:
            weight: Other weight than the role's own, 100 to 900.
        """
        key = (role, weight)
        if key not in self._fonts:
            self._fonts[key] = self._make_font(self.tokens.types[role], weight)
        return self._fonts[key]

    def severity_icon(self, severity: str) -> str:
        """Give the icon of a severity or state."""
        return self.tokens.severity_icons[severity]

    def style_sheet(self) -> str:
        """Give the application's style sheet in the current colours."""
        values: dict[str, str] = dict(self.tokens.colors[self._name])
        values.update({name: str(size) for name, size in self.tokens.sizes.items()})
        values["theme"] = self._name
        values["art"] = resource_path("style").as_posix()
        values["badge.weight"] = "600" if self._is_chinese else "500"
        sheet = resource_path("style", "app.qss").read_text(encoding="utf-8")
        return _SheetTemplate(sheet).substitute(values)

    def _make_font(self, style: TypeStyle, weight: int | None) -> QFont:
        font = (
            QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont) if style.is_mono else QFont(self._app.font())
        )
        if not style.is_mono:
            font.setFamilies(self._families)
            font.setFeature(QFont.Tag("tnum"), 1)
        wanted = weight or style.weight
        if self._is_chinese and wanted == 500:
            wanted = 600
        font.setPixelSize(max(style.size, _SMALLEST_CHINESE_PX) if self._is_chinese else style.size)
        font.setWeight(QFont.Weight(wanted))
        return font

    def _palette(self) -> QPalette:
        role = QPalette.ColorRole
        table = {
            role.Window: "window", role.WindowText: "text", role.Base: "surface", role.AlternateBase: "inset",
            role.Text: "text", role.Button: "surface", role.ButtonText: "text", role.BrightText: "on_accent",
            role.ToolTipBase: "surface", role.ToolTipText: "text", role.Highlight: "selected",
            role.HighlightedText: "text", role.PlaceholderText: "text_muted", role.Link: "accent_text",
            role.LinkVisited: "accent_text", role.Light: "surface", role.Midlight: "border", role.Mid: "border",
            role.Dark: "border_control", role.Shadow: "border", role.Accent: "accent",
        }  # fmt: skip
        palette = QPalette()
        for place, token in table.items():
            palette.setColor(place, self.color(token))
        for place in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, place, self.color("text_disabled"))
        return palette

    def _follow_system(self) -> None:
        if self._choice == SYSTEM:
            self.choose(SYSTEM)


def current_theme() -> Theme:
    """Give the theme of the running application; the first call makes it, following the system.

    Raises:
        RuntimeError: There is no QApplication.
    """
    app = QApplication.instance()
    if app is None:
        raise RuntimeError("a QApplication must exist before the theme")
    app = cast("QApplication", app)
    theme = app.findChild(Theme, "theme", Qt.FindChildOption.FindDirectChildrenOnly)
    if theme is None:
        theme = Theme(app)
        theme.choose(SYSTEM)
    return theme


def set_style_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property the style sheet selects by, and apply the sheet again where it changed."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        style = widget.style()
        style.unpolish(widget)
        style.polish(widget)
        widget.update()


def ui_families() -> list[str]:
    """Give the font families of the window's text, first choice first.

    The desktop's own font stays first. Where no desktop names one (a bare X server, a container) the generic fall-back
    is DejaVu, a very wide face without Chinese: there our bundled face goes first. In any case it stands last, so that
    no character becomes a box.
    """
    own = load_bundled_family()
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).families()
    is_generic = not system or system[0].lower() in _GENERIC_FAMILIES
    families = [own, *system] if is_generic else [*system, own]
    return [family for family in families if family]


@cache
def load_bundled_family() -> str:
    """Register the bundled face with Qt and give its family name, empty when the files are missing."""
    family = ""
    for name in ("gpuconfig-sans-regular.otf", "gpuconfig-sans-bold.otf"):
        number = QFontDatabase.addApplicationFont(str(resource_path("fonts", name)))
        families = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
        family = families[0] if families else family
    return family


_GENERIC_FAMILIES = frozenset({"dejavu sans", "bitstream vera sans", "sans serif", "sans-serif", "sans", "helvetica"})


class _SheetTemplate(Template):
    """``@name`` in a style sheet stands for a token."""

    delimiter = "@"
    idpattern = r"(?a:[a-z_]+(?:\.[a-z_]+)?)"


def _system_name() -> str:
    return DARK if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT


def _flat_colors(table: Mapping[str, Mapping[str, object]]) -> dict[str, str]:
    flat: dict[str, str] = {}
    for group, rows in table.items():
        prefix = "" if group in _PLAIN_GROUPS else ("part." if group == "memory_part" else f"{group}.")
        for name, value in rows.items():
            if isinstance(value, Mapping):
                flat.update({f"{name}.{part}": str(color) for part, color in value.items()})
            else:
                flat[prefix + name] = str(value)
    return flat
