"""Ranks names by several encoders; runs in the one long-lived child that keeps them loaded."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.releases import concepts
from termexplorer.store.releases.concepts import ConceptRef
from termexplorer.texts import tr
from termexplorer.trainer.search.ties import order_shown, ranks_shown
from termexplorer.workers.compare.messages import WholeRanking, WholeRequest
from termexplorer.workers.compare.whole import WholeRankings
from termexplorer.workers.encoders.encoding import Encoders, Float32s
from termexplorer.workers.encoders.large_vectors import describe_search
from termexplorer.workers.ranking.messages import (
    RankedName,
    RankingColumn,
    RankingRequest,
    Rankings,
    RankingScope,
    Relation,
    Task,
    TermMatch,
    TermsRequest,
)
from termexplorer.workers.ranking.pool import Ints, Mask, Pool, Scores
from termexplorer.workers.ranking.release_data import ReleaseData

if TYPE_CHECKING:
    from termexplorer.trainer.search.approximate import HnswIndex
    from termexplorer.trainer.search.inverted_lists import InvertedLists

_MOST_RELEASES = 4
_FEW = 64  # names left out of a ranking that an index may still answer
_NAMES_A_CONCEPT = 20  # names looked at for each concept that is wanted


@dataclass(frozen=True, eq=False)
class _Question:
    """A request made ready: which of the pool's names are ranked, and which are right.

    Attributes:
        places: (m,) rows of the pool that are ranked.
        true: (m,) whether each is a right answer.
        relations: of concepts to the query's.
    """

    request: RankingRequest
    pool: Pool
    places: Ints
    true: Mask
    relations: dict[int, Relation]


class RankingEngine:
    """Answers ranking requests; keeps what it loaded for the next one."""

    def __init__(self, folder: Path, store: Store) -> None:
        self._folder = folder
        self._store = store
        self._encoders = Encoders(folder, store)
        self._releases: dict[int, ReleaseData] = {}
        self._whole = WholeRankings(store, self._encoders)

    def rank(self, request: RankingRequest) -> Rankings:
        """One ranking for each chosen encoder, each row with its rank in the others.

        Raises:
            UserError: an encoder or its files are not there.
        """
        pool = self._pool(request.among)
        with self._store.reading() as connection:
            question = _make_question(connection, request, pool)
        text = request.query.text
        scores = [
            pool.scores(self._encoders, encoder_id, text, question.places)
            for encoder_id in request.encoder_ids
        ]
        tops = [_top_places(question, encoder_scores) for encoder_scores in scores]
        shown = pool.concepts[question.places[np.concatenate(tops)]] if tops else np.empty(0)
        with self._store.reading() as connection:
            refs = concepts.references(connection, np.unique(shown).tolist())
        columns = [self._column(question, scores, tops, refs, n) for n in range(len(scores))]
        return Rankings(request, tuple(columns))

    def match_terms(self, request: TermsRequest) -> tuple[TermMatch, ...]:
        """The best concepts for each term, in the order of the terms.

        Raises:
            UserError: the encoder or its files are not there.
        """
        pool = self._pool(request.among)
        with self._store.reading() as connection:
            places = np.flatnonzero(
                _mask_names(connection, request.among, (request.encoder_id,), pool)
            )
        matches: list[TermMatch] = []
        for term in request.terms:
            scores = pool.scores(self._encoders, request.encoder_id, term, places)
            rows, similarities = _nearest_names(
                pool, places, scores, request.top * _NAMES_A_CONCEPT
            )
            matches += self._matches(pool, rows, similarities, term, request.top)
        return tuple(matches)

    def rank_whole(self, request: WholeRequest) -> WholeRanking:
        """One mention's whole ranking, as it is compared with those of other encoders.

        Raises:
            UserError: the encoder or its files are not there, or the name is no mention.
        """
        pool = self._pool(RankingScope((request.subject.ontology_id,)))
        return self._whole.rank(pool, request)

    def _matches(
        self, pool: Pool, rows: Ints, similarities: Float32s, term: str, wanted: int
    ) -> list[TermMatch]:
        nothing = TermMatch(term, 0, "", "", "", "", 0, 0, 0.0)
        best: dict[int, int] = {}
        for index, row in enumerate(rows.tolist()):
            best.setdefault(int(pool.concepts[row]), index)
        chosen = list(best.items())[:wanted]
        with self._store.reading() as connection:
            refs = concepts.references(connection, [concept for concept, _ in chosen])
        return [
            TermMatch(
                term=term,
                rank=number,
                text=pool.text(int(rows[index])),
                curie=refs[concept].curie,
                code=refs[concept].code,
                label=refs[concept].label,
                concept_id=concept,
                ontology_id=refs[concept].release_id,
                similarity=float(similarities[index]),
            )
            for number, (concept, index) in enumerate(chosen, start=1)
        ] or [nothing]

    def _pool(self, among: RankingScope) -> Pool:
        for release_id in among.ontology_ids:
            if release_id not in self._releases:
                self._releases[release_id] = ReleaseData(
                    self._folder, self._store, self._encoders, release_id
                )
        while len(self._releases) > max(_MOST_RELEASES, len(among.ontology_ids)):
            oldest = next(
                known_release
                for known_release in self._releases
                if known_release not in among.ontology_ids
            )
            del self._releases[oldest]
        return Pool([self._releases[ontology_id] for ontology_id in among.ontology_ids])

    def _column(
        self,
        question: _Question,
        scores: list[Scores],
        tops: list[Ints],
        refs: dict[int, ConceptRef],
        number: int,
    ) -> RankingColumn:
        score, top = scores[number], tops[number]
        ranks = [
            np.arange(1, len(top) + 1)
            if encoder_scores is score
            else ranks_shown(encoder_scores.similarities[question.places], top)
            for encoder_scores in scores
        ]
        similarities = score.of_rows(question.places[top])
        rows = [
            _make_row(
                question,
                float(similarity),
                int(position),
                refs,
                rank,
                tuple(int(other) for other in other_ranks),
            )
            for rank, (position, similarity, *other_ranks) in enumerate(
                zip(top, similarities, *ranks, strict=True), start=1
            )
        ]
        best_true_rank, tied = _best_true_rank(question, score)
        return RankingColumn(
            encoder_id=score.encoder_id,
            title=self._encoders.info(score.encoder_id).label,
            rows=tuple(rows),
            best_true_rank=best_true_rank,
            candidates=len(question.places),
            note=_describe_method(question, score),
            empty_query=score.empty,
            tied=tied,
        )


def _make_question(connection: Connection, request: RankingRequest, pool: Pool) -> _Question:
    among, concept_id = request.among, request.query.concept_id
    keep = _mask_names(connection, among, request.encoder_ids, pool)
    relations = _relations_of_concept(connection, concept_id)
    if request.task is Task.HYPERNYMS:
        right = {i for i, r in relations.items() if r in (Relation.ANCESTOR, Relation.SYNONYM)}
    else:
        keep &= pool.without(request.query)
        right = {concept_id} if concept_id is not None else set()
    places = np.flatnonzero(keep)
    true = np.isin(pool.concepts[places], np.array(sorted(right), np.int64))
    return _Question(request, pool, places, true, relations)


def _mask_names(
    connection: Connection, among: RankingScope, encoder_ids: tuple[int, ...], pool: Pool
) -> Mask:
    keep = pool.among(connection, among, encoder_ids)
    if among.level is not None:
        on_level = pool.on_level(among.root_id, among.level)
        if not on_level.any():
            raise UserError(
                tr("level {level} is empty: no concept is on it; choose another", level=among.level)
            )
        keep &= on_level
    return keep


def _relations_of_concept(connection: Connection, concept_id: int | None) -> dict[int, Relation]:
    if concept_id is None:
        return {}
    relations = dict.fromkeys(concepts.siblings(connection, concept_id), Relation.SIBLING)
    relations |= dict.fromkeys(concepts.descendants(connection, concept_id), Relation.DESCENDANT)
    relations |= dict.fromkeys(concepts.ancestors(connection, concept_id), Relation.ANCESTOR)
    return relations | {concept_id: Relation.SYNONYM}


def _top_places(question: _Question, score: Scores) -> Ints:
    """Places of the most similar names, the best first."""
    wanted = 0 if score.empty else min(question.request.top, len(question.places))
    index = _usable_index(question, score)
    if index is None or score.vector is None or not wanted:
        return order_shown(score.similarities[question.places], wanted)
    left_out = len(question.pool.concepts) - len(question.places)
    rows, _ = index.query(score.vector, wanted + left_out)
    places = np.searchsorted(question.places, rows)
    is_valid = (places < len(question.places)) & (
        question.places[np.minimum(places, len(question.places) - 1)] == rows
    )
    top: Ints = places[is_valid][:wanted]
    return top


def _usable_index(question: _Question, score: Scores) -> "HnswIndex | InvertedLists | None":
    """The index that may answer: of one release, all of whose names but a few are ranked."""
    pool = question.pool
    left_out = len(pool.concepts) - len(question.places)
    if question.request.task is Task.HYPERNYMS or left_out > _FEW or len(pool.releases) != 1:
        return None
    index = None if score.vector is None else pool.releases[0].index(score.encoder_id)
    return index if index is not None and index.recall >= index.goal else None


def _nearest_names(pool: Pool, places: Ints, score: Scores, wanted: int) -> tuple[Ints, Float32s]:
    """Return the rows of the names that are nearest, among ``places``, and their similarities."""
    if score.empty:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    index = None
    if score.vector is not None and len(pool.releases) == 1 and len(places) == len(pool.concepts):
        index = pool.releases[0].index(score.encoder_id)
    if score.matrix is not None and index is not None and score.vector is not None:
        return index.query(score.vector, wanted)
    similarities = score.similarities[places]
    order = order_shown(similarities, wanted)
    return places[order], similarities[order]


def _describe_method(question: _Question, score: Scores) -> str:
    """How this ranking was found."""
    vectors = None
    if score.vector is not None and len(question.pool.releases) == 1:
        vectors = question.pool.releases[0].vectors(score.encoder_id)
    return describe_search(vectors, _usable_index(question, score))


def _best_true_rank(question: _Question, score: Scores) -> tuple[int | None, int]:
    """Return the rank of the best true name, as the list has it, and how many are as similar."""
    if score.empty or not question.true.any():
        return None, 1
    similarities = score.similarities[question.places]
    true_places = np.flatnonzero(question.true)
    best = true_places[order_shown(similarities[true_places], 1)]
    tied = np.count_nonzero(similarities == similarities[best])
    return int(ranks_shown(similarities, best)[0]), int(tied)


def _make_row(
    question: _Question,
    similarity: float,
    position: int,
    refs: dict[int, ConceptRef],
    rank: int,
    ranks: tuple[int, ...],
) -> RankedName:
    row = int(question.places[position])
    concept = refs[int(question.pool.concepts[row])]
    return RankedName(
        rank=rank,
        name_id=int(question.pool.names[row]),
        text=question.pool.text(row),
        concept_id=concept.id,
        curie=concept.curie,
        code=concept.code,
        ontology_id=concept.release_id,
        similarity=similarity,
        relation=question.relations.get(concept.id, Relation.NONE),
        true=bool(question.true[position]),
        ranks=ranks,
    )
