"""What the Train page shows of a workspace: read behind the window, in one piece."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from termexplorer.models.epochs import EpochCurves
from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders
from termexplorer.services.encoders.names_language import language_notice
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.services.levels.concept_lists import ListInfo, class_sizes
from termexplorer.services.train.expected_time import expect_recipes
from termexplorer.services.train.run_cards import run_card
from termexplorer.services.train.runs import (
    FigureInfo,
    RunInfo,
    key_figures,
    list_runs,
    run_details,
)
from termexplorer.texts import tr
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class TrainState:
    """What the workspace holds that this page shows; lists as classes of the current ontology.

    Attributes:
        seconds: that a run of each recipe on the current ontology is likely to take.
        language: that the built-in encoder hardly knows the words of the current ontology, if so.
    """

    runs: tuple[RunInfo, ...]
    figures: dict[int, tuple[FigureInfo, ...]]
    ontologies: tuple[Ontology, ...]
    encoders: tuple[EncoderInfo, ...]
    lists: tuple[ListInfo, ...] = ()
    seconds: Mapping[str, float | None] = field(default_factory=dict)
    language: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is shown of the runs that are selected: curves of each, and a card of the first."""

    curves: tuple[tuple[str, EpochCurves, str], ...]
    card: dict[str, Any] | None


def read_state(workspace: Workspace, ontology_id: int | None) -> TrainState:
    """Reads it."""
    runs, ontologies = list_runs(workspace), list_ontologies(workspace)
    current = [ontology for ontology in ontologies if ontology.id == ontology_id]
    return TrainState(
        tuple(runs),
        key_figures(workspace),
        tuple(ontologies),
        tuple(list_encoders(workspace)),
        tuple(class_sizes(workspace, ontology_id)),
        expect_recipes(current[0], runs, ontologies) if current else {},
        language_notice(workspace, current[0].id) if current else "",
    )


def read_chosen(workspace: Workspace, run_ids: Sequence[int]) -> Chosen:
    """Reads epochs and card of runs."""
    curves = []
    for run_id in run_ids:
        details = run_details(workspace, run_id)
        metric = str(details.run.card.get("validation_metric", "validation"))
        curves.append((tr("run {run}", run=run_id), EpochCurves(details.epochs), metric))
    return Chosen(tuple(curves), run_card(workspace, run_ids[0]) if run_ids else None)
