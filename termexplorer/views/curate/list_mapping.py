"""Lists that are mapped or carried over: from the menu or a button to the notice at the end."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.texts import tr
from termexplorer.views.window.page import Shared

if TYPE_CHECKING:
    from termexplorer.services.curate.code_list_files import ListMapping
    from termexplorer.services.curate.suggestion_lists import KeptSearch

LANE = "suggestions"


class ListMappings(QObject):
    """Maps lists, and carries mappings over, in the background. Panels are imported when they open.

    Signals:
        panel_wanted: a panel to be shown in the place of the page.
    """

    panel_wanted = Signal(object)

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._shared = shared
        self._uncarried: tuple[str, str, str] | None = None
        """What a carry-over that did not come to its end was asked for."""

    @Slot()
    def open_panel(self) -> None:
        """Ask which list is to be mapped to what."""
        from termexplorer.views.curate.list_panel import ListPanel

        panel = ListPanel(list_ontologies(self._shared.workspace))
        panel.wanted.connect(self.map_list)
        self.panel_wanted.emit(panel)
        panel.file.setFocus()

    @Slot(object)
    def map_list(self, wanted: "ListMapping") -> None:
        """Map a list in the background; a notice leads to its review."""
        from termexplorer.services.curate.code_list_files import map_list_file

        work = partial(map_list_file, self._shared.workspace, wanted)
        title = tr("Mapping {name}", name=wanted.path.name)
        job = self._shared.jobs.add(title, work, LANE, lost=True)
        job.succeeded.connect(self._on_mapped)

    @Slot()
    @Slot(object)
    def open_carry_panel(self, releases: tuple[int | None, int | None] | None = None) -> None:
        """Ask which mappings are to be carried over, between these releases at first."""
        from termexplorer.services.curate.mapping_candidates import MAPPING_KINDS
        from termexplorer.services.curate.release_diff import choose_releases
        from termexplorer.services.curate.suggestion_lists import kept_lists
        from termexplorer.views.curate.carry_panel import CarryPanel

        workspace = self._shared.workspace
        ontologies = list_ontologies(workspace)
        lists = [known for known in kept_lists(workspace) if known.head.kind in MAPPING_KINDS]
        usual = releases or choose_releases(ontologies, self._shared.selection.ontology_id)
        panel = CarryPanel(lists, ontologies, usual)
        if self._uncarried:
            panel.choose_again(*self._uncarried)
        panel.wanted.connect(self.carry_over)
        self.panel_wanted.emit(panel)
        panel.mappings.setFocus()

    @Slot(object)
    def open_parts_panel(self, list_id: int) -> None:
        """Ask who answers a list, and show its parts."""
        from termexplorer.services.curate.answers.list_parts import find_whole
        from termexplorer.services.verdicts.people import list_people
        from termexplorer.views.curate.parts_panel import PartsPanel

        workspace = self._shared.workspace
        whole_id = find_whole(workspace, list_id)
        panel = PartsPanel(workspace, whole_id, list_people(workspace))
        panel.split.connect(self._shared.watch.look)
        panel.list_wanted.connect(self._review)
        panel.differing_wanted.connect(self._review_differing)
        self.panel_wanted.emit(panel)
        panel.people.setFocus()

    @Slot(str, str, str)
    def carry_over(self, mappings: str, older: str, newer: str) -> None:
        """Carry mappings over in the background; a notice leads to their review."""
        from termexplorer.services.check.background import CarryRequest, carry_apart

        self._uncarried = (mappings, older, newer)
        workspace = self._shared.workspace
        request = CarryRequest(workspace.folder, mappings, older, newer)
        work = partial(carry_apart, workspace, request)
        job = self._shared.jobs.add(tr("Carrying mappings over"), work, LANE, lost=True)
        job.succeeded.connect(self._on_carried)

    @Slot(object)
    def _on_carried(self, carried: "KeptSearch") -> None:
        self._uncarried = None
        self._on_mapped([carried])

    @Slot(object)
    def _on_mapped(self, searches: "Sequence[KeptSearch]") -> None:
        from termexplorer.services.curate.suggestion_lists import describe_kept

        self._shared.watch.look()
        message = "; ".join(map(describe_kept, searches))
        review = partial(self._review, searches[0].list_id)
        self._shared.notices.tell(message, tr("Review"), review)

    @Slot(object)
    def _review_differing(self, list_id: int) -> None:
        self._shared.errands.show_page.emit("curate")
        self._shared.errands.review_differing.emit(list_id)

    @Slot(object)
    def _review(self, list_id: int) -> None:
        self._shared.errands.show_page.emit("curate")
        self._shared.errands.review_list.emit(list_id)
