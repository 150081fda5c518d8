"""The bar at the top: back and forward, the ontology, the search box, the team."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QToolButton, QWidget

from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.texts import tr, trn
from termexplorer.views.widgets.icons import icon
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared
from termexplorer.views.window.search_box import SearchBox


class TopBar(QFrame):
    """Where the user is, and how to get elsewhere.

    Signals:
        ontologies_changed: the list of releases, when there are other ones.
    """

    ontologies_changed = Signal(object)

    def __init__(
        self,
        shared: Shared,
        back: QAction,
        forward: QAction,
        team: QWidget,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("topBar")
        self._shared = shared
        self._actions = {"arrow-left": back, "arrow-right": forward}
        self._ontologies: list[Ontology] = []
        self.ontology = ChoiceBox()
        self.ontology.setAccessibleName(tr("Ontology"))
        self.ontology.setMinimumWidth(190)
        self.ontology.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.ontology.activated.connect(self._on_chosen)
        selection = shared.selection
        self.search = SearchBox(shared.workspace, shared.theme, lambda: selection.ontology_id)
        self.search.chosen.connect(self._on_found)
        self._lay_out(team)
        selection.ontology_changed.connect(self._on_ontology_changed)
        shared.theme.changed.connect(self._paint_icons)
        self._paint_icons()

    @property
    def ontologies(self) -> list[Ontology]:
        """The releases on offer."""
        return self._ontologies

    @Slot()
    def refresh(self) -> None:
        """Reads the releases anew; the first one is shown if none was."""
        ontologies = list_ontologies(self._shared.workspace)
        if ontologies == self._ontologies and self.ontology.count():
            return
        self._ontologies = ontologies
        self._fill()
        self.search.use_labels({ontology.id: ontology.label for ontology in ontologies})
        ontology_ids = {ontology.id for ontology in ontologies}
        if self._shared.selection.ontology_id not in ontology_ids:
            self._shared.selection.go(ontologies[-1].id if ontologies else None)
        self._on_ontology_changed(self._shared.selection.ontology_id)
        self.ontologies_changed.emit(ontologies)

    def _lay_out(self, team: QWidget) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(8)
        for action in self._actions.values():
            button = QToolButton()
            button.setDefaultAction(action)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            row.addWidget(button)
        row.addWidget(self.ontology)
        row.addWidget(self.search, 1)
        hint = PlainLabel(tr("Ctrl+K"))
        hint.setProperty("quiet", True)
        row.addWidget(hint)
        row.addWidget(team)

    def _fill(self) -> None:
        self.ontology.clear()
        for number, ontology in enumerate(self._ontologies):
            self.ontology.addItem(ontology.label, ontology.id)
            role = Qt.ItemDataRole.ToolTipRole
            self.ontology.setItemData(number, describe(ontology), role)
        if not self._ontologies:
            self.ontology.addItem(tr("No ontology yet"))
        self.ontology.setEnabled(bool(self._ontologies))
        self.search.setEnabled(bool(self._ontologies))

    @Slot(object)
    def _on_ontology_changed(self, ontology_id: int | None) -> None:
        chosen = next((o for o in self._ontologies if o.id == ontology_id), None)
        why = tr("Import an ontology first: menu File, Import")
        self.ontology.setToolTip(describe(chosen) if chosen else why)
        self.search.setToolTip("" if chosen else why)
        self.search.setPlaceholderText(_search_hint(chosen))
        self.search.close_popup()
        if chosen:
            self.ontology.setCurrentIndex(self.ontology.findData(chosen.id))

    @Slot(int)
    def _on_chosen(self, row: int) -> None:
        ontology_id = self.ontology.itemData(row)
        if ontology_id != self._shared.selection.ontology_id:
            self._shared.selection.go(ontology_id)

    @Slot(object, object)
    def _on_found(self, release_id: int, concept_id: int) -> None:
        self._shared.errands.show_concept(release_id, concept_id)

    @Slot()
    def _paint_icons(self) -> None:
        colours = self._shared.theme.colours
        for name, action in self._actions.items():
            action.setIcon(icon(name, colours.quiet))


def _search_hint(chosen: Ontology | None) -> str:
    if chosen is None:
        return tr("Search names and codes")
    return tr("Search names and codes in {ontology}", ontology=chosen.label)


def describe(ontology: Ontology) -> str:
    """A release with its counts."""
    lines = [
        ontology.label,
        *counts_of(ontology),
        tr("imported {day} from {file}", day=ontology.imported_at[:10], file=ontology.source),
    ]
    if ontology.licence:
        lines.append(tr("licence: {licence}", licence=ontology.licence))
    return "\n".join(lines)


def counts_of(ontology: Ontology) -> tuple[str, str]:
    """What a release brought, and what of it is of no use, each in a line."""
    return (
        ", ".join(
            (
                trn("{n:,} concept", "{n:,} concepts", ontology.concepts),
                trn("{n:,} name", "{n:,} names", ontology.names),
                trn("{n:,} is-a link", "{n:,} is-a links", ontology.is_a),
            )
        ),
        trn(
            "{obsolete:,} obsolete, {n:,} row left out in part or whole",
            "{obsolete:,} obsolete, {n:,} rows left out in part or whole",
            ontology.skipped,
            obsolete=ontology.obsolete,
        ),
    )
