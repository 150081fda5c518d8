"""What is searched for where nothing answers a query: its nearest words, or fewer of them.

A word that no name has is compared with the words of all names by edit distance (a transposition
is one edit). What is found is near, not equal; `Found.near` says what was searched for instead.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product, zip_longest

from termexplorer.store.database.raw_sql import Deadline, PlainConnection, rows_until
from termexplorer.store.indexes.folding import code_key
from termexplorer.store.search.candidates import find_by_key
from termexplorer.store.search.queries import Hit, SearchResult, search, split_words

_MOST_QUERIES = 8  # that are searched for instead of one, of those that are as near
_MOST_CORRECTIONS = 12  # of those with other words, in all
_MOST_WORDS = 8  # of a query that are compared
_ALTERNATIVES = 6  # of a word
_SHORTEST = 4  # letters of a word that is compared
_SHORTEST_CODE = 3
_SECONDS = 0.15  # of reading words; more than some hundred thousand are not all compared
_WORDS = "SELECT word, names FROM name_word WHERE release_id = ?"
_KNOWN = "SELECT 1 FROM name_word WHERE release_id = ? AND word >= ? AND word < ? LIMIT 1"

Query = tuple[str, ...]
"""The words that are searched for."""


def search_near(
    connection: PlainConnection, query: str, release_ids: Sequence[int], limit: int
) -> SearchResult:
    """Search for what is nearest to a query that nothing answers.

    Args:
        connection: the store.
        query: what was typed.
        release_ids: the releases to look in.
        limit: the most concepts to return.

    Returns:
        What was found with the fewest edits, or else with some of the words; nothing if nothing
        is near.
    """
    ids = list(release_ids)
    if shorter := _shorter_code(connection, query, ids):
        return replace(search(connection, shorter, ids, limit), near=(shorter,))
    words = split_words(query)[:_MOST_WORDS]
    vocabulary = _Vocabulary(connection, ids)
    last = len(words) - 1
    choices = [vocabulary.alternatives(word, last=n == last) for n, word in enumerate(words)]
    groups = list(_first_queries(_correct_words(words, choices), _MOST_CORRECTIONS))
    if any(map(str.isspace, query.strip())):  # of a code no part is meant
        groups += _fewer_words(words, choices)
    for queries in groups:
        texts = [" ".join(query_words) for query_words in queries]
        answers = {text: search(connection, text, ids, limit) for text in texts}
        answers = {text: answer for text, answer in answers.items() if answer.hits}
        if answers:
            hits = _in_turn([answer.hits for answer in answers.values()], limit)
            return SearchResult(
                hits, any(answer.cut for answer in answers.values()), tuple(answers)
            )
    return SearchResult((), False)


def _shorter_code(connection: PlainConnection, query: str, release_ids: list[int]) -> str:
    """Return the code that a longer one begins with: E11.9 for E11.95."""
    key = "" if any(map(str.isspace, query.strip())) else code_key(query.strip())
    if not key or key.isalpha() or "://" in query:
        return ""
    for length in (len(key) - 1, len(key) - 2):
        if length >= _SHORTEST_CODE and key[:length] != key:
            for text, _ in find_by_key(connection, key[:length], release_ids, "code"):
                return text
    return ""


def _first_queries(groups: Iterable[list[Query]], most: int) -> Iterator[list[Query]]:
    """Yield groups until they have so many queries, the last of them in part."""
    for queries in groups:
        yield queries[:most]
        most -= len(queries)
        if most <= 0:
            break


def _correct_words(words: list[str], choices: list[list[tuple[int, str]]]) -> Iterator[list[Query]]:
    """Yield queries with other words, those with the fewest edits first, equals together."""
    joined = [(*words[:n], words[n] + words[n + 1], *words[n + 2 :]) for n in range(len(words) - 1)]
    if joined:
        yield joined
    if not all(choices):
        return
    most = 3 if len(words) > 4 else _ALTERNATIVES
    ranked: dict[int, list[Query]] = {}
    for combination in product(*(options[:most] for options in choices)):
        query = tuple(word for _, word in combination)
        if query != tuple(words):
            ranked.setdefault(sum(edits for edits, _ in combination), []).append(query)
    for edits in sorted(ranked):
        yield ranked[edits][:_MOST_QUERIES]


def _fewer_words(words: list[str], choices: list[list[tuple[int, str]]]) -> Iterator[list[Query]]:
    """Yield queries without the words that are like none, then without one word each."""
    best = [options[0][1] if options else "" for options in choices]
    known = tuple(word for word in best if word)
    if known and len(known) < len(words):
        yield [known]
    if len(known) > 1:
        yield [known[:n] + known[n + 1 :] for n in range(len(known))]


def _in_turn(lists: list[tuple[Hit, ...]], limit: int) -> tuple[Hit, ...]:
    """Return the first of each list, then the second of each, without a concept twice."""
    rows = (hit for row in zip_longest(*lists) for hit in row if hit is not None)
    hit_by_concept = {hit.concept_id: hit for hit in reversed(list(rows))}
    return tuple(islice(reversed(hit_by_concept.values()), limit))


class _Vocabulary:
    """The words of the names of some releases.

    Args:
        connection: The store.
        release_ids: The releases.
    """

    def __init__(self, connection: PlainConnection, release_ids: list[int]) -> None:
        self._connection = connection
        self._release_ids = release_ids
        self._names_by_word: dict[str, int] | None = None

    def alternatives(self, word: str, *, last: bool) -> list[tuple[int, str]]:
        """Return words that could be meant, each with its edits, the nearest first.

        Args:
            word: as it was typed, folded.
            last: whether more of it may be typed, so that it is compared with beginnings too.
        """
        known = [(0, word)] if self._knows(word) else []
        if len(word) < _SHORTEST or any(map(str.isdigit, word)):
            return known
        most = _most_edits(word)
        names_by_word = self._words(len(word) - most, 99 if last else len(word) + most)
        near = _nearest_words(
            word, {other: n for other, n in names_by_word.items() if other != word}, most
        )
        if last and not near:
            beginnings: dict[str, int] = {}
            for candidate, names in names_by_word.items():
                beginning = candidate[: len(word)]
                beginnings[beginning] = beginnings.get(beginning, 0) + names
            near = _nearest_words(word, beginnings, most)
        return [*known, *self._parts(word), *near]

    def _knows(self, word: str) -> bool:
        return any(
            self._connection.execute(_KNOWN, (release_id, word, word + "\U0010ffff")).fetchone()
            for release_id in self._release_ids
        )

    def _parts(self, word: str) -> list[tuple[int, str]]:
        """Return two words of which one was made: lungcancer."""
        cuts = range(_SHORTEST_CODE, len(word) - _SHORTEST_CODE + 1)
        parts = ((word[:at], word[at:]) for at in cuts)
        return [(1, f"{a} {b}") for a, b in parts if self._has(a) and self._has(b)]

    def _has(self, word: str) -> bool:
        query = "SELECT 1 FROM name_word WHERE release_id = ? AND word = ?"
        rows = (
            self._connection.execute(query, (release_id, word)) for release_id in self._release_ids
        )
        return any(row.fetchone() for row in rows)

    def _words(self, shortest: int, longest: int) -> dict[str, int]:
        if self._names_by_word is None:
            self._names_by_word = self._read_words()
        return {
            word: names
            for word, names in self._names_by_word.items()
            if shortest <= len(word) <= longest
        }

    def _read_words(self) -> dict[str, int]:
        deadline = Deadline(time.thread_time() + _SECONDS)
        names_by_word: dict[str, int] = {}
        for release_id in self._release_ids:
            for word, names in rows_until(self._connection, deadline, _WORDS, (release_id,)):
                names_by_word[word] = names_by_word.get(word, 0) + names
        return names_by_word


def _nearest_words(word: str, names_by_word: dict[str, int], most: int) -> list[tuple[int, str]]:
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    matches = extract(
        word, list(names_by_word), scorer=OSA.distance, score_cutoff=most, limit=4 * _ALTERNATIVES
    )
    ranked = sorted(
        (int(edits), -names_by_word[candidate], candidate) for candidate, edits, _ in matches
    )
    return [(edits, candidate) for edits, _, candidate in ranked[:_ALTERNATIVES]]


def _most_edits(word: str) -> int:
    return 1 if len(word) <= 5 else 2 if len(word) <= 9 else 3
