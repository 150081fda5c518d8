"""Kept lists that are classes besides those of a level: a part of the form of the Train page."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from termexplorer.services.levels.concept_lists import ListInfo, class_of_list, shown_title
from termexplorer.services.recipes.presets import RECIPES, SHOTS
from termexplorer.services.recipes.run_requests import ListClass
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.widgets.forms import plain_column, quiet, reveal
from termexplorer.views.widgets.tick_list import TickList
from termexplorer.views.window.page import Shared

_ABOUT = mark("Additional classes: the names on a saved list become a class of their own.")
_MOST = 5  # in sight


class ClassLists(QWidget):
    """Lists with a tick each, for recipes that take them; what was ticked before still is."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._taken = True
        self._titles: list[str] = []
        self._wanted = ""
        self.ticks = TickList(tr("Additional classes"), _MOST)
        column = plain_column(self)
        column.addWidget(quiet(translated(_ABOUT)))
        column.addWidget(self.ticks)
        self._show()

    def use_recipe(self, recipe: str) -> None:
        """Shows itself where a recipe takes lists and there are any."""
        self._taken = RECIPES[recipe].group == SHOTS
        self._show()

    def show_lists(self, lists: Sequence[ListInfo]) -> None:
        """Offers lists, each with how many names it has in the ontology."""
        self._titles = [name_list.title for name_list in lists]
        self.ticks.show_rows([_list_row(name_list) for name_list in lists], self.ticks.ticked())
        self._show()

    def choose(self, title: str) -> None:
        """Ticks a list and no other, and goes there, now or as soon as it is offered."""
        self._wanted = title
        self._show()

    @property
    def has_ticked(self) -> bool:
        """Whether lists are learned as classes."""
        return self._taken and bool(self.ticks.ticked())

    def classes(self) -> tuple[ListClass, ...]:
        """What is ticked, as it is now; nothing where the recipe takes no lists.

        Raises:
            UserError: a list is not there any more, or there is nothing on it.
        """
        ontology_id = self._shared.selection.ontology_id
        if not self._taken or ontology_id is None:
            return ()
        workspace = self._shared.workspace
        return tuple(class_of_list(workspace, title, ontology_id) for title in self.ticks.ticked())

    def _show(self) -> None:
        self.setVisible(self._taken and bool(self._titles))
        if self._taken and self._wanted in self._titles:
            self.ticks.tick({self._wanted})
            self.ticks.setCurrentRow(self._titles.index(self._wanted))
            self._wanted = ""
            self.ticks.setFocus(Qt.FocusReason.OtherFocusReason)
            reveal(self.ticks)


def _list_row(class_list: ListInfo) -> tuple[str, str, str]:
    """Key, text and tool tip of a list."""
    title = shown_title(class_list.title)
    names = trn("{n:,} name", "{n:,} names", class_list.items)
    return class_list.title, f"{title} · {names}", tr("The list {title}", title=title)
