"""Mappings from one ontology to another, as encoders suggest them."""

from collections.abc import Callable
from dataclasses import dataclass

from termexplorer.errors import UserError
from termexplorer.services.explore.concept_labels import concept_labels
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import tr
from termexplorer.workers.curate.mapping import (
    MappingFigure,
    MappingRequest,
    SuggestedMapping,
    run_mapping,
)
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "MappingFigure",
    "Mappings",
    "SuggestedMapping",
    "check_encoder_count",
    "check_sides",
    "suggest_mappings",
]

MOST = 8  # encoders


@dataclass(frozen=True, slots=True)
class Mappings:
    """Suggested mappings with all that is needed to show and export them.

    Attributes:
        source: the release whose concepts are mapped.
        to: the release that they are mapped to.
        encoder_ids: the first one suggested, the others agreed or did not.
        suggestions: the most similar first.
        figures: of each encoder, on cross-references that are there; none where none are.
        labels: of the concepts of both, by CURIE.
        without_evidence: how many concepts have none, as the first encoder finds nothing like them.
    """

    source: Ontology
    to: Ontology
    encoder_ids: tuple[int, ...]
    suggestions: tuple[SuggestedMapping, ...]
    figures: tuple[MappingFigure, ...]
    labels: dict[str, str]
    without_evidence: int = 0


def suggest_mappings(
    workspace: Workspace,
    source: Ontology,
    to: Ontology,
    encoder_ids: tuple[int, ...],
    root: str,
    control: JobControl,
    on_message: Callable[[object], None],
) -> Mappings:
    """Finds the best concept of `to` for each of `source`, or of those below a root.

    Cross-references are not used for it; they tell afterwards how good the encoders are.

    Raises:
        UserError: one ontology with itself, too many encoders, or something that is not there.
        Cancelled: it was cancelled.
    """
    check_sides(source, to, encoder_ids)
    request = MappingRequest(workspace.folder, source.id, to.id, encoder_ids, root)
    answer = supervise(run_mapping, request, control, on_message)
    labels = concept_labels(workspace, source, to)
    return Mappings(
        source, to, encoder_ids, answer.suggestions, answer.figures, labels, answer.without_evidence
    )


def check_sides(source: Ontology, to: Ontology, encoder_ids: tuple[int, ...]) -> None:
    """Refuse to map an ontology to itself, and by too many encoders.

    Raises:
        UserError: it is, or there are.
    """
    if source.id == to.id:
        raise UserError(
            tr("{label} is mapped to itself; choose another ontology with --to", label=source.label)
        )
    check_encoder_count(encoder_ids)


def check_encoder_count(encoder_ids: tuple[int, ...]) -> None:
    """Refuse to map by too many encoders.

    Raises:
        UserError: there are more than `MOST`.
    """
    if len(encoder_ids) > MOST:
        raise UserError(
            tr(
                "{count} encoders are too many; give at most {most}",
                count=len(encoder_ids),
                most=MOST,
            )
        )
