"""Which ids of a set of mappings stand for no concept of any ontology in a workspace."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from termexplorer.importers.text.curies import Curies
from termexplorer.mapping_terms import NO_TERM
from termexplorer.store.database.raw_sql import SqlReader
from termexplorer.store.releases.concepts import find_unknown_ids
from termexplorer.workspace import Workspace

_FIRST = 5  # that are listed
_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class UnknownCodes:
    """Ids that no ontology of the workspace has.

    Attributes:
        count: How many different ones.
        first: The first few.
    """

    count: int = 0
    first: Sequence[str] = ()


def find_unknown_codes(
    workspace: Workspace, ids: Iterable[str], head: Mapping[str, Any]
) -> UnknownCodes:
    """Return which of some ids are in no ontology, as they stand and by what they stand for.

    Args:
        workspace: With the ontologies.
        ids: Each once.
        head: Of the set, whose prefixes tell what a CURIE stands for.
    """
    declared = head.get("curie_map")
    prefixes = declared if isinstance(declared, dict) else {}
    unknown: list[str] = []
    count = 0
    wanted = (identifier for identifier in ids if identifier != NO_TERM)
    with workspace.store.reading() as connection:
        while some := list(islice(wanted, _AT_ONCE)):
            lost = _list_unknown(connection, some, prefixes)
            count += len(lost)
            unknown += lost[: _FIRST - len(unknown)]
    return UnknownCodes(count, unknown)


def _list_unknown(
    connection: SqlReader, ids: Sequence[str], prefixes: Mapping[str, Any]
) -> list[str]:
    lost = find_unknown_ids(connection, ids)
    meant = {identifier: _shorten_by_prefixes(identifier, prefixes) for identifier in lost}
    still = set(find_unknown_ids(connection, list(meant.values())))
    return [identifier for identifier in lost if meant[identifier] in still]


def _shorten_by_prefixes(identifier: str, prefixes: Mapping[str, Any]) -> str:
    """The CURIE as an import makes it of the IRI that an id stands for."""
    prefix, colon, rest = identifier.partition(":")
    iri = prefixes.get(prefix)
    return Curies().shorten(f"{iri}{rest}" if colon and isinstance(iri, str) else identifier)
