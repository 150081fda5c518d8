"""Texts that may answer a query, from the strictest kind of match to the loosest."""

import re
import time
from collections.abc import Iterable, Iterator
from itertools import islice

from termexplorer.store.database.raw_sql import Deadline, PlainConnection, SqlReader, rows_until
from termexplorer.store.indexes.folding import code_key, fold_text, same_prefix
from termexplorer.store.indexes.fulltext import LONGEST_PREFIX
from termexplorer.store.indexes.search_keys import CODE, FOLDED_INDEX
from termexplorer.store.search.typed_query import TypedQuery

MOST_CANDIDATES = 500
MOST_KEYED = 50  # concepts of one code or cross-reference
_SHORTEST_INSIDE = 3  # letters; trigrams know nothing shorter
# Seconds of its own work after which a search of a release stops gathering what starts with long
# words, looking for starts of words, and looking inside words. What it found by then it keeps.
_UNTIL_GATHERED, _UNTIL_STARTING, _UNTIL_INSIDE = 0.008, 0.018, 0.024
_UNTIL_RAREST = 0.036  # where all that found nothing, and not all was looked through
_RARE = 2_000  # names, which are looked through then

Candidate = tuple[str, int]
"""A text and its concept's id."""


def find_by_key(
    connection: SqlReader, code: str, release_ids: Iterable[int], kinds: str = "%"
) -> Iterator[Candidate]:
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


def find_candidates(
    connection: PlainConnection, typed: TypedQuery, release_ids: list[int], enough: int
) -> tuple[Iterable[Candidate], bool]:
    """Return candidates, and whether there may be more.

    They are looked for inside words only where their starts give fewer than `enough` concepts: what
    is found inside words comes last, so that no more of it would be shown.
    """
    candidates: dict[Candidate, None] = {}
    cut = False
    for release_id in release_ids:
        indexed = IndexedTexts(connection, typed, release_id)
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
        if indexed.cut and not candidates:
            candidates |= dict.fromkeys(indexed.with_rarest_word())
        cut = cut or indexed.cut
    return candidates, cut


def _find_beginning(connection: SqlReader, query: str, release_id: int) -> Iterable[Candidate]:
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


_COUNT_OF_WORD = "SELECT names FROM name_word WHERE release_id = ? AND word = ?"


class IndexedTexts:
    """What the indexes have of a release, for as long as there is time.

    Attributes:
        cut: whether there was too little, so that there may be more.
    """

    def __init__(self, connection: PlainConnection, typed: TypedQuery, release_id: int) -> None:
        self.cut = False
        self._connection = connection
        self._typed = typed
        self._release_id = release_id
        self._start = time.thread_time()

    def starting(self) -> Iterable[Candidate]:
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

    def _folded(self, deadline: Deadline) -> Iterable[Candidate]:
        """Texts that have the folded words, as they are written or as they are folded."""
        folded = _word_query(self._typed.words)
        if self._typed.words != self._typed.plain_words:
            yield from self._rows("search_words", folded, deadline)
        yield from self._rows(FOLDED_INDEX, folded, deadline)

    def inside(self) -> Iterable[Candidate]:
        """Texts that have what was typed, also inside their words."""
        if match := _trigram_query(self._typed.plain_words):
            deadline = self._until(_UNTIL_INSIDE)
            yield from self._rows("search_trigrams", match, deadline)
            self.cut = self.cut or deadline.missed

    def with_rarest_word(self) -> Iterator[Candidate]:
        """Texts with the rarest of the words that were typed whole, where that is rare enough.

        Of words that are frequent each, the index finds the few texts with all of them too late.
        """
        counts = [
            (names, plain)
            for word, plain in zip(self._typed.words, self._typed.plain_words, strict=False)
            for (names,) in self._connection.execute(_COUNT_OF_WORD, (self._release_id, word))
        ]
        names, word = min(counts, default=(_RARE + 1, ""))
        if names <= _RARE:
            rows = self._rows("search_words", f'"{word}"', self._until(_UNTIL_RAREST))
            matching = (row for row in rows if self._typed.match(fold_text(row[0])) is not None)
            yield from islice(matching, MOST_CANDIDATES)

    def _until(self, seconds: float) -> Deadline:
        return Deadline(self._start + seconds)

    def _rows(self, index: str, match: str, deadline: Deadline) -> Iterable[Candidate]:
        values = match, self._release_id
        return rows_until(self._connection, deadline, _INDEXED.format(index=index), values)


def _word_query(words: list[str]) -> str:
    return " AND ".join(f'"{word}"*' for word in words)


def _trigram_query(words: list[str]) -> str:
    # shorter words are looked for in the texts that hold the longer ones
    return " AND ".join(f'"{word}"' for word in words if len(word) >= _SHORTEST_INSIDE)
