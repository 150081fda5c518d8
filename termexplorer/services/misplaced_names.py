"""Names that may be of another concept than the one that has them."""

from collections.abc import Callable
from dataclasses import dataclass

from termexplorer.services.concept_labels import concept_labels
from termexplorer.services.corrupted_copies import check_share
from termexplorer.services.ontologies import Ontology
from termexplorer.workers.misplaced_names import (
    MisplacedNames,
    MisplacedNamesRequest,
    NameDoubt,
    run_misplaced_names,
)
from termexplorer.workers.supervision import Control, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "DoubtfulNames",
    "MisplacedNames",
    "MisplacedNamesRequest",
    "NameDoubt",
    "suggest_names",
]


@dataclass(frozen=True, slots=True)
class DoubtfulNames:
    """Doubtful names with all that is needed to show and export them.

    Attributes:
        ontology: the release.
        encoder_ids: what the doubts come from; the first one names the better concept.
        found: the doubts, and how well moved names are found in corrupted copies.
        labels: of all concepts, by CURIE.
    """

    ontology: Ontology
    encoder_ids: tuple[int, ...]
    found: MisplacedNames
    labels: dict[str, str]


def suggest_names(
    workspace: Workspace,
    ontology: Ontology,
    request: MisplacedNamesRequest,
    control: Control,
    on_message: Callable[[object], None],
) -> DoubtfulNames:
    """Finds names that are nearer to another concept's names than to the others of their own.

    How likely each is misplaced is learned from copies of the ontology in which a share of the
    names is given to other concepts at random. Labels stay where they are and are not doubted: they
    tell which concept it is. An encoder that was trained on these synonyms has learned whose they
    are, so that it finds moved ones too easily, and wrong ones not at all.

    Raises:
        UserError: something is not there, or the share is not above 0 and at most a half.
        Cancelled: it was cancelled.
    """
    check_share(request.share, "moved")
    found = supervise(run_misplaced_names, request, control, on_message)
    labels = concept_labels(workspace, ontology)
    return DoubtfulNames(ontology, request.encoder_ids, found, labels)
