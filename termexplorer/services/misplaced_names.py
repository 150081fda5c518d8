"""Names that may be of another concept than the one that has them."""

from collections.abc import Callable
from typing import TypeAlias

from termexplorer.services.found import FinderRequest, Found, check_share, find
from termexplorer.services.ontologies import Ontology
from termexplorer.workers.misplaced_names import (
    MisplacedNames,
    NameDoubt,
    run_misplaced_names,
)
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace

__all__ = [
    "DoubtfulNames",
    "MisplacedNames",
    "NameDoubt",
    "suggest_names",
]


DoubtfulNames: TypeAlias = Found[MisplacedNames]


def suggest_names(
    workspace: Workspace,
    ontology: Ontology,
    request: FinderRequest,
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
    return find(run_misplaced_names, workspace, ontology, request, control, on_message)
