"""The list of ontologies that are learned from besides the current one."""

from collections.abc import Sequence

from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import trn
from termexplorer.views.widgets.tick_list import TickList

_MOST = 5  # in sight


class FurtherOntologies(TickList):
    """Ontologies with a tick each; what was ticked before still is."""

    def __init__(self, name: str) -> None:
        super().__init__(name, _MOST)

    def show_ontologies(self, ontologies: Sequence[Ontology]) -> None:
        """Offers ontologies."""
        rows = [(ontology.id, ontology.label, _ontology_text(ontology)) for ontology in ontologies]
        self.show_rows(rows, self.ticked())


def _ontology_text(ontology: Ontology) -> str:
    return trn(
        "{ontology}: {n:,} names",
        "{ontology}: {n:,} names",
        ontology.names,
        ontology=ontology.label,
    )
