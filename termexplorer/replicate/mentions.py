"""Mentions of corpora among the names of a dictionary ([BNE] 4.2 and 4.3)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from termexplorer.replicate.request import PaperStudyRequest
from termexplorer.replicate.runs import exact
from termexplorer.replicate.work.pieces import Record
from termexplorer.trainer.metrics import ACCURACY, ACCURACY_INEXACT, MAP
from termexplorer.workers.evaluate.mentions import of_other_ids
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.corpora.dictionary import Dictionary
    from termexplorer.trainer.corpora.pubtator import Document
    from termexplorer.trainer.corpora.queries import Queries
    from termexplorer.trainer.evaluation.scores import Scores
    from termexplorer.trainer.representations.base import Representation
    from termexplorer.trainer.text.names import LabelledNames

    Similarity: TypeAlias = Callable[[Sequence[str]], Scores]  # of texts with all names

RETRIEVAL, INEXACT, MATCHED = "retrieval", "inexact", "XM"


@dataclass(frozen=True, eq=False)
class Mentions:
    """The mentions of one type in one corpus.

    Attributes:
        name: for people, and in what is written down.
        queries: to normalise, without the exact-match rule.
        matched: the same with it; None without training documents.
        labels: the mentions and their concepts.
        candidates: (m, k) int64, the best concepts of each mention by BM25.
    """

    name: str
    queries: "Queries"
    matched: "Queries | None"
    labels: "LabelledNames"
    candidates: NDArray[np.int64]


def read_mentions(
    request: PaperStudyRequest, dictionary: "Dictionary", tick: Callable[[], None]
) -> list[Mentions]:
    """The mentions of each type of each corpus; those of no concept of the dictionary are left out.

    Raises:
        UserError: a file cannot be read, or no mention at all is of a concept of the dictionary.
    """
    from termexplorer.trainer.corpora.pubtator import read_pubtator

    with trainer_errors():
        training = tuple(document for path in request.training for document in read_pubtator(path))
        corpora = [(path, tuple(read_pubtator(path))) for path in request.corpora]
        prepared_corpora = [
            _prepare_mentions(_corpus_name(path, kind), documents, training, dictionary, kind, tick)
            for path, documents in corpora
            for kind in request.kinds or (None,)
        ]
    known = [corpus for corpus in prepared_corpora if not corpus.queries.unknown().all()]
    if prepared_corpora and not known:
        theirs = chain.from_iterable(corpus.queries.mentions for corpus in prepared_corpora)
        raise of_other_ids([corpus.name for corpus in prepared_corpora], theirs)
    return known


def _corpus_name(path: Path, kind: str | None) -> str:
    stem = path.name.split(".")[0]
    return stem if kind is None else f"{stem} {kind}"


def _prepare_mentions(
    name: str,
    documents: "tuple[Document, ...]",
    training: "tuple[Document, ...]",
    dictionary: "Dictionary",
    kind: str | None,
    tick: Callable[[], None],
) -> Mentions:
    from termexplorer.trainer.corpora.queries import MentionPreparation, prepare_queries
    from termexplorer.trainer.evaluation.candidates import bm25_candidates
    from termexplorer.trainer.text.names import LabelledNames

    kinds = None if kind is None else frozenset((kind,))
    queries, matched = (
        prepare_queries(documents, dictionary, MentionPreparation(training=examples, kinds=kinds))
        for examples in ((), training)
    )
    is_known, names = queries.gold >= 0, dictionary.names
    texts = tuple(mention.text for mention in queries.mentions)
    labels = LabelledNames(
        texts, names.classes, queries.gold_mention[is_known], queries.gold[is_known]
    )
    candidates = bm25_candidates(names, texts, tick=tick)
    return Mentions(name, queries, matched if training else None, labels, candidates)


def cosines(encoder: "Representation", names: Sequence[str]) -> "Similarity":
    """Similarities by an encoder; the names are encoded once."""
    from termexplorer.trainer.evaluation.scores import cosine_scores

    vectors = encoder.encode(names)
    return lambda texts: cosine_scores(encoder.encode(texts), vectors)


def measured(
    mentions: Mentions,
    names: "LabelledNames",
    similarity: "Similarity",
    tick: Callable[[], None],
) -> Record:
    """What each mention comes to; None for those that the dictionary has no concept of.

    Returns:
        the average precision of its candidates, the accuracy of its concept, the same where it is
        no exact match, and the accuracy with the exact-match rule where there is one.
    """
    from termexplorer.trainer.evaluation.candidates import candidate_ranking
    from termexplorer.trainer.evaluation.normalisation import normalisation
    from termexplorer.trainer.files.pairs import distinct

    queries, labels, plain = mentions.queries, mentions.labels, slice(len(mentions.labels.names))
    if mentions.matched is not None:  # most of its texts and rankings are the same
        queries = queries.joined(mentions.matched)
    texts, whole, prepared = distinct(labels.names, queries.texts)
    with trainer_errors():
        scores = similarity(texts)
        ranked = candidate_ranking(
            names,
            labels,
            lambda of, among: scores(whole[of], among),
            mentions.candidates,
            tick=tick,
        )
        items = normalisation(
            queries,
            names,
            lambda of, among: scores(prepared[of], among),
            leave_out_unknown=True,
            tick=tick,
        ).items
    values_by_metric = {RETRIEVAL: ranked.items[MAP], ACCURACY: items[ACCURACY][plain]}
    values_by_metric[INEXACT] = items[ACCURACY_INEXACT][plain]
    if mentions.matched is not None:
        values_by_metric[MATCHED] = items[ACCURACY][plain.stop :]
    return {name: exact(values.astype(np.float32)) for name, values in values_by_metric.items()}


def counts(mentions: Mentions) -> Record:
    """How many mentions there are and count, and what share of right concepts are candidates."""
    is_known, gold = mentions.queries.gold >= 0, mentions.queries.gold
    of = mentions.queries.gold_mention[is_known]
    among = (mentions.candidates[of] == gold[is_known][:, None]).any(axis=1)
    return {
        "mentions": len(mentions.queries.mentions),
        "counted": int((~mentions.queries.unknown()).sum()),
        "among candidates": float(among.mean()),
    }
