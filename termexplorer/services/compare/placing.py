"""Where terms would belong that an ontology does not have: concepts ranked as their parents."""

from collections.abc import Callable, Sequence

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.texts import tr
from termexplorer.workers.explore.placing import (
    LikelyParent,
    PlacedTerm,
    PlacingRequest,
    PlacingTrial,
    place_terms,
    try_placing,
)
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "LikelyParent",
    "PlacedTerm",
    "PlacingTrial",
    "choose_encoder",
    "find_parents",
    "measure_placing",
]


def choose_encoder(encoder_ids: Sequence[int]) -> int:
    """Return the first encoder with vectors, since how names are written counts in any case."""
    return next((encoder_id for encoder_id in encoder_ids if encoder_id != LEXICAL), LEXICAL)


def find_parents(
    workspace: Workspace,
    ontology: Ontology,
    terms: list[str],
    encoder_id: int,
    count: int,
    control: JobControl,
    on_message: Callable[[object], None],
) -> tuple[PlacedTerm, ...]:
    """Rank the concepts of an ontology as direct parents of terms.

    What makes a parent is learned from the ontology's own links, each concept taken for one that is
    not there yet; that takes some seconds.

    Args:
        workspace: that all is in.
        ontology: to place them in.
        terms: the texts.
        encoder_id: names are compared by it, and by how they are written.
        count: parents of each term.
        control: to cancel it by.
        on_message: is told of progress.

    Raises:
        UserError: a term is empty, the encoder has no vectors, or too few concepts have a parent.
        Cancelled: it was cancelled.
    """
    distinct = tuple(dict.fromkeys(term.strip() for term in terms))
    if not all(distinct):
        raise UserError(tr("a term is empty; write what is to be placed"))
    request = _make_request(workspace, ontology, encoder_id, terms=distinct, count=count)
    placed: tuple[PlacedTerm, ...] = supervise(place_terms, request, control, on_message)
    return placed


def measure_placing(
    workspace: Workspace,
    ontology: Ontology,
    encoder_id: int,
    seed: int,
    control: JobControl,
    on_message: Callable[[object], None],
) -> PlacingTrial:
    """Hide a tenth of an ontology's concepts, and tell how well they are placed.

    Raises:
        UserError: the encoder has no vectors, or too few concepts have a parent.
        Cancelled: it was cancelled.
    """
    request = _make_request(workspace, ontology, encoder_id, seed=seed)
    trial: PlacingTrial = supervise(try_placing, request, control, on_message)
    return trial


def _make_request(
    workspace: Workspace,
    ontology: Ontology,
    encoder_id: int,
    terms: tuple[str, ...] = (),
    count: int = 10,
    seed: int = 0,
) -> PlacingRequest:
    encoder = find_encoder(workspace, encoder_id)
    if encoder_id != LEXICAL and not encoder.has_vectors:
        raise UserError(
            tr(
                "{encoder} has no vectors of names; choose another one, or TF-IDF",
                encoder=encoder.label,
            )
        )
    return PlacingRequest(workspace.folder, ontology.id, encoder_id, terms, count, seed)
