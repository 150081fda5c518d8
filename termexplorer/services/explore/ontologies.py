"""The releases in a workspace: which there are, finding one, and what its import reported."""

from termexplorer.errors import UserError
from termexplorer.services.explore.browsing import search_names, short_form
from termexplorer.store.indexes.search_keys import CODE
from termexplorer.store.releases import concepts
from termexplorer.store.releases import ontologies as queries
from termexplorer.store.releases.concepts import ConceptRef
from termexplorer.store.releases.ontologies import Ontology, Remark
from termexplorer.store.search.candidates import find_by_key
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


_NEAREST = 3  # concepts that are named where one is not there


def list_ontologies(workspace: Workspace) -> list[Ontology]:
    """All releases that are whole, in the order of import."""
    with workspace.store.looking() as connection:
        return queries.ontologies(connection)


def find_ontology(workspace: Workspace, text: str) -> Ontology:
    """A release by its id, or the newest one of a terminology by its key or title.

    Raises:
        UserError: there is none.
    """
    ontologies = list_ontologies(workspace)
    for ontology in reversed(ontologies):
        if text in (str(ontology.id), ontology.terminology):
            return ontology
    title = text.strip().casefold()
    for ontology in reversed(ontologies):
        if title in (ontology.title.casefold(), ontology.label.casefold()):
            return ontology
    if not ontologies:
        raise UserError(
            tr("there is no ontology {text!r}; there are none yet: import one first", text=text)
        )
    known = ", ".join(f"{o.id} ({o.terminology})" for o in ontologies)
    raise UserError(tr("there is no ontology {text!r}; there are {known}", text=text, known=known))


def find_concept(workspace: Workspace, ontology: Ontology, text: str) -> ConceptRef:
    """Find a concept of a release by its CURIE, IRI, code (dots aside) or alternative id.

    Raises:
        UserError: there is none; the nearest are named.
    """
    with workspace.store.looking() as connection:
        short = short_form(connection, text, [ontology.id])
        ref = concepts.find(connection, ontology.id, short)
        keyed = [] if ref else find_by_key(connection, short, [ontology.id], CODE)
        ids = list({concept_id for _, concept_id in keyed})
        if len(ids) == 1:
            return concepts.references(connection, ids)[ids[0]]
    near = search_names(workspace, text, ontology.id, _NEAREST).hits if ref is None else ()
    if near:
        near_text = ", ".join(f"{hit.code} ({hit.label})" for hit in near)
        raise UserError(
            tr(
                "{ontology} has no concept {text!r}; did you mean {near}?",
                ontology=ontology.label,
                text=text,
                near=near_text,
            )
        )
    if ref is None:
        raise UserError(
            tr(
                "{ontology} has no concept {text!r}; give its id or code, as a search shows it",
                ontology=ontology.label,
                text=text,
            )
        )
    return ref


def import_report(workspace: Workspace, ontology_id: int) -> list[Remark]:
    """What was left out of a release and what was counted, when it was imported."""
    with workspace.store.looking() as connection:
        return queries.remarks(connection, ontology_id)
