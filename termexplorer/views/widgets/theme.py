"""The look of the window: colours, palette, style sheet and font, for light and dark."""

import gc
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from enum import Enum
from string import Template

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from termexplorer.resources import FOLDER

BASE_POINTS = 10.0
TITLE_RATIO = 1.6
_STYLED = "styled"  # the application's property: it has its style already
_ZOOMS = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Python collects no cycles meanwhile.

    Qt goes through a list of all widgets when the look of the program changes; one that is
    collected by then, as no window has it any more, would still be on that list.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class Scheme(Enum):
    """What the user chose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class ThemeColours:
    """The colours of one theme, as `#rrggbb`."""

    ground: str
    panel: str
    stripe: str
    line: str
    field: str
    text: str
    quiet: str
    accent: str
    on_accent: str
    selected: str
    up: str
    down: str


class Theme(QObject):
    """Applies a theme and a zoom to the application, and tells when they change.

    Signals:
        changed: colours or text size are other ones now.
    """

    changed = Signal()

    def __init__(self, application: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._application = application
        tables = tomllib.loads((FOLDER / "themes.toml").read_text("utf-8"))
        names = [field.name for field in fields(ThemeColours)]
        self._themes = {k: ThemeColours(**{n: t[n] for n in names}) for k, t in tables.items()}
        self._sheet = Template((FOLDER / "window.qss").read_text("utf-8"))
        self._pictures = {name: (FOLDER / f"{name}.svg").as_posix() for name in ("caret", "check")}
        self.scheme = Scheme.SYSTEM
        self.zoom = 1.0
        application.styleHints().colorSchemeChanged.connect(self._on_system_changed)

    @property
    def dark(self) -> bool:
        """Whether the dark colours are shown."""
        if self.scheme is Scheme.SYSTEM:
            return self._application.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self.scheme is Scheme.DARK

    @property
    def colours(self) -> ThemeColours:
        """The colours that are shown."""
        return self._themes["dark" if self.dark else "light"]

    def use(self, scheme: Scheme, zoom: float | None = None) -> None:
        """Shows a theme, and perhaps another zoom."""
        self.choose(scheme, zoom)
        self.dress()
        self.changed.emit()

    def choose(self, scheme: Scheme, zoom: float | None = None) -> None:
        """Takes colours and text size; the style sheet comes with `dress`.

        A window that is put together without a sheet is styled once, when it is dressed, and not
        each time that one of its parts is put into another.
        """
        self.scheme = scheme
        self.zoom = min(max(zoom or self.zoom, _ZOOMS[0]), _ZOOMS[-1])
        points = BASE_POINTS * self.zoom
        with nothing_collected():
            if not self._application.property(_STYLED):
                self._application.setProperty(_STYLED, True)
                self._application.setStyle("Fusion")
            self._application.setPalette(_make_palette(self.colours))
            self._application.setFont(_make_font(points))

    def dress(self) -> None:
        """Puts the style sheet of the chosen colours and text size on."""
        named = {field.name: getattr(self.colours, field.name) for field in fields(ThemeColours)}
        title = f"{BASE_POINTS * self.zoom * TITLE_RATIO:.1f}pt"
        sheet = self._sheet.substitute(named, title_pt=title, **self._pictures)
        with nothing_collected():
            self._application.setStyleSheet(sheet)

    def zoom_by(self, steps: int) -> None:
        """Enlarges (or, with negative steps, shrinks) all text; 0 goes back to the usual size."""
        nearest = min(range(len(_ZOOMS)), key=lambda i: abs(_ZOOMS[i] - self.zoom))
        at = min(max(nearest + steps, 0), len(_ZOOMS) - 1)
        self.use(self.scheme, _ZOOMS[at] if steps else 1.0)

    @Slot()
    def _on_system_changed(self) -> None:
        if self.scheme is Scheme.SYSTEM:
            self.use(self.scheme)


def _make_font(points: float) -> QFont:
    font = QFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont))
    if QFontDatabase.hasFamily("Inter"):
        font.setFamily("Inter")
    font.setFeature(QFont.Tag("tnum"), 1)
    font.setPointSizeF(points)
    return font


def _make_palette(colours: ThemeColours) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    for which, colour in (
        (role.Window, colours.panel),
        (role.Base, colours.panel),
        (role.AlternateBase, colours.stripe),
        (role.Button, colours.panel),
        (role.ToolTipBase, colours.panel),
        (role.Highlight, colours.selected),
        (role.Link, colours.accent),
        (role.LinkVisited, colours.accent),
        (role.Accent, colours.accent),
        (role.PlaceholderText, colours.quiet),
        (role.Mid, colours.line),
        (role.Light, colours.panel),
        (role.Dark, colours.line),
    ):
        palette.setColor(which, QColor(colour))
    for which in (
        role.WindowText,
        role.Text,
        role.ButtonText,
        role.ToolTipText,
        role.HighlightedText,
    ):
        palette.setColor(which, QColor(colours.text))
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(colours.quiet))
    return palette
