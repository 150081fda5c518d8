"""The narrow rail at the left that names the pages."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
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

from termexplorer.texts import tr, translated
from termexplorer.views.widgets.icons import icon
from termexplorer.views.widgets.keys import shown_keys
from termexplorer.views.widgets.theme import Scheme, Theme
from termexplorer.views.window.page import Page

_ICON = 22
_BUTTON = 52  # pixels that a button with an icon has at least
_SPACE, _MARGIN = 4, 8
_AROUND_NAME, _AROUND_BOTH = 14, 21  # pixels of a button besides its name, and name and icon


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
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_SPACE)
        for number, page in enumerate(pages):
            column.addWidget(self._page_button(number, page))
        column.addStretch(1)
        self._settings = self._settings_button()
        column.addWidget(self._settings, 0, Qt.AlignmentFlag.AlignHCenter)
        self._group.idClicked.connect(self.chosen)
        theme.changed.connect(self._paint_icons)
        self._paint_icons()

    def show_page(self, number: int) -> None:
        """Marks a page as the one on show."""
        self.button(number).setChecked(True)

    def button(self, number: int) -> QAbstractButton:
        """The button of a page."""
        return self._group.button(number)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the size with names alone, so that the window fits a low screen."""
        return QSize(super().minimumSizeHint().width(), self._height_of(_name_height))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Leave the icons away where there is no room for them."""
        super().resizeEvent(event)
        self._choose_style()

    def _choose_style(self) -> None:
        has_room = self.height() >= self._height_of(_icon_height)
        style = Qt.ToolButtonStyle
        for button in self._group.buttons():
            if isinstance(button, QToolButton):
                button.setMinimumHeight(_BUTTON if has_room else 0)
                button.setToolButtonStyle(
                    style.ToolButtonTextUnderIcon if has_room else style.ToolButtonTextOnly
                )

    def _height_of(self, button_height: Callable[[QAbstractButton], int]) -> int:
        """Return the height of the rail with buttons of some height."""
        heights = [button_height(button) for button in self._group.buttons()]
        heights.append(self._settings.sizeHint().height())
        return sum(heights) + _SPACE * len(heights) + 2 * _MARGIN

    def _page_button(self, number: int, page: Page) -> QToolButton:
        button = QToolButton()
        title = translated(page.title)
        button.setText(title)
        button.setCheckable(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setToolTip(f"{title} ({shown_keys(page.shortcut)})")
        button.setMinimumHeight(_BUTTON)
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
        self._choose_style()


def _name_height(button: QAbstractButton) -> int:
    return button.fontMetrics().height() + _AROUND_NAME


def _icon_height(button: QAbstractButton) -> int:
    return max(button.fontMetrics().height() + _ICON + _AROUND_BOTH, _BUTTON)


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
