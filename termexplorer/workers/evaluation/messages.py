"""What is asked of the child that evaluates encoders."""

from dataclasses import dataclass
from pathlib import Path

TASKS = (
    "ranking",
    "hypernyms",
    "synonyms",
    "coverage",
    "retrieval",
    "normalisation",
    "relatedness",
    "categories",
)
MEASURE = "avg_cosine"  # of an encoder's own vectors


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """One task for some encoders, on the same data for all.

    Attributes:
        task: one of `TASKS`.
        encoder_ids: in the order in which they are shown.
        ontology_id: the release whose names are ranked; None where the split or the first trained
            encoder says it, or where pairs are all that is needed.
        split_id: which names are held out; None takes that of the first trained encoder.
        pairs: files of pairs with scores, for `relatedness`.
        corpus: PubTator file of mentions, for `normalisation` and `retrieval`.
        training: PubTator file of the exact-match rule, or None.
        kinds: of mentions that count, such as `Disease`; empty for all.
        measure: of two terms, for `relatedness`; one of `trainer.measures.NAMES`.
        seed: of splits that are drawn anew, and of the bootstrap.
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
    measure: str = MEASURE
    seed: int = 0
