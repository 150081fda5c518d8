"""What is asked of the child that evaluates encoders."""

from dataclasses import dataclass
from pathlib import Path

from termexplorer.texts import mark
from termexplorer.trainer.measures import USUAL

TASKS = (
    "ranking",
    "hypernyms",
    "synonyms",
    "coverage",
    "retrieval",
    "normalisation",
    "relatedness",
    "pairs",
    "categories",
)
ON_PAIRS = ("relatedness", "pairs")
LINKED = ("ranking", "hypernyms", "categories")  # is-a links make them
MEASURE = USUAL  # of an encoder's own vectors
HARDEST = 100
ALL_IT_KNOWS = mark("{metric}, all it knows")  # a figure on more pairs than all encoders know


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """One task for some encoders, on the same data for all.

    Attributes:
        task: one of `TASKS`.
        encoder_ids: in the order in which they are shown.
        ontology_id: the release whose names are ranked; None where the split or the first trained
            encoder says it, or where pairs are all that is needed.
        split_id: which names are held out; None takes that of the first trained encoder.
        pairs: files of pairs, or folders of them: with scores for `relatedness`, with labels 1
            and 0 for `pairs`.
        corpus: PubTator file of mentions, for `normalisation` and `retrieval`.
        training: PubTator file of the exact-match rule, or None.
        kinds: of mentions that count, such as `Disease`; empty for all.
        abbreviations: whether those that a document of the corpus defines are spelled out.
        composites: whether mentions of several concepts are taken apart.
        measure: of two terms, for tasks on pairs; one of `trainer.measures.NAMES`.
        seed: of splits that are drawn anew, and of the bootstrap.
        hardest: how many pairs of each label are kept that an encoder gets most wrong.
    """

    workspace: Path
    task: str
    encoder_ids: tuple[int, ...]
    ontology_id: int | None = None
    split_id: int | None = None
    pairs: tuple[Path, ...] = ()
    corpus: Path | None = None
    training: Path | None = None
    kinds: frozenset[str] = frozenset()
    abbreviations: bool = True
    composites: bool = True
    measure: str = MEASURE
    seed: int = 0
    hardest: int = HARDEST
