"""The releases in a workspace: which there are, finding one, and what its import reported."""

from termexplorer.errors import UserError
from termexplorer.store import concepts
from termexplorer.store import ontologies as queries
from termexplorer.store.concepts import ConceptRef
from termexplorer.store.ontologies import Ontology, Remark
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = [
    "ConceptRef",
    "Ontology",
    "Remark",
    "find_concept",
    "find_ontology",
    "import_report",
    "list_ontologies",
]


def list_ontologies(workspace: Workspace) -> list[Ontology]:
    """All releases that are whole, in the order of import."""
    with workspace.store.looking() as connection:
        return queries.ontologies(connection)


def find_ontology(workspace: Workspace, text: str) -> Ontology:
    """A release by its id, or the newest one of a terminology by its key.

    Raises:
        UserError: there is none.
    """
    there = list_ontologies(workspace)
    for ontology in reversed(there):
        if text in (str(ontology.id), ontology.terminology):
            return ontology
    if not there:
        raise UserError(
            tr("there is no ontology {text!r}; there are none yet: import one first", text=text)
        )
    known = ", ".join(f"{o.id} ({o.terminology})" for o in there)
    raise UserError(tr("there is no ontology {text!r}; there are {known}", text=text, known=known))


def find_concept(workspace: Workspace, ontology: Ontology, text: str) -> ConceptRef:
    """A concept of a release by its CURIE, code or alternative id.

    Raises:
        UserError: there is none.
    """
    with workspace.store.looking() as connection:
        found = concepts.find(connection, ontology.id, text)
    if found is None:
        raise UserError(
            tr(
                "{ontology} has no concept {text!r}; give its id or code, as a search shows it",
                ontology=ontology.label,
                text=text,
            )
        )
    return found


def import_report(workspace: Workspace, ontology_id: int) -> list[Remark]:
    """What was left out of a release and what was counted, when it was imported."""
    with workspace.store.looking() as connection:
        return queries.remarks(connection, ontology_id)
