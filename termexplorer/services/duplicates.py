"""Concepts that may be one and the same, as encoders suggest them."""

from collections.abc import Callable
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.services.concept_labels import concept_labels
from termexplorer.services.exports import Cell
from termexplorer.services.ontologies import Ontology
from termexplorer.services.suggestion_files import SEMANTIC, SssomRow, Suggestions, confidence
from termexplorer.workers.duplicates import Duplicates, DuplicatesRequest, Pair, run_duplicates
from termexplorer.workers.supervision import Control, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "HEADER",
    "DuplicatePairs",
    "Duplicates",
    "DuplicatesRequest",
    "Pair",
    "duplicates_file",
    "pair_cells",
    "suggest_duplicates",
]

HEADER = ("concept", "name", "other", "its name", "similarity", "agree", "relation")
_MOST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class DuplicatePairs:
    """Near pairs with all that is needed to show and export them.

    Attributes:
        ontology: the release.
        encoder_ids: the first one orders the pairs.
        found: the pairs, and how well split concepts are found.
        labels: of all concepts, by CURIE.
    """

    ontology: Ontology
    encoder_ids: tuple[int, ...]
    found: Duplicates
    labels: dict[str, str]


def suggest_duplicates(
    workspace: Workspace,
    ontology: Ontology,
    request: DuplicatesRequest,
    control: Control,
    on_message: Callable[[object], None],
) -> DuplicatePairs:
    """Finds pairs of concepts with the most similar names.

    How well duplicates are found is told by a copy of the ontology in which a share of the concepts
    with several names is split in two. An encoder that was trained on these synonyms has learned
    that they belong together, so that it finds them too easily.

    Raises:
        UserError: something is not there, or the share is not above 0 and at most a half.
        Cancelled: it was cancelled.
    """
    if not 0 < request.share <= _MOST_SHARE:
        raise UserError(f"a share of {request.share:g} cannot be split; give one up to .5")
    found = supervise(run_duplicates, request, control, on_message)
    labels = concept_labels(workspace, ontology)
    return DuplicatePairs(ontology, request.encoder_ids, found, labels)


def duplicates_file(duplicates: DuplicatePairs) -> Suggestions:
    """All pairs, to be written; each is a `skos:closeMatch` of its second concept."""
    pairs = duplicates.found.pairs
    return Suggestions(
        duplicates.ontology,
        duplicates.ontology,
        duplicates.encoder_ids,
        HEADER,
        [pair_cells(duplicates, each) for each in pairs],
        [_mapping(duplicates, each) for each in pairs],
    )


def pair_cells(duplicates: DuplicatePairs, each: Pair) -> list[Cell]:
    """One pair under `HEADER`."""
    labels = duplicates.labels
    return [
        each.first,
        labels[each.first],
        each.second,
        labels[each.second],
        each.similarity,
        each.agree,
        each.relation,
    ]


def _mapping(duplicates: DuplicatePairs, each: Pair) -> SssomRow:
    told = f"; the second is a {each.relation} of the first" if each.relation else ""
    return SssomRow(
        each.first,
        duplicates.labels[each.first],
        "skos:closeMatch",
        each.second,
        duplicates.labels[each.second],
        SEMANTIC,
        confidence(each.similarity),
        f"may be one concept; {each.agree} of {len(duplicates.encoder_ids)} encoders agree{told}",
    )
