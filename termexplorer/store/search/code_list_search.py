"""A list of codes as a query: `HP:0001250, HP:0002090`."""

import re
from collections.abc import Iterable, Sequence

from termexplorer.store.database.raw_sql import PlainConnection
from termexplorer.store.indexes.folding import code_key
from termexplorer.store.search.queries import Hit, SearchResult, search
from termexplorer.store.search.typed_query import Match

_MOST_CODES = 100  # that are looked up of a list
_BETWEEN = re.compile(r"[\s,;|]+")
_PREFIXED = re.compile(r"[^\W\d_][\w.+-]*:\w[\w.-]*")


def split_code_list(query: str) -> list[str]:
    """Return the codes of a list, parted by blanks, commas, semicolons or bars; else []."""
    codes = list(dict.fromkeys(code for code in _BETWEEN.split(query) if code))
    return codes if len(codes) > 1 and all(map(_is_code, codes)) else []


def find_curies(query: str) -> list[str]:
    """Return the CURIEs among the words of a query: of `HP:0001250 ! Seizure`, say."""
    return list(filter(_is_code, dict.fromkeys(_PREFIXED.findall(query))))


def search_codes(
    connection: PlainConnection, codes: Iterable[str], release_ids: Sequence[int], limit: int
) -> SearchResult:
    """Look up each of some codes.

    Args:
        connection: the store.
        codes: as they were typed, or CURIEs.
        release_ids: the releases to look in.
        limit: the most concepts to return.

    Returns:
        The concepts in the order of the codes, and the codes that none of them has; nothing if
        none is found.
    """
    hits: dict[int, Hit] = {}
    missing = []
    codes = list(codes)
    for code in codes[:_MOST_CODES]:
        answer = search(connection, code, list(release_ids), limit)
        same = [hit for hit in answer.hits if hit.match in (Match.EXACT, Match.CODE)]
        hits |= {hit.concept_id: hit for hit in same if hit.concept_id not in hits}
        missing += [] if same else [code]
    if not hits:
        return SearchResult((), False)
    return SearchResult(tuple(hits.values())[:limit], len(codes) > _MOST_CODES, (), tuple(missing))


def _is_code(text: str) -> bool:
    return any(map(str.isdigit, text)) and bool(code_key(text))
