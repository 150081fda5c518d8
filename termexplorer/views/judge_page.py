"""The Judge page: pair sets of an ontology."""

from PySide6.QtWidgets import QWidget

from termexplorer.views.page import Shared
from termexplorer.views.pair_sets import PairSetsPart
from termexplorer.views.tabbed_page import TabbedPage


class JudgePage(TabbedPage):
    """Its tabs."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        self.pair_sets = PairSetsPart(shared)
        super().__init__(
            shared.session, "judge/tab", "What is judged", {"Pair sets": self.pair_sets}, parent
        )
