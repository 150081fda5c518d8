"""The Judge page: pair sets of an ontology, and studies in which people judge them."""

from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from termexplorer.services.judge.drawn_work import WrittenPairs, each_of
from termexplorer.texts import mark, tr
from termexplorer.views.judge.pair_sets import PairSetsPart
from termexplorer.views.judge.studies import StudiesPart
from termexplorer.views.window.page import Shared
from termexplorer.views.window.tabbed_page import TabbedPage

_SETS, _STUDIES = mark("Pair sets"), mark("Studies")


class JudgePage(TabbedPage):
    """Two tabs."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        self.pair_sets = PairSetsPart(shared)
        self.studies = StudiesPart(shared)
        parts = {_SETS: self.pair_sets, _STUDIES: self.studies}
        super().__init__(shared.session, "judge/tab", tr("What is judged"), parts, parent)
        self.pair_sets.study_wanted.connect(self._on_study)
        shared.errands.judge_pairs.connect(self._on_pairs)
        shared.errands.queue_pairs.connect(self._on_queue)

    @Slot(object)
    def _on_study(self, folder: Path) -> None:
        self.show_part(_STUDIES)
        self.studies.new_study(folder)

    @Slot(object)
    def _on_pairs(self, written: WrittenPairs) -> None:
        self.show_part(_STUDIES)
        self.studies.new_study(Path(written.out), each_of(written))

    @Slot(object)
    def _on_queue(self, folder: Path) -> None:
        self.show_part(_STUDIES)
        self.studies.queue_from(folder)
