"""Which concepts of two releases are the same, by the codes that they refer to."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from termexplorer.importers.text.prefixes import canonical
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.releases.cross_references import codes

Codes = dict[str, set[str]]  # by the CURIE of a concept


def references(connection: Connection, release_id: int) -> Codes:
    """The codes that live concepts refer to, under the prefixes that CURIEs have."""
    found = codes(connection, release_id).items()
    return {curie: set(map(canonical, several)) for curie, several in found}


def identified(connection: Connection, release_id: int, classes: Iterable[str]) -> Codes:
    """All codes that classes go by: their own, and those that they refer to.

    Args:
        connection: to the store.
        release_id: of the classes.
        classes: CURIEs of concepts, or codes of another system that concepts are grouped by.
    """
    found = references(connection, release_id)
    return {each: {canonical(each), *found.get(each, ())} for each in classes}


def same_concepts(first: Codes, other: Codes) -> Codes:
    """The classes of the first release that a class of the other is the same as.

    One of the two refers to the other, or both refer to a code that nothing else in either release
    refers to: a code of a coarser system, to which many refer, tells nothing.

    Args:
        first: the codes of each class of the first, as `identified` gives them.
        other: likewise.
    """
    ours, theirs = _by_code(first), _by_code(other)
    own = set(map(canonical, (*first, *other)))
    found: Codes = defaultdict(set)
    for code, there in theirs.items():
        here = ours.get(code)
        if here and (code in own or len(here) == len(there) == 1):
            for each in there:
                found[each].update(here)
    return dict(found)


def _by_code(codes_of: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for each, several in codes_of.items():
        for code in several:
            found[code].append(each)
    return found
