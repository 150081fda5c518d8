"""The narrow rail at the left that names the pages."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from termexplorer.texts import tr
from termexplorer.views.icons import icon
from termexplorer.views.keys import shown_keys
from termexplorer.views.page import Page
from termexplorer.views.theme import Scheme, Theme

_ICON = 22


class Rail(QFrame):
    """Buttons of the pages, and the theme at the bottom.

    Signals:
        chosen: the number of a page, from 0.
    """

    chosen = Signal(int)

    def __init__(self, pages: Sequence[Page], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self._theme = theme
        self._icons: list[tuple[QToolButton, str]] = []
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(4)
        for number, page in enumerate(pages):
            column.addWidget(self._page_button(number, page))
        column.addStretch(1)
        column.addWidget(self._settings_button(), 0, Qt.AlignmentFlag.AlignHCenter)
        self._group.idClicked.connect(self.chosen)
        theme.changed.connect(self._paint_icons)
        self._paint_icons()

    def show_page(self, number: int) -> None:
        """Marks a page as the one on show."""
        self.button(number).setChecked(True)

    def button(self, number: int) -> QAbstractButton:
        """The button of a page."""
        return self._group.button(number)

    def _page_button(self, number: int, page: Page) -> QToolButton:
        button = QToolButton()
        button.setText(page.title)
        button.setCheckable(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setToolTip(f"{page.title} ({shown_keys(f'Ctrl+{number + 1}')})")
        button.setMinimumHeight(52)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setIconSize(QSize(_ICON, _ICON))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._group.addButton(button, number)
        self._icons.append((button, page.icon))
        return button

    def _settings_button(self) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tr("Theme"))
        button.setAccessibleName(tr("Theme"))
        button.setIconSize(QSize(_ICON, _ICON))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        button.setMenu(theme_menu(self._theme, button))
        self._icons.append((button, "gear-six"))
        return button

    @Slot()
    def _paint_icons(self) -> None:
        colours = self._theme.colours
        for button, name in self._icons:
            button.setIcon(icon(name, colours.quiet, colours.accent))


class ThemeMenu(QMenu):
    """Chooses between the system's theme, light and dark."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("&Theme"), parent)
        self._theme = theme
        group = QActionGroup(self)
        for scheme, text in (
            (Scheme.SYSTEM, tr("As the &system")),
            (Scheme.LIGHT, tr("&Light")),
            (Scheme.DARK, tr("&Dark")),
        ):
            action = QAction(text, self, checkable=True)
            action.setData(scheme.value)
            group.addAction(action)
            self.addAction(action)
        group.triggered.connect(self._on_chosen)
        theme.changed.connect(self._mark)
        self._mark()

    @Slot(QAction)
    def _on_chosen(self, action: QAction) -> None:
        self._theme.use(Scheme(action.data()))

    @Slot()
    def _mark(self) -> None:
        for action in self.actions():
            action.setChecked(action.data() == self._theme.scheme.value)


def theme_menu(theme: Theme, parent: QWidget) -> QMenu:
    """A menu of the themes."""
    return ThemeMenu(theme, parent)
