"""What a run is asked for, as it is kept with the run and sent to the child that trains."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from termexplorer.workers.data.judged_choice import JudgedChoice
from termexplorer.workers.data.level_choice import LevelChoice
from termexplorer.workers.data.level_data import SplitRule
from termexplorer.workers.data.list_classes import ListClass
from termexplorer.workers.data.synonym_choice import EVERY_CONCEPT, SynonymChoice


@dataclass(frozen=True, slots=True)
class RunRequest:
    """All that a run is asked for; the same request on the same machine gives the same figures.

    Attributes:
        recipe: one of `trainer.recipes.RECIPES`.
        preset: quick or paper, of which `hyperparameters` are changes.
        ontology_id: the release.
        vectors_id: the encoder beneath.
        choice: root, level and which names; None where the recipe learns from synonym sets.
        rule: how names are parted; its seed is the run's.
        hyperparameters: what differs from the preset.
        seed: of everything random.
        device: auto, cpu, cuda, cuda:N, gpus for all of them here, or @NAME for a cluster.
        also: further releases, whose synonym sets are learned besides.
        synonyms: which synonym sets, where the recipe learns from them.
        class_lists: kept lists that few-shot learns as classes besides those of the level, with
            what was on them when they were chosen.
        devices: how many train together, each a share of the names of every step; of a cluster,
            on each node.
        nodes: of a cluster.
        judged: pairs with what people said of them when they were chosen, where the recipe learns
            from judged pairs.
    """

    recipe: str
    preset: str
    ontology_id: int
    vectors_id: int
    choice: LevelChoice | None
    rule: SplitRule
    hyperparameters: Mapping[str, Any]
    seed: int = 0
    device: str = "auto"
    also: tuple[int, ...] = ()
    synonyms: SynonymChoice = EVERY_CONCEPT
    class_lists: tuple[ListClass, ...] = ()
    judged: JudgedChoice | None = None
    devices: int = 1
    nodes: int = 1

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "RunRequest":
        """From what a run keeps of it."""
        choice = LevelChoice.read(values["choice"]) if values["choice"] else None
        given = {
            "choice": choice,
            "rule": SplitRule(**values["rule"]),
            "also": tuple(values.get("also", ())),
            "synonyms": SynonymChoice.read(values),
            "class_lists": ListClass.read_all(values),
            "judged": JudgedChoice.read(values),
        }
        return cls(**{**values, **given})
