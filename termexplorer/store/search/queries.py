"""The search box: names, codes and cross-references; a few hundred candidates, then ranked.

Ranking inside FTS5 takes tens of milliseconds on common words, so candidates are fetched unranked,
from the strictest kind of match to the loosest, and at most 500 are ranked here. The index has its
time too: rare among millions of names may be what is common in each of its parts.
"""

import re
import time
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from operator import itemgetter

from termexplorer.store.database.raw_sql import Deadline, PlainConnection, SqlReader, rows_until
from termexplorer.store.indexes.folding import code_key, fold_text, fold_with_offsets, same_prefix
from termexplorer.store.indexes.fulltext import LONGEST_PREFIX
from termexplorer.store.indexes.search_keys import CODE, FOLDED_INDEX
from termexplorer.store.releases.concepts import references

MOST_CANDIDATES = 500
MOST_KEYED = 50  # concepts of one code or cross-reference
_SHORTEST_INSIDE = 3  # letters; trigrams know nothing shorter
# Seconds of its own work after which a search of a release stops gathering what starts with long
# words, looking for starts of words, and looking inside words. What it found by then it keeps.
_UNTIL_GATHERED, _UNTIL_STARTING, _UNTIL_INSIDE = 0.008, 0.018, 0.024
_WORD = re.compile(r"[^\W_]+")


class Match(IntEnum):
    """How a text answers a query, the strictest first."""

    EXACT = 0
    CODE = 1  # a code but for its punctuation, or a cross-reference
    PREFIX = 2
    WORD_START = 3
    INSIDE = 4


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


_Candidate = tuple[str, int]
"""A text and its concept's id."""


class _Typed:
    """A query as texts are compared with it.

    Attributes:
        query: what was typed, its accents composed as those of names are when they are imported.
        words: those of it, folded.
        plain_words: those of it as the indexes of names have them, which fold less.
    """

    def __init__(self, query: str) -> None:
        self.query = unicodedata.normalize("NFC", query.strip())
        self._whole = fold_text(self.query)
        self._exact = (self._whole, self._whole.partition(":")[2])
        self.words = _WORD.findall(self._whole)
        self.plain_words = [_fold_text(word) for word in _WORD.findall(self.query)]

    def match(self, folded: str) -> Match | None:
        """How a folded text answers."""
        if folded in self._exact or folded.partition(":")[2] == self._whole:
            return Match.EXACT
        if folded.startswith(self._whole):
            return Match.PREFIX
        if self.starts(folded):
            return Match.WORD_START
        if all(word in folded for word in self.words):
            return Match.INSIDE
        return None

    def starts(self, folded: str) -> bool:
        """Whether each word starts a word of a folded text."""
        return all(_word_start(folded, word) >= 0 for word in self.words)

    def spans(self, text: str) -> tuple[tuple[int, int], ...]:
        """Where the words are in a text: at a word's start if that is possible."""
        word_spans = set()
        folded, offsets = fold_with_offsets(text)
        for word in self.words:
            at = _word_start(folded, word)
            at = folded.find(word) if at < 0 else at
            if at >= 0:
                word_spans.add((offsets[at], offsets[at + len(word) - 1] + 1))
        return tuple(sorted(word_spans))


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
    typed = _Typed(query)
    if not typed.words:
        return SearchResult((), False)
    candidates, cut = _find_candidates(connection, typed, release_ids, limit)
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


def find_by_key(
    connection: SqlReader, code: str, release_ids: Iterable[int], kinds: str = "%"
) -> Iterator[_Candidate]:
    """Find concepts by a code without its punctuation (E119), or by a cross-reference.

    Args:
        connection: the store.
        code: with a prefix, or without.
        release_ids: the releases to look in.
        kinds: `code`, `reference`, or `%` for both.

    Yields:
        The code or cross-reference as the release has it, and the id of its concept.
    """
    key = "" if re.search(r"\s", code) else code_key(code)
    for release_id in release_ids if key else ():
        values = (release_id, key, kinds, release_id, key, kinds, MOST_KEYED)
        for text, concept_id, curie, kind in connection.exec_driver_sql(_BY_KEY, values):
            prefixed = [
                spelling
                for spelling in ((text, curie) if kind == CODE else (text,))
                if ":" in spelling
            ]
            if not prefixed or any(same_prefix(code, spelling) for spelling in prefixed):
                yield text, concept_id


def split_words(query: str) -> list[str]:
    """Return the words of a query, folded."""
    return _Typed(query).words


def concepts_with(connection: SqlReader, query: str, release_id: int) -> set[int]:
    """All concepts of a release that have a text with every word of a query in it.

    Names, codes and alternative ids count, as in `search`; but none is left out because there are
    many.
    """
    words = _Typed(query).words
    if not words:
        return set()
    rows = connection.exec_driver_sql(_TEXTS, (release_id, release_id))
    folded = ((concept_id, fold_text(text)) for concept_id, text in rows)
    return {concept_id for concept_id, text in folded if all(word in text for word in words)}


_TEXTS = """
SELECT concept_id, text FROM name WHERE release_id = ?
UNION ALL SELECT concept_id, text FROM identifier WHERE release_id = ?"""


def _find_candidates(
    connection: PlainConnection, typed: _Typed, release_ids: list[int], enough: int
) -> tuple[Iterable[_Candidate], bool]:
    """Candidates, and whether there may be more.

    They are looked for inside words only where their starts give fewer than `enough` concepts: what
    is found inside words comes last, so that no more of it would be shown.
    """
    candidates: dict[_Candidate, None] = {}
    cut = False
    for release_id in release_ids:
        indexed = _Indexed(connection, typed, release_id)
        for inside, rows in (
            (False, _find_beginning(connection, typed.query, release_id)),
            (False, indexed.starting()),
            (True, indexed.inside()),
        ):
            if inside and len({concept_id for _, concept_id in candidates}) >= enough:
                break
            for candidate in rows:
                candidates[candidate] = None
                if len(candidates) >= MOST_CANDIDATES:
                    return candidates, True
        cut = cut or indexed.cut
    return candidates, cut


def _find_beginning(connection: SqlReader, query: str, release_id: int) -> Iterable[_Candidate]:
    """Texts that begin with the query (exact ones are among them), and a CURIE typed whole."""
    _, colon, local = query.partition(":")
    if colon and local:
        row = connection.exec_driver_sql(_BY_CURIE, (release_id, query)).fetchone()
        if row:
            yield row
    for table in ("identifier", "sorted_name"):
        values = (release_id, query, query + "\U0010ffff", MOST_CANDIDATES)
        yield from connection.exec_driver_sql(_BEGINNING.format(table=table), values)


# An IRI that no prefix stands for is told whole: its code, the end of it, does not answer it.
_BY_CURIE = """
SELECT iif(instr(c.curie, '://'), c.curie, i.text), c.id
FROM concept c JOIN identifier i ON i.concept_id = c.id AND i.kind = 'code'
WHERE c.release_id = ? AND c.curie = ? COLLATE NOCASE"""

_BY_KEY = """
SELECT k.text, c.id, c.curie, k.kind FROM lookup_key k JOIN concept c ON c.id = k.concept_id
WHERE k.release_id = ? AND k.key = ? AND k.kind LIKE ?
UNION ALL
SELECT i.text, c.id, c.curie, 'code' FROM identifier i JOIN concept c ON c.id = i.concept_id
WHERE i.release_id = ? AND i.text = ? COLLATE NOCASE AND 'code' LIKE ?
LIMIT ?"""

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

    def __init__(self, connection: PlainConnection, typed: _Typed, release_id: int) -> None:
        self.cut = False
        self._connection = connection
        self._typed = typed
        self._release_id = release_id
        self._start = time.thread_time()

    def starting(self) -> Iterable[_Candidate]:
        """Texts with words that start with those typed.

        The index gathers all that starts with more letters than it has prefixes of, which takes
        long where that is much. Then texts with the shorter prefixes, which it has, are looked
        through: not for long, as much was to be gathered.
        """
        words = self._typed.plain_words
        short = [word[:LONGEST_PREFIX] for word in words]
        gathered = self._until(_UNTIL_STARTING if short == words else _UNTIL_GATHERED)
        yield from self._folded(gathered)
        yield from self._rows("search_words", _word_query(words), gathered)
        self.cut = gathered.missed
        if gathered.missed and short != words:
            looked = self._until(_UNTIL_STARTING)
            rows = self._rows("search_words", _word_query(short), looked)
            yield from (row for row in rows if self._typed.starts(fold_text(row[0])))
            self.cut = looked.missed

    def _folded(self, deadline: Deadline) -> Iterable[_Candidate]:
        """Texts that have the folded words, as they are written or as they are folded."""
        folded = _word_query(self._typed.words)
        if self._typed.words != self._typed.plain_words:
            yield from self._rows("search_words", folded, deadline)
        yield from self._rows(FOLDED_INDEX, folded, deadline)

    def inside(self) -> Iterable[_Candidate]:
        """Texts that have what was typed, also inside their words."""
        if match := _trigram_query(self._typed.plain_words):
            deadline = self._until(_UNTIL_INSIDE)
            yield from self._rows("search_trigrams", match, deadline)
            self.cut = self.cut or deadline.missed

    def _until(self, seconds: float) -> Deadline:
        return Deadline(self._start + seconds)

    def _rows(self, index: str, match: str, deadline: Deadline) -> Iterable[_Candidate]:
        values = match, self._release_id
        return rows_until(self._connection, deadline, _INDEXED.format(index=index), values)


def _word_query(words: list[str]) -> str:
    return " AND ".join(f'"{word}"*' for word in words)


def _trigram_query(words: list[str]) -> str:
    # shorter words are looked for in the texts that hold the longer ones
    return " AND ".join(f'"{word}"' for word in words if len(word) >= _SHORTEST_INSIDE)


def _word_start(folded: str, word: str) -> int:
    """Where a word of a text starts with `word`, or -1."""
    at = folded.find(word)
    while at > 0 and folded[at - 1].isalnum():
        at = folded.find(word, at + 1)
    return at


def _fold_text(text: str) -> str:
    """Lower case without diacritics: as the index of words has it."""
    if text.isascii():
        return text.lower()
    return "".join(_fold_character(character) for character in text)


def _fold_character(character: str) -> str:
    if character.isascii():
        return character.lower()
    base = unicodedata.normalize("NFD", character)[0].lower()
    return base if len(base) == 1 else character


def _best_by_concept(candidates: Iterable[_Candidate], typed: _Typed) -> dict[int, _Ranked]:
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


def _make_hits(connection: SqlReader, best: dict[int, _Ranked], typed: _Typed) -> list[Hit]:
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
