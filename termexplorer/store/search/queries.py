"""The search box: names, codes and cross-references; a few hundred candidates, then ranked.

Ranking inside FTS5 takes tens of milliseconds on common words, so candidates are fetched unranked,
from the strictest kind of match to the loosest, and at most 500 are ranked here. The index has its
time too: rare among millions of names may be what is common in each of its parts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

from termexplorer.store.database.raw_sql import PlainConnection, SqlReader
from termexplorer.store.indexes.folding import fold_text
from termexplorer.store.releases.concepts import references
from termexplorer.store.search.candidates import Candidate, find_by_key, find_candidates
from termexplorer.store.search.typed_query import Match, TypedQuery


@dataclass(frozen=True, slots=True)
class Hit:
    """A concept that answers a query, with its best matching text.

    Attributes:
        spans: (start, end) of what was found in `text`, in characters.
        more: how many other texts of the concept match, of those that were ranked.
    """

    concept_id: int
    release_id: int
    curie: str
    code: str
    label: str
    obsolete: bool
    text: str
    match: Match
    spans: tuple[tuple[int, int], ...]
    more: int


@dataclass(slots=True)
class _Ranked:
    """The best text of a concept, and how many have matched."""

    text: str
    match: Match
    texts: int = 0


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found.

    Attributes:
        hits: the best first.
        cut: whether not all that may answer was looked at, as there is so much of it.
        near: what was searched for instead, as nothing answers the query itself; usually empty.
        missing: codes of a list of codes that no concept has.
    """

    hits: tuple[Hit, ...]
    cut: bool
    near: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def search(
    connection: PlainConnection, query: str, release_ids: list[int], limit: int
) -> SearchResult:
    """Concepts whose names, codes or alternative ids answer `query`.

    Every word of the query must start or be inside a word of the text, in any order. Among millions
    of names not all may be found: looking inside words, and for starts of words that very many
    words have, ends after some hundredths of a second. Texts that begin with the query all count.

    Args:
        connection: the store.
        query: what was typed.
        release_ids: the releases to look in.
        limit: the most concepts to return.
    """
    typed = TypedQuery(query)
    if not typed.words:
        return SearchResult((), False)
    candidates, cut = find_candidates(connection, typed, release_ids, limit)
    best = _best_by_concept(candidates, typed)
    keyed = {
        concept_id: _Ranked(text, Match.CODE, 1)
        for text, concept_id in find_by_key(connection, typed.query, release_ids)
        if concept_id not in best or best[concept_id].match > Match.CODE
    }
    best = keyed | {
        candidate: ranked for candidate, ranked in best.items() if candidate not in keyed
    }
    best = dict(islice(best.items(), limit))
    return SearchResult(tuple(_make_hits(connection, best, typed)), cut)


def split_words(query: str) -> list[str]:
    """Return the words of a query, folded."""
    return TypedQuery(query).words


def concepts_with(connection: SqlReader, query: str, release_id: int) -> set[int]:
    """All concepts of a release that have a text with every word of a query in it.

    Names, codes and alternative ids count, as in `search`; but none is left out because there are
    many.
    """
    words = TypedQuery(query).words
    if not words:
        return set()
    rows = connection.exec_driver_sql(_TEXTS, (release_id, release_id))
    folded = ((concept_id, fold_text(text)) for concept_id, text in rows)
    return {concept_id for concept_id, text in folded if all(word in text for word in words)}


_TEXTS = """
SELECT concept_id, text FROM name WHERE release_id = ?
UNION ALL SELECT concept_id, text FROM identifier WHERE release_id = ?"""


def _best_by_concept(candidates: Iterable[Candidate], typed: TypedQuery) -> dict[int, _Ranked]:
    """Concept -> the best of its texts that match; the best concept first."""
    ranked = []
    for text, concept_id in candidates:
        match = typed.match(fold_text(text))
        if match is not None:
            ranked.append((match, len(text), text, concept_id))
    ranked.sort(key=itemgetter(0, 1, 2))
    best: dict[int, _Ranked] = {}
    for match, _, text, concept_id in ranked:
        if concept_id not in best:
            best[concept_id] = _Ranked(text, match)
        best[concept_id].texts += 1
    return best


def _make_hits(connection: SqlReader, best: dict[int, _Ranked], typed: TypedQuery) -> list[Hit]:
    chosen = references(connection, list(best))
    hits = [
        Hit(
            concept_id=concept_id,
            release_id=chosen[concept_id].release_id,
            curie=chosen[concept_id].curie,
            code=chosen[concept_id].code,
            label=chosen[concept_id].label,
            obsolete=chosen[concept_id].obsolete,
            text=candidate.text,
            match=candidate.match,
            spans=typed.spans(candidate.text),
            more=candidate.texts - 1,
        )
        for concept_id, candidate in best.items()
    ]
    hits.sort(key=lambda hit: (hit.match, hit.obsolete))  # stable: the order stays otherwise
    return hits
