"""Ontologies that come and go: from the menu, a drop or a page to the notice at the end."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, Signal, Slot

from termexplorer.services.explore.ontologies import (
    Ontology,
    Remark,
    import_report,
    list_ontologies,
)
from termexplorer.texts import tr
from termexplorer.views.window.page import Shared
from termexplorer.views.window.selection import Place

if TYPE_CHECKING:
    from termexplorer.services.importing.releases import ImportRequest, Rehearsal
    from termexplorer.services.workspace.removal import Removal


class Releases(QObject):
    """Imports and removes ontologies. Panels are imported when they open.

    Signals:
        panel_wanted: a panel to be shown in the place of the page.
        panel_above_wanted: one after which the panel that stands there comes back.
        changed: there is another ontology, or one less.
    """

    panel_wanted = Signal(object)
    panel_above_wanted = Signal(object)
    changed = Signal()

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._shared = shared
        self._left, self._instead = Place(), Place()  # before a removal, and since

    @Slot(object)
    def import_release(self, request: "ImportRequest") -> None:
        """Import in the background; what the window shows stays, and a notice leads to it."""
        from termexplorer.services.importing.releases import ICD10CM, import_release

        name = "ICD-10-CM" if request.source == ICD10CM else Path(request.source).name
        work = partial(import_release, self._shared.workspace, request)
        job = self._shared.jobs.add(tr("Importing {name}", name=name), work, "import", lost=True)
        job.succeeded.connect(self._on_imported)

    @Slot(object)
    def check_release(self, request: "ImportRequest") -> None:
        """Reads the whole in the background and tells what it would bring; nothing is kept."""
        from termexplorer.services.importing.releases import rehearse

        title = tr("Checking {name}", name=Path(request.source).name)
        job = self._shared.jobs.add(title, partial(rehearse, request), "import")
        job.succeeded.connect(self._on_checked)

    @Slot()
    def import_icd10cm(self) -> None:
        """Imports the embedded ICD-10-CM."""
        from termexplorer.services.importing.releases import ICD10CM, ImportRequest

        self.import_release(ImportRequest(self._shared.workspace.folder, ICD10CM))

    @Slot()
    def open_import(self) -> None:
        """Opens the import panel."""
        self.open_import_of(None)

    def open_import_of(self, path: Path | None) -> None:
        """Opens the import panel; it looks into a file at once, if there is one."""
        from termexplorer.views.importing.panel import ImportPanel

        panel = ImportPanel(self._shared.workspace)
        panel.wanted.connect(self.import_release)
        panel.check_wanted.connect(self.check_release)
        self.panel_wanted.emit(panel)
        panel.file.setFocus()
        if path is not None:
            panel.choose(path)

    @Slot()
    def open_removal(self) -> None:
        """Asks whether the ontology that is selected is to go."""
        from termexplorer.views.workspace.removal_panel import RemovalPanel

        chosen = self._selected()
        if chosen is None:
            self._shared.notices.tell(tr("There is no ontology to remove"))
            return
        panel = RemovalPanel(self._shared, chosen)
        panel.wanted.connect(self.remove)
        self.panel_wanted.emit(panel)

    @Slot(object)
    def remove(self, ontology: Ontology) -> None:
        """Removes in the background; it is out of sight from the start."""
        from termexplorer.services.workspace.removal import remove_ontology

        ontologies = list_ontologies(self._shared.workspace)
        other_ids = [candidate.id for candidate in ontologies if candidate.id != ontology.id]
        self._left = self._shared.selection.place
        self._instead = Place(other_ids[-1] if other_ids else None)
        self._shared.selection.go(self._instead.ontology_id)  # nothing is asked of it now
        work = partial(remove_ontology, self._shared.workspace, ontology.id)
        job = self._shared.jobs.add(tr("Removing {name}", name=ontology.label), work, "import")
        job.succeeded.connect(self._on_removed)
        job.failed.connect(self._on_kept)
        job.cancelled.connect(self._on_kept)

    @Slot()
    def open_report(self) -> None:
        """Shows what the import of the ontology that is selected left out."""
        chosen = self._selected()
        if chosen is None:
            self._shared.notices.tell(tr("Nothing was imported yet: menu File, Import"))
        else:
            self._show_report(chosen, import_report(self._shared.workspace, chosen.id))

    def _selected(self) -> Ontology | None:
        selected = self._shared.selection.ontology_id
        ontologies = list_ontologies(self._shared.workspace)
        return next((ontology for ontology in ontologies if ontology.id == selected), None)

    def _show_report(
        self, ontology: Ontology, remarks: Sequence[Remark], *, above: bool = False
    ) -> None:
        from termexplorer.views.importing.report import ImportReport

        wanted = self.panel_above_wanted if above else self.panel_wanted
        wanted.emit(ImportReport(ontology, remarks, self._shared.notices))

    @Slot(object)
    def _on_imported(self, ontology: Ontology) -> None:
        self.changed.emit()  # where nothing is on show yet, this is now
        text = tr(
            "Imported {ontology}: {counts}", ontology=ontology.label, counts=_counts_text(ontology)
        )
        if self._shared.selection.ontology_id == ontology.id:
            self._tell_with_report(text, ontology)
        else:
            show = partial(self._show_imported, text, ontology)
            self._shared.notices.tell(text, tr("Show it"), show)

    def _show_imported(self, text: str, ontology: Ontology) -> None:
        """Show a release on the page Explore, and offer the report of its import."""
        ontology_ids = [known.id for known in list_ontologies(self._shared.workspace)]
        if ontology.id not in ontology_ids:
            self._shared.notices.tell(tr("{ontology} was removed", ontology=ontology.label))
            return
        self._shared.errands.show_concept(ontology.id, None)
        self._tell_with_report(text, ontology)

    @Slot(object)
    def _on_checked(self, rehearsal: "Rehearsal") -> None:
        ontology = rehearsal.ontology
        counts = _counts_text(ontology)
        message = tr("{ontology} contains {counts}", ontology=ontology.label, counts=counts)
        show = partial(self._show_report, ontology, rehearsal.remarks, above=True)
        self._shared.notices.tell(message, tr("Show report"), show)

    def _tell_with_report(self, text: str, ontology: Ontology) -> None:
        remarks = import_report(self._shared.workspace, ontology.id)
        show = partial(self._show_report, ontology, remarks)
        self._shared.notices.tell(text, tr("Show report"), show)

    @Slot(object)
    def _on_removed(self, removal: "Removal") -> None:
        self.changed.emit()
        name, stays = removal.ontology.label, removal.stays
        self._shared.notices.tell(tr("Removed {name}. {stays}", name=name, stays=stays))

    @Slot()
    def _on_kept(self) -> None:
        """Goes back to an ontology that is there after all, unless the user went elsewhere."""
        selection, ontologies = self._shared.selection, list_ontologies(self._shared.workspace)
        if self._left.ontology_id not in [ontology.id for ontology in ontologies]:
            self.changed.emit()
        elif selection.place == self._instead:
            selection.go(self._left.ontology_id, self._left.concept_id)


def _counts_text(ontology: Ontology) -> str:
    from termexplorer.views.window.top_bar import counts_of

    return ", ".join(counts_of(ontology))


def dropped_file(data: QMimeData) -> Path | None:
    """The first file or folder among what is dropped, if there is one."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return next((path for path in paths if path.exists()), None)
