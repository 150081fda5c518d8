"""[CG]: synonym sets, by linear projection, by a network, and by both; in one or more views."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from termexplorer.replicate.examples import before_and_after
from termexplorer.replicate.item_tables import UNTRAINED
from termexplorer.replicate.request import Hierarchy, PaperStudyRequest, hierarchies
from termexplorer.replicate.runs import Bench, exact, recipe_name, settings_of
from termexplorer.replicate.work.pieces import Key, Record
from termexplorer.trainer.metrics import ACCURACY, MAP, MRR
from termexplorer.workers.data.concept_data import ConceptSet, draw_concept_set
from termexplorer.workers.data.synonym_choice import SynonymChoice
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.representations.base import Representation

BOTH = "CCA + DAN"
VARIANTS = ("train", "test", "zero-shot")
METRICS = (MAP, ACCURACY, MRR)

# each encoder: its recipe, and what differs from the study's hyper-parameters
ENCODERS: dict[str, tuple[str, dict[str, Any]]] = {
    "CCA": ("cca", {}),
    "DAN": ("conceptual-grounding", {"cca": False}),
    BOTH: ("conceptual-grounding", {"cca": True}),
    "DAN, synonym loss alone": ("conceptual-grounding", {"cca": False, "prototype_weight": 0.0}),
    "BNE, same data": ("bne-words", {}),
}


@dataclass(frozen=True, slots=True)
class View:
    """Synonym sets that are learned: those of a hierarchy's concepts, or of codes ([CG] 4.1.2).

    Attributes:
        label: for people, and in what is written down.
    """

    release_id: int
    choice: SynonymChoice
    label: str


def views(hierarchy: Hierarchy) -> list[View]:
    """The concepts themselves, then their groups by each system."""
    release = hierarchy.release
    return [
        View(
            release.id,
            SynonymChoice(hierarchy.root, prefix),
            f"{hierarchy.label}, {prefix} groups" if prefix else hierarchy.label,
        )
        for prefix in ("", *release.groups)
    ]


def _all_views(request: PaperStudyRequest) -> list[View]:
    return [view for hierarchy in hierarchies(request) for view in views(hierarchy)]


def keys(request: PaperStudyRequest) -> list[Key]:
    """All pieces of the study."""
    return [
        (view.label, seed, encoder)
        for view in _all_views(request)
        for seed in range(request.seeds)
        for encoder in (UNTRAINED, *ENCODERS)
    ]


def run_task(bench: Bench, key: Key) -> None:
    """Runs a piece: an encoder of one split of concepts and names.

    Raises:
        UserError: a view has no synonyms.
        InterruptedError: it was stopped.
    """
    label, seed, encoder = str(key[0]), int(key[1]), str(key[2])
    data = _draw_split(bench, label, seed)
    bench.begin(f"{label}, {encoder}, split {seed + 1}")
    if encoder == UNTRAINED:
        facts = {"sizes": _count_sizes(data), "names": _mention_names(data)}
        record = facts | _measure_encoder(bench, data, bench.vectors)
    else:
        recipe = recipe_and_settings(bench.request, encoder)
        trained, facts = bench.train(data, bench.vectors, key, seed, recipe)
        record = {"facts": facts, **_measure_encoder(bench, data, trained)}
        if encoder == BOTH:
            record |= _rank_example(data, bench.vectors, trained)
    bench.put(key, record)
    bench.forget(key)


@lru_cache(maxsize=1)  # the pieces of a split mostly follow each other
def _draw_split(bench: Bench, label: str, seed: int) -> ConceptSet:
    (view,) = (view for view in _all_views(bench.request) if view.label == label)
    known = known_words(bench.vectors)
    return draw_concept_set(bench.workspace.store, view.release_id, seed, view.choice, known)


def known_words(vectors: "Representation") -> Callable[[str], bool] | None:
    """What says of a word whether the text of the vectors has it ([CG] 4.1.1).

    None for vectors that keep no list of words: a transformer, a matrix, what is made of others.
    """
    words: Sequence[str] | None = getattr(vectors, "words", None)
    return None if words is None else frozenset(words).__contains__


def recipe_and_settings(request: PaperStudyRequest, encoder: str) -> tuple[str, dict[str, Any]]:
    """The recipe of an encoder with its hyper-parameters.

    A recipe of another kind than the study's has those of its own preset, but no more epochs.
    """
    recipe, changes = ENCODERS[encoder]
    if recipe == recipe_name(request.paper):
        return recipe, {**request.hyperparameters, **changes}
    return recipe, settings_of(request, recipe, ("maximum_epochs",))


def _count_sizes(data: ConceptSet) -> Record:
    from termexplorer.trainer.data.splits import split_counts

    split = split_counts(data.labels, data.parts)
    return {"split": split, "removed": data.removed, "groups": data.groups}


def _mention_names(data: ConceptSet) -> dict[str, list[int]]:
    """Which names of the release the mentions are."""
    from termexplorer.trainer.data.splits import TEST, TRAIN, ZERO_SHOT

    parts = zip(VARIANTS, (TRAIN, TEST, ZERO_SHOT), strict=True)
    return {variant: data.name_ids[data.parts == part].tolist() for variant, part in parts}


def _measure_encoder(bench: Bench, data: ConceptSet, encoder: "Representation") -> Record:
    """What each mention comes to ([CG] 5.1), and the similarity of each pair."""
    from termexplorer.trainer.data.splits import TEST, TRAIN, ZERO_SHOT
    from termexplorer.trainer.evaluation.scores import cosine_scores
    from termexplorer.trainer.evaluation.synonym_retrieval import synonym_retrieval

    with trainer_errors():
        results = synonym_retrieval(
            data.labels,
            cosine_scores(encoder.encode(data.labels.names)),
            train=np.flatnonzero(data.parts == TRAIN),
            test=np.flatnonzero(data.parts == TEST),
            zero_shot=np.flatnonzero(data.parts == ZERO_SHOT),
            tick=bench.tick,
        )
    synonyms = {
        variant: {metric: exact(result.items[metric]) for metric in METRICS}
        for variant, result in results.items()
    }
    return {"synonyms": synonyms, "similarities": bench.similarities(encoder)}


def _rank_example(data: ConceptSet, before: "Representation", after: "Representation") -> Record:
    """How test mentions rank the training names."""
    from termexplorer.trainer.data.splits import TEST, TRAIN

    mentions, names = (np.flatnonzero(data.parts == part) for part in (TEST, TRAIN))
    return before_and_after(data.labels, mentions, names, before, after)
