"""Concepts that may be one and the same, as encoders suggest them."""

from collections.abc import Callable
from dataclasses import dataclass

from termexplorer.services.concept_labels import concept_labels
from termexplorer.services.corrupted_copies import check_share
from termexplorer.services.ontologies import Ontology
from termexplorer.workers.duplicates import Duplicates, DuplicatesRequest, Pair, run_duplicates
from termexplorer.workers.supervision import Control, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "DuplicatePairs",
    "Duplicates",
    "DuplicatesRequest",
    "Pair",
    "suggest_duplicates",
]

_MOST_SHARE = 1 / 6  # no concept is split in two of six copies


@dataclass(frozen=True, slots=True)
class DuplicatePairs:
    """Near pairs with all that is needed to show and export them.

    Attributes:
        ontology: the release.
        encoder_ids: the first one tells the similarity; all tell the likelihood.
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

    How likely two are one is learned from copies of the ontology in which a share of the concepts
    with several names is split in two, and so means: if as many concepts are there twice, and their
    names are as much alike as those of halves. Real duplicates may be more alike, or less. An
    encoder that was trained on these synonyms has learned that they belong together, so that it
    finds halves too easily.

    Raises:
        UserError: something is not there, too few concepts have several names, or the share is not
            above 0 and at most a sixth.
        Cancelled: it was cancelled.
    """
    check_share(request.share, "split", _MOST_SHARE)
    found = supervise(run_duplicates, request, control, on_message)
    labels = concept_labels(workspace, ontology)
    return DuplicatePairs(ontology, request.encoder_ids, found, labels)
