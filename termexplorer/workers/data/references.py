"""Which concepts of two releases are the same, by the codes that they refer to."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from termexplorer.importers.text.prefixes import canonical
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.releases.cross_references import codes

Codes = dict[str, set[str]]  # by the CURIE of a concept


def references(connection: Connection, release_id: int) -> Codes:
    """The codes that live concepts refer to, under the prefixes that CURIEs have."""
    concept_codes = codes(connection, release_id).items()
    return {curie: set(map(canonical, several)) for curie, several in concept_codes}


def identified(connection: Connection, release_id: int, classes: Iterable[str]) -> Codes:
    """All codes that classes go by: their own, and those that they refer to.

    Args:
        connection: to the store.
        release_id: of the classes.
        classes: CURIEs of concepts, or codes of another system that concepts are grouped by.
    """
    codes_by_curie = references(connection, release_id)
    return {curie: {canonical(curie), *codes_by_curie.get(curie, ())} for curie in classes}


def same_concepts(first: Codes, other: Codes) -> Codes:
    """The classes of the first release that a class of the other is the same as.

    One of the two refers to the other, or both refer to a code that nothing else in either release
    refers to: a code of a coarser system, to which many refer, tells nothing.

    Args:
        first: the codes of each class of the first, as `identified` gives them.
        other: likewise.
    """
    ours, theirs = _by_code(first), _by_code(other)
    class_codes = set(map(canonical, (*first, *other)))
    matching: Codes = defaultdict(set)
    for code, other_curies in theirs.items():
        here = ours.get(code)
        if here and (code in class_codes or len(here) == len(other_curies) == 1):
            for other_curie in other_curies:
                matching[other_curie].update(here)
    return dict(matching)


def _by_code(codes_of: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    curies_by_code: dict[str, list[str]] = defaultdict(list)
    for curie, several in codes_of.items():
        for code in several:
            curies_by_code[code].append(curie)
    return curies_by_code
