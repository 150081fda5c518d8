"""What is found by learning from copies of an ontology in which some things are made wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from termexplorer.errors import UserError
from termexplorer.services.explore.concept_labels import concept_labels
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import tr
from termexplorer.trainer.evaluation.likelihood import Trial
from termexplorer.workers.curate.finder import MOST, FinderRequest
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = ["MOST", "FinderRequest", "FoundSuggestions", "Trial", "check_share", "find"]

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class FoundSuggestions(Generic[Answer]):
    """Suggestions with all that is needed to show and export them.

    Attributes:
        ontology: the release.
        encoder_ids: what they come from; the first one tells what is best instead.
        answer: the suggestions, and how well such things are found in corrupted copies.
        labels: of all concepts, by CURIE.
    """

    ontology: Ontology
    encoder_ids: tuple[int, ...]
    answer: Answer
    labels: dict[str, str]


def find(
    run: Callable[[FinderRequest, Channel], Answer],
    workspace: Workspace,
    ontology: Ontology,
    request: FinderRequest,
    control: JobControl,
    on_message: Callable[[object], None],
) -> FoundSuggestions[Answer]:
    """Has a child look for something.

    Raises:
        UserError: something is not there.
        Cancelled: it was cancelled.
    """
    answer = supervise(run, request, control, on_message)
    return FoundSuggestions(
        ontology, request.encoder_ids, answer, concept_labels(workspace, ontology)
    )


def check_share(share: float, done: str, most: float = 0.5) -> None:
    """Refuses a share of things to be made wrong in a copy.

    Args:
        share: of all that could be.
        done: what is done to them, such as `moved`.
        most: the largest share.

    Raises:
        UserError: it is not above 0, or too large.
    """
    if not 0 < share <= most:
        raise UserError(
            tr(
                "a share of {share:g} cannot be {done}; give one up to {most:.2g}",
                share=share,
                done=done,
                most=most,
            )
        )
