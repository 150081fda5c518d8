"""The search box: names, codes and alternative ids; a few hundred candidates, then ranked.

Ranking inside FTS5 takes tens of milliseconds on common words, so candidates are fetched unranked,
from the strictest kind of match to the loosest, and at most 500 are ranked here. The index has its
time too: rare among millions of names may be what is common in each of its parts.
"""

import re
import time
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice

from termexplorer.store.concepts import references
from termexplorer.store.fulltext import LONGEST_PREFIX
from termexplorer.store.looking import Deadline, PlainConnection, Reader, rows_until

MOST_CANDIDATES = 500
_SHORTEST_INSIDE = 3  # letters; trigrams know nothing shorter
# Seconds of its own work after which a search of a release stops gathering what starts with long
# words, looking for starts of words, and looking inside words. What it found by then it keeps.
_UNTIL_GATHERED, _UNTIL_STARTING, _UNTIL_INSIDE = 0.008, 0.018, 0.024
_WORD = re.compile(r"[^\W_]+")


class Match(IntEnum):
    """How a text answers a query, the strictest first."""

    EXACT = 0
    PREFIX = 1
    WORD_START = 2
    INSIDE = 3


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


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    concept_id: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        hits: the best first.
        cut: whether not all that may answer was looked at, as there is so much of it.
    """

    hits: tuple[Hit, ...]
    cut: bool


def search(connection: PlainConnection, query: str, release_ids: list[int], limit: int) -> Found:
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
    words = [_folded(word) for word in _WORD.findall(query)]
    if not words:
        return Found((), False)
    ranked: list[tuple[tuple[int, int, str], _Candidate, Match]] = []
    candidates, cut = _candidates(connection, query.strip(), words, release_ids, limit)
    for candidate in candidates:
        match = _match(candidate.text, query, words)
        if match is not None:
            key = (int(match), len(candidate.text), candidate.text)
            ranked.append((key, candidate, match))
    ranked.sort(key=lambda item: item[0])
    return Found(tuple(_grouped(connection, ranked, words, limit)), cut)


def concepts_with(connection: Reader, query: str, release_id: int) -> set[int]:
    """All concepts of a release that have a text with every word of a query in it.

    Names, codes and alternative ids count, as in `search`; but none is left out because there are
    many.
    """
    words = [_folded(word) for word in _WORD.findall(query)]
    if not words:
        return set()
    rows = connection.exec_driver_sql(_TEXTS, (release_id, release_id))
    folded = ((concept_id, _folded(text)) for concept_id, text in rows)
    return {each for each, text in folded if all(word in text for word in words)}


_TEXTS = """
SELECT concept_id, text FROM name WHERE release_id = ?
UNION ALL SELECT concept_id, text FROM identifier WHERE release_id = ?"""


def _candidates(
    connection: PlainConnection, query: str, words: list[str], release_ids: list[int], enough: int
) -> tuple[Iterable[_Candidate], bool]:
    """Candidates, and whether there may be more.

    They are looked for inside words only where their starts give fewer than `enough` concepts: what
    is found inside words comes last, so that no more of it would be shown.
    """
    found: dict[tuple[str, int], _Candidate] = {}
    cut = False
    for release_id in release_ids:
        indexed = _Indexed(connection, words, release_id)
        for inside, rows in (
            (False, _beginning(connection, query, release_id)),
            (False, indexed.starting()),
            (True, indexed.inside()),
        ):
            if inside and len({concept_id for _, concept_id in found}) >= enough:
                break
            for candidate in rows:
                found.setdefault((candidate.text, candidate.concept_id), candidate)
                if len(found) >= MOST_CANDIDATES:
                    return found.values(), True
        cut = cut or indexed.cut
    return found.values(), cut


def _beginning(connection: Reader, query: str, release_id: int) -> Iterable[_Candidate]:
    """Texts that begin with the query (exact ones are among them), and a CURIE typed whole."""
    _, colon, local = query.partition(":")
    if colon and local:
        row = connection.exec_driver_sql(_BY_CURIE, (release_id, query)).fetchone()
        if row:
            yield _Candidate(*row)
    for table in ("identifier", "name"):
        values = (release_id, query, query + "\U0010ffff", MOST_CANDIDATES)
        for row in connection.exec_driver_sql(_BEGINNING.format(table=table), values):
            yield _Candidate(*row)


_BY_CURIE = """
SELECT i.text, c.id FROM concept c JOIN identifier i ON i.concept_id = c.id AND i.kind = 'code'
WHERE c.release_id = ? AND c.curie = ? COLLATE NOCASE"""

_BEGINNING = """
SELECT text, concept_id FROM {table}
WHERE release_id = ? AND text COLLATE NOCASE >= ? AND text COLLATE NOCASE < ?
ORDER BY text COLLATE NOCASE LIMIT ?"""

# The plus signs keep the planner from starting at the release: the index must lead.
_INDEXED = """
SELECT coalesce(n.text, i.text), coalesce(n.concept_id, i.concept_id)
FROM {index} f
LEFT JOIN name n ON n.id = f.rowid >> 1 AND NOT f.rowid & 1
LEFT JOIN identifier i ON i.id = f.rowid >> 1 AND f.rowid & 1
WHERE f.text MATCH ? AND +coalesce(n.release_id, i.release_id) = ?"""


class _Indexed:
    """What the indexes have of a release, for as long as there is time.

    Attributes:
        cut: whether there was too little, so that there may be more.
    """

    def __init__(self, connection: PlainConnection, words: list[str], release_id: int) -> None:
        self.cut = False
        self._connection = connection
        self._words = words
        self._release_id = release_id
        self._start = time.thread_time()

    def starting(self) -> Iterable[_Candidate]:
        """Texts with words that start with those typed.

        The index gathers all that starts with more letters than it has prefixes of, which takes
        long where that is much. Then texts with the shorter prefixes, which it has, are looked
        through: not for long, as much was to be gathered.
        """
        short = [word[:LONGEST_PREFIX] for word in self._words]
        gathered = self._until(_UNTIL_STARTING if short == self._words else _UNTIL_GATHERED)
        yield from self._rows("search_words", _word_query(self._words), gathered)
        self.cut = gathered.missed
        if gathered.missed and short != self._words:
            looked = self._until(_UNTIL_STARTING)
            rows = self._rows("search_words", _word_query(short), looked)
            yield from (each for each in rows if _starts(each.text, self._words))
            self.cut = looked.missed

    def inside(self) -> Iterable[_Candidate]:
        """Texts that have what was typed, also inside their words."""
        if match := _trigram_query(self._words):
            deadline = self._until(_UNTIL_INSIDE)
            yield from self._rows("search_trigrams", match, deadline)
            self.cut = self.cut or deadline.missed

    def _until(self, seconds: float) -> Deadline:
        return Deadline(self._start + seconds)

    def _rows(self, index: str, match: str, deadline: Deadline) -> Iterable[_Candidate]:
        values = match, self._release_id
        for row in rows_until(self._connection, deadline, _INDEXED.format(index=index), values):
            yield _Candidate(*row)


def _word_query(words: list[str]) -> str:
    return " AND ".join(f'"{word}"*' for word in words)


def _trigram_query(words: list[str]) -> str:
    # shorter words are looked for in the texts that hold the longer ones
    return " AND ".join(f'"{word}"' for word in words if len(word) >= _SHORTEST_INSIDE)


def _match(text: str, query: str, words: list[str]) -> Match | None:
    folded, typed = _folded(text), _folded(query.strip())
    if folded in (typed, typed.partition(":")[2]) or folded.partition(":")[2] == typed:
        return Match.EXACT
    if folded.startswith(typed):
        return Match.PREFIX
    if _starts(folded, words):
        return Match.WORD_START
    if all(word in folded for word in words):
        return Match.INSIDE
    return None


def _starts(text: str, words: list[str]) -> bool:
    """Whether each word starts a word of a text."""
    starts = _WORD.findall(_folded(text))
    return all(any(start.startswith(word) for start in starts) for word in words)


def _folded(text: str) -> str:
    """Lower case without diacritics, one character for each of `text` where that is possible."""
    if text.isascii():
        return text.lower()
    return "".join(_fold_character(character) for character in text)


def _fold_character(character: str) -> str:
    if character.isascii():
        return character.lower()
    base = unicodedata.normalize("NFD", character)[0].lower()
    return base if len(base) == 1 else character


def _spans(text: str, words: list[str]) -> tuple[tuple[int, int], ...]:
    """Where the words are found: at a word's start if that is possible, else inside."""
    folded = _folded(text)
    found = set()
    for word in words:
        at = next((m.start() for m in _WORD.finditer(folded) if m.group().startswith(word)), -1)
        at = folded.find(word) if at < 0 else at
        if at >= 0:
            found.add((at, at + len(word)))
    return tuple(sorted(found))


def _grouped(
    connection: Reader,
    ranked: list[tuple[tuple[int, int, str], _Candidate, Match]],
    words: list[str],
    limit: int,
) -> list[Hit]:
    best: dict[int, tuple[_Candidate, Match]] = {}
    counts: dict[int, int] = {}
    for _, candidate, match in ranked:
        best.setdefault(candidate.concept_id, (candidate, match))
        counts[candidate.concept_id] = counts.get(candidate.concept_id, 0) + 1
    best = dict(islice(best.items(), limit))
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
            match=match,
            spans=_spans(candidate.text, words),
            more=counts[concept_id] - 1,
        )
        for concept_id, (candidate, match) in best.items()
    ]
    hits.sort(key=lambda hit: (hit.match, hit.obsolete))  # stable: the order stays otherwise
    return hits
