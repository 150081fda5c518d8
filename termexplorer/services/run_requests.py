"""Asking for a run: all that it is asked for, checked before it waits to be trained."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.encoders import find_encoder
from termexplorer.services.ontologies import find_ontology
from termexplorer.services.presets import hyperparameters
from termexplorer.store import runs as queries
from termexplorer.store.encoders import LEXICAL
from termexplorer.workers.level_choice import LevelChoice
from termexplorer.workers.training_data import SplitRule
from termexplorer.workspace import Workspace

__all__ = ["LevelChoice", "RunRequest", "SplitRule", "add_run"]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """All that a run is asked for; the same request on the same machine gives the same figures.

    Attributes:
        recipe: few-shot or dan.
        preset: quick or paper, of which `hyperparameters` are changes.
        ontology_id: the release.
        vectors_id: the encoder beneath.
        choice: root, level and which names.
        rule: how names are parted; its seed is the run's.
        hyperparameters: what differs from the preset.
        seed: of everything random.
        device: auto, cpu, cuda or cuda:N.
    """

    recipe: str
    preset: str
    ontology_id: int
    vectors_id: int
    choice: LevelChoice
    rule: SplitRule
    hyperparameters: Mapping[str, Any]
    seed: int = 0
    device: str = "auto"

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "RunRequest":
        """From what a run keeps of it."""
        choice, rule = LevelChoice.read(values["choice"]), SplitRule(**values["rule"])
        return cls(**{**values, "choice": choice, "rule": rule})


def add_run(workspace: Workspace, request: RunRequest) -> int:
    """Adds a run that waits to be trained; returns its id.

    Raises:
        UserError: no such ontology, encoder, preset or hyper-parameter.
    """
    ontology = find_ontology(workspace, str(request.ontology_id))
    if find_encoder(workspace, request.vectors_id).id == LEXICAL:
        raise UserError("the lexical encoder has no vectors to train on; choose vectors")
    hyperparameters(request.recipe, request.preset, request.hyperparameters)
    with workspace.store.writing() as connection:
        return queries.add_run(
            connection,
            title=f"{request.recipe}, level {request.choice.level}",
            recipe=request.recipe,
            preset=request.preset,
            release_id=ontology.id,
            input_id=request.vectors_id,
            request=asdict(request),
        )
