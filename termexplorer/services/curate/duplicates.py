"""Concepts that may be one and the same, as encoders suggest them."""

from collections.abc import Callable
from typing import TypeAlias

from termexplorer.services.curate.found import FinderRequest, FoundSuggestions, check_share, find
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import tr
from termexplorer.workers.curate.duplicates import DuplicatePair, Duplicates, run_duplicates
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

__all__ = [
    "DuplicatePair",
    "DuplicatePairs",
    "Duplicates",
    "suggest_duplicates",
]

_MOST_SHARE = 1 / 6  # no concept is split in two of six copies


DuplicatePairs: TypeAlias = FoundSuggestions[Duplicates]


def suggest_duplicates(
    workspace: Workspace,
    ontology: Ontology,
    request: FinderRequest,
    control: JobControl,
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
    check_share(request.share, tr("split", sense="done"), _MOST_SHARE)
    return find(run_duplicates, workspace, ontology, request, control, on_message)
