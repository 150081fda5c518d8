"""[BNE]: encoders that read words and their spelling, on mentions in text and on new concepts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from termexplorer.errors import UserError
from termexplorer.replicate.examples import before_and_after
from termexplorer.replicate.item_tables import UNTRAINED
from termexplorer.replicate.mentions import Mentions, cosines, counts, measured, read_mentions
from termexplorer.replicate.request import PaperStudyRequest, StudyRelease
from termexplorer.replicate.runs import Bench, exact, settings_of
from termexplorer.replicate.work.pieces import Key, Record
from termexplorer.trainer.metrics import COVERAGE
from termexplorer.workers.data.concept_data import (
    ConceptSet,
    build_concept_set,
    concept_names,
    further_ids,
)
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.representations.base import Float32s, Representation
    from termexplorer.trainer.representations.lexical_names import LexicalNames
    from termexplorer.trainer.text.names import LabelledNames

OWN_NAMES = "own vectors of names"
BNE, OWN_TARGETS = "BNE, option 2", "BNE, option 1"
PARAPHRASE = "paraphrase"
JACCARD, WORD_MOVERS = "Jaccard", "word mover's distance"
LEXICAL = (JACCARD, WORD_MOVERS)

# each trained encoder: its recipe, and what differs from the study's hyper-parameters
TRAINED: dict[str, tuple[str, dict[str, Any]]] = {
    BNE: ("bne", {"targets": "words"}),
    OWN_TARGETS: ("bne", {"targets": "own"}),
    "BNE, synonym loss alone": (
        "bne",
        {"targets": "words", "concept_weight": 0.0, "context_weight": 0.0},
    ),
    PARAPHRASE: ("paraphrase", {}),
}
# all of them in the order of the tables; not all are there for all vectors
ENCODERS = (*LEXICAL, UNTRAINED, OWN_NAMES, *TRAINED)


def keys(request: PaperStudyRequest) -> list[Key]:
    """All pieces of a study over vectors of words alone."""
    return [
        (release.label, seed, encoder)
        for release in request.releases
        for seed in range(request.seeds)
        for encoder in _list_encoders(request, seed, {OWN_NAMES, OWN_TARGETS})
    ]


def more_keys(request: PaperStudyRequest) -> list[Key]:
    """Those that there are over vectors of names and concepts besides."""
    return [
        (release.label, seed, encoder)
        for release in request.releases
        for seed in range(request.seeds)
        for encoder in (OWN_NAMES, OWN_TARGETS)
    ]


def tasks(request: PaperStudyRequest) -> list[Key]:
    """What workers take: each split of each release, with all its encoders."""
    return [(release.label, seed) for release in request.releases for seed in range(request.seeds)]


def _list_encoders(request: PaperStudyRequest, seed: int, missing: set[str]) -> list[str]:
    """What is measured on a split; lexical baselines once, since they know no split."""
    without = missing if request.corpora and seed == 0 else {*missing, *LEXICAL}
    return [encoder for encoder in ENCODERS if encoder not in without]


def run_task(bench: Bench, key: Key) -> None:
    """Runs the pieces of a split of a release that are not there yet.

    Raises:
        UserError: the vectors are not of words, a release has no synonyms, or a corpus
            cannot be read.
        InterruptedError: it was stopped.
    """
    request = bench.request
    if not hasattr(bench.vectors, "token_vectors"):
        raise UserError(
            f"{request.vectors.label} has no vectors of words, which BNE reads; name word vectors, "
            "skip-grams or fastText by --vectors"
        )
    label, seed = str(key[0]), int(key[1])
    release_run = _open_release(bench, label)
    encoders = [
        encoder
        for encoder in _list_encoders(request, seed, _not_there(bench, release_run.names))
        if (label, seed, encoder) not in bench.results
    ]
    if encoders:
        release_run.split(seed, encoders)


@lru_cache(maxsize=1)  # the splits of a release mostly follow each other
def _open_release(bench: Bench, label: str) -> "_Place":
    from termexplorer.trainer.corpora.dictionary import Dictionary

    (release,) = (release for release in bench.request.releases if release.label == label)
    names, _ = concept_names(bench.workspace.store, release.id)
    bench.tick()
    dictionary = Dictionary(names, further_ids(bench.workspace.store, release.id, names))
    return _Place(bench, release, names, read_mentions(bench.request, dictionary, bench.tick))


def _zero_shot_names(data: ConceptSet) -> list[int]:
    """Which names of the release those of the concepts that were kept out of training are."""
    from termexplorer.trainer.data.splits import ZERO_SHOT

    names: list[int] = data.name_ids[data.parts == ZERO_SHOT].tolist()
    return names


def _not_there(bench: Bench, names: "LabelledNames") -> set[str]:
    """The encoders that need vectors of names, or of concepts, which these are not."""
    from termexplorer.trainer.text.name_tokens import MarkedVectors

    vectors, missing = bench.vectors, {OWN_NAMES, OWN_TARGETS}
    if isinstance(vectors, MarkedVectors):
        if vectors.name_vectors(names.names)[1].any():
            missing.remove(OWN_NAMES)
        if vectors.concept_vectors(names.classes)[1].any():
            missing.remove(OWN_TARGETS)
    return missing


@dataclass(frozen=True, eq=False)
class _Place:
    """A release, the dictionary that it is, and mentions to normalise to it."""

    bench: Bench
    release: StudyRelease
    names: "LabelledNames"
    mentions: Sequence[Mentions]

    def split(self, seed: int, encoders: Sequence[str]) -> None:
        """Measures encoders of one split of concepts and names."""
        data, _ = build_concept_set(self.bench.workspace.store, self.release.id, seed)
        for encoder in encoders:
            key = (self.release.label, seed, encoder)
            self.bench.begin(f"{self.release.label}, {encoder}, split {seed + 1}")
            self.bench.put(key, self._record(encoder, data, key, seed))
            self.bench.forget(key)

    def _record(self, encoder: str, data: ConceptSet, key: Key, seed: int) -> Record:
        bench = self.bench
        if encoder in LEXICAL:
            return {"mentions": self._lexical(encoder)}
        if encoder == UNTRAINED:
            facts = {"sizes": self._sizes(data), "names": _zero_shot_names(data)}
            return facts | self._measured(_word_means(bench.vectors), data)
        if encoder == OWN_NAMES:
            return self._measured(bench.vectors, data)
        recipe, changes = TRAINED[encoder]
        settings = {**settings_of(bench.request, recipe), **changes}
        trained, facts = bench.train(data, bench.vectors, key, seed, (recipe, settings))
        record = {"facts": facts, **self._measured(trained, data)}
        return record | (self._example(data, trained) if encoder == BNE else {})

    def _sizes(self, data: ConceptSet) -> Record:
        from termexplorer.trainer.data.splits import split_counts

        return {
            "split": split_counts(data.labels, data.parts),
            "removed": data.removed,
            "names": len(self.names.names),
            "concepts": len(self.names.classes),
            "corpora": {corpus.name: counts(corpus) for corpus in self.mentions},
        }

    def _measured(self, encoder: "Representation", data: ConceptSet) -> Record:
        """Coverage over new concepts, the mentions, and the similarity of each pair."""
        from termexplorer.trainer.data.splits import ZERO_SHOT
        from termexplorer.trainer.evaluation.coverage import coverage_at_k
        from termexplorer.trainer.evaluation.scores import cosine_scores

        tick, aside = self.bench.tick, np.flatnonzero(data.parts == ZERO_SHOT)
        with trainer_errors():
            scores = cosine_scores(encoder.encode(data.labels.names))
            items_by_metric = coverage_at_k(data.labels, scores, aside, tick=tick).items
            similarity = cosines(encoder, self.names.names) if self.mentions else None
        return {
            "coverage": {
                metric.removeprefix(COVERAGE): exact(values.astype(np.float32))
                for metric, values in items_by_metric.items()
            },
            "mentions": {
                corpus.name: measured(corpus, self.names, similarity, tick)
                for corpus in self.mentions
                if similarity
            },
            "similarities": self.bench.similarities(encoder),
        }

    def _lexical(self, encoder: str) -> Record:
        from termexplorer.trainer.representations.lexical_names import table_of

        with trainer_errors():
            index = self._index(encoder)
        tick = self.bench.tick
        return {
            corpus.name: measured(
                corpus, self.names, lambda texts: table_of(index, texts, tick), tick
            )
            for corpus in self.mentions
        }

    def _index(self, encoder: str) -> "LexicalNames":
        from termexplorer.trainer.lexical.jaccard import JaccardNames
        from termexplorer.trainer.lexical.word_movers import WordMoverNames

        if encoder == JACCARD:
            return JaccardNames.fit(self.names.names)
        vectors: Any = self.bench.vectors  # `run` has made sure that they are of words
        return WordMoverNames(self.names.names, vectors, tick=self.bench.tick)

    def _example(self, data: ConceptSet, trained: "Representation") -> Record:
        """How test names rank the training names."""
        from termexplorer.trainer.data.splits import TEST, TRAIN

        mentions, names = (np.flatnonzero(data.parts == part) for part in (TEST, TRAIN))
        before = _word_means(self.bench.vectors)
        return before_and_after(data.labels, mentions, names, before, trained)


def _word_means(vectors: "Representation") -> "Representation":
    """Means of words, also where names have vectors of their own."""
    from termexplorer.trainer.representations.skipgrams import SkipGramNames

    return _Means(vectors) if isinstance(vectors, SkipGramNames) else vectors


class _Means:
    """SGW of [BNE] 4, of vectors that are more."""

    def __init__(self, vectors: Any) -> None:
        self._vectors = vectors
        self.dimension = int(vectors.dimension)

    def encode(self, names: Iterable[str]) -> "Float32s":
        """(n, d) float32; zero for a name of which no word is known."""
        from termexplorer.trainer.representations.fasttext_matrices import FastTextVectors

        return FastTextVectors.encode(self._vectors, names)
