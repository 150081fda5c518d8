"""The tabs of a page: gone through by keys, and found by name."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar, QWidget


def step_tab(page: QWidget, step: int) -> None:
    """Show the next tab, or with -1 the one before, of the tabs nearest to the focus."""
    bar = _nearest_bar(page)
    if bar is None:
        return
    shown = [index for index in range(bar.count()) if bar.isTabVisible(index)]
    at = shown.index(bar.currentIndex()) if bar.currentIndex() in shown else 0
    _show_tab(bar, shown[(at + step) % len(shown)])


def tabs_of(page: QWidget) -> Iterator[tuple[QTabBar, int]]:
    """Yield every tab of a page, whether it can be seen now or not."""
    for bar in page.findChildren(QTabBar):
        for index in range(bar.count()):
            if bar.isTabVisible(index):
                yield bar, index


def show_tab_named(page: QWidget, title: str) -> None:
    """Show the tab whose title begins with some words: what follows them may change."""
    for bar, index in tabs_of(page):
        if bar.tabText(index).startswith(title):
            _show_tab(bar, index)
            return


def _show_tab(bar: QTabBar, index: int) -> None:
    """Show a tab; the focus goes to the bar, as what had it may be hidden now."""
    bar.setFocus(Qt.FocusReason.ShortcutFocusReason)
    bar.setCurrentIndex(index)


def _nearest_bar(page: QWidget) -> QTabBar | None:
    around = page.window().focusWidget()
    if around is None or not page.isAncestorOf(around):
        around = page
    if isinstance(around, QTabBar) and around.count() > 1:
        return around
    while True:
        bars = [bar for bar in around.findChildren(QTabBar) if bar.isVisible() and bar.count() > 1]
        if bars:
            return min(bars, key=lambda bar: _reading_order(page, bar))
        parent = around.parentWidget()
        if around is page or parent is None:
            return None
        around = parent


def _reading_order(page: QWidget, bar: QTabBar) -> tuple[int, int]:
    corner = bar.mapTo(page, bar.rect().topLeft())
    return corner.y(), corner.x()
